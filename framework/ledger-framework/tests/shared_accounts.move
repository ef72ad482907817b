#[test_only]
/// Accounts that several owners or a program act for.
module aptos_framework::shared_accounts {
    use std::bcs;
    use std::option;
    use std::vector;
    use aptos_framework::account;
    use aptos_framework::genesis;
    use aptos_framework::multisig_account;
    use aptos_framework::resource_account;

    fun make(alice: &signer): address {
        genesis::setup_for_test();
        let multisig = multisig_account::get_next_multisig_account_address(@0xa11ce);
        multisig_account::create_with_owners(alice, vector[@0xb0b, @0xca401], 2, vector[], vector[]);
        multisig
    }

    #[test(alice = @0xa11ce)]
    fun a_multisig_account_has_its_owners(alice: &signer) {
        let multisig = make(alice);
        assert!(multisig_account::num_signatures_required(multisig) == 2, 0);
        assert!(multisig_account::owners(multisig) == vector[@0xb0b, @0xca401, @0xa11ce], 1);
        assert!(multisig_account::is_owner(@0xb0b, multisig), 2);
        let seed = b"aptos_framework::multisig_account";
        vector::append(&mut seed, bcs::to_bytes(&0u64));
        assert!(multisig == account::create_resource_address(&@0xa11ce, seed), 3);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x1000b, location = aptos_framework::multisig_account)]
    fun more_approvals_than_owners_cannot_be_needed(alice: &signer) {
        genesis::setup_for_test();
        multisig_account::create(alice, 2, vector[], vector[]);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10001, location = aptos_framework::multisig_account)]
    fun an_owner_is_named_once(alice: &signer) {
        genesis::setup_for_test();
        multisig_account::create_with_owners(alice, vector[@0xb0b, @0xb0b], 2, vector[], vector[]);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    fun votes_count_and_may_change(alice: &signer, bob: &signer) {
        let multisig = make(alice);
        multisig_account::create_transaction(alice, multisig, b"payload");
        assert!(!multisig_account::can_be_executed(multisig, 1), 0);
        assert!(multisig_account::can_execute(@0xb0b, multisig, 1), 1);
        multisig_account::approve_transaction(bob, multisig, 1);
        assert!(multisig_account::can_be_executed(multisig, 1), 2);
        let (voted, approved) = multisig_account::vote(multisig, 1, @0xb0b);
        assert!(voted && approved, 3);
        multisig_account::vote_transaction(bob, multisig, 1, false);
        assert!(!multisig_account::can_be_executed(multisig, 1), 4);
        assert!(multisig_account::can_reject(@0xca401, multisig, 1), 5);
        assert!(multisig_account::get_next_transaction_payload(multisig, b"") == b"payload", 6);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    fun rejected_transactions_are_thrown_out_in_order(alice: &signer, bob: &signer) {
        let multisig = make(alice);
        multisig_account::create_transaction(alice, multisig, b"one");
        multisig_account::create_transaction(bob, multisig, b"two");
        multisig_account::vote_transactions(bob, multisig, 1, 2, false);
        multisig_account::execute_rejected_transactions(alice, multisig, 2);
        assert!(multisig_account::last_resolved_sequence_number(multisig) == 2, 0);
        assert!(multisig_account::next_sequence_number(multisig) == 3, 1);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x3000a, location = aptos_framework::multisig_account)]
    fun one_rejection_of_two_throws_nothing_out(alice: &signer) {
        let multisig = make(alice);
        multisig_account::create_transaction(alice, multisig, b"one");
        multisig_account::execute_rejected_transaction(alice, multisig);
    }

    #[test(alice = @0xa11ce, stranger = @0xdead)]
    #[expected_failure(abort_code = 0x507d3, location = aptos_framework::multisig_account)]
    fun a_stranger_does_not_vote(alice: &signer, stranger: &signer) {
        let multisig = make(alice);
        multisig_account::create_transaction(alice, multisig, b"one");
        multisig_account::approve_transaction(stranger, multisig, 1);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x30013, location = aptos_framework::multisig_account)]
    fun twenty_transactions_wait_at_most(alice: &signer) {
        let multisig = make(alice);
        let i = 0;
        while (i < 21) {
            multisig_account::create_transaction(alice, multisig, b"payload");
            i = i + 1;
        }
    }

    #[test(alice = @0xa11ce)]
    fun a_bootstrapper_leaves(alice: &signer) {
        genesis::setup_for_test();
        let multisig = multisig_account::get_next_multisig_account_address(@0xa11ce);
        multisig_account::create_with_owners_then_remove_bootstrapper(
            alice, vector[@0xb0b, @0xca401], 2, vector[], vector[]
        );
        assert!(vector::length(&multisig_account::owners(multisig)) == 2, 0);
        assert!(!multisig_account::is_owner(@0xa11ce, multisig), 1);
    }

    #[test(alice = @0xa11ce)]
    fun a_program_fetches_its_capability(alice: &signer) {
        genesis::setup_for_test();
        resource_account::create_resource_account(alice, b"seed", vector[]);
        let addr = account::create_resource_address(&@0xa11ce, b"seed");
        assert!(account::get_authentication_key(addr) == bcs::to_bytes(&@0xa11ce), 0);
        let resource = account::create_account_signer_for_test(addr);
        let capability = resource_account::retrieve_resource_account_cap(&resource, @0xa11ce);
        assert!(account::get_signer_capability_address(&capability) == addr, 1);
        assert!(account::get_authentication_key(addr) != bcs::to_bytes(&@0xa11ce), 2);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x60001, location = aptos_framework::resource_account)]
    fun a_capability_is_fetched_from_who_made_it(alice: &signer, bob: &signer) {
        genesis::setup_for_test();
        resource_account::create_resource_account(alice, b"seed", vector[]);
        resource_account::retrieve_resource_account_cap(bob, @0xb0b);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x6000e, location = aptos_framework::account)]
    fun an_offer_that_was_not_made_is_not_taken_back(alice: &signer) {
        genesis::setup_for_test();
        account::revoke_any_signer_capability(alice);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x6000e, location = aptos_framework::account)]
    fun nobody_acts_for_an_account_unasked(alice: &signer, bob: &signer) {
        genesis::setup_for_test();
        account::create_authorized_signer(bob, std::signer::address_of(alice));
        option::destroy_none<u8>(option::none());
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    fun the_node_runs_what_enough_owners_want(alice: &signer, bob: &signer) {
        let multisig = make(alice);
        multisig_account::create_transaction(alice, multisig, b"payload");
        // Bob's vote is implied by his having it run.
        multisig_account::validate_for_test(bob, multisig, b"");
        multisig_account::validate_for_test(bob, multisig, b"payload");
        multisig_account::settle_for_test(@0xb0b, multisig, true);
        assert!(multisig_account::last_resolved_sequence_number(multisig) == 1, 0);
        // One that fails is dealt with as well.
        multisig_account::create_transaction(alice, multisig, b"payload");
        multisig_account::settle_for_test(@0xb0b, multisig, false);
        assert!(multisig_account::last_resolved_sequence_number(multisig) == 2, 1);
        assert!(multisig_account::get_pending_transactions(multisig) == vector[], 2);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x107d9, location = aptos_framework::multisig_account)]
    fun the_node_runs_nothing_that_too_few_want(alice: &signer) {
        let multisig = make(alice);
        multisig_account::create_transaction(alice, multisig, b"payload");
        multisig_account::validate_for_test(alice, multisig, b"");
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x107d8, location = aptos_framework::multisig_account)]
    fun a_payload_must_have_the_hash_that_was_approved(alice: &signer, bob: &signer) {
        let multisig = make(alice);
        multisig_account::create_transaction_with_hash(alice, multisig, std::hash::sha3_256(b"payload"));
        multisig_account::validate_for_test(bob, multisig, b"another");
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x107da, location = aptos_framework::multisig_account)]
    fun a_payload_must_be_the_one_that_was_approved(alice: &signer, bob: &signer) {
        let multisig = make(alice);
        multisig_account::create_transaction(alice, multisig, b"payload");
        multisig_account::validate_for_test(bob, multisig, b"another");
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x607d6, location = aptos_framework::multisig_account)]
    fun there_must_be_something_to_run(alice: &signer, bob: &signer) {
        let multisig = make(alice);
        multisig_account::validate_for_test(bob, multisig, b"");
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x307d2, location = aptos_framework::multisig_account)]
    fun a_plain_account_runs_nothing_for_others(alice: &signer) {
        genesis::setup_for_test();
        multisig_account::validate_for_test(alice, @0xb0b, b"");
    }
}
