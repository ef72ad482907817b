/// A value of any type that can be stored and copied, kept with the name of its type.
module aptos_std::copyable_any {
    use std::bcs;
    use std::error;
    use std::string::String;
    use aptos_std::from_bcs::from_bytes;
    use aptos_std::type_info;

    /// The value is of another type.
    const ETYPE_MISMATCH: u64 = 0;

    /// The type's canonical text and the value's encoding.
    struct Any has copy, drop, store {
        type_name: String,
        data: vector<u8>
    }

    /// Packs a value.
    public fun pack<T: copy + drop + store>(x: T): Any {
        Any { type_name: type_info::type_name<T>(), data: bcs::to_bytes(&x) }
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
}
