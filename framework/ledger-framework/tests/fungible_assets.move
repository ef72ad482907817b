#[test_only]
/// Fungible assets: making, moving, freezing and burning them, and their likeness with coins.
module aptos_framework::fungible_assets {
    use std::option;
    use std::string;
    use aptos_framework::aptos_account;
    use aptos_framework::aptos_coin::AptosCoin;
    use aptos_framework::coin;
    use aptos_framework::fungible_asset::{Self, BurnRef, Metadata, MintRef, TransferRef};
    use aptos_framework::genesis;
    use aptos_framework::managed_coin;
    use aptos_framework::object::{Self, Object};
    use aptos_framework::primary_fungible_store;

    /// A coin of the framework account.
    struct Token has key {}

    fun make(creator: &signer, maximum: u128): (Object<Metadata>, MintRef, TransferRef, BurnRef) {
        genesis::setup_for_test();
        let ref = object::create_named_object(creator, b"gold");
        primary_fungible_store::create_primary_store_enabled_fungible_asset(
            &ref,
            option::some(maximum),
            string::utf8(b"Gold"),
            string::utf8(b"AU"),
            3,
            string::utf8(b"https://gold.example/icon"),
            string::utf8(b"https://gold.example")
        );
        (
            object::object_from_constructor_ref<Metadata>(&ref),
            fungible_asset::generate_mint_ref(&ref),
            fungible_asset::generate_transfer_ref(&ref),
            fungible_asset::generate_burn_ref(&ref)
        )
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    fun an_asset_is_minted_moved_and_burnt(alice: &signer, bob: &signer) {
        let (gold, mint_ref, _, burn_ref) = make(alice, 100);
        assert!(fungible_asset::name(gold) == string::utf8(b"Gold") && fungible_asset::decimals(gold) == 3, 0);
        assert!(fungible_asset::maximum(gold) == option::some(100), 1);
        primary_fungible_store::mint(&mint_ref, @0xa11ce, 60);
        primary_fungible_store::transfer(alice, gold, @0xb0b, 20);
        aptos_account::transfer_fungible_assets(bob, gold, @0xca401, 5);
        assert!(primary_fungible_store::balance(@0xa11ce, gold) == 40, 2);
        assert!(primary_fungible_store::balance(@0xb0b, gold) == 15, 3);
        assert!(primary_fungible_store::balance(@0xca401, gold) == 5, 4);
        primary_fungible_store::burn(&burn_ref, @0xa11ce, 10);
        assert!(fungible_asset::supply(gold) == option::some(50), 5);
        assert!(primary_fungible_store::is_balance_at_least(@0xa11ce, gold, 30), 6);
        assert!(!primary_fungible_store::is_balance_at_least(@0xa11ce, gold, 31), 7);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x20005, location = aptos_framework::fungible_asset)]
    fun there_is_no_more_than_the_maximum(alice: &signer) {
        let (_, mint_ref, _, _) = make(alice, 100);
        primary_fungible_store::mint(&mint_ref, @0xa11ce, 101);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10004, location = aptos_framework::fungible_asset)]
    fun nobody_moves_more_than_it_has(alice: &signer) {
        let (gold, mint_ref, _, _) = make(alice, 100);
        primary_fungible_store::mint(&mint_ref, @0xa11ce, 10);
        primary_fungible_store::transfer(alice, gold, @0xb0b, 11);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50003, location = aptos_framework::fungible_asset)]
    fun nothing_leaves_a_frozen_store(alice: &signer) {
        let (gold, mint_ref, transfer_ref, _) = make(alice, 100);
        primary_fungible_store::mint(&mint_ref, @0xa11ce, 10);
        primary_fungible_store::set_frozen_flag(&transfer_ref, @0xa11ce, true);
        primary_fungible_store::transfer(alice, gold, @0xb0b, 1);
    }

    #[test(alice = @0xa11ce)]
    fun a_reference_moves_past_frozen_stores(alice: &signer) {
        let (gold, mint_ref, transfer_ref, _) = make(alice, 100);
        primary_fungible_store::mint(&mint_ref, @0xa11ce, 10);
        primary_fungible_store::set_frozen_flag(&transfer_ref, @0xa11ce, true);
        assert!(primary_fungible_store::is_frozen(@0xa11ce, gold), 0);
        primary_fungible_store::transfer_with_ref(&transfer_ref, @0xa11ce, @0xb0b, 4);
        assert!(primary_fungible_store::balance(@0xb0b, gold) == 4, 1);
    }

    #[test(alice = @0xa11ce, bob = @0xb0b)]
    #[expected_failure(abort_code = 0x50008, location = aptos_framework::fungible_asset)]
    fun a_stranger_takes_nothing(alice: &signer, bob: &signer) {
        let (gold, mint_ref, _, _) = make(alice, 100);
        primary_fungible_store::mint(&mint_ref, @0xa11ce, 10);
        let from = primary_fungible_store::primary_store(@0xa11ce, gold);
        let to = primary_fungible_store::ensure_primary_store_exists(@0xb0b, gold);
        fungible_asset::transfer(bob, from, to, 1);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x50003, location = aptos_framework::object)]
    fun a_primary_store_stays_with_its_owner(alice: &signer) {
        let (gold, _, _, _) = make(alice, 100);
        let store = primary_fungible_store::ensure_primary_store_exists(@0xa11ce, gold);
        object::transfer(alice, store, @0xb0b);
    }

    #[test(alice = @0xa11ce)]
    fun a_store_of_ones_own_is_emptied_and_removed(alice: &signer) {
        let (gold, mint_ref, _, _) = make(alice, 100);
        let ref = object::create_object_from_account(alice);
        let store = fungible_asset::create_store(&ref, gold);
        fungible_asset::mint_to(&mint_ref, store, 7);
        primary_fungible_store::deposit(@0xb0b, fungible_asset::withdraw(alice, store, 7));
        fungible_asset::remove_store(&object::generate_delete_ref(&ref));
        assert!(!fungible_asset::store_exists(object::address_from_constructor_ref(&ref)), 0);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x5000e, location = aptos_framework::fungible_asset)]
    fun a_full_store_is_not_removed(alice: &signer) {
        let (gold, mint_ref, _, _) = make(alice, 100);
        let ref = object::create_object_from_account(alice);
        let store = fungible_asset::create_store(&ref, gold);
        fungible_asset::mint_to(&mint_ref, store, 7);
        fungible_asset::remove_store(&object::generate_delete_ref(&ref));
    }

    #[test(alice = @0xa11ce)]
    fun many_transactions_may_share_a_store(alice: &signer) {
        let (gold, mint_ref, _, _) = make(alice, 100);
        primary_fungible_store::mint(&mint_ref, @0xa11ce, 10);
        let store = primary_fungible_store::primary_store(@0xa11ce, gold);
        fungible_asset::upgrade_store_to_concurrent(alice, store);
        primary_fungible_store::mint(&mint_ref, @0xa11ce, 5);
        primary_fungible_store::transfer(alice, gold, @0xb0b, 3);
        assert!(fungible_asset::balance(store) == 12, 0);
    }

    #[test(framework = @aptos_framework, alice = @0xa11ce)]
    fun a_coin_and_its_pair_are_one_balance(framework: &signer, alice: &signer) {
        genesis::setup_for_test();
        managed_coin::initialize<Token>(framework, b"Token", b"TOK", 2, true);
        managed_coin::register<Token>(alice);
        managed_coin::mint<Token>(framework, @0xa11ce, 100);
        let fa = coin::coin_to_fungible_asset(coin::withdraw<Token>(alice, 40));
        let pair = fungible_asset::metadata_from_asset(&fa);
        primary_fungible_store::deposit(@0xa11ce, fa);
        assert!(coin::paired_metadata<Token>() == option::some(pair), 0);
        assert!(coin::balance<Token>(@0xa11ce) == 100 && coin::supply<Token>() == option::some(100), 1);
        assert!(coin::coin_supply<Token>() == option::some(60), 2);
        // 60 coins do not reach; the pair gives the rest.
        coin::register<Token>(framework);
        coin::transfer<Token>(alice, @aptos_framework, 70);
        assert!(primary_fungible_store::balance(@0xa11ce, pair) == 30, 3);
        coin::migrate_to_fungible_store<Token>(framework);
        assert!(primary_fungible_store::balance(@aptos_framework, pair) == 70, 4);
        assert!(coin::is_account_registered<Token>(@aptos_framework), 5);
        assert!(coin::supply<Token>() == option::some(100), 6);
    }

    #[test(alice = @0xa11ce)]
    fun the_native_coin_has_its_pair_at_ten(alice: &signer) {
        genesis::setup_for_test();
        let pair = object::address_to_object<Metadata>(@0xa);
        assert!(coin::paired_metadata<AptosCoin>() == option::some(pair), 0);
        aptos_account::fungible_transfer_only(alice, @0xca401, 30);
        assert!(primary_fungible_store::balance(@0xca401, pair) == 30, 1);
        assert!(coin::balance<AptosCoin>(@0xca401) == 30 && coin::balance<AptosCoin>(@0xa11ce) == 970, 2);
    }

    #[test(alice = @0xa11ce)]
    #[expected_failure(abort_code = 0x10006, location = aptos_framework::coin)]
    fun coin_and_pair_together_are_not_overdrawn(alice: &signer) {
        genesis::setup_for_test();
        aptos_account::fungible_transfer_only(alice, @0xa11ce, 400);
        aptos_account::transfer(alice, @0xca401, 1001);
    }
}
