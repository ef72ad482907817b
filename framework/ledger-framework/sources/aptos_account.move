/// Payments to people rather than to stores: an account that does not exist is created on the way.
module aptos_framework::aptos_account {
    use std::error;
    use std::signer;
    use std::vector;
    use aptos_framework::account;
    use aptos_framework::aptos_coin::AptosCoin;
    use aptos_framework::coin::{Self, Coin};
    use aptos_framework::create_signer::create_signer;
    use aptos_framework::event::{Self, EventHandle};
    use aptos_framework::fungible_asset::{FungibleAsset, Metadata};
    use aptos_framework::object::Object;
    use aptos_framework::primary_fungible_store;

    friend aptos_framework::genesis;

    /// The address has no account.
    const EACCOUNT_NOT_FOUND: u64 = 1;
    /// The account has no store of the native coin.
    const EACCOUNT_NOT_REGISTERED_FOR_APT: u64 = 2;
    /// The account takes no coins it has not registered.
    const EACCOUNT_DOES_NOT_ACCEPT_DIRECT_COIN_TRANSFERS: u64 = 3;
    /// The two lists have different lengths.
    const EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH: u64 = 5;

    /// Whether an account takes coins it has not registered. Without this resource it does.
    struct DirectTransferConfig has key {
        allow_arbitrary_coin_transfers: bool,
        update_coin_transfer_events: EventHandle<DirectCoinTransferConfigUpdatedEvent>
    }

    /// Written when an account changes what it takes.
    struct DirectCoinTransferConfigUpdatedEvent has drop, store {
        new_allow_direct_transfers: bool
    }

    /// Creates the account of `auth_key`, with a store of the native coin.
    public entry fun create_account(auth_key: address) {
        let account = account::create_account(auth_key);
        coin::register<AptosCoin>(&account);
    }

    /// Sends the native coin to several accounts, creating those that do not exist.
    public entry fun batch_transfer(source: &signer, recipients: vector<address>, amounts: vector<u64>) {
        let n = vector::length(&recipients);
        assert!(
            n == vector::length(&amounts), error::invalid_argument(EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH)
        );
        let i = 0;
        while (i < n) {
            transfer(source, *vector::borrow(&recipients, i), *vector::borrow(&amounts, i));
            i = i + 1;
        }
    }

    /// Sends `amount` octas, creating the receiving account where it does not exist.
    public entry fun transfer(source: &signer, to: address, amount: u64) {
        ensure_receives_native_coin(to);
        coin::transfer<AptosCoin>(source, to, amount)
    }

    /// Sends a coin to several accounts, creating those that do not exist.
    public entry fun batch_transfer_coins<CoinType>(
        from: &signer, recipients: vector<address>, amounts: vector<u64>
    ) acquires DirectTransferConfig {
        let n = vector::length(&recipients);
        assert!(
            n == vector::length(&amounts), error::invalid_argument(EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH)
        );
        let i = 0;
        while (i < n) {
            transfer_coins<CoinType>(from, *vector::borrow(&recipients, i), *vector::borrow(&amounts, i));
            i = i + 1;
        }
    }

    /// Sends `amount` of a coin, creating the receiving account and its store where they do not exist.
    public entry fun transfer_coins<CoinType>(from: &signer, to: address, amount: u64) acquires DirectTransferConfig {
        deposit_coins(to, coin::withdraw<CoinType>(from, amount));
    }

    /// Gives `coins` to an account, creating it and its store where they do not exist.
    ///
    /// Aborts where the account has no store of the coin and takes none it has not registered.
    public fun deposit_coins<CoinType>(to: address, coins: Coin<CoinType>) acquires DirectTransferConfig {
        if (!account::exists_at(to)) {
            create_account(to);
        };
        if (!coin::is_account_registered<CoinType>(to)) {
            assert!(
                can_receive_direct_coin_transfers(to),
                error::permission_denied(EACCOUNT_DOES_NOT_ACCEPT_DIRECT_COIN_TRANSFERS)
            );
            coin::register<CoinType>(&create_signer(to));
        };
        coin::deposit<CoinType>(to, coins)
    }

    /// Sends `amount` octas as the native coin's pair, between primary stores. Coins of the sender that it needs become the pair first.
    public entry fun fungible_transfer_only(source: &signer, to: address, amount: u64) {
        ensure_account(to);
        let fa = coin::coin_to_fungible_asset(coin::withdraw<AptosCoin>(source, amount));
        primary_fungible_store::deposit(to, fa);
    }

    /// Sends `amount` of a fungible asset between primary stores, creating the receiving account where it does not exist.
    public entry fun transfer_fungible_assets(
        from: &signer, metadata: Object<Metadata>, to: address, amount: u64
    ) {
        deposit_fungible_assets(to, primary_fungible_store::withdraw(from, metadata, amount));
    }

    /// Sends a fungible asset to several accounts.
    public entry fun batch_transfer_fungible_assets(
        from: &signer, metadata: Object<Metadata>, recipients: vector<address>, amounts: vector<u64>
    ) {
        let n = vector::length(&recipients);
        assert!(
            n == vector::length(&amounts), error::invalid_argument(EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH)
        );
        let i = 0;
        while (i < n) {
            transfer_fungible_assets(from, metadata, *vector::borrow(&recipients, i), *vector::borrow(&amounts, i));
            i = i + 1;
        }
    }

    /// Gives an amount of a fungible asset to an account, creating it where it does not exist.
    public fun deposit_fungible_assets(to: address, fa: FungibleAsset) {
        ensure_account(to);
        primary_fungible_store::deposit(to, fa)
    }

    fun ensure_account(addr: address) {
        if (!account::exists_at(addr)) {
            create_account(addr);
        }
    }

    /// Aborts unless the address has an account.
    public fun assert_account_exists(addr: address) {
        assert!(account::exists_at(addr), error::not_found(EACCOUNT_NOT_FOUND));
    }

    /// Aborts unless the address has an account with a store of the native coin.
    public fun assert_account_is_registered_for_apt(addr: address) {
        assert_account_exists(addr);
        assert!(
            coin::is_account_registered<AptosCoin>(addr), error::not_found(EACCOUNT_NOT_REGISTERED_FOR_APT)
        );
    }

    /// Sets whether the sender takes coins it has not registered.
    public entry fun set_allow_direct_coin_transfers(account: &signer, allow: bool) acquires DirectTransferConfig {
        let addr = signer::address_of(account);
        if (exists<DirectTransferConfig>(addr)) {
            let config = borrow_global_mut<DirectTransferConfig>(addr);
            // An unchanged setting is no news.
            if (config.allow_arbitrary_coin_transfers == allow) return;
            config.allow_arbitrary_coin_transfers = allow;
            event::emit_event(
                &mut config.update_coin_transfer_events,
                DirectCoinTransferConfigUpdatedEvent { new_allow_direct_transfers: allow }
            );
        } else {
            let config = DirectTransferConfig {
                allow_arbitrary_coin_transfers: allow,
                update_coin_transfer_events: account::new_event_handle<DirectCoinTransferConfigUpdatedEvent>(account)
            };
            event::emit_event(
                &mut config.update_coin_transfer_events,
                DirectCoinTransferConfigUpdatedEvent { new_allow_direct_transfers: allow }
            );
            move_to(account, config);
        }
    }

    #[view]
    /// True where the account takes coins it has not registered.
    public fun can_receive_direct_coin_transfers(account: address): bool acquires DirectTransferConfig {
        !exists<DirectTransferConfig>(account)
            || borrow_global<DirectTransferConfig>(account).allow_arbitrary_coin_transfers
    }

    /// Creates the account where it does not exist, and its native store where it has none (a resource account, say).
    fun ensure_receives_native_coin(addr: address) {
        if (!account::exists_at(addr)) {
            create_account(addr)
        } else if (!coin::has_store<AptosCoin>(addr)) {
            coin::register<AptosCoin>(&create_signer(addr))
        }
    }
}
