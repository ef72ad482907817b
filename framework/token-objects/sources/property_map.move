/// Properties of an object: names with typed values, each stored as its encoding.
module aptos_token_objects::property_map {
    use std::bcs;
    use std::error;
    use std::string::{Self, String};
    use std::vector;
    use aptos_std::from_bcs;
    use aptos_std::simple_map::{Self, SimpleMap};
    use aptos_std::type_info;
    use aptos_framework::object::{Self, ConstructorRef, ExtendRef, Object};

    /// The object has no properties.
    const EPROPERTY_MAP_DOES_NOT_EXIST: u64 = 1;
    /// The object has a property of this name.
    const EKEY_ALREADY_EXISTS_IN_PROPERTY_MAP: u64 = 2;
    /// An object has at most 1000 properties.
    const ETOO_MANY_PROPERTIES: u64 = 3;
    /// There must be one value for each name.
    const EKEY_VALUE_COUNT_MISMATCH: u64 = 4;
    /// There must be one type for each name.
    const EKEY_TYPE_COUNT_MISMATCH: u64 = 5;
    /// The property has another type.
    const ETYPE_MISMATCH: u64 = 6;
    /// Properties have no such type.
    const ETYPE_INVALID: u64 = 7;
    /// The name has more than 128 bytes.
    const EPROPERTY_MAP_KEY_TOO_LONG: u64 = 8;

    const MAX_PROPERTY_MAP_SIZE: u64 = 1000;
    const MAX_PROPERTY_NAME_LENGTH: u64 = 128;

    // The types, as stored.
    const BOOL: u8 = 0;
    const U8: u8 = 1;
    const U16: u8 = 2;
    const U32: u8 = 3;
    const U64: u8 = 4;
    const U128: u8 = 5;
    const U256: u8 = 6;
    const ADDRESS: u8 = 7;
    const BYTE_VECTOR: u8 = 8;
    const STRING: u8 = 9;

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// An object's properties.
    struct PropertyMap has drop, key {
        inner: SimpleMap<String, PropertyValue>
    }

    /// A value: the number of its type and its encoding.
    struct PropertyValue has drop, store {
        type: u8,
        value: vector<u8>
    }

    /// The right to change an object's properties.
    struct MutatorRef has drop, store {
        self: address
    }

    /// Gives a new object its properties.
    public fun init(ref: &ConstructorRef, container: PropertyMap) {
        move_to(&object::generate_signer(ref), container);
    }

    /// Gives an object its properties.
    public fun extend(ref: &ExtendRef, container: PropertyMap) {
        move_to(&object::generate_signer_for_extending(ref), container);
    }

    /// Takes an object's properties away.
    public fun burn(ref: MutatorRef) acquires PropertyMap {
        move_from<PropertyMap>(ref.self);
    }

    /// Properties from lists of names, types (`u64`, `address`, `0x1::string::String` and so on) and encodings.
    public fun prepare_input(
        keys: vector<String>, types: vector<String>, values: vector<vector<u8>>
    ): PropertyMap {
        let length = vector::length(&keys);
        assert!(length <= MAX_PROPERTY_MAP_SIZE, error::invalid_argument(ETOO_MANY_PROPERTIES));
        assert!(length == vector::length(&values), error::invalid_argument(EKEY_VALUE_COUNT_MISMATCH));
        assert!(length == vector::length(&types), error::invalid_argument(EKEY_TYPE_COUNT_MISMATCH));
        let container = simple_map::new<String, PropertyValue>();
        let i = 0;
        while (i < length) {
            let type = to_internal_type(*vector::borrow(&types, i));
            insert(&mut container, *vector::borrow(&keys, i), type, *vector::borrow(&values, i));
            i = i + 1;
        };
        PropertyMap { inner: container }
    }

    /// Adds a property whose encoding is checked against its type.
    fun insert(map: &mut SimpleMap<String, PropertyValue>, key: String, type: u8, value: vector<u8>) {
        assert!(
            string::length(&key) <= MAX_PROPERTY_NAME_LENGTH, error::invalid_argument(EPROPERTY_MAP_KEY_TOO_LONG)
        );
        assert!(
            !simple_map::contains_key(map, &key), error::already_exists(EKEY_ALREADY_EXISTS_IN_PROPERTY_MAP)
        );
        assert!(
            simple_map::length(map) < MAX_PROPERTY_MAP_SIZE, error::invalid_state(ETOO_MANY_PROPERTIES)
        );
        validate_type(type, value);
        simple_map::add(map, key, PropertyValue { type, value });
    }

    /// The right to change a new object's properties.
    public fun generate_mutator_ref(ref: &ConstructorRef): MutatorRef {
        MutatorRef { self: object::address_from_constructor_ref(ref) }
    }

    fun to_external_type(type: u8): String {
        string::utf8(
            if (type == BOOL) b"bool"
            else if (type == U8) b"u8"
            else if (type == U16) b"u16"
            else if (type == U32) b"u32"
            else if (type == U64) b"u64"
            else if (type == U128) b"u128"
            else if (type == U256) b"u256"
            else if (type == ADDRESS) b"address"
            else if (type == BYTE_VECTOR) b"vector<u8>"
            else if (type == STRING) b"0x1::string::String"
            else abort error::invalid_argument(ETYPE_INVALID)
        )
    }

    fun to_internal_type(type: String): u8 {
        let i = 0;
        while (i <= STRING) {
            if (to_external_type(i) == type) return i;
            i = i + 1;
        };
        abort error::invalid_argument(ETYPE_INVALID)
    }

    fun type_info_to_internal_type<T>(): u8 {
        to_internal_type(type_info::type_name<T>())
    }

    /// Aborts unless the bytes are a value of the type.
    fun validate_type(type: u8, value: vector<u8>) {
        if (type == BOOL) { from_bcs::to_bool(value); }
        else if (type == U8) { from_bcs::to_u8(value); }
        else if (type == U16) { from_bcs::to_u16(value); }
        else if (type == U32) { from_bcs::to_u32(value); }
        else if (type == U64) { from_bcs::to_u64(value); }
        else if (type == U128) { from_bcs::to_u128(value); }
        else if (type == U256) { from_bcs::to_u256(value); }
        else if (type == ADDRESS) { from_bcs::to_address(value); }
        else if (type == BYTE_VECTOR) { from_bcs::to_bytes(value); }
        else if (type == STRING) { from_bcs::to_string(value); }
        else { abort error::invalid_argument(ETYPE_MISMATCH) };
    }

    inline fun map_of(addr: address): &SimpleMap<String, PropertyValue> {
        assert!(exists<PropertyMap>(addr), error::not_found(EPROPERTY_MAP_DOES_NOT_EXIST));
        &borrow_global<PropertyMap>(addr).inner
    }

    inline fun map_of_mut(ref: &MutatorRef): &mut SimpleMap<String, PropertyValue> {
        assert!(exists<PropertyMap>(ref.self), error::not_found(EPROPERTY_MAP_DOES_NOT_EXIST));
        &mut borrow_global_mut<PropertyMap>(ref.self).inner
    }

    #[view]
    /// True where the object has a property of this name.
    public fun contains_key<T: key>(object: Object<T>, key: String): bool acquires PropertyMap {
        simple_map::contains_key(map_of(object::object_address(&object)), &key)
    }

    #[view]
    /// How many properties the object has.
    public fun length<T: key>(object: Object<T>): u64 acquires PropertyMap {
        simple_map::length(map_of(object::object_address(&object)))
    }

    #[view]
    /// Type and encoding of a property.
    public fun read<T: key>(object: Object<T>, key: String): (String, vector<u8>) acquires PropertyMap {
        let property = simple_map::borrow(map_of(object::object_address(&object)), &key);
        (to_external_type(property.type), property.value)
    }

    fun read_typed<T: key, V>(object: Object<T>, key: String): vector<u8> acquires PropertyMap {
        let (type, value) = read(object, key);
        assert!(type == type_info::type_name<V>(), error::invalid_argument(ETYPE_MISMATCH));
        value
    }

    #[view]
    /// A property of this type.
    public fun read_bool<T: key>(object: Object<T>, key: String): bool acquires PropertyMap {
        from_bcs::to_bool(read_typed<T, bool>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_u8<T: key>(object: Object<T>, key: String): u8 acquires PropertyMap {
        from_bcs::to_u8(read_typed<T, u8>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_u16<T: key>(object: Object<T>, key: String): u16 acquires PropertyMap {
        from_bcs::to_u16(read_typed<T, u16>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_u32<T: key>(object: Object<T>, key: String): u32 acquires PropertyMap {
        from_bcs::to_u32(read_typed<T, u32>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_u64<T: key>(object: Object<T>, key: String): u64 acquires PropertyMap {
        from_bcs::to_u64(read_typed<T, u64>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_u128<T: key>(object: Object<T>, key: String): u128 acquires PropertyMap {
        from_bcs::to_u128(read_typed<T, u128>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_u256<T: key>(object: Object<T>, key: String): u256 acquires PropertyMap {
        from_bcs::to_u256(read_typed<T, u256>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_address<T: key>(object: Object<T>, key: String): address acquires PropertyMap {
        from_bcs::to_address(read_typed<T, address>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_bytes<T: key>(object: Object<T>, key: String): vector<u8> acquires PropertyMap {
        from_bcs::to_bytes(read_typed<T, vector<u8>>(object, key))
    }

    #[view]
    /// A property of this type.
    public fun read_string<T: key>(object: Object<T>, key: String): String acquires PropertyMap {
        from_bcs::to_string(read_typed<T, String>(object, key))
    }

    /// Adds a property from the name of its type and its encoding.
    public fun add(ref: &MutatorRef, key: String, type: String, value: vector<u8>) acquires PropertyMap {
        insert(map_of_mut(ref), key, to_internal_type(type), value);
    }

    /// Adds a property.
    public fun add_typed<T: drop>(ref: &MutatorRef, key: String, value: T) acquires PropertyMap {
        insert(map_of_mut(ref), key, type_info_to_internal_type<T>(), bcs::to_bytes(&value));
    }

    /// Changes a property, and its type where that differs.
    public fun update(ref: &MutatorRef, key: String, type: String, value: vector<u8>) acquires PropertyMap {
        set(map_of_mut(ref), key, to_internal_type(type), value);
    }

    /// Changes a property, and its type where that differs.
    public fun update_typed<T: drop>(ref: &MutatorRef, key: String, value: T) acquires PropertyMap {
        set(map_of_mut(ref), key, type_info_to_internal_type<T>(), bcs::to_bytes(&value));
    }

    fun set(map: &mut SimpleMap<String, PropertyValue>, key: String, type: u8, value: vector<u8>) {
        validate_type(type, value);
        *simple_map::borrow_mut(map, &key) = PropertyValue { type, value };
    }

    /// Takes a property away.
    public fun remove(ref: &MutatorRef, key: String) acquires PropertyMap {
        simple_map::remove(map_of_mut(ref), &key);
    }
}
