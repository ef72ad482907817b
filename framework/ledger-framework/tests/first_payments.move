#[test_only]
/// A chain from genesis to a settled payment, and every reason a prologue refuses for.
module aptos_framework::first_payments {
    use std::bcs;
    use std::features;
    use std::option;
    use aptos_framework::account;
    use aptos_framework::aptos_account;
    use aptos_framework::aptos_coin::{Self, AptosCoin};
    use aptos_framework::block;
    use aptos_framework::chain_id;
    use aptos_framework::chain_status;
    use aptos_framework::coin;
    use aptos_framework::gas_schedule;
    use aptos_framework::genesis;
    use aptos_framework::reconfiguration;
    use aptos_framework::stake;
    use aptos_framework::timestamp;
    use aptos_framework::transaction_validation;
    use aptos_framework::version;

    fun key_of(addr: address): vector<u8> {
        bcs::to_bytes(&addr)
    }

    fun octas(addr: address): u64 {
        coin::balance<AptosCoin>(addr)
    }

    fun supply(): u128 {
        option::destroy_some(coin::supply<AptosCoin>())
    }

    #[test]
    fun genesis_leaves_a_running_chain() {
        genesis::setup_for_test();
        assert!(chain_status::is_operating() && chain_id::get() == 4, 0);
        assert!(reconfiguration::current_epoch() == 1 && reconfiguration::last_reconfiguration_time() == 0, 1);
        assert!(block::get_current_block_height() == 0 && timestamp::now_microseconds() == 0, 2);
        assert!(supply() == 6000 && octas(@0xa11ce) == 1000 && octas(@core_resources) == 5000, 3);
        assert!(stake::is_current_epoch_validator(@0xb0b) && !stake::is_current_epoch_validator(@0xa11ce), 4);
        assert!(account::get_authentication_key(@core_resources) == key_of(@0xfa0ce7), 5);
        // Streams 2 to 4 of the framework account are those of epochs and blocks.
        assert!(account::get_guid_next_creation_num(@aptos_framework) == 5, 6);
        // A fresh account: two streams of its own, two of its store.
        assert!(account::get_guid_next_creation_num(@0xa11ce) == 4, 7);
    }

    #[test(vm = @0x0)]
    fun blocks_move_the_clock_and_end_epochs(vm: signer) {
        genesis::setup_for_test();
        block::prologue_for_test(account::copy_signer_for_test(&vm), @0xb0b, 900000);
        assert!(block::get_current_block_height() == 1 && timestamp::now_microseconds() == 900000, 0);
        assert!(reconfiguration::current_epoch() == 1, 1);
        let (proposed, failed) = stake::get_current_epoch_proposal_counts(0);
        assert!(proposed == 1 && failed == 0, 2);
        block::prologue_for_test(account::copy_signer_for_test(&vm), @0xb0b, 1000000);
        assert!(block::get_current_block_height() == 2 && reconfiguration::current_epoch() == 2, 3);
        let (proposed, _) = stake::get_current_epoch_proposal_counts(0);
        assert!(proposed == 0, 4);
        // Nobody proposed this one: the clock stands.
        block::prologue_for_test(vm, @0x0, 1000000);
        assert!(block::get_current_block_height() == 3 && reconfiguration::current_epoch() == 2, 5);
    }

    #[test(vm = @0x0)]
    #[expected_failure(abort_code = 0x10002, location = aptos_framework::timestamp)]
    fun a_proposed_block_is_later_than_the_one_before(vm: signer) {
        genesis::setup_for_test();
        block::prologue_for_test(vm, @0xb0b, 0);
    }

    #[test(vm = @0x0)]
    #[expected_failure(abort_code = 0x50002, location = aptos_framework::block)]
    fun a_stranger_proposes_no_block(vm: signer) {
        genesis::setup_for_test();
        block::prologue_for_test(vm, @0xa11ce, 1);
    }

    #[test(alice = @0xa11ce)]
    fun a_payment_creates_the_receiver_and_is_settled(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::prologue_for_test(
            account::copy_signer_for_test(&alice), 0, key_of(@0xa11ce), 100, 10, 4
        );
        aptos_account::transfer(&alice, @0xca401, 400);
        transaction_validation::epilogue_for_test(alice, @0xa11ce, 0, 100, 70);
        assert!(octas(@0xa11ce) == 570 && octas(@0xca401) == 400 && supply() == 5970, 0);
        assert!(account::get_sequence_number(@0xa11ce) == 1 && account::get_sequence_number(@0xca401) == 0, 1);
    }

    #[test(alice = @0xa11ce)]
    fun a_refund_above_the_fee_is_paid_out(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::epilogue_for_test(alice, @0xa11ce, 50, 100, 70);
        assert!(octas(@0xa11ce) == 1020 && supply() == 6020, 0);
    }

    #[test(newcomer = @0x9e3)]
    fun a_sponsor_pays_for_a_sender_without_an_account(newcomer: signer) {
        genesis::setup_for_test();
        transaction_validation::fee_payer_prologue_for_test(
            account::copy_signer_for_test(&newcomer), 0, key_of(@0x9e3), @0xa11ce, key_of(@0xa11ce)
        );
        transaction_validation::epilogue_for_test(newcomer, @0xa11ce, 0, 100, 90);
        assert!(octas(@0xa11ce) == 990, 0);
        assert!(account::exists_at(@0x9e3) && account::get_sequence_number(@0x9e3) == 1, 1);
    }

    #[test(minter = @core_resources, other = @0xa11ce)]
    fun the_right_to_mint_can_be_handed_on(minter: signer, other: &signer) {
        genesis::setup_for_test();
        aptos_coin::mint(&minter, @0xa11ce, 7);
        aptos_coin::delegate_mint_capability(minter, @0xa11ce);
        aptos_coin::claim_mint_capability(other);
        aptos_coin::mint(other, @0xa11ce, 5);
        assert!(octas(@0xa11ce) == 1012 && supply() == 6012, 0);
    }

    #[test(framework = @aptos_framework)]
    #[expected_failure(abort_code = 0x60001, location = aptos_framework::aptos_coin)]
    fun the_framework_cannot_mint_after_genesis(framework: &signer) {
        genesis::setup_for_test();
        aptos_coin::mint(framework, @0xa11ce, 1);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10006, location = aptos_framework::coin)]
    fun nobody_pays_more_than_they_hold(alice: &signer) {
        genesis::setup_for_test();
        aptos_account::transfer(alice, @0xb0b, 1001);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x203ed, location = aptos_framework::transaction_validation)]
    fun a_payload_cannot_spend_the_fee(alice: signer) {
        genesis::setup_for_test();
        aptos_account::transfer(&alice, @0xb0b, 1000);
        transaction_validation::epilogue_for_test(alice, @0xa11ce, 0, 100, 70);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x103e9, location = aptos_framework::transaction_validation)]
    fun a_wrong_key_is_refused(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::prologue_for_test(alice, 0, key_of(@0xb0b), 100, 10, 4);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x103ea, location = aptos_framework::transaction_validation)]
    fun a_used_sequence_number_is_refused(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::epilogue_for_test(
            account::copy_signer_for_test(&alice), @0xa11ce, 0, 1, 0
        );
        transaction_validation::prologue_for_test(alice, 0, key_of(@0xa11ce), 100, 10, 4);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x103eb, location = aptos_framework::transaction_validation)]
    fun a_later_sequence_number_waits(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::prologue_for_test(alice, 1, key_of(@0xa11ce), 100, 10, 4);
    }

    #[test(stranger = @0x57a)]
    #[expected_failure(abort_code = 0x103ec, location = aptos_framework::transaction_validation)]
    fun a_sender_without_an_account_is_refused(stranger: signer) {
        genesis::setup_for_test();
        transaction_validation::prologue_for_test(stranger, 0, key_of(@0x57a), 100, 10, 4);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x103ed, location = aptos_framework::transaction_validation)]
    fun gas_beyond_the_balance_is_refused(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::prologue_for_test(alice, 0, key_of(@0xa11ce), 1001, 10, 4);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x103ee, location = aptos_framework::transaction_validation)]
    fun an_expired_transaction_is_refused(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::prologue_for_test(alice, 0, key_of(@0xa11ce), 100, 0, 4);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x103ef, location = aptos_framework::transaction_validation)]
    fun a_transaction_of_another_chain_is_refused(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::prologue_for_test(alice, 0, key_of(@0xa11ce), 100, 10, 1);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x203f0, location = aptos_framework::transaction_validation)]
    fun a_sequence_number_without_a_successor_is_refused(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::prologue_for_test(alice, 1 << 63, key_of(@0xa11ce), 100, 10, 4);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x103f1, location = aptos_framework::transaction_validation)]
    fun every_secondary_signer_needs_a_key(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::multi_agent_prologue_for_test(alice, key_of(@0xa11ce), vector[@0xb0b], vector[]);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x103e9, location = aptos_framework::transaction_validation)]
    fun a_secondary_signer_needs_the_right_key(alice: signer) {
        genesis::setup_for_test();
        transaction_validation::multi_agent_prologue_for_test(
            alice, key_of(@0xa11ce), vector[@0xb0b], vector[key_of(@0xa11ce)]
        );
    }

    #[test(alice = @0xa11ce, newcomer = @0x9e3)]
    fun the_unified_family_settles_the_same_way(alice: signer, newcomer: signer) {
        genesis::setup_for_test();
        transaction_validation::unified_prologue_for_test(
            account::copy_signer_for_test(&newcomer), account::copy_signer_for_test(&alice),
            option::some(key_of(@0x9e3)), option::some(key_of(@0xa11ce)), false
        );
        transaction_validation::unified_epilogue_for_test(newcomer, alice);
        assert!(octas(@0xa11ce) == 990 && account::get_sequence_number(@0x9e3) == 1, 0);
    }

    #[test(alice = @0xa11ce, newcomer = @0x9e3)]
    fun a_simulation_may_leave_keys_out(alice: signer, newcomer: signer) {
        genesis::setup_for_test();
        transaction_validation::unified_prologue_for_test(
            newcomer, alice, option::none(), option::some(vector[]), true
        );
    }

    #[test(alice = @0xa11ce, newcomer = @0x9e3)]
    #[expected_failure(abort_code = 0x103e9, location = aptos_framework::transaction_validation)]
    fun a_transaction_may_not_leave_keys_out(alice: signer, newcomer: signer) {
        genesis::setup_for_test();
        transaction_validation::unified_prologue_for_test(
            newcomer, alice, option::some(key_of(@0x9e3)), option::none(), false
        );
    }

    #[test(framework = @aptos_framework, vm = @0x0)]
    fun staged_settings_wait_for_the_epoch(framework: &signer, vm: signer) {
        genesis::setup_for_test();
        features::change_feature_flags_for_next_epoch(framework, vector[91], vector[22]);
        version::set_for_next_epoch(framework, 2);
        gas_schedule::set_for_next_epoch(framework, x"260000000000000000");
        block::prologue_for_test(account::copy_signer_for_test(&vm), @0xb0b, 1);
        assert!(features::fee_payer_enabled() && !features::is_enabled(91), 0);
        assert!(version::major_for_test() == 1 && gas_schedule::feature_version_for_test() == 0x25, 1);
        block::prologue_for_test(vm, @0xb0b, 1000000);
        assert!(!features::fee_payer_enabled() && features::is_enabled(91) && features::is_enabled(26), 2);
        assert!(version::major_for_test() == 2 && gas_schedule::feature_version_for_test() == 0x26, 3);
    }

    #[test(framework = @aptos_framework)]
    #[expected_failure(abort_code = 0x10002, location = aptos_framework::gas_schedule)]
    fun prices_do_not_go_back_to_older_rules(framework: &signer) {
        genesis::setup_for_test();
        gas_schedule::set_for_next_epoch(framework, x"240000000000000000");
    }
}
