/// Coins: amounts of a type that can be split and joined but neither copied nor lost.
///
/// Whoever publishes a type decides who may mint, burn and freeze it, by keeping or handing out three capabilities. An account
/// holds each type in a `CoinStore` of its own; every deposit and withdrawal is an event of that store.
///
/// Each coin has a fungible asset as its pair. Either turns into the other, one for one, so that what an account has is the sum of
/// both, and an account may move to the asset for good.
module aptos_framework::coin {
    use std::error;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::{Self, String};
    use aptos_std::table::{Self, Table};
    use aptos_std::type_info::{Self, TypeInfo};
    use aptos_framework::account;
    use aptos_framework::create_signer::create_signer;
    use aptos_framework::event::{Self, EventHandle};
    use aptos_framework::fungible_asset::{Self, BurnRef, FungibleAsset, FungibleStore, Metadata, MintRef, TransferRef};
    use aptos_framework::object::{Self, Object};
    use aptos_framework::optional_aggregator::{Self, OptionalAggregator};
    use aptos_framework::primary_fungible_store;
    use aptos_framework::system_addresses;
    use std::features;

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

    /// The fungible asset is not the coin's pair.
    const EPAIRED_FUNGIBLE_ASSET: u64 = 16;
    /// The fungible asset is the pair of another coin.
    const ECOIN_TYPE_MISMATCH: u64 = 17;
    /// Coins do not turn into fungible assets on this chain.
    const ECOIN_TO_FUNGIBLE_ASSET_FEATURE_NOT_ENABLED: u64 = 18;
    /// The pair has no references to lend.
    const EPAIRED_FUNGIBLE_ASSET_REFS_NOT_FOUND: u64 = 19;
    /// The reference returned is not the one lent.
    const EMINT_REF_RECEIPT_MISMATCH: u64 = 20;
    /// The reference to mint is lent already.
    const EMINT_REF_NOT_FOUND: u64 = 21;
    /// The reference returned is not the one lent.
    const ETRANSFER_REF_RECEIPT_MISMATCH: u64 = 22;
    /// The reference to move is lent already.
    const ETRANSFER_REF_NOT_FOUND: u64 = 23;
    /// The reference returned is not the one lent.
    const EBURN_REF_RECEIPT_MISMATCH: u64 = 24;
    /// The reference to burn is lent already, or taken for good.
    const EBURN_REF_NOT_FOUND: u64 = 25;
    /// The chain pairs no coins.
    const ECOIN_CONVERSION_MAP_NOT_FOUND: u64 = 27;

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

    /// From coin to its pair.
    struct CoinConversionMap has key {
        coin_to_fungible_asset_map: Table<TypeInfo, Object<Metadata>>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// From pair to its coin.
    struct PairedCoinType has key {
        type: TypeInfo
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The references of a pair, for those who hold the coin's capabilities.
    struct PairedFungibleAssetRefs has key {
        mint_ref_opt: Option<MintRef>,
        transfer_ref_opt: Option<TransferRef>,
        burn_ref_opt: Option<BurnRef>
    }

    /// Forces the borrower to return the reference to mint.
    struct MintRefReceipt {
        metadata: Object<Metadata>
    }

    /// Forces the borrower to return the reference to move.
    struct TransferRefReceipt {
        metadata: Object<Metadata>
    }

    /// Forces the borrower to return the reference to burn.
    struct BurnRefReceipt {
        metadata: Object<Metadata>
    }

    #[event]
    /// A coin has got its pair.
    struct PairCreation has drop, store {
        coin_type: TypeInfo,
        fungible_asset_metadata_address: address
    }

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
    /// What `owner` holds as coins and as the pair together, in the coin's smallest unit; 0 without a store.
    public fun balance<CoinType>(owner: address): u64 acquires CoinConversionMap, CoinStore {
        coin_balance<CoinType>(owner) + paired_balance<CoinType>(owner)
    }

    fun coin_balance<CoinType>(owner: address): u64 acquires CoinStore {
        if (exists<CoinStore<CoinType>>(owner)) {
            borrow_global<CoinStore<CoinType>>(owner).coin.value
        } else {
            0
        }
    }

    fun paired_balance<CoinType>(owner: address): u64 acquires CoinConversionMap {
        let metadata = paired_metadata<CoinType>();
        if (option::is_some(&metadata)) {
            primary_fungible_store::balance(owner, option::destroy_some(metadata))
        } else {
            0
        }
    }

    #[view]
    /// True where `owner` holds at least `amount`.
    public fun is_balance_at_least<CoinType>(owner: address, amount: u64): bool acquires CoinConversionMap, CoinStore {
        // Most have enough as coins, and need not look further.
        coin_balance<CoinType>(owner) >= amount || balance<CoinType>(owner) >= amount
    }

    #[view]
    /// True where the type has been made a coin.
    public fun is_coin_initialized<CoinType>(): bool {
        exists<CoinInfo<CoinType>>(coin_address<CoinType>())
    }

    #[view]
    /// True where the account's store is frozen.
    public fun is_coin_store_frozen<CoinType>(account_addr: address): bool acquires CoinConversionMap, CoinStore {
        if (exists<CoinStore<CoinType>>(account_addr)) {
            borrow_global<CoinStore<CoinType>>(account_addr).frozen
        } else {
            let store = paired_store<CoinType>(account_addr);
            option::is_some(&store) && fungible_asset::is_frozen(option::destroy_some(store))
        }
    }

    #[view]
    /// True where the account has a store of the coin or its pair.
    public fun is_account_registered<CoinType>(account_addr: address): bool acquires CoinConversionMap {
        assert!(is_coin_initialized<CoinType>(), error::invalid_argument(ECOIN_INFO_NOT_PUBLISHED));
        exists<CoinStore<CoinType>>(account_addr) || option::is_some(&paired_store<CoinType>(account_addr))
    }

    /// The account's store of the coin's pair, or none where it has no such store.
    fun paired_store<CoinType>(account_addr: address): Option<Object<FungibleStore>> acquires CoinConversionMap {
        let metadata = paired_metadata<CoinType>();
        if (option::is_none(&metadata)) return option::none();
        let metadata = option::destroy_some(metadata);
        if (primary_fungible_store::primary_store_exists(account_addr, metadata)) {
            option::some(primary_fungible_store::primary_store(account_addr, metadata))
        } else {
            option::none()
        }
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
    /// How much there is of the coin and its pair together, or none where that is not counted.
    public fun supply<CoinType>(): Option<u128> acquires CoinConversionMap, CoinInfo {
        let supply = coin_supply<CoinType>();
        let metadata = paired_metadata<CoinType>();
        if (option::is_some(&supply) && option::is_some(&metadata)) {
            let paired = fungible_asset::supply(option::destroy_some(metadata));
            option::some(option::destroy_some(supply) + option::destroy_with_default(paired, 0))
        } else {
            supply
        }
    }

    #[view]
    /// How much there is as coins, or none where that is not counted.
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

    /// Destroys `amount` out of an account's store, frozen or not, and out of its pair's store where the first has too little.
    /// Writes no event of the coin.
    public fun burn_from<CoinType>(
        account_addr: address, amount: u64, burn_cap: &BurnCapability<CoinType>
    ) acquires CoinConversionMap, CoinInfo, CoinStore {
        // Nothing to do, and an account without a store is no error then.
        if (amount == 0) return;
        let (from_coins, from_pair) = split_amount<CoinType>(account_addr, amount);
        if (from_coins > 0) {
            let store = borrow_global_mut<CoinStore<CoinType>>(account_addr);
            burn(extract(&mut store.coin, from_coins), burn_cap);
        };
        if (from_pair > 0) {
            let store = option::destroy_some(paired_store<CoinType>(account_addr));
            fungible_asset::address_burn_from(object::object_address(&store), from_pair);
        }
    }

    /// How much of `amount` an account pays in coins and how much out of its pair's store: coins first. Aborts where the account has
    /// no store at all, or too little in both.
    fun split_amount<CoinType>(account_addr: address, amount: u64): (u64, u64) acquires CoinConversionMap, CoinStore {
        let coins = coin_balance<CoinType>(account_addr);
        if (coins >= amount && exists<CoinStore<CoinType>>(account_addr)) return (amount, 0);
        let store = paired_store<CoinType>(account_addr);
        if (option::is_none(&store)) {
            assert!(exists<CoinStore<CoinType>>(account_addr), error::not_found(ECOIN_STORE_NOT_PUBLISHED));
            abort error::invalid_argument(EINSUFFICIENT_BALANCE)
        };
        let rest = amount - coins;
        assert!(
            fungible_asset::is_balance_at_least(option::destroy_some(store), rest),
            error::invalid_argument(EINSUFFICIENT_BALANCE)
        );
        (coins, rest)
    }

    fun burn_internal<CoinType>(coin: Coin<CoinType>) acquires CoinInfo {
        let Coin { value: amount } = coin;
        if (amount == 0) return;
        let counted = &mut borrow_global_mut<CoinInfo<CoinType>>(coin_address<CoinType>()).supply;
        if (option::is_some(counted)) {
            optional_aggregator::sub(option::borrow_mut(counted), (amount as u128))
        }
    }

    /// Puts `coin` into an account's store, or into its pair's where it has only that. Aborts where there is none or it is frozen.
    public fun deposit<CoinType>(account_addr: address, coin: Coin<CoinType>) acquires CoinConversionMap, CoinInfo, CoinStore {
        if (!exists<CoinStore<CoinType>>(account_addr)
            && option::is_some(&paired_store<CoinType>(account_addr))) {
            primary_fungible_store::deposit(account_addr, coin_to_fungible_asset(coin));
            return
        };
        assert!(exists<CoinStore<CoinType>>(account_addr), error::not_found(ECOIN_STORE_NOT_PUBLISHED));
        let store = borrow_global_mut<CoinStore<CoinType>>(account_addr);
        assert!(!store.frozen, error::permission_denied(EFROZEN));
        event::emit_event(&mut store.deposit_events, DepositEvent { amount: coin.value });
        merge(&mut store.coin, coin);
    }

    /// Puts `coin` into an account's store, frozen or not. Writes no event.
    public(friend) fun force_deposit<CoinType>(account_addr: address, coin: Coin<CoinType>) acquires CoinConversionMap, CoinInfo, CoinStore {
        if (!exists<CoinStore<CoinType>>(account_addr)
            && option::is_some(&paired_store<CoinType>(account_addr))) {
            primary_fungible_store::force_deposit(account_addr, coin_to_fungible_asset(coin));
            return
        };
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
    ) acquires CoinConversionMap, CoinStore {
        set_frozen<CoinType>(account_addr, true)
    }

    /// Allows deposits to and withdrawals from an account's store again.
    public fun unfreeze_coin_store<CoinType>(
        account_addr: address, _freeze_cap: &FreezeCapability<CoinType>
    ) acquires CoinConversionMap, CoinStore {
        set_frozen<CoinType>(account_addr, false)
    }

    /// Both stores, of which there is at least one.
    fun set_frozen<CoinType>(account_addr: address, frozen: bool) acquires CoinConversionMap, CoinStore {
        let store = paired_store<CoinType>(account_addr);
        if (exists<CoinStore<CoinType>>(account_addr)) {
            borrow_global_mut<CoinStore<CoinType>>(account_addr).frozen = frozen;
        } else {
            assert!(option::is_some(&store), error::not_found(ECOIN_STORE_NOT_PUBLISHED));
        };
        option::for_each(store, |store| fungible_asset::set_frozen_flag_internal(store, frozen));
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
        mint_internal(amount)
    }

    fun mint_internal<CoinType>(amount: u64): Coin<CoinType> acquires CoinInfo {
        if (amount > 0) {
            let counted = &mut borrow_global_mut<CoinInfo<CoinType>>(coin_address<CoinType>()).supply;
            if (option::is_some(counted)) {
                optional_aggregator::add(option::borrow_mut(counted), (amount as u128))
            }
        };
        Coin { value: amount }
    }

    /// Gives the calling account a store of the coin, unless it has one.
    public fun register<CoinType>(account: &signer) acquires CoinConversionMap {
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
    public entry fun transfer<CoinType>(from: &signer, to: address, amount: u64) acquires CoinConversionMap, CoinInfo, CoinStore, PairedCoinType {
        deposit(to, withdraw<CoinType>(from, amount));
    }

    /// The amount.
    public fun value<CoinType>(coin: &Coin<CoinType>): u64 {
        coin.value
    }

    /// Takes `amount` out of the calling account's store, and out of its pair's where that has too little. Aborts where there is no
    /// store, one that is needed is frozen, or both hold less.
    public fun withdraw<CoinType>(account: &signer, amount: u64): Coin<CoinType> acquires CoinConversionMap, CoinInfo, CoinStore, PairedCoinType {
        let account_addr = signer::address_of(account);
        let (from_coins, from_pair) = split_amount<CoinType>(account_addr, amount);
        let taken =
            if (exists<CoinStore<CoinType>>(account_addr) && (from_pair == 0 || from_coins > 0)) {
                let store = borrow_global_mut<CoinStore<CoinType>>(account_addr);
                assert!(!store.frozen, error::permission_denied(EFROZEN));
                event::emit_event(&mut store.withdraw_events, WithdrawEvent { amount: from_coins });
                extract(&mut store.coin, from_coins)
            } else {
                zero()
            };
        if (from_pair > 0) {
            let metadata = option::destroy_some(paired_metadata<CoinType>());
            let fa = primary_fungible_store::withdraw(account, metadata, from_pair);
            merge(&mut taken, fungible_asset_to_coin<CoinType>(fa));
        };
        taken
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

    // Pairs.

    /// Lets the chain pair coins with fungible assets. The framework account only.
    public entry fun create_coin_conversion_map(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        if (!exists<CoinConversionMap>(@aptos_framework)) {
            move_to(aptos_framework, CoinConversionMap { coin_to_fungible_asset_map: table::new() });
        }
    }

    /// Gives a coin its pair before anybody needs it. The framework account only.
    public entry fun create_pairing<CoinType>(aptos_framework: &signer) acquires CoinConversionMap, CoinInfo {
        system_addresses::assert_aptos_framework(aptos_framework);
        ensure_paired_metadata<CoinType>();
    }

    #[view]
    /// The fungible asset that is the coin's pair, or none where it has none yet.
    public fun paired_metadata<CoinType>(): Option<Object<Metadata>> acquires CoinConversionMap {
        if (exists<CoinConversionMap>(@aptos_framework)) {
            let map = &borrow_global<CoinConversionMap>(@aptos_framework).coin_to_fungible_asset_map;
            let type = type_info::type_of<CoinType>();
            if (table::contains(map, type)) return option::some(*table::borrow(map, type));
        };
        option::none()
    }

    #[view]
    /// The coin whose pair a fungible asset is, or none.
    public fun paired_coin(metadata: Object<Metadata>): Option<TypeInfo> acquires PairedCoinType {
        let addr = object::object_address(&metadata);
        if (exists<PairedCoinType>(addr)) {
            option::some(borrow_global<PairedCoinType>(addr).type)
        } else {
            option::none()
        }
    }

    /// The coin's pair, made where there is none. The native coin's is at `0xa`; others follow from their names.
    public(friend) fun ensure_paired_metadata<CoinType>(): Object<Metadata> acquires CoinConversionMap, CoinInfo {
        assert!(
            features::coin_to_fungible_asset_migration_feature_enabled(),
            error::invalid_state(ECOIN_TO_FUNGIBLE_ASSET_FEATURE_NOT_ENABLED)
        );
        assert!(exists<CoinConversionMap>(@aptos_framework), error::not_found(ECOIN_CONVERSION_MAP_NOT_FOUND));
        let found = paired_metadata<CoinType>();
        if (option::is_some(&found)) return option::destroy_some(found);
        assert!(is_coin_initialized<CoinType>(), error::invalid_argument(ECOIN_INFO_NOT_PUBLISHED));

        let type = type_info::type_of<CoinType>();
        let name = type_info::type_name<CoinType>();
        let constructor_ref =
            if (name == string::utf8(b"0x1::aptos_coin::AptosCoin")) {
                object::create_sticky_object_at_address(@aptos_framework, @aptos_fungible_asset)
            } else {
                object::create_named_object(
                    &create_signer(@aptos_fungible_asset), *string::bytes(&name)
                )
            };
        let metadata_signer = object::generate_signer(&constructor_ref);
        primary_fungible_store::create_primary_store_enabled_fungible_asset(
            &constructor_ref,
            option::none(),
            name<CoinType>(),
            symbol<CoinType>(),
            decimals<CoinType>(),
            string::utf8(b""),
            string::utf8(b"")
        );
        move_to(
            &metadata_signer,
            PairedFungibleAssetRefs {
                mint_ref_opt: option::some(fungible_asset::generate_mint_ref(&constructor_ref)),
                transfer_ref_opt: option::some(fungible_asset::generate_transfer_ref(&constructor_ref)),
                burn_ref_opt: option::some(fungible_asset::generate_burn_ref(&constructor_ref))
            }
        );
        move_to(&metadata_signer, PairedCoinType { type });
        event::emit(
            PairCreation { coin_type: type, fungible_asset_metadata_address: signer::address_of(&metadata_signer) }
        );
        let metadata = object::object_from_constructor_ref<Metadata>(&constructor_ref);
        let map = &mut borrow_global_mut<CoinConversionMap>(@aptos_framework).coin_to_fungible_asset_map;
        table::add(map, type, metadata);
        metadata
    }

    /// Turns coins into as much of their pair.
    public fun coin_to_fungible_asset<CoinType>(coin: Coin<CoinType>): FungibleAsset acquires CoinConversionMap, CoinInfo {
        let metadata = ensure_paired_metadata<CoinType>();
        let amount = coin.value;
        burn_internal(coin);
        fungible_asset::mint_internal(metadata, amount)
    }

    /// Turns a coin's pair into as much of the coin.
    public(friend) fun fungible_asset_to_coin<CoinType>(fungible_asset: FungibleAsset): Coin<CoinType> acquires CoinInfo, PairedCoinType {
        let metadata = fungible_asset::metadata_from_asset(&fungible_asset);
        let coin = paired_coin(metadata);
        assert!(option::is_some(&coin), error::not_found(EPAIRED_FUNGIBLE_ASSET));
        assert!(
            option::destroy_some(coin) == type_info::type_of<CoinType>(),
            error::invalid_argument(ECOIN_TYPE_MISMATCH)
        );
        mint_internal(fungible_asset::burn_internal(fungible_asset))
    }

    /// Moves the sender from the coin to its pair for good.
    public entry fun migrate_to_fungible_store<CoinType>(account: &signer) acquires CoinConversionMap, CoinInfo, CoinStore {
        move_to_pair<CoinType>(signer::address_of(account));
    }

    /// Moves accounts from the coin to its pair for good. Nobody loses by it, so anybody may ask for it.
    public entry fun migrate_coin_store_to_fungible_store<CoinType>(accounts: vector<address>) acquires CoinConversionMap, CoinInfo, CoinStore {
        std::vector::for_each(accounts, |account| move_to_pair<CoinType>(account));
    }

    fun move_to_pair<CoinType>(account: address) acquires CoinConversionMap, CoinInfo, CoinStore {
        if (!exists<CoinStore<CoinType>>(account)) return;
        let metadata = ensure_paired_metadata<CoinType>();
        let CoinStore<CoinType> { coin, frozen, deposit_events, withdraw_events } =
            move_from<CoinStore<CoinType>>(account);
        event::destroy_handle(deposit_events);
        event::destroy_handle(withdraw_events);
        let store = primary_fungible_store::ensure_primary_store_exists(account, metadata);
        if (coin.value == 0) {
            destroy_zero(coin);
        } else {
            primary_fungible_store::force_deposit(account, coin_to_fungible_asset(coin));
        };
        if (frozen != fungible_asset::is_frozen(store)) {
            fungible_asset::set_frozen_flag_internal(store, frozen);
        }
    }

    // References of a pair, for those who hold the coin's capabilities.

    inline fun refs<CoinType>(): &mut PairedFungibleAssetRefs {
        let addr = object::object_address(&ensure_paired_metadata<CoinType>());
        assert!(
            exists<PairedFungibleAssetRefs>(addr), error::internal(EPAIRED_FUNGIBLE_ASSET_REFS_NOT_FOUND)
        );
        borrow_global_mut<PairedFungibleAssetRefs>(addr)
    }

    #[view]
    /// True where the pair's reference to mint is there to be lent.
    public fun paired_mint_ref_exists<CoinType>(): bool acquires CoinConversionMap, CoinInfo, PairedFungibleAssetRefs {
        option::is_some(&refs<CoinType>().mint_ref_opt)
    }

    #[view]
    /// True where the pair's reference to move is there to be lent.
    public fun paired_transfer_ref_exists<CoinType>(): bool acquires CoinConversionMap, CoinInfo, PairedFungibleAssetRefs {
        option::is_some(&refs<CoinType>().transfer_ref_opt)
    }

    #[view]
    /// True where the pair's reference to burn is there to be lent.
    public fun paired_burn_ref_exists<CoinType>(): bool acquires CoinConversionMap, CoinInfo, PairedFungibleAssetRefs {
        option::is_some(&refs<CoinType>().burn_ref_opt)
    }

    /// Lends the pair's reference to mint.
    public fun get_paired_mint_ref<CoinType>(_: &MintCapability<CoinType>): (MintRef, MintRefReceipt) acquires CoinConversionMap, CoinInfo, PairedFungibleAssetRefs {
        let ref_opt = &mut refs<CoinType>().mint_ref_opt;
        assert!(option::is_some(ref_opt), error::not_found(EMINT_REF_NOT_FOUND));
        let ref = option::extract(ref_opt);
        let metadata = fungible_asset::mint_ref_metadata(&ref);
        (ref, MintRefReceipt { metadata })
    }

    /// Takes the pair's reference to mint back.
    public fun return_paired_mint_ref(mint_ref: MintRef, receipt: MintRefReceipt) acquires PairedFungibleAssetRefs {
        let MintRefReceipt { metadata } = receipt;
        assert!(
            fungible_asset::mint_ref_metadata(&mint_ref) == metadata,
            error::invalid_argument(EMINT_REF_RECEIPT_MISMATCH)
        );
        option::fill(
            &mut borrow_global_mut<PairedFungibleAssetRefs>(object::object_address(&metadata)).mint_ref_opt, mint_ref
        );
    }

    /// Lends the pair's reference to move.
    public fun get_paired_transfer_ref<CoinType>(_: &FreezeCapability<CoinType>): (TransferRef, TransferRefReceipt) acquires CoinConversionMap, CoinInfo, PairedFungibleAssetRefs {
        let ref_opt = &mut refs<CoinType>().transfer_ref_opt;
        assert!(option::is_some(ref_opt), error::not_found(ETRANSFER_REF_NOT_FOUND));
        let ref = option::extract(ref_opt);
        let metadata = fungible_asset::transfer_ref_metadata(&ref);
        (ref, TransferRefReceipt { metadata })
    }

    /// Takes the pair's reference to move back.
    public fun return_paired_transfer_ref(transfer_ref: TransferRef, receipt: TransferRefReceipt) acquires PairedFungibleAssetRefs {
        let TransferRefReceipt { metadata } = receipt;
        assert!(
            fungible_asset::transfer_ref_metadata(&transfer_ref) == metadata,
            error::invalid_argument(ETRANSFER_REF_RECEIPT_MISMATCH)
        );
        option::fill(
            &mut borrow_global_mut<PairedFungibleAssetRefs>(object::object_address(&metadata)).transfer_ref_opt,
            transfer_ref
        );
    }

    /// Lends the pair's reference to burn.
    public fun get_paired_burn_ref<CoinType>(_: &BurnCapability<CoinType>): (BurnRef, BurnRefReceipt) acquires CoinConversionMap, CoinInfo, PairedFungibleAssetRefs {
        let ref_opt = &mut refs<CoinType>().burn_ref_opt;
        assert!(option::is_some(ref_opt), error::not_found(EBURN_REF_NOT_FOUND));
        let ref = option::extract(ref_opt);
        let metadata = fungible_asset::burn_ref_metadata(&ref);
        (ref, BurnRefReceipt { metadata })
    }

    /// Gives the coin's capability to burn up for the pair's reference, which then belongs to the caller.
    public fun convert_and_take_paired_burn_ref<CoinType>(burn_cap: BurnCapability<CoinType>): BurnRef acquires CoinConversionMap, CoinInfo, PairedFungibleAssetRefs {
        destroy_burn_cap(burn_cap);
        let ref_opt = &mut refs<CoinType>().burn_ref_opt;
        assert!(option::is_some(ref_opt), error::not_found(EBURN_REF_NOT_FOUND));
        option::extract(ref_opt)
    }

    /// Takes the pair's reference to burn back.
    public fun return_paired_burn_ref(burn_ref: BurnRef, receipt: BurnRefReceipt) acquires PairedFungibleAssetRefs {
        let BurnRefReceipt { metadata } = receipt;
        assert!(
            fungible_asset::burn_ref_metadata(&burn_ref) == metadata,
            error::invalid_argument(EBURN_REF_RECEIPT_MISMATCH)
        );
        option::fill(
            &mut borrow_global_mut<PairedFungibleAssetRefs>(object::object_address(&metadata)).burn_ref_opt, burn_ref
        );
    }
}
