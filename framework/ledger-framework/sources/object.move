/// Objects: addresses that hold resources and belong to an owner, who may be an account or another object.
///
/// Whoever creates an object gets its `ConstructorRef`, for the length of the call that creates it, and decides with it what shall
/// be possible later, by keeping references: to delete the object, to act for it, to move it against its owner's will. All
/// resources of an object are stored together, as one group.
module aptos_framework::object {
    use std::bcs;
    use std::error;
    use std::hash;
    use std::signer;
    use std::vector;
    use aptos_std::from_bcs;
    use aptos_framework::account;
    use aptos_framework::create_signer::create_signer;
    use aptos_framework::event;
    use aptos_framework::guid;
    use aptos_framework::transaction_context;

    friend aptos_framework::coin;
    friend aptos_framework::primary_fungible_store;

    /// The address has an object already.
    const EOBJECT_EXISTS: u64 = 1;
    /// The address has no object.
    const EOBJECT_DOES_NOT_EXIST: u64 = 2;
    /// The object, or one that owns it, does not let its owner move it.
    const ENO_UNGATED_TRANSFERS: u64 = 3;
    /// The account does not own the object, not even through other objects.
    const ENOT_OBJECT_OWNER: u64 = 4;
    /// The object cannot be deleted.
    const ECANNOT_DELETE: u64 = 5;
    /// More than 8 objects own each other.
    const EMAXIMUM_NESTING: u64 = 6;
    /// The object has no such resource.
    const ERESOURCE_DOES_NOT_EXIST: u64 = 7;
    /// The object has not been burnt.
    const EOBJECT_NOT_BURNT: u64 = 8;
    /// The object can never be moved.
    const EOBJECT_NOT_TRANSFERRABLE: u64 = 9;
    /// The object has been burnt.
    const EOBJECT_ALREADY_BURNT: u64 = 10;

    /// As many owners are followed on the way up.
    const MAXIMUM_OBJECT_NESTING: u8 = 8;
    /// The number an object's first identifier gets: far from those of an account at the same address.
    const INIT_GUID_CREATION_NUM: u64 = 0x4000000000000;
    /// The last byte hashed into addresses derived from another object.
    const OBJECT_DERIVED_SCHEME: u8 = 0xFC;
    /// The last byte hashed into addresses made of an identifier.
    const OBJECT_FROM_GUID_ADDRESS_SCHEME: u8 = 0xFD;
    /// The last byte hashed into addresses made of a name.
    const OBJECT_FROM_SEED_ADDRESS_SCHEME: u8 = 0xFE;
    /// Where old chains sent burnt objects.
    const BURN_ADDRESS: address = @0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff;

    #[resource_group(scope = global)]
    /// Stores an object's resources together.
    struct ObjectGroup {}

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// What makes an address an object.
    struct ObjectCore has key {
        /// The number the next identifier gets.
        guid_creation_num: u64,
        owner: address,
        /// Whether the owner may move the object.
        allow_ungated_transfer: bool,
        transfer_events: event::EventHandle<TransferEvent>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// Marks a burnt object.
    struct TombStone has key {
        original_owner: address
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// Marks an object that can never be moved.
    struct Untransferable has key {}

    /// The address of an object that has a resource `T`.
    struct Object<phantom T> has copy, drop, store {
        inner: address
    }

    /// Proves that an object was created in this call.
    struct ConstructorRef has drop {
        self: address,
        can_delete: bool
    }

    /// The right to delete an object.
    struct DeleteRef has drop, store {
        self: address
    }

    /// The right to act for an object.
    struct ExtendRef has drop, store {
        self: address
    }

    /// The right to move an object, and to allow or forbid it to its owner.
    struct TransferRef has drop, store {
        self: address
    }

    /// The right to move an object once, away from the owner it has now.
    struct LinearTransferRef has drop {
        self: address,
        owner: address
    }

    /// The right to create objects at addresses derived from this one and another.
    struct DeriveRef has drop, store {
        self: address
    }

    /// What old chains wrote when an object moved.
    struct TransferEvent has drop, store {
        object: address,
        from: address,
        to: address
    }

    #[event]
    /// An object has another owner.
    struct Transfer has drop, store {
        object: address,
        from: address,
        to: address
    }

    // Looking.

    #[view]
    /// True where the object can never be moved.
    public fun is_untransferable<T: key>(object: Object<T>): bool {
        exists<Untransferable>(object.inner)
    }

    #[view]
    /// True where the object has been burnt.
    public fun is_burnt<T: key>(object: Object<T>): bool {
        exists<TombStone>(object.inner)
    }

    /// The object at an address. Aborts where there is none, or it has no resource `T`.
    public fun address_to_object<T: key>(object: address): Object<T> {
        assert!(exists<ObjectCore>(object), error::not_found(EOBJECT_DOES_NOT_EXIST));
        assert!(exists_at<T>(object), error::not_found(ERESOURCE_DOES_NOT_EXIST));
        Object { inner: object }
    }

    /// True where the address is an object.
    public fun is_object(object: address): bool {
        exists<ObjectCore>(object)
    }

    /// True where the address is an object with a resource `T`.
    public fun object_exists<T: key>(object: address): bool {
        exists<ObjectCore>(object) && exists_at<T>(object)
    }

    /// The address of the object `source` creates with the name `seed`.
    public fun create_object_address(source: &address, seed: vector<u8>): address {
        let bytes = bcs::to_bytes(source);
        vector::append(&mut bytes, seed);
        vector::push_back(&mut bytes, OBJECT_FROM_SEED_ADDRESS_SCHEME);
        from_bcs::to_address(hash::sha3_256(bytes))
    }

    /// The address derived from `source` and the object `derive_from`.
    public fun create_user_derived_object_address(source: address, derive_from: address): address {
        create_user_derived_object_address_impl(source, derive_from)
    }

    /// The address of the object `source` creates with its identifier `creation_num`.
    public fun create_guid_object_address(source: address, creation_num: u64): address {
        let bytes = bcs::to_bytes(&guid::create_id(source, creation_num));
        vector::push_back(&mut bytes, OBJECT_FROM_GUID_ADDRESS_SCHEME);
        from_bcs::to_address(hash::sha3_256(bytes))
    }

    /// The address.
    public fun object_address<T: key>(object: &Object<T>): address {
        object.inner
    }

    /// The same object under another of its resources. Aborts where it has no resource `Y`.
    public fun convert<X: key, Y: key>(object: Object<X>): Object<Y> {
        address_to_object<Y>(object.inner)
    }

    #[view]
    /// True where the owner may move the object.
    public fun ungated_transfer_allowed<T: key>(object: Object<T>): bool acquires ObjectCore {
        core(object.inner).allow_ungated_transfer
    }

    #[view]
    /// The owner.
    public fun owner<T: key>(object: Object<T>): address acquires ObjectCore {
        core(object.inner).owner
    }

    #[view]
    /// True where `owner` owns the object directly.
    public fun is_owner<T: key>(object: Object<T>, owner: address): bool acquires ObjectCore {
        owner(object) == owner
    }

    #[view]
    /// True where `owner` owns the object, directly or through other objects. An object owns itself.
    public fun owns<T: key>(object: Object<T>, owner: address): bool acquires ObjectCore {
        let current = object.inner;
        if (current == owner) return true;
        assert!(exists<ObjectCore>(current), error::not_found(EOBJECT_DOES_NOT_EXIST));
        let steps = 0;
        current = borrow_global<ObjectCore>(current).owner;
        while (current != owner) {
            steps = steps + 1;
            assert!(steps < MAXIMUM_OBJECT_NESTING, error::out_of_range(EMAXIMUM_NESTING));
            if (!exists<ObjectCore>(current)) return false;
            current = borrow_global<ObjectCore>(current).owner;
        };
        true
    }

    #[view]
    /// Who stands at the end of the chain of owners.
    public fun root_owner<T: key>(object: Object<T>): address acquires ObjectCore {
        let current = owner(object);
        let steps = 0;
        while (exists<ObjectCore>(current)) {
            steps = steps + 1;
            assert!(steps < MAXIMUM_OBJECT_NESTING, error::out_of_range(EMAXIMUM_NESTING));
            current = borrow_global<ObjectCore>(current).owner;
        };
        current
    }

    inline fun core(object: address): &ObjectCore {
        assert!(exists<ObjectCore>(object), error::not_found(EOBJECT_DOES_NOT_EXIST));
        borrow_global<ObjectCore>(object)
    }

    inline fun core_mut(object: address): &mut ObjectCore {
        assert!(exists<ObjectCore>(object), error::not_found(EOBJECT_DOES_NOT_EXIST));
        borrow_global_mut<ObjectCore>(object)
    }

    // Creating.

    /// Creates the calling account's object with the name `seed`, for ever.
    public fun create_named_object(creator: &signer, seed: vector<u8>): ConstructorRef {
        let creator_address = signer::address_of(creator);
        create_object_internal(creator_address, create_object_address(&creator_address, seed), false)
    }

    /// Creates the object of an address and the object behind `derive_ref`, for ever.
    public(friend) fun create_user_derived_object(
        creator_address: address, derive_ref: &DeriveRef
    ): ConstructorRef {
        create_object_internal(
            creator_address, create_user_derived_object_address(creator_address, derive_ref.self), false
        )
    }

    /// Creates an object at an address nothing on the chain has had before.
    public fun create_object(owner_address: address): ConstructorRef {
        create_object_internal(owner_address, transaction_context::generate_auid_address(), true)
    }

    /// The same, for ever.
    public fun create_sticky_object(owner_address: address): ConstructorRef {
        create_object_internal(owner_address, transaction_context::generate_auid_address(), false)
    }

    /// Creates an object at an address the framework chose, for ever.
    public(friend) fun create_sticky_object_at_address(
        owner_address: address, object_address: address
    ): ConstructorRef {
        create_object_internal(owner_address, object_address, false)
    }

    /// Creates an object at an address made of the calling account's next identifier. `create_object` needs no account.
    public fun create_object_from_account(creator: &signer): ConstructorRef {
        create_object_from_guid(signer::address_of(creator), account::create_guid(creator))
    }

    /// Creates an object at an address made of the calling object's next identifier.
    public fun create_object_from_object(creator: &signer): ConstructorRef acquires ObjectCore {
        create_object_from_guid(signer::address_of(creator), create_guid(creator))
    }

    fun create_object_from_guid(creator_address: address, guid: guid::GUID): ConstructorRef {
        let bytes = bcs::to_bytes(&guid);
        vector::push_back(&mut bytes, OBJECT_FROM_GUID_ADDRESS_SCHEME);
        create_object_internal(creator_address, from_bcs::to_address(hash::sha3_256(bytes)), true)
    }

    fun create_object_internal(creator_address: address, object: address, can_delete: bool): ConstructorRef {
        assert!(!exists<ObjectCore>(object), error::already_exists(EOBJECT_EXISTS));
        let object_signer = create_signer(object);
        let guid_creation_num = INIT_GUID_CREATION_NUM;
        let transfer_events_guid = guid::create(object, &mut guid_creation_num);
        move_to(
            &object_signer,
            ObjectCore {
                guid_creation_num,
                owner: creator_address,
                allow_ungated_transfer: true,
                transfer_events: event::new_event_handle(transfer_events_guid)
            }
        );
        ConstructorRef { self: object, can_delete }
    }

    // While creating.

    /// The right to delete the object. Aborts where it was created for ever.
    public fun generate_delete_ref(ref: &ConstructorRef): DeleteRef {
        assert!(ref.can_delete, error::permission_denied(ECANNOT_DELETE));
        DeleteRef { self: ref.self }
    }

    /// The right to act for the object.
    public fun generate_extend_ref(ref: &ConstructorRef): ExtendRef {
        ExtendRef { self: ref.self }
    }

    /// The right to move the object. Aborts where it can never be moved.
    public fun generate_transfer_ref(ref: &ConstructorRef): TransferRef {
        assert!(!exists<Untransferable>(ref.self), error::permission_denied(EOBJECT_NOT_TRANSFERRABLE));
        TransferRef { self: ref.self }
    }

    /// The right to create objects at addresses derived from this one.
    public fun generate_derive_ref(ref: &ConstructorRef): DeriveRef {
        DeriveRef { self: ref.self }
    }

    /// The object's signer.
    public fun generate_signer(ref: &ConstructorRef): signer {
        create_signer(ref.self)
    }

    /// The object's address.
    public fun address_from_constructor_ref(ref: &ConstructorRef): address {
        ref.self
    }

    /// The object. Aborts where it has no resource `T`.
    public fun object_from_constructor_ref<T: key>(ref: &ConstructorRef): Object<T> {
        address_to_object<T>(ref.self)
    }

    /// True where the object may be deleted.
    public fun can_generate_delete_ref(ref: &ConstructorRef): bool {
        ref.can_delete
    }

    /// Makes the object one that can never be moved.
    public fun set_untransferable(ref: &ConstructorRef) acquires ObjectCore {
        core_mut(ref.self).allow_ungated_transfer = false;
        move_to(&create_signer(ref.self), Untransferable {});
    }

    // Acting for an object.

    /// The next identifier of the calling object.
    public fun create_guid(object: &signer): guid::GUID acquires ObjectCore {
        let addr = signer::address_of(object);
        guid::create(addr, &mut core_mut(addr).guid_creation_num)
    }

    /// A stream of events of the calling object.
    public fun new_event_handle<T: drop + store>(object: &signer): event::EventHandle<T> acquires ObjectCore {
        event::new_event_handle(create_guid(object))
    }

    /// The address.
    public fun address_from_delete_ref(ref: &DeleteRef): address {
        ref.self
    }

    /// The object. Aborts where it has no resource `T`.
    public fun object_from_delete_ref<T: key>(ref: &DeleteRef): Object<T> {
        address_to_object<T>(ref.self)
    }

    /// Ends the object. What other resources it has stay where they are: their modules move them away first.
    public fun delete(ref: DeleteRef) acquires ObjectCore, Untransferable {
        assert!(exists<ObjectCore>(ref.self), error::not_found(EOBJECT_DOES_NOT_EXIST));
        let ObjectCore { guid_creation_num: _, owner: _, allow_ungated_transfer: _, transfer_events } =
            move_from<ObjectCore>(ref.self);
        event::destroy_handle(transfer_events);
        if (exists<Untransferable>(ref.self)) {
            let Untransferable {} = move_from<Untransferable>(ref.self);
        }
    }

    /// The object's signer.
    public fun generate_signer_for_extending(ref: &ExtendRef): signer {
        create_signer(ref.self)
    }

    /// The address.
    public fun address_from_extend_ref(ref: &ExtendRef): address {
        ref.self
    }

    // Moving.

    /// Forbids the owner to move the object.
    public fun disable_ungated_transfer(ref: &TransferRef) acquires ObjectCore {
        core_mut(ref.self).allow_ungated_transfer = false;
    }

    /// Allows the owner to move the object.
    public fun enable_ungated_transfer(ref: &TransferRef) acquires ObjectCore {
        assert!(!exists<Untransferable>(ref.self), error::permission_denied(EOBJECT_NOT_TRANSFERRABLE));
        core_mut(ref.self).allow_ungated_transfer = true;
    }

    /// The right to move the object once, away from the owner it has now.
    public fun generate_linear_transfer_ref(ref: &TransferRef): LinearTransferRef acquires ObjectCore {
        assert!(!exists<Untransferable>(ref.self), error::permission_denied(EOBJECT_NOT_TRANSFERRABLE));
        LinearTransferRef { self: ref.self, owner: core(ref.self).owner }
    }

    /// Moves the object. Aborts where it has another owner than when the right was made.
    public fun transfer_with_ref(ref: LinearTransferRef, to: address) acquires ObjectCore, TombStone {
        assert!(!exists<Untransferable>(ref.self), error::permission_denied(EOBJECT_NOT_TRANSFERRABLE));
        // A burnt object that is moved on has a new life.
        if (exists<TombStone>(ref.self)) {
            let TombStone { original_owner: _ } = move_from<TombStone>(ref.self);
        };
        let object = core_mut(ref.self);
        assert!(object.owner == ref.owner, error::permission_denied(ENOT_OBJECT_OWNER));
        set_owner(ref.self, object, to);
    }

    /// Moves the object at an address that the sender owns, directly or through other objects.
    public entry fun transfer_call(owner: &signer, object: address, to: address) acquires ObjectCore {
        transfer_raw(owner, object, to)
    }

    /// Moves an object that the sender owns, directly or through other objects.
    public entry fun transfer<T: key>(owner: &signer, object: Object<T>, to: address) acquires ObjectCore {
        transfer_raw(owner, object.inner, to)
    }

    /// Moves the object at an address that the calling account owns, directly or through other objects.
    public fun transfer_raw(owner: &signer, object: address, to: address) acquires ObjectCore {
        assert_owner_may_move(signer::address_of(owner), object);
        transfer_raw_inner(object, to);
    }

    fun transfer_raw_inner(object: address, to: address) acquires ObjectCore {
        set_owner(object, core_mut(object), to);
    }

    fun set_owner(object_address: address, object: &mut ObjectCore, to: address) {
        if (object.owner == to) return;
        event::emit(Transfer { object: object_address, from: object.owner, to });
        object.owner = to;
    }

    /// Gives an object that the sender owns to another object.
    public entry fun transfer_to_object<O: key, T: key>(
        owner: &signer, object: Object<O>, to: Object<T>
    ) acquires ObjectCore {
        transfer(owner, object, to.inner)
    }

    /// Every object from `object` up to `owner` must let its owner move it.
    fun assert_owner_may_move(owner: address, object: address) acquires ObjectCore {
        let current = object;
        let steps = 0;
        while (current != owner) {
            assert!(steps < MAXIMUM_OBJECT_NESTING, error::out_of_range(EMAXIMUM_NESTING));
            // What is no object has no owner: `owner` is not on the way.
            assert!(exists<ObjectCore>(current), error::permission_denied(ENOT_OBJECT_OWNER));
            let step = borrow_global<ObjectCore>(current);
            assert!(step.allow_ungated_transfer, error::permission_denied(ENO_UNGATED_TRANSFERS));
            current = step.owner;
            steps = steps + 1;
        }
    }

    /// Marks an object that the sender owns as burnt. It stays where it is and can be brought back with `unburn`.
    public entry fun burn<T: key>(owner: &signer, object: Object<T>) acquires ObjectCore {
        let original_owner = signer::address_of(owner);
        assert!(is_owner(object, original_owner), error::permission_denied(ENOT_OBJECT_OWNER));
        assert!(!exists<TombStone>(object.inner), EOBJECT_ALREADY_BURNT);
        move_to(&create_signer(object.inner), TombStone { original_owner });
    }

    /// Brings back an object the sender burnt.
    public entry fun unburn<T: key>(original_owner: &signer, object: Object<T>) acquires TombStone, ObjectCore {
        let object_address = object.inner;
        assert!(exists<TombStone>(object_address), error::invalid_argument(EOBJECT_NOT_BURNT));
        let TombStone { original_owner: burner } = move_from<TombStone>(object_address);
        let sender = signer::address_of(original_owner);
        assert!(sender == burner, error::permission_denied(ENOT_OBJECT_OWNER));
        // Burning used to send objects to nobody's address.
        let object = core_mut(object_address);
        if (object.owner == BURN_ADDRESS) set_owner(object_address, object, sender);
    }

    native fun create_user_derived_object_address_impl(source: address, derive_from: address): address;

    /// True where the address has a resource `T`, which the calling module need not define.
    native fun exists_at<T: key>(object: address): bool;
}
