/// Packages that live at objects: whoever owns the object upgrades the package.
module aptos_framework::object_code_deployment {
    use std::bcs;
    use std::error;
    use std::features;
    use std::signer;
    use std::vector;
    use aptos_framework::account;
    use aptos_framework::code::{Self, PackageRegistry};
    use aptos_framework::event;
    use aptos_framework::object::{Self, ExtendRef, Object};

    /// The chain publishes no packages at objects.
    const EOBJECT_CODE_DEPLOYMENT_NOT_SUPPORTED: u64 = 1;
    /// The sender does not own the object.
    const ENOT_CODE_OBJECT_OWNER: u64 = 2;
    /// The object has no code.
    const ECODE_OBJECT_DOES_NOT_EXIST: u64 = 3;

    /// The first part of the name under which a sender makes code objects.
    const OBJECT_CODE_DEPLOYMENT_DOMAIN_SEPARATOR: vector<u8> = b"aptos_framework::object_code_deployment";

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The right to act for the object, which an upgrade needs.
    struct ManagingRefs has key {
        extend_ref: ExtendRef
    }

    #[event]
    /// A package has been published at a new object.
    struct Publish has drop, store {
        object_address: address
    }

    #[event]
    /// A package has been upgraded.
    struct Upgrade has drop, store {
        object_address: address
    }

    #[event]
    /// A package will never change again.
    struct Freeze has drop, store {
        object_address: address
    }

    /// Publishes a package at a new object, whose address follows from the sender and the number of the transaction after this one.
    public entry fun publish(
        publisher: &signer, metadata_serialized: vector<u8>, code: vector<vector<u8>>
    ) {
        assert!(
            features::is_object_code_deployment_enabled(),
            error::unavailable(EOBJECT_CODE_DEPLOYMENT_NOT_SUPPORTED)
        );
        let publisher_address = signer::address_of(publisher);
        let constructor_ref = &object::create_named_object(publisher, object_seed(publisher_address));
        let code_signer = &object::generate_signer(constructor_ref);
        code::publish_package_txn(code_signer, metadata_serialized, code);
        event::emit(Publish { object_address: signer::address_of(code_signer) });
        move_to(code_signer, ManagingRefs { extend_ref: object::generate_extend_ref(constructor_ref) });
    }

    fun object_seed(publisher: address): vector<u8> {
        let next = account::get_sequence_number(publisher) + 1;
        let seed = bcs::to_bytes(&OBJECT_CODE_DEPLOYMENT_DOMAIN_SEPARATOR);
        vector::append(&mut seed, bcs::to_bytes(&next));
        seed
    }

    /// Upgrades the package at an object that the sender owns.
    public entry fun upgrade(
        publisher: &signer,
        metadata_serialized: vector<u8>,
        code: vector<vector<u8>>,
        code_object: Object<PackageRegistry>
    ) acquires ManagingRefs {
        assert!(
            object::is_owner(code_object, signer::address_of(publisher)),
            error::permission_denied(ENOT_CODE_OBJECT_OWNER)
        );
        let code_object_address = object::object_address(&code_object);
        assert!(exists<ManagingRefs>(code_object_address), error::not_found(ECODE_OBJECT_DOES_NOT_EXIST));
        let extend_ref = &borrow_global<ManagingRefs>(code_object_address).extend_ref;
        let code_signer = &object::generate_signer_for_extending(extend_ref);
        code::publish_package_txn(code_signer, metadata_serialized, code);
        event::emit(Upgrade { object_address: code_object_address });
    }

    /// Makes every package at an object that the sender owns one that never changes again.
    public entry fun freeze_code_object(publisher: &signer, code_object: Object<PackageRegistry>) {
        code::freeze_code_object(publisher, code_object);
        event::emit(Freeze { object_address: object::object_address(&code_object) });
    }
}
