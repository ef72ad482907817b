/// Coins: amounts of a type that can be split and joined but neither copied nor lost.
///
/// Whoever publishes a type decides who may mint, burn and freeze it, by keeping or handing out three capabilities. An account
/// holds each type in a `CoinStore` of its own; every deposit and withdrawal is an event of that store.
module aptos_framework::coin {
    use std::error;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::{Self, String};
    use aptos_std::type_info;
    use aptos_framework::account;
    use aptos_framework::event::{Self, EventHandle};
    use aptos_framework::optional_aggregator::{Self, OptionalAggregator};
    use aptos_framework::system_addresses;

    friend aptos_framework::aptos_account;
    friend aptos_framework::aptos_coin;
    friend aptos_framework::genesis;
    friend aptos_framework::transaction_fee;

    /// The coin's type is published by another account.
    const ECOIN_INFO_ADDRESS_MISMATCH: u64 = 1;
    /// The type is a coin already.
    const ECOIN_INFO_ALREADY_PUBLISHED: u64 = 2;
    /// The type has not been made a coin.
    const ECOIN_INFO_NOT_PUBLISHED: u64 = 3;
    /// The account has a store of this coin already.
    const ECOIN_STORE_ALREADY_PUBLISHED: u64 = 4;
    /// The account has no store of this coin.
    const ECOIN_STORE_NOT_PUBLISHED: u64 = 5;
    /// The balance is smaller than the amount.
    const EINSUFFICIENT_BALANCE: u64 = 6;
    /// Only an amount of zero can be thrown away.
    const EDESTRUCTION_OF_NONZERO_TOKEN: u64 = 7;
    /// The amount must be above zero.
    const EZERO_COIN_AMOUNT: u64 = 9;
    /// The store is frozen.
    const EFROZEN: u64 = 10;
    /// The supply cannot change its form on this chain.
    const ECOIN_SUPPLY_UPGRADE_NOT_SUPPORTED: u64 = 11;
    /// The name is longer than 32 bytes.
    const ECOIN_NAME_TOO_LONG: u64 = 12;
    /// The symbol is longer than 10 bytes.
    const ECOIN_SYMBOL_TOO_LONG: u64 = 13;

    const MAX_COIN_NAME_LENGTH: u64 = 32;
    const MAX_COIN_SYMBOL_LENGTH: u64 = 10;
    const MAX_U128: u128 = 340282366920938463463374607431768211455;

    /// An amount of a coin.
    struct Coin<phantom CoinType> has store {
        /// In the coin's smallest unit.
        value: u64
    }

    /// What an account holds of a coin.
    struct CoinStore<phantom CoinType> has key {
        coin: Coin<CoinType>,
        frozen: bool,
        deposit_events: EventHandle<DepositEvent>,
        withdraw_events: EventHandle<WithdrawEvent>
    }

    /// Whether the supply of a coin may change its form.
    struct SupplyConfig has key {
        allow_upgrades: bool
    }

    /// What a coin is called and how much of it there is. Lives with the account that publishes the type.
    struct CoinInfo<phantom CoinType> has key {
        name: String,
        symbol: String,
        /// The number of digits behind the point when an amount is shown.
        decimals: u8,
        /// None where the supply is not counted.
        supply: Option<OptionalAggregator>
    }

    /// Written when a store receives coins.
    struct DepositEvent has drop, store {
        amount: u64
    }

    /// Written when coins leave a store.
    struct WithdrawEvent has drop, store {
        amount: u64
    }

    /// The right to mint a coin.
    struct MintCapability<phantom CoinType> has copy, store {}

    /// The right to freeze stores of a coin.
    struct FreezeCapability<phantom CoinType> has copy, store {}

    /// The right to burn a coin.
    struct BurnCapability<phantom CoinType> has copy, store {}

    /// Publishes how supplies are kept. Genesis only.
    public(friend) fun initialize_supply_config(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, SupplyConfig { allow_upgrades: false });
    }

    /// Allows or forbids supplies to change their form. The framework account only.
    public fun allow_supply_upgrades(aptos_framework: &signer, allowed: bool) acquires SupplyConfig {
        system_addresses::assert_aptos_framework(aptos_framework);
        borrow_global_mut<SupplyConfig>(@aptos_framework).allow_upgrades = allowed;
    }

    /// The publisher of a type.
    fun coin_address<CoinType>(): address {
        type_info::account_address(&type_info::type_of<CoinType>())
    }

    #[view]
    /// What `owner` holds, in the coin's smallest unit; 0 without a store.
    public fun balance<CoinType>(owner: address): u64 acquires CoinStore {
        if (exists<CoinStore<CoinType>>(owner)) {
            borrow_global<CoinStore<CoinType>>(owner).coin.value
        } else {
            0
        }
    }

    #[view]
    /// True where `owner` holds at least `amount`.
    public fun is_balance_at_least<CoinType>(owner: address, amount: u64): bool acquires CoinStore {
        balance<CoinType>(owner) >= amount
    }

    #[view]
    /// True where the type has been made a coin.
    public fun is_coin_initialized<CoinType>(): bool {
        exists<CoinInfo<CoinType>>(coin_address<CoinType>())
    }

    #[view]
    /// True where the account's store is frozen.
    public fun is_coin_store_frozen<CoinType>(account_addr: address): bool acquires CoinStore {
        is_account_registered<CoinType>(account_addr) && borrow_global<CoinStore<CoinType>>(account_addr).frozen
    }

    #[view]
    /// True where the account has a store of the coin.
    public fun is_account_registered<CoinType>(account_addr: address): bool {
        assert!(is_coin_initialized<CoinType>(), error::invalid_argument(ECOIN_INFO_NOT_PUBLISHED));
        exists<CoinStore<CoinType>>(account_addr)
    }

    /// True where the account has a store of a coin that is known to exist. Saves the look at the coin itself.
    public(friend) fun has_store<CoinType>(account_addr: address): bool {
        exists<CoinStore<CoinType>>(account_addr)
    }

    #[view]
    /// The coin's name.
    public fun name<CoinType>(): String acquires CoinInfo {
        borrow_global<CoinInfo<CoinType>>(coin_address<CoinType>()).name
    }

    #[view]
    /// The coin's symbol.
    public fun symbol<CoinType>(): String acquires CoinInfo {
        borrow_global<CoinInfo<CoinType>>(coin_address<CoinType>()).symbol
    }

    #[view]
    /// The number of digits behind the point when an amount is shown.
    public fun decimals<CoinType>(): u8 acquires CoinInfo {
        borrow_global<CoinInfo<CoinType>>(coin_address<CoinType>()).decimals
    }

    #[view]
    /// How much of the coin there is, or none where that is not counted.
    public fun supply<CoinType>(): Option<u128> acquires CoinInfo {
        coin_supply<CoinType>()
    }

    /// How much of the coin there is, or none where that is not counted.
    public fun coin_supply<CoinType>(): Option<u128> acquires CoinInfo {
        let counted = &borrow_global<CoinInfo<CoinType>>(coin_address<CoinType>()).supply;
        if (option::is_some(counted)) {
            option::some(optional_aggregator::read(option::borrow(counted)))
        } else {
            option::none()
        }
    }

    /// Destroys `coin` and lowers the supply.
    public fun burn<CoinType>(coin: Coin<CoinType>, _cap: &BurnCapability<CoinType>) acquires CoinInfo {
        assert!(coin.value > 0, error::invalid_argument(EZERO_COIN_AMOUNT));
        burn_internal(coin);
    }

    /// Destroys `amount` out of an account's store, frozen or not. Writes no event.
    public fun burn_from<CoinType>(
        account_addr: address, amount: u64, burn_cap: &BurnCapability<CoinType>
    ) acquires CoinInfo, CoinStore {
        // Nothing to do, and an account without a store is no error then.
        if (amount == 0) return;
        assert!(exists<CoinStore<CoinType>>(account_addr), error::not_found(ECOIN_STORE_NOT_PUBLISHED));
        let store = borrow_global_mut<CoinStore<CoinType>>(account_addr);
        burn(extract(&mut store.coin, amount), burn_cap);
    }

    fun burn_internal<CoinType>(coin: Coin<CoinType>) acquires CoinInfo {
        let Coin { value: amount } = coin;
        if (amount == 0) return;
        let counted = &mut borrow_global_mut<CoinInfo<CoinType>>(coin_address<CoinType>()).supply;
        if (option::is_some(counted)) {
            optional_aggregator::sub(option::borrow_mut(counted), (amount as u128))
        }
    }

    /// Puts `coin` into an account's store. Aborts where there is none or it is frozen.
    public fun deposit<CoinType>(account_addr: address, coin: Coin<CoinType>) acquires CoinStore {
        assert!(exists<CoinStore<CoinType>>(account_addr), error::not_found(ECOIN_STORE_NOT_PUBLISHED));
        let store = borrow_global_mut<CoinStore<CoinType>>(account_addr);
        assert!(!store.frozen, error::permission_denied(EFROZEN));
        event::emit_event(&mut store.deposit_events, DepositEvent { amount: coin.value });
        merge(&mut store.coin, coin);
    }

    /// Puts `coin` into an account's store, frozen or not. Writes no event.
    public(friend) fun force_deposit<CoinType>(account_addr: address, coin: Coin<CoinType>) acquires CoinStore {
        assert!(exists<CoinStore<CoinType>>(account_addr), error::not_found(ECOIN_STORE_NOT_PUBLISHED));
        merge(&mut borrow_global_mut<CoinStore<CoinType>>(account_addr).coin, coin);
    }

    /// Throws away an amount of zero.
    public fun destroy_zero<CoinType>(zero_coin: Coin<CoinType>) {
        let Coin { value } = zero_coin;
        assert!(value == 0, error::invalid_argument(EDESTRUCTION_OF_NONZERO_TOKEN))
    }

    /// Takes `amount` out of `coin`. Aborts with `EINSUFFICIENT_BALANCE` where it holds less.
    public fun extract<CoinType>(coin: &mut Coin<CoinType>, amount: u64): Coin<CoinType> {
        assert!(coin.value >= amount, error::invalid_argument(EINSUFFICIENT_BALANCE));
        coin.value = coin.value - amount;
        Coin { value: amount }
    }

    /// Takes everything out of `coin`.
    public fun extract_all<CoinType>(coin: &mut Coin<CoinType>): Coin<CoinType> {
        let amount = coin.value;
        coin.value = 0;
        Coin { value: amount }
    }

    /// Forbids deposits to and withdrawals from an account's store.
    public fun freeze_coin_store<CoinType>(
        account_addr: address, _freeze_cap: &FreezeCapability<CoinType>
    ) acquires CoinStore {
        borrow_global_mut<CoinStore<CoinType>>(account_addr).frozen = true;
    }

    /// Allows deposits to and withdrawals from an account's store again.
    public fun unfreeze_coin_store<CoinType>(
        account_addr: address, _freeze_cap: &FreezeCapability<CoinType>
    ) acquires CoinStore {
        borrow_global_mut<CoinStore<CoinType>>(account_addr).frozen = false;
    }

    /// Lets the supply of a coin change to the form kept beside its owner, where the chain allows it.
    public entry fun upgrade_supply<CoinType>(account: &signer) acquires CoinInfo, SupplyConfig {
        let account_addr = signer::address_of(account);
        assert!(coin_address<CoinType>() == account_addr, error::invalid_argument(ECOIN_INFO_ADDRESS_MISMATCH));
        assert!(
            borrow_global<SupplyConfig>(@aptos_framework).allow_upgrades,
            error::permission_denied(ECOIN_SUPPLY_UPGRADE_NOT_SUPPORTED)
        );
        let counted = &mut borrow_global_mut<CoinInfo<CoinType>>(account_addr).supply;
        if (option::is_some(counted)) {
            let supply = option::borrow_mut(counted);
            if (!optional_aggregator::is_parallelizable(supply)) {
                optional_aggregator::switch(supply);
            }
        }
    }

    /// Makes a type of the calling account a coin, and returns the three capabilities.
    ///
    /// `name` has at most 32 bytes, `symbol` at most 10. The supply is counted where `monitor_supply`.
    public fun initialize<CoinType>(
        account: &signer, name: String, symbol: String, decimals: u8, monitor_supply: bool
    ): (BurnCapability<CoinType>, FreezeCapability<CoinType>, MintCapability<CoinType>) {
        initialize_internal(account, name, symbol, decimals, monitor_supply, false)
    }

    /// The same with a supply kept beside its owner. Genesis only.
    public(friend) fun initialize_with_parallelizable_supply<CoinType>(
        account: &signer, name: String, symbol: String, decimals: u8, monitor_supply: bool
    ): (BurnCapability<CoinType>, FreezeCapability<CoinType>, MintCapability<CoinType>) {
        system_addresses::assert_aptos_framework(account);
        initialize_internal(account, name, symbol, decimals, monitor_supply, true)
    }

    fun initialize_internal<CoinType>(
        account: &signer, name: String, symbol: String, decimals: u8, monitor_supply: bool, parallelizable: bool
    ): (BurnCapability<CoinType>, FreezeCapability<CoinType>, MintCapability<CoinType>) {
        let account_addr = signer::address_of(account);
        assert!(coin_address<CoinType>() == account_addr, error::invalid_argument(ECOIN_INFO_ADDRESS_MISMATCH));
        assert!(!exists<CoinInfo<CoinType>>(account_addr), error::already_exists(ECOIN_INFO_ALREADY_PUBLISHED));
        assert!(string::length(&name) <= MAX_COIN_NAME_LENGTH, error::invalid_argument(ECOIN_NAME_TOO_LONG));
        assert!(string::length(&symbol) <= MAX_COIN_SYMBOL_LENGTH, error::invalid_argument(ECOIN_SYMBOL_TOO_LONG));

        let supply =
            if (monitor_supply) {
                option::some(optional_aggregator::new(MAX_U128, parallelizable))
            } else {
                option::none()
            };
        move_to(account, CoinInfo<CoinType> { name, symbol, decimals, supply });
        (BurnCapability {}, FreezeCapability {}, MintCapability {})
    }

    /// Puts `source_coin` into `dst_coin`.
    public fun merge<CoinType>(dst_coin: &mut Coin<CoinType>, source_coin: Coin<CoinType>) {
        let Coin { value } = source_coin;
        dst_coin.value = dst_coin.value + value;
    }

    /// Makes `amount` of a coin and raises the supply.
    public fun mint<CoinType>(amount: u64, _cap: &MintCapability<CoinType>): Coin<CoinType> acquires CoinInfo {
        if (amount > 0) {
            let counted = &mut borrow_global_mut<CoinInfo<CoinType>>(coin_address<CoinType>()).supply;
            if (option::is_some(counted)) {
                optional_aggregator::add(option::borrow_mut(counted), (amount as u128))
            }
        };
        Coin { value: amount }
    }

    /// Gives the calling account a store of the coin, unless it has one.
    public fun register<CoinType>(account: &signer) {
        let account_addr = signer::address_of(account);
        if (is_account_registered<CoinType>(account_addr)) return;
        account::register_coin<CoinType>(account_addr);
        move_to(
            account,
            CoinStore<CoinType> {
                coin: Coin { value: 0 },
                frozen: false,
                deposit_events: account::new_event_handle<DepositEvent>(account),
                withdraw_events: account::new_event_handle<WithdrawEvent>(account)
            }
        );
    }

    /// Moves `amount` from the sender's store to the store of `to`.
    public entry fun transfer<CoinType>(from: &signer, to: address, amount: u64) acquires CoinStore {
        deposit(to, withdraw<CoinType>(from, amount));
    }

    /// The amount.
    public fun value<CoinType>(coin: &Coin<CoinType>): u64 {
        coin.value
    }

    /// Takes `amount` out of the calling account's store. Aborts where there is none, it is frozen or holds less.
    public fun withdraw<CoinType>(account: &signer, amount: u64): Coin<CoinType> acquires CoinStore {
        let account_addr = signer::address_of(account);
        assert!(exists<CoinStore<CoinType>>(account_addr), error::not_found(ECOIN_STORE_NOT_PUBLISHED));
        let store = borrow_global_mut<CoinStore<CoinType>>(account_addr);
        assert!(!store.frozen, error::permission_denied(EFROZEN));
        event::emit_event(&mut store.withdraw_events, WithdrawEvent { amount });
        extract(&mut store.coin, amount)
    }

    /// An amount of zero.
    public fun zero<CoinType>(): Coin<CoinType> {
        Coin { value: 0 }
    }

    /// Gives up the right to freeze.
    public fun destroy_freeze_cap<CoinType>(freeze_cap: FreezeCapability<CoinType>) {
        let FreezeCapability {} = freeze_cap;
    }

    /// Gives up the right to mint.
    public fun destroy_mint_cap<CoinType>(mint_cap: MintCapability<CoinType>) {
        let MintCapability {} = mint_cap;
    }

    /// Gives up the right to burn.
    public fun destroy_burn_cap<CoinType>(burn_cap: BurnCapability<CoinType>) {
        let BurnCapability {} = burn_cap;
    }
}
