/// A value of any type that can be stored, kept with the name of its type so that it comes out as what went in.
module aptos_std::any {
    use std::bcs::to_bytes;
    use std::error;
    use std::string::String;
    use aptos_std::from_bcs::from_bytes;
    use aptos_std::type_info;

    /// The value is of another type.
    const ETYPE_MISMATCH: u64 = 0;

    /// The type's canonical text and the value's encoding.
    struct Any has drop, store {
        type_name: String,
        data: vector<u8>
    }

    /// Packs a value.
    public fun pack<T: drop + store>(x: T): Any {
        Any { type_name: type_info::type_name<T>(), data: to_bytes(&x) }
    }

    /// Unpacks a value. Aborts with `ETYPE_MISMATCH` where it is no `T`.
    public fun unpack<T>(self: Any): T {
        assert!(type_info::type_name<T>() == self.type_name, error::invalid_argument(ETYPE_MISMATCH));
        from_bytes<T>(self.data)
    }

    /// The canonical text of the value's type.
    public fun type_name(self: &Any): &String {
        &self.type_name
    }

    #[test]
    fun a_value_comes_out_as_it_went_in() {
        let packed = pack(vector[1u64, 2]);
        assert!(unpack<vector<u64>>(packed) == vector[1u64, 2], 0);
    }

    #[test]
    #[expected_failure(abort_code = 0x10000, location = Self)]
    fun another_type_is_refused() {
        unpack<u64>(pack(1u8));
    }
}
