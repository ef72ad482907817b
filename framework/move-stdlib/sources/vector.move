/// Growable arrays.
///
/// The functions marked as bytecode instructions are single instructions of the virtual machine. An index that is out of
/// bounds ends the transaction with a vector error, or with `EINDEX_OUT_OF_BOUNDS` where Move code looks first.
module std::vector {
    /// An index lies beyond the end.
    const EINDEX_OUT_OF_BOUNDS: u64 = 0x20000;
    /// A range ends before it starts or beyond the end.
    const EINVALID_RANGE: u64 = 0x20001;
    /// Two vectors that are walked together have different lengths.
    const EVECTORS_LENGTH_MISMATCH: u64 = 0x20002;
    /// A step of zero would never end.
    const EINVALID_STEP: u64 = 0x20003;

    #[bytecode_instruction]
    /// A vector without elements.
    native public fun empty<Element>(): vector<Element>;

    #[bytecode_instruction]
    /// The number of elements.
    native public fun length<Element>(self: &vector<Element>): u64;

    #[bytecode_instruction]
    /// Borrows element `i`.
    native public fun borrow<Element>(self: &vector<Element>, i: u64): &Element;

    #[bytecode_instruction]
    /// Borrows element `i` for writing.
    native public fun borrow_mut<Element>(self: &mut vector<Element>, i: u64): &mut Element;

    #[bytecode_instruction]
    /// Puts `e` at the end.
    native public fun push_back<Element>(self: &mut vector<Element>, e: Element);

    #[bytecode_instruction]
    /// Takes the last element.
    native public fun pop_back<Element>(self: &mut vector<Element>): Element;

    #[bytecode_instruction]
    /// Consumes a vector without elements.
    native public fun destroy_empty<Element>(self: vector<Element>);

    #[bytecode_instruction]
    /// Exchanges elements `i` and `j`.
    native public fun swap<Element>(self: &mut vector<Element>, i: u64, j: u64);

    /// The vector that holds `e` alone.
    public fun singleton<Element>(e: Element): vector<Element> {
        let v = empty();
        push_back(&mut v, e);
        v
    }

    /// True for a vector without elements.
    public fun is_empty<Element>(self: &vector<Element>): bool {
        length(self) == 0
    }

    /// True where some element equals `e`.
    public fun contains<Element>(self: &vector<Element>, e: &Element): bool {
        let (found, _) = index_of(self, e);
        found
    }

    /// Whether some element equals `e`, and the index of the first one (0 where none does).
    public fun index_of<Element>(self: &vector<Element>, e: &Element): (bool, u64) {
        let i = 0;
        let n = length(self);
        while (i < n) {
            if (borrow(self, i) == e) return (true, i);
            i = i + 1;
        };
        (false, 0)
    }

    /// Turns the order of all elements round.
    public fun reverse<Element>(self: &mut vector<Element>) {
        let n = length(self);
        reverse_slice(self, 0, n);
    }

    /// Turns the order of the elements from `left` up to but without `right` round.
    public fun reverse_slice<Element>(self: &mut vector<Element>, left: u64, right: u64) {
        assert!(left <= right, EINVALID_RANGE);
        while (left + 1 < right) {
            right = right - 1;
            swap(self, left, right);
            left = left + 1;
        }
    }

    /// Moves every element of `other` to the end, in order.
    public fun append<Element>(self: &mut vector<Element>, other: vector<Element>) {
        reverse(&mut other);
        reverse_append(self, other);
    }

    /// Moves every element of `other` to the end, last one first.
    public fun reverse_append<Element>(self: &mut vector<Element>, other: vector<Element>) {
        let n = length(&other);
        while (n > 0) {
            push_back(self, pop_back(&mut other));
            n = n - 1;
        };
        destroy_empty(other);
    }

    /// Keeps the first `new_len` elements and returns the others in order.
    public fun trim<Element>(self: &mut vector<Element>, new_len: u64): vector<Element> {
        let rest = trim_reverse(self, new_len);
        reverse(&mut rest);
        rest
    }

    /// Keeps the first `new_len` elements and returns the others, last one first.
    public fun trim_reverse<Element>(self: &mut vector<Element>, new_len: u64): vector<Element> {
        let n = length(self);
        assert!(new_len <= n, EINDEX_OUT_OF_BOUNDS);
        let rest = empty();
        while (new_len < n) {
            push_back(&mut rest, pop_back(self));
            n = n - 1;
        };
        rest
    }

    /// Puts `e` at index `i`, moving what follows up by one.
    public fun insert<Element>(self: &mut vector<Element>, i: u64, e: Element) {
        let n = length(self);
        assert!(i <= n, EINDEX_OUT_OF_BOUNDS);
        push_back(self, e);
        while (i < n) {
            swap(self, i, n);
            i = i + 1;
        }
    }

    /// Takes element `i`, keeping the order of the others. Costs one exchange per element behind it.
    public fun remove<Element>(self: &mut vector<Element>, i: u64): Element {
        let n = length(self);
        assert!(i < n, EINDEX_OUT_OF_BOUNDS);
        while (i + 1 < n) {
            swap(self, i, i + 1);
            i = i + 1;
        };
        pop_back(self)
    }

    /// Takes the first element equal to `val`, as a vector of no or one element.
    public fun remove_value<Element>(self: &mut vector<Element>, val: &Element): vector<Element> {
        let (found, i) = index_of(self, val);
        if (found) { singleton(remove(self, i)) } else { empty() }
    }

    /// Takes element `i` and puts the last one in its place. Constant cost; the order changes.
    public fun swap_remove<Element>(self: &mut vector<Element>, i: u64): Element {
        assert!(!is_empty(self), EINDEX_OUT_OF_BOUNDS);
        let last = length(self) - 1;
        swap(self, i, last);
        pop_back(self)
    }

    /// Puts `val` at index `i` and returns what was there.
    public fun replace<Element>(self: &mut vector<Element>, i: u64, val: Element): Element {
        let last = length(self);
        assert!(i < last, EINDEX_OUT_OF_BOUNDS);
        push_back(self, val);
        swap(self, i, last);
        pop_back(self)
    }

    /// Copies the elements from `start` up to but without `end`.
    public fun slice<Element: copy>(self: &vector<Element>, start: u64, end: u64): vector<Element> {
        assert!(start <= end && end <= length(self), EINVALID_RANGE);
        let part = empty();
        while (start < end) {
            push_back(&mut part, *borrow(self, start));
            start = start + 1;
        };
        part
    }

    /// The numbers from `start` up to but without `end`.
    public fun range(start: u64, end: u64): vector<u64> {
        range_with_step(start, end, 1)
    }

    /// The numbers from `start` up to but without `end`, `step` apart. Aborts with `EINVALID_STEP` for 0.
    public fun range_with_step(start: u64, end: u64, step: u64): vector<u64> {
        assert!(step > 0, EINVALID_STEP);
        let v = empty();
        while (start < end) {
            push_back(&mut v, start);
            start = start + step;
        };
        v
    }

    /// Calls `f` on every element in order, consuming the vector.
    public inline fun for_each<Element>(self: vector<Element>, f: |Element|) {
        reverse(&mut self);
        for_each_reverse(self, |e| f(e))
    }

    /// Calls `f` on every element, last one first, consuming the vector.
    public inline fun for_each_reverse<Element>(self: vector<Element>, f: |Element|) {
        let n = length(&self);
        while (n > 0) {
            f(pop_back(&mut self));
            n = n - 1;
        };
        destroy_empty(self)
    }

    /// Calls `f` on a reference to every element in order.
    public inline fun for_each_ref<Element>(self: &vector<Element>, f: |&Element|) {
        let i = 0;
        let n = length(self);
        while (i < n) {
            f(borrow(self, i));
            i = i + 1;
        }
    }

    /// Calls `f` on a mutable reference to every element in order.
    public inline fun for_each_mut<Element>(self: &mut vector<Element>, f: |&mut Element|) {
        let i = 0;
        let n = length(self);
        while (i < n) {
            f(borrow_mut(self, i));
            i = i + 1;
        }
    }

    /// Calls `f` with the index of and a reference to every element in order.
    public inline fun enumerate_ref<Element>(self: &vector<Element>, f: |u64, &Element|) {
        let i = 0;
        let n = length(self);
        while (i < n) {
            f(i, borrow(self, i));
            i = i + 1;
        }
    }

    /// Calls `f` on the elements of two vectors of equal length, pair by pair, consuming both.
    public inline fun zip<Element1, Element2>(self: vector<Element1>, v2: vector<Element2>, f: |Element1, Element2|) {
        reverse(&mut self);
        reverse(&mut v2);
        let n = length(&self);
        assert!(n == length(&v2), 0x20002);
        while (n > 0) {
            f(pop_back(&mut self), pop_back(&mut v2));
            n = n - 1;
        };
        destroy_empty(self);
        destroy_empty(v2);
    }

    /// Folds `f` over the elements in order, starting from `init`.
    public inline fun fold<Accumulator, Element>(
        self: vector<Element>, init: Accumulator, f: |Accumulator, Element| Accumulator
    ): Accumulator {
        let accu = init;
        for_each(self, |e| accu = f(accu, e));
        accu
    }

    /// The vector of `f` of every element.
    public inline fun map<Element, NewElement>(self: vector<Element>, f: |Element| NewElement): vector<NewElement> {
        let result = vector[];
        for_each(self, |e| push_back(&mut result, f(e)));
        result
    }

    /// The vector of `f` of a reference to every element.
    public inline fun map_ref<Element, NewElement>(self: &vector<Element>, f: |&Element| NewElement): vector<NewElement> {
        let result = vector[];
        for_each_ref(self, |e| push_back(&mut result, f(e)));
        result
    }

    /// The elements for which `p` holds, in order.
    public inline fun filter<Element: drop>(self: vector<Element>, p: |&Element| bool): vector<Element> {
        let result = vector[];
        for_each(self, |e| { if (p(&e)) push_back(&mut result, e); });
        result
    }

    /// True where `p` holds for some element.
    public inline fun any<Element>(self: &vector<Element>, p: |&Element| bool): bool {
        let result = false;
        let i = 0;
        while (i < length(self)) {
            result = p(borrow(self, i));
            if (result) break;
            i = i + 1;
        };
        result
    }

    /// True where `p` holds for every element.
    public inline fun all<Element>(self: &vector<Element>, p: |&Element| bool): bool {
        let result = true;
        let i = 0;
        while (i < length(self)) {
            result = p(borrow(self, i));
            if (!result) break;
            i = i + 1;
        };
        result
    }

    /// Whether `p` holds for some element, and the index of the first one (0 where none).
    public inline fun find<Element>(self: &vector<Element>, p: |&Element| bool): (bool, u64) {
        let found = false;
        let at = 0;
        let i = 0;
        let n = length(self);
        while (i < n) {
            if (p(borrow(self, i))) {
                found = true;
                at = i;
                break
            };
            i = i + 1;
        };
        (found, at)
    }

    /// Consumes every element with `d`.
    public inline fun destroy<Element>(self: vector<Element>, d: |Element|) {
        for_each_reverse(self, |e| d(e))
    }
}
