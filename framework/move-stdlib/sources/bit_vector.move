/// A fixed number of bits, each of which can be set and cleared.
module std::bit_vector {
    use std::vector;

    /// The index lies beyond the end.
    const EINDEX: u64 = 0x20000;
    /// A bit vector has 1 to 1023 bits.
    const ELENGTH: u64 = 0x20001;

    /// The number of bits must stay below this.
    const MAX_SIZE: u64 = 1024;

    /// `length` bits, all of them in `bit_field`.
    struct BitVector has copy, drop, store {
        length: u64,
        bit_field: vector<bool>
    }

    /// `length` bits that are clear. Aborts with `ELENGTH` outside 1 to 1023.
    public fun new(length: u64): BitVector {
        assert!(length > 0 && length < MAX_SIZE, ELENGTH);
        let bit_field = vector::empty();
        let i = 0;
        while (i < length) {
            vector::push_back(&mut bit_field, false);
            i = i + 1;
        };
        BitVector { length, bit_field }
    }

    /// Sets bit `bit_index`.
    public fun set(self: &mut BitVector, bit_index: u64) {
        assert!(bit_index < self.length, EINDEX);
        *vector::borrow_mut(&mut self.bit_field, bit_index) = true;
    }

    /// Clears bit `bit_index`.
    public fun unset(self: &mut BitVector, bit_index: u64) {
        assert!(bit_index < self.length, EINDEX);
        *vector::borrow_mut(&mut self.bit_field, bit_index) = false;
    }

    /// True where bit `bit_index` is set.
    public fun is_index_set(self: &BitVector, bit_index: u64): bool {
        assert!(bit_index < self.length, EINDEX);
        *vector::borrow(&self.bit_field, bit_index)
    }

    /// The number of bits.
    public fun length(self: &BitVector): u64 {
        self.length
    }
}
