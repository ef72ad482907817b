/// A value that may be absent.
///
/// Held as a vector of no or one element, so its encoding is `00`, or `01` and the value.
module std::option {
    use std::vector;

    /// The option holds a value and must not.
    const EOPTION_IS_SET: u64 = 0x40000;
    /// The option holds no value and must.
    const EOPTION_NOT_SET: u64 = 0x40001;
    /// A vector with more than one element is not an option.
    const EOPTION_VEC_TOO_LONG: u64 = 0x40002;

    /// None or one `Element`. Invariant: `vec` has at most one element.
    struct Option<Element> has copy, drop, store {
        vec: vector<Element>
    }

    /// The absent value.
    public fun none<Element>(): Option<Element> {
        Option { vec: vector::empty() }
    }

    /// The option that holds `e`.
    public fun some<Element>(e: Element): Option<Element> {
        Option { vec: vector::singleton(e) }
    }

    /// Reads a vector of no or one element. Aborts with `EOPTION_VEC_TOO_LONG` for a longer one.
    public fun from_vec<Element>(vec: vector<Element>): Option<Element> {
        assert!(vector::length(&vec) <= 1, EOPTION_VEC_TOO_LONG);
        Option { vec }
    }

    /// True where a value is absent.
    public fun is_none<Element>(self: &Option<Element>): bool {
        vector::is_empty(&self.vec)
    }

    /// True where a value is present.
    public fun is_some<Element>(self: &Option<Element>): bool {
        !vector::is_empty(&self.vec)
    }

    /// True where the value is present and equals `e`.
    public fun contains<Element>(self: &Option<Element>, e: &Element): bool {
        vector::contains(&self.vec, e)
    }

    /// Borrows the value. Aborts with `EOPTION_NOT_SET` where it is absent.
    public fun borrow<Element>(self: &Option<Element>): &Element {
        assert!(is_some(self), EOPTION_NOT_SET);
        vector::borrow(&self.vec, 0)
    }

    /// Borrows the value, or `default` where it is absent.
    public fun borrow_with_default<Element>(self: &Option<Element>, default: &Element): &Element {
        if (is_none(self)) { default } else { vector::borrow(&self.vec, 0) }
    }

    /// A copy of the value, or `default` where it is absent.
    public fun get_with_default<Element: copy + drop>(self: &Option<Element>, default: Element): Element {
        if (is_none(self)) { default } else { *vector::borrow(&self.vec, 0) }
    }

    /// Puts `e` in. Aborts with `EOPTION_IS_SET` where a value is present.
    public fun fill<Element>(self: &mut Option<Element>, e: Element) {
        assert!(is_none(self), EOPTION_IS_SET);
        vector::push_back(&mut self.vec, e);
    }

    /// Takes the value out. Aborts with `EOPTION_NOT_SET` where it is absent.
    public fun extract<Element>(self: &mut Option<Element>): Element {
        assert!(is_some(self), EOPTION_NOT_SET);
        vector::pop_back(&mut self.vec)
    }

    /// Borrows the value for writing. Aborts with `EOPTION_NOT_SET` where it is absent.
    public fun borrow_mut<Element>(self: &mut Option<Element>): &mut Element {
        assert!(is_some(self), EOPTION_NOT_SET);
        vector::borrow_mut(&mut self.vec, 0)
    }

    /// Replaces the value and returns the one before. Aborts with `EOPTION_NOT_SET` where it is absent.
    public fun swap<Element>(self: &mut Option<Element>, e: Element): Element {
        assert!(is_some(self), EOPTION_NOT_SET);
        let before = vector::pop_back(&mut self.vec);
        vector::push_back(&mut self.vec, e);
        before
    }

    /// Puts `e` in, whatever was there, and returns what was there.
    public fun swap_or_fill<Element>(self: &mut Option<Element>, e: Element): Option<Element> {
        let before = if (is_none(self)) { vector::empty() } else { vector::singleton(vector::pop_back(&mut self.vec)) };
        vector::push_back(&mut self.vec, e);
        Option { vec: before }
    }

    /// Unpacks the option into its value, or `default` where it is absent.
    public fun destroy_with_default<Element: drop>(self: Option<Element>, default: Element): Element {
        let Option { vec } = self;
        if (vector::is_empty(&vec)) { default } else { vector::pop_back(&mut vec) }
    }

    /// Unpacks an option that holds a value. Aborts with `EOPTION_NOT_SET` where it is absent.
    public fun destroy_some<Element>(self: Option<Element>): Element {
        assert!(is_some(&self), EOPTION_NOT_SET);
        let Option { vec } = self;
        let e = vector::pop_back(&mut vec);
        vector::destroy_empty(vec);
        e
    }

    /// Unpacks an option that holds nothing. Aborts with `EOPTION_IS_SET` where a value is present.
    public fun destroy_none<Element>(self: Option<Element>) {
        assert!(is_none(&self), EOPTION_IS_SET);
        let Option { vec } = self;
        vector::destroy_empty(vec);
    }

    /// The option as a vector of no or one element.
    public fun to_vec<Element>(self: Option<Element>): vector<Element> {
        let Option { vec } = self;
        vec
    }

    /// Calls `f` on the value where one is present, consuming the option.
    public inline fun for_each<Element>(self: Option<Element>, f: |Element|) {
        if (is_some(&self)) {
            f(destroy_some(self))
        } else {
            destroy_none(self)
        }
    }

    /// Calls `f` on a reference to the value where one is present.
    public inline fun for_each_ref<Element>(self: &Option<Element>, f: |&Element|) {
        if (is_some(self)) {
            f(borrow(self))
        }
    }

    /// Calls `f` on a mutable reference to the value where one is present.
    public inline fun for_each_mut<Element>(self: &mut Option<Element>, f: |&mut Element|) {
        if (is_some(self)) {
            f(borrow_mut(self))
        }
    }

    /// Maps the value by `f`, keeping absence.
    public inline fun map<Element, OtherElement>(self: Option<Element>, f: |Element| OtherElement): Option<OtherElement> {
        if (is_some(&self)) {
            some(f(destroy_some(self)))
        } else {
            destroy_none(self);
            none()
        }
    }

    /// Maps a reference to the value by `f`, keeping absence.
    public inline fun map_ref<Element, OtherElement>(self: &Option<Element>, f: |&Element| OtherElement): Option<OtherElement> {
        if (is_some(self)) {
            some(f(borrow(self)))
        } else {
            none()
        }
    }

    /// True where a value is present and `p` holds for it.
    public inline fun any<Element>(self: &Option<Element>, p: |&Element| bool): bool {
        is_some(self) && p(borrow(self))
    }
}
