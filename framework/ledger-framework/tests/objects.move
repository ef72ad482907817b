#[test_only]
/// Objects: who owns them, who moves them, and what their references allow.
module aptos_framework::objects {
    use std::signer;
    use aptos_framework::genesis;
    use aptos_framework::object::{Self, ConstructorRef, Object, ObjectCore};

    struct Hat has key {}

    struct Shoe has key {}

    fun make(owner: &signer, name: vector<u8>): (ConstructorRef, Object<Hat>) {
        let ref = object::create_named_object(owner, name);
        move_to(&object::generate_signer(&ref), Hat {});
        let hat = object::object_from_constructor_ref<Hat>(&ref);
        (ref, hat)
    }

    #[test(alice = @0xa11ce)]
    fun an_owner_moves_what_it_owns_through_other_objects(alice: &signer) {
        let (_, outer) = make(alice, b"outer");
        let (_, inner) = make(alice, b"inner");
        object::transfer_to_object(alice, inner, outer);
        assert!(object::owner(inner) == object::object_address(&outer), 0);
        assert!(object::owns(inner, @0xa11ce) && !object::is_owner(inner, @0xa11ce), 1);
        assert!(object::root_owner(inner) == @0xa11ce, 2);
        object::transfer(alice, inner, @0xb0b);
        assert!(object::owner(inner) == @0xb0b && !object::owns(inner, @0xa11ce), 3);
    }

    #[test(alice = @0xa11ce)]
    fun addresses_follow_from_names(alice: &signer) {
        let (_, hat) = make(alice, b"hat");
        assert!(object::object_address(&hat) == object::create_object_address(&@0xa11ce, b"hat"), 0);
        assert!(object::is_object(object::object_address(&hat)), 1);
        assert!(object::object_exists<Hat>(object::object_address(&hat)), 2);
        assert!(object::convert<Hat, ObjectCore>(hat) == object::address_to_object(object::object_address(&hat)), 3);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x80001, location = aptos_framework::object)]
    fun a_name_is_used_once(alice: &signer) {
        make(alice, b"hat");
        make(alice, b"hat");
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x50004, location = aptos_framework::object)]
    fun a_stranger_moves_nothing(alice: &signer, bob: &signer) {
        let (_, hat) = make(alice, b"hat");
        object::transfer(bob, hat, @0xb0b);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50003, location = aptos_framework::object)]
    fun an_owner_may_be_kept_from_moving(alice: &signer) {
        let (ref, hat) = make(alice, b"hat");
        object::disable_ungated_transfer(&object::generate_transfer_ref(&ref));
        object::transfer(alice, hat, @0xb0b);
    }

    #[test(alice = @0xa11ce)]
    fun a_transfer_reference_moves_past_the_owner_once(alice: &signer) {
        let (ref, hat) = make(alice, b"hat");
        let transfer_ref = object::generate_transfer_ref(&ref);
        object::disable_ungated_transfer(&transfer_ref);
        object::transfer_with_ref(object::generate_linear_transfer_ref(&transfer_ref), @0xb0b);
        assert!(object::owner(hat) == @0xb0b, 0);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50004, location = aptos_framework::object)]
    fun a_linear_reference_is_void_once_the_owner_has_changed(alice: &signer) {
        let (ref, hat) = make(alice, b"hat");
        let linear = object::generate_linear_transfer_ref(&object::generate_transfer_ref(&ref));
        object::transfer(alice, hat, @0xb0b);
        object::transfer_with_ref(linear, @0xca401);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50009, location = aptos_framework::object)]
    fun an_untransferable_object_has_no_transfer_reference(alice: &signer) {
        let (ref, _) = make(alice, b"hat");
        object::set_untransferable(&ref);
        object::generate_transfer_ref(&ref);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50005, location = aptos_framework::object)]
    fun a_named_object_is_for_ever(alice: &signer) {
        let (ref, _) = make(alice, b"hat");
        object::generate_delete_ref(&ref);
    }

    #[test(alice = @0xa11ce)]
    fun a_burnt_object_comes_back(alice: &signer) {
        let (_, hat) = make(alice, b"hat");
        object::burn(alice, hat);
        assert!(object::is_burnt(hat), 0);
        object::unburn(alice, hat);
        assert!(!object::is_burnt(hat) && object::is_owner(hat, @0xa11ce), 1);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x50004, location = aptos_framework::object)]
    fun only_who_burnt_brings_back(alice: &signer, bob: &signer) {
        let (_, hat) = make(alice, b"hat");
        object::burn(alice, hat);
        object::unburn(bob, hat);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x60007, location = aptos_framework::object)]
    fun an_object_is_not_what_it_has_not(alice: &signer) {
        let (_, hat) = make(alice, b"hat");
        object::convert<Hat, Shoe>(hat);
    }

    #[test(alice = @0xa11ce)]
    fun an_object_from_an_account_can_be_deleted(alice: &signer) {
        genesis::setup_for_test();
        let ref = object::create_object_from_account(alice);
        let addr = object::address_from_constructor_ref(&ref);
        // The account's identifiers 0 to 3 went to its own streams.
        assert!(addr == object::create_guid_object_address(signer::address_of(alice), 4), 0);
        object::delete(object::generate_delete_ref(&ref));
        assert!(!object::is_object(addr), 1);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x20006, location = aptos_framework::object)]
    fun nesting_has_an_end(alice: &signer) {
        let (_, innermost) = make(alice, b"0");
        let current = innermost;
        let i: u8 = 1;
        while (i < 10) {
            let (_, next) = make(alice, vector[48 + i]);
            object::transfer_to_object(alice, current, next);
            current = next;
            i = i + 1;
        };
        object::root_owner(innermost);
    }
}
