/// The names of types, as values.
module aptos_std::type_info {
    use std::features;
    use std::error;
    use std::string::String;

    /// The chain does not offer this function yet.
    const E_NATIVE_FUN_NOT_AVAILABLE: u64 = 1;

    /// The name of a struct type. `struct_name` includes the type arguments.
    struct TypeInfo has copy, drop, store {
        account_address: address,
        module_name: vector<u8>,
        struct_name: vector<u8>
    }

    /// The address that published the type.
    public fun account_address(self: &TypeInfo): address {
        self.account_address
    }

    /// The module that defines the type.
    public fun module_name(self: &TypeInfo): vector<u8> {
        self.module_name
    }

    /// The name of the type with its type arguments.
    public fun struct_name(self: &TypeInfo): vector<u8> {
        self.struct_name
    }

    /// The chain's number, without reading state. Needs feature 4.
    public fun chain_id(): u8 {
        assert!(features::is_enabled(4), error::invalid_state(E_NATIVE_FUN_NOT_AVAILABLE));
        chain_id_internal()
    }

    /// The name of struct type `T`. Aborts for types that are no structs.
    native public fun type_of<T>(): TypeInfo;

    /// The canonical text of any type, with short addresses.
    native public fun type_name<T>(): String;

    native fun chain_id_internal(): u8;

    #[test]
    fun a_type_is_named_by_its_parts() {
        let info = type_of<TypeInfo>();
        assert!(account_address(&info) == @aptos_std, 0);
        assert!(module_name(&info) == b"type_info", 1);
        assert!(struct_name(&info) == b"TypeInfo", 2);
        assert!(type_name<vector<u8>>() == std::string::utf8(b"vector<u8>"), 3);
    }
}
