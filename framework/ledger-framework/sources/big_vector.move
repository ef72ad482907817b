/// Vectors too long for one value: cut into buckets of a fixed size, each an item of a table.
module aptos_std::big_vector {
    use std::error;
    use std::vector;
    use aptos_std::table_with_length::{Self, TableWithLength};

    friend aptos_std::smart_vector;

    /// There is no such position.
    const EINDEX_OUT_OF_BOUNDS: u64 = 1;
    /// Only an empty vector can be thrown away.
    const EVECTOR_NOT_EMPTY: u64 = 2;
    /// There is nothing to take out.
    const EVECTOR_EMPTY: u64 = 3;
    /// A bucket holds at least one element.
    const EZERO_BUCKET_SIZE: u64 = 4;

    /// A vector. Every bucket but the last is full, and the last is not empty.
    struct BigVector<T> has store {
        buckets: TableWithLength<u64, vector<T>>,
        end_index: u64,
        bucket_size: u64
    }

    /// A vector without elements.
    public(friend) fun empty<T: store>(bucket_size: u64): BigVector<T> {
        assert!(bucket_size > 0, error::invalid_argument(EZERO_BUCKET_SIZE));
        BigVector { buckets: table_with_length::new(), end_index: 0, bucket_size }
    }

    /// A vector of one element.
    public(friend) fun singleton<T: store>(element: T, bucket_size: u64): BigVector<T> {
        let v = empty(bucket_size);
        push_back(&mut v, element);
        v
    }

    /// Throws away a vector without elements.
    public fun destroy_empty<T>(self: BigVector<T>) {
        assert!(self.end_index == 0, error::invalid_argument(EVECTOR_NOT_EMPTY));
        let BigVector { buckets, end_index: _, bucket_size: _ } = self;
        table_with_length::destroy_empty(buckets);
    }

    /// How many elements there are.
    public fun length<T>(self: &BigVector<T>): u64 {
        self.end_index
    }

    /// True where there are none.
    public fun is_empty<T>(self: &BigVector<T>): bool {
        self.end_index == 0
    }

    /// The element at a position.
    public fun borrow<T>(self: &BigVector<T>, i: u64): &T {
        assert!(i < self.end_index, error::invalid_argument(EINDEX_OUT_OF_BOUNDS));
        vector::borrow(table_with_length::borrow(&self.buckets, i / self.bucket_size), i % self.bucket_size)
    }

    /// The element at a position, for writing.
    public fun borrow_mut<T>(self: &mut BigVector<T>, i: u64): &mut T {
        assert!(i < self.end_index, error::invalid_argument(EINDEX_OUT_OF_BOUNDS));
        let bucket_size = self.bucket_size;
        vector::borrow_mut(table_with_length::borrow_mut(&mut self.buckets, i / bucket_size), i % bucket_size)
    }

    /// Adds an element at the end.
    public fun push_back<T: store>(self: &mut BigVector<T>, val: T) {
        let bucket = self.end_index / self.bucket_size;
        if (self.end_index % self.bucket_size == 0) {
            table_with_length::add(&mut self.buckets, bucket, vector[val]);
        } else {
            vector::push_back(table_with_length::borrow_mut(&mut self.buckets, bucket), val);
        };
        self.end_index = self.end_index + 1;
    }

    /// Takes the last element out.
    public fun pop_back<T>(self: &mut BigVector<T>): T {
        assert!(self.end_index > 0, error::invalid_state(EVECTOR_EMPTY));
        self.end_index = self.end_index - 1;
        let bucket = self.end_index / self.bucket_size;
        let last = table_with_length::borrow_mut(&mut self.buckets, bucket);
        let val = vector::pop_back(last);
        if (vector::is_empty(last)) {
            vector::destroy_empty(table_with_length::remove(&mut self.buckets, bucket));
        };
        val
    }

    /// Takes an element out and puts the last in its place.
    public fun swap_remove<T>(self: &mut BigVector<T>, i: u64): T {
        assert!(i < self.end_index, error::invalid_argument(EINDEX_OUT_OF_BOUNDS));
        let last = pop_back(self);
        // It was the last itself.
        if (i == self.end_index) return last;
        let bucket_size = self.bucket_size;
        let bucket = table_with_length::borrow_mut(&mut self.buckets, i / bucket_size);
        vector::push_back(bucket, last);
        vector::swap_remove(bucket, i % bucket_size)
    }

    /// Exchanges two elements.
    public fun swap<T>(self: &mut BigVector<T>, i: u64, j: u64) {
        assert!(
            i < self.end_index && j < self.end_index, error::invalid_argument(EINDEX_OUT_OF_BOUNDS)
        );
        let bucket_size = self.bucket_size;
        if (i / bucket_size == j / bucket_size) {
            vector::swap(
                table_with_length::borrow_mut(&mut self.buckets, i / bucket_size), i % bucket_size, j % bucket_size
            );
            return
        };
        // Two buckets cannot be borrowed at once: the first gives its element away for a moment.
        let (i_bucket, i_place) = (i / bucket_size, i % bucket_size);
        let taken = vector::swap_remove(table_with_length::borrow_mut(&mut self.buckets, i_bucket), i_place);
        let other = replace(self, j, taken);
        put_back(table_with_length::borrow_mut(&mut self.buckets, i_bucket), i_place, other);
    }

    /// Puts an element in place of another, which it returns.
    public(friend) fun replace<T>(self: &mut BigVector<T>, i: u64, val: T): T {
        assert!(i < self.end_index, error::invalid_argument(EINDEX_OUT_OF_BOUNDS));
        let bucket_size = self.bucket_size;
        let bucket = table_with_length::borrow_mut(&mut self.buckets, i / bucket_size);
        vector::push_back(bucket, val);
        vector::swap_remove(bucket, i % bucket_size)
    }

    /// The reverse of `vector::swap_remove`.
    public(friend) fun put_back<T>(v: &mut vector<T>, i: u64, val: T) {
        vector::push_back(v, val);
        let last = vector::length(v) - 1;
        vector::swap(v, i, last);
    }

    /// Whether a value is there, and its first position or 0.
    public fun index_of<T>(self: &BigVector<T>, val: &T): (bool, u64) {
        let bucket = 0;
        while (bucket * self.bucket_size < self.end_index) {
            let (found, i) = vector::index_of(table_with_length::borrow(&self.buckets, bucket), val);
            if (found) return (true, bucket * self.bucket_size + i);
            bucket = bucket + 1;
        };
        (false, 0)
    }

    /// True where a value is there.
    public fun contains<T>(self: &BigVector<T>, val: &T): bool {
        let (found, _) = index_of(self, val);
        found
    }

    /// All elements in one vector. Costs as much as the vector is long.
    public fun to_vector<T: copy>(self: &BigVector<T>): vector<T> {
        let all = vector[];
        let bucket = 0;
        while (bucket * self.bucket_size < self.end_index) {
            vector::append(&mut all, *table_with_length::borrow(&self.buckets, bucket));
            bucket = bucket + 1;
        };
        all
    }

    #[test]
    fun a_long_vector_spans_buckets() {
        let v = empty<u64>(3);
        let i = 0;
        while (i < 10) {
            push_back(&mut v, i);
            i = i + 1;
        };
        assert!(length(&v) == 10 && *borrow(&v, 7) == 7, 0);
        swap(&mut v, 0, 9);
        swap(&mut v, 3, 4);
        assert!(swap_remove(&mut v, 1) == 1 && swap_remove(&mut v, 8) == 8, 1);
        assert!(to_vector(&v) == vector[9, 0, 2, 4, 3, 5, 6, 7], 2);
        let (found, at) = index_of(&v, &5);
        assert!(found && at == 5 && !contains(&v, &8), 3);
        while (!is_empty(&v)) {
            pop_back(&mut v);
        };
        destroy_empty(v);
    }

    #[test]
    #[expected_failure(abort_code = 0x30003, location = Self)]
    fun nothing_comes_out_of_an_empty_vector() {
        let v = empty<u64>(1);
        pop_back(&mut v);
        destroy_empty(v);
    }
}
