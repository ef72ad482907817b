#[test_only]
/// Coins of one's own: who may make, move, freeze and burn them, and who takes them.
module aptos_framework::coins {
    use std::option;
    use std::signer;
    use std::string;
    use aptos_framework::account;
    use aptos_framework::aptos_account;
    use aptos_framework::aptos_coin::AptosCoin;
    use aptos_framework::coin;
    use aptos_framework::genesis;
    use aptos_framework::managed_coin;

    /// A coin of the framework account.
    struct Token has key {}

    fun make_token(framework: &signer) {
        genesis::setup_for_test();
        managed_coin::initialize<Token>(framework, b"Token", b"TOK", 2, true);
    }

    #[test(framework = @aptos_framework, alice = @0xa11ce)]
    fun a_managed_coin_is_minted_moved_and_burned(framework: &signer, alice: &signer) {
        make_token(framework);
        assert!(coin::name<Token>() == string::utf8(b"Token") && coin::symbol<Token>() == string::utf8(b"TOK"), 0);
        assert!(coin::decimals<Token>() == 2 && coin::is_coin_initialized<Token>(), 1);
        managed_coin::register<Token>(alice);
        // Registering twice changes nothing.
        managed_coin::register<Token>(alice);
        managed_coin::mint<Token>(framework, @0xa11ce, 100);
        aptos_account::transfer_coins<Token>(alice, @0xca401, 30);
        aptos_account::batch_transfer_coins<Token>(alice, vector[@0xca401, @aptos_framework], vector[5, 15]);
        assert!(coin::balance<Token>(@0xa11ce) == 50 && coin::balance<Token>(@0xca401) == 35, 2);
        managed_coin::burn<Token>(framework, 10);
        assert!(coin::supply<Token>() == option::some(90), 3);
        assert!(account::exists_at(@0xca401) && coin::is_account_registered<AptosCoin>(@0xca401), 4);
        managed_coin::destroy_caps<Token>(framework);
    }

    #[test(framework = @aptos_framework, alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x60001, location = aptos_framework::managed_coin)]
    fun a_stranger_mints_nothing(framework: &signer, alice: &signer) {
        make_token(framework);
        managed_coin::mint<Token>(alice, @0xa11ce, 1);
    }

    #[test(framework = @aptos_framework)]
    #[expected_failure(abort_code = 0x80002, location = aptos_framework::coin)]
    fun a_type_becomes_a_coin_once(framework: &signer) {
        make_token(framework);
        managed_coin::initialize<Token>(framework, b"Token", b"TOK", 2, true);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10001, location = aptos_framework::coin)]
    fun only_its_publisher_makes_a_type_a_coin(alice: &signer) {
        genesis::setup_for_test();
        managed_coin::initialize<Token>(alice, b"Token", b"TOK", 2, true);
    }

    #[test(framework = @aptos_framework)]
    #[expected_failure(abort_code = 0x1000d, location = aptos_framework::coin)]
    fun a_symbol_is_short(framework: &signer) {
        genesis::setup_for_test();
        managed_coin::initialize<Token>(framework, b"Token", b"ELEVENBYTES", 2, true);
    }

    #[test(framework = @aptos_framework)]
    #[expected_failure(abort_code = 0x60005, location = aptos_framework::coin)]
    fun a_plain_transfer_needs_a_store(framework: &signer) {
        make_token(framework);
        managed_coin::mint<Token>(framework, @0xa11ce, 1);
    }

    #[test(framework = @aptos_framework, alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50003, location = aptos_framework::aptos_account)]
    fun an_account_may_refuse_coins_it_does_not_know(framework: &signer, alice: &signer) {
        make_token(framework);
        managed_coin::register<Token>(framework);
        managed_coin::mint<Token>(framework, @aptos_framework, 1);
        aptos_account::set_allow_direct_coin_transfers(alice, true);
        assert!(aptos_account::can_receive_direct_coin_transfers(@0xa11ce), 0);
        aptos_account::set_allow_direct_coin_transfers(alice, false);
        assert!(!aptos_account::can_receive_direct_coin_transfers(@0xa11ce), 1);
        aptos_account::transfer_coins<Token>(framework, @0xa11ce, 1);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10005, location = aptos_framework::aptos_account)]
    fun every_receiver_has_an_amount(alice: &signer) {
        genesis::setup_for_test();
        aptos_account::batch_transfer(alice, vector[@0xb0b], vector[]);
    }

    #[test(framework = @aptos_framework)]
    fun a_frozen_store_can_be_thawed(framework: &signer) {
        genesis::setup_for_test();
        let (burn_cap, freeze_cap, mint_cap) =
            coin::initialize<Token>(framework, string::utf8(b"Token"), string::utf8(b"TOK"), 2, false);
        coin::register<Token>(framework);
        coin::deposit(@aptos_framework, coin::mint(9, &mint_cap));
        coin::freeze_coin_store(@aptos_framework, &freeze_cap);
        assert!(coin::is_coin_store_frozen<Token>(@aptos_framework), 0);
        // The right to burn reaches a frozen store.
        coin::burn_from(@aptos_framework, 4, &burn_cap);
        coin::unfreeze_coin_store(@aptos_framework, &freeze_cap);
        let rest = coin::withdraw<Token>(framework, 5);
        let part = coin::extract(&mut rest, 2);
        coin::merge(&mut part, coin::extract_all(&mut rest));
        coin::destroy_zero(rest);
        assert!(coin::value(&part) == 5 && coin::supply<Token>() == option::none(), 1);
        coin::burn(part, &burn_cap);
        coin::destroy_burn_cap(burn_cap);
        coin::destroy_freeze_cap(freeze_cap);
        coin::destroy_mint_cap(mint_cap);
    }

    #[test(framework = @aptos_framework)]
    #[expected_failure(abort_code = 0x5000a, location = aptos_framework::coin)]
    fun nothing_leaves_a_frozen_store(framework: &signer) {
        genesis::setup_for_test();
        let (burn_cap, freeze_cap, mint_cap) =
            coin::initialize<Token>(framework, string::utf8(b"Token"), string::utf8(b"TOK"), 2, true);
        coin::register<Token>(framework);
        coin::deposit(signer::address_of(framework), coin::mint(9, &mint_cap));
        coin::freeze_coin_store(@aptos_framework, &freeze_cap);
        coin::destroy_burn_cap(burn_cap);
        coin::destroy_freeze_cap(freeze_cap);
        coin::destroy_mint_cap(mint_cap);
        coin::destroy_zero(coin::withdraw<Token>(framework, 1));
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10007, location = aptos_framework::coin)]
    fun coins_are_not_thrown_away(alice: &signer) {
        genesis::setup_for_test();
        coin::destroy_zero(coin::withdraw<AptosCoin>(alice, 1));
    }
}
