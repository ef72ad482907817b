/// Vectors that begin inside their owner and go on in a table once they are long.
module aptos_std::smart_vector {
    use std::error;
    use std::option::{Self, Option};
    use std::vector;
    use aptos_std::big_vector::{Self, BigVector};

    /// There is no such position.
    const EINDEX_OUT_OF_BOUNDS: u64 = 1;
    /// Only an empty vector can be thrown away.
    const EVECTOR_NOT_EMPTY: u64 = 2;
    /// There is nothing to take out.
    const EVECTOR_EMPTY: u64 = 3;
    /// A bucket holds at least one element.
    const EZERO_BUCKET_SIZE: u64 = 4;

    /// As many elements are kept inside where the maker does not say.
    const DEFAULT_INLINE_CAPACITY: u64 = 32;
    /// As many elements a bucket holds where the maker does not say.
    const DEFAULT_BUCKET_SIZE: u64 = 128;

    /// A vector: the elements inside come first.
    struct SmartVector<T> has store {
        inline_vec: vector<T>,
        /// None as long as all elements are inside.
        big_vec: Option<BigVector<T>>,
        inline_capacity: Option<u64>,
        bucket_size: Option<u64>
    }

    /// A vector without elements.
    public fun new<T: store>(): SmartVector<T> {
        SmartVector {
            inline_vec: vector[],
            big_vec: option::none(),
            inline_capacity: option::none(),
            bucket_size: option::none()
        }
    }

    /// The same.
    public fun empty<T: store>(): SmartVector<T> {
        new()
    }

    /// A vector that keeps `inline_capacity` elements inside and `bucket_size` in each item of its table.
    public fun empty_with_config<T: store>(inline_capacity: u64, bucket_size: u64): SmartVector<T> {
        assert!(bucket_size > 0, error::invalid_argument(EZERO_BUCKET_SIZE));
        SmartVector {
            inline_vec: vector[],
            big_vec: option::none(),
            inline_capacity: option::some(inline_capacity),
            bucket_size: option::some(bucket_size)
        }
    }

    /// A vector of one element.
    public fun singleton<T: store>(element: T): SmartVector<T> {
        let v = new();
        push_back(&mut v, element);
        v
    }

    /// Throws away a vector without elements.
    public fun destroy_empty<T>(self: SmartVector<T>) {
        assert!(is_empty(&self), error::invalid_argument(EVECTOR_NOT_EMPTY));
        let SmartVector { inline_vec, big_vec, inline_capacity: _, bucket_size: _ } = self;
        vector::destroy_empty(inline_vec);
        option::destroy_none(big_vec);
    }

    /// Throws away a vector whose elements may be thrown away.
    public fun destroy<T: drop>(self: SmartVector<T>) {
        clear(&mut self);
        destroy_empty(self);
    }

    /// Throws every element away.
    public fun clear<T: drop>(self: &mut SmartVector<T>) {
        while (!is_empty(self)) {
            pop_back(self);
        }
    }

    /// How many elements there are.
    public fun length<T>(self: &SmartVector<T>): u64 {
        let inside = vector::length(&self.inline_vec);
        if (option::is_some(&self.big_vec)) {
            inside + big_vector::length(option::borrow(&self.big_vec))
        } else {
            inside
        }
    }

    /// True where there are none.
    public fun is_empty<T>(self: &SmartVector<T>): bool {
        length(self) == 0
    }

    /// The element at a position.
    public fun borrow<T>(self: &SmartVector<T>, i: u64): &T {
        assert!(i < length(self), error::invalid_argument(EINDEX_OUT_OF_BOUNDS));
        let inside = vector::length(&self.inline_vec);
        if (i < inside) {
            vector::borrow(&self.inline_vec, i)
        } else {
            big_vector::borrow(option::borrow(&self.big_vec), i - inside)
        }
    }

    /// The element at a position, for writing.
    public fun borrow_mut<T>(self: &mut SmartVector<T>, i: u64): &mut T {
        assert!(i < length(self), error::invalid_argument(EINDEX_OUT_OF_BOUNDS));
        let inside = vector::length(&self.inline_vec);
        if (i < inside) {
            vector::borrow_mut(&mut self.inline_vec, i)
        } else {
            big_vector::borrow_mut(option::borrow_mut(&mut self.big_vec), i - inside)
        }
    }

    /// Adds an element at the end.
    public fun push_back<T: store>(self: &mut SmartVector<T>, val: T) {
        if (option::is_none(&self.big_vec)) {
            let capacity = option::get_with_default(&self.inline_capacity, DEFAULT_INLINE_CAPACITY);
            if (vector::length(&self.inline_vec) < capacity) {
                vector::push_back(&mut self.inline_vec, val);
                return
            };
            let bucket_size = option::get_with_default(&self.bucket_size, DEFAULT_BUCKET_SIZE);
            option::fill(&mut self.big_vec, big_vector::empty(bucket_size));
        };
        big_vector::push_back(option::borrow_mut(&mut self.big_vec), val);
    }

    /// Adds the elements of another vector at the end.
    public fun append<T: store>(self: &mut SmartVector<T>, other: SmartVector<T>) {
        let rest = vector[];
        while (!is_empty(&other)) {
            vector::push_back(&mut rest, pop_back(&mut other));
        };
        destroy_empty(other);
        while (!vector::is_empty(&rest)) {
            push_back(self, vector::pop_back(&mut rest));
        };
        vector::destroy_empty(rest);
    }

    /// Adds the elements of a plain vector at the end.
    public fun add_all<T: store>(self: &mut SmartVector<T>, vals: vector<T>) {
        vector::for_each(vals, |val| push_back(self, val));
    }

    /// Takes the last element out.
    public fun pop_back<T>(self: &mut SmartVector<T>): T {
        assert!(!is_empty(self), error::invalid_state(EVECTOR_EMPTY));
        if (option::is_none(&self.big_vec)) return vector::pop_back(&mut self.inline_vec);
        let big_vec = option::extract(&mut self.big_vec);
        let val = big_vector::pop_back(&mut big_vec);
        if (big_vector::is_empty(&big_vec)) {
            big_vector::destroy_empty(big_vec);
        } else {
            option::fill(&mut self.big_vec, big_vec);
        };
        val
    }

    /// Takes an element out and puts the last in its place.
    public fun swap_remove<T>(self: &mut SmartVector<T>, i: u64): T {
        let len = length(self);
        assert!(i < len, error::invalid_argument(EINDEX_OUT_OF_BOUNDS));
        if (i + 1 < len) {
            swap(self, i, len - 1);
        };
        pop_back(self)
    }

    /// Exchanges two elements.
    public fun swap<T>(self: &mut SmartVector<T>, i: u64, j: u64) {
        if (i > j) {
            swap(self, j, i);
            return
        };
        assert!(j < length(self), error::invalid_argument(EINDEX_OUT_OF_BOUNDS));
        let inside = vector::length(&self.inline_vec);
        if (j < inside) {
            vector::swap(&mut self.inline_vec, i, j);
        } else if (i >= inside) {
            big_vector::swap(option::borrow_mut(&mut self.big_vec), i - inside, j - inside);
        } else {
            let taken = vector::swap_remove(&mut self.inline_vec, i);
            let other = big_vector::replace(option::borrow_mut(&mut self.big_vec), j - inside, taken);
            big_vector::put_back(&mut self.inline_vec, i, other);
        }
    }

    /// Whether a value is there, and its first position or 0.
    public fun index_of<T>(self: &SmartVector<T>, val: &T): (bool, u64) {
        let (found, i) = vector::index_of(&self.inline_vec, val);
        if (found || option::is_none(&self.big_vec)) return (found, i);
        let (found, i) = big_vector::index_of(option::borrow(&self.big_vec), val);
        (found, if (found) i + vector::length(&self.inline_vec) else 0)
    }

    /// True where a value is there.
    public fun contains<T>(self: &SmartVector<T>, val: &T): bool {
        let (found, _) = index_of(self, val);
        found
    }

    /// All elements in one vector. Costs as much as the vector is long.
    public fun to_vector<T: copy + store>(self: &SmartVector<T>): vector<T> {
        let all = self.inline_vec;
        if (option::is_some(&self.big_vec)) {
            vector::append(&mut all, big_vector::to_vector(option::borrow(&self.big_vec)));
        };
        all
    }

    #[test]
    fun a_vector_grows_into_its_table_and_back() {
        let v = empty_with_config<u64>(2, 2);
        add_all(&mut v, vector[0, 1, 2, 3, 4]);
        assert!(length(&v) == 5 && *borrow(&v, 1) == 1 && *borrow(&v, 4) == 4, 0);
        swap(&mut v, 4, 0);
        assert!(to_vector(&v) == vector[4, 1, 2, 3, 0] && contains(&v, &3), 1);
        assert!(swap_remove(&mut v, 1) == 1, 2);
        let other = singleton(9);
        append(&mut v, other);
        assert!(to_vector(&v) == vector[4, 0, 2, 3, 9], 3);
        destroy(v);
    }
}
