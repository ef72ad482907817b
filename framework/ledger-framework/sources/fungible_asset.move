/// Fungible assets: amounts of an object that describes them, kept in stores which are objects themselves.
///
/// Any object made for ever can become the description (`Metadata`) of an asset; whoever makes it so hands out the references to
/// mint, burn, freeze and move. A store belongs to its owner as every object does. A module may register functions to be called in
/// place of plain withdrawals and deposits: those are reached through `dispatchable_fungible_asset`, never from here.
module aptos_framework::fungible_asset {
    use std::error;
    use std::features;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::{Self, String};
    use aptos_framework::aggregator_v2::{Self, Aggregator};
    use aptos_framework::create_signer::create_signer;
    use aptos_framework::event;
    use aptos_framework::function_info::{Self, FunctionInfo};
    use aptos_framework::object::{Self, ConstructorRef, DeleteRef, ExtendRef, Object};

    friend aptos_framework::aptos_account;
    friend aptos_framework::coin;
    friend aptos_framework::dispatchable_fungible_asset;
    friend aptos_framework::primary_fungible_store;
    friend aptos_framework::transaction_fee;

    /// The amount must be above zero.
    const EAMOUNT_CANNOT_BE_ZERO: u64 = 1;
    /// The reference moves another asset.
    const ETRANSFER_REF_AND_FUNGIBLE_ASSET_MISMATCH: u64 = 2;
    /// The store is frozen.
    const ESTORE_IS_FROZEN: u64 = 3;
    /// The balance is smaller than the amount.
    const EINSUFFICIENT_BALANCE: u64 = 4;
    /// There would be more of the asset than its maximum.
    const EMAX_SUPPLY_EXCEEDED: u64 = 5;
    /// Two amounts of different assets cannot be joined.
    const EFUNGIBLE_ASSET_MISMATCH: u64 = 6;
    /// The reference mints another asset than the store holds.
    const EMINT_REF_AND_STORE_MISMATCH: u64 = 7;
    /// The account does not own the store.
    const ENOT_STORE_OWNER: u64 = 8;
    /// The reference moves another asset than the store holds.
    const ETRANSFER_REF_AND_STORE_MISMATCH: u64 = 9;
    /// The reference burns another asset than the store holds.
    const EBURN_REF_AND_STORE_MISMATCH: u64 = 10;
    /// The store holds another asset.
    const EFUNGIBLE_ASSET_AND_STORE_MISMATCH: u64 = 11;
    /// Only an amount of zero can be thrown away.
    const EAMOUNT_IS_NOT_ZERO: u64 = 12;
    /// The reference burns another asset.
    const EBURN_REF_AND_FUNGIBLE_ASSET_MISMATCH: u64 = 13;
    /// Only an empty store can be removed.
    const EBALANCE_IS_NOT_ZERO: u64 = 14;
    /// The name has more than 32 bytes.
    const ENAME_TOO_LONG: u64 = 15;
    /// The symbol has more than 32 bytes.
    const ESYMBOL_TOO_LONG: u64 = 16;
    /// An amount has at most 32 digits behind the point.
    const EDECIMALS_TOO_LARGE: u64 = 17;
    /// An object that may be deleted cannot describe an asset.
    const EOBJECT_IS_DELETABLE: u64 = 18;
    /// A link has more than 512 bytes.
    const EURI_TOO_LONG: u64 = 19;
    /// There is less of the asset than is to be burnt.
    const ESUPPLY_UNDERFLOW: u64 = 20;
    /// The asset's supply is not counted.
    const ESUPPLY_NOT_FOUND: u64 = 21;
    /// The chain keeps no supplies that many transactions may change at once.
    const ECONCURRENT_SUPPLY_NOT_ENABLED: u64 = 22;
    /// There is no store.
    const EFUNGIBLE_STORE_EXISTENCE: u64 = 23;
    /// Withdrawals of the asset go through its own function.
    const EINVALID_DISPATCHABLE_OPERATIONS: u64 = 28;
    /// The asset has its functions already.
    const EALREADY_REGISTERED: u64 = 29;
    /// There is no description.
    const EFUNGIBLE_METADATA_EXISTENCE: u64 = 30;
    /// The native asset is moved by nobody's functions.
    const EAPT_NOT_DISPATCHABLE: u64 = 31;
    /// The chain keeps no balances that many transactions may change at once.
    const ECONCURRENT_BALANCE_NOT_ENABLED: u64 = 32;
    /// The function to be called for withdrawals has another signature.
    const EWITHDRAW_FUNCTION_SIGNATURE_MISMATCH: u64 = 25;
    /// The function to be called for deposits has another signature.
    const EDEPOSIT_FUNCTION_SIGNATURE_MISMATCH: u64 = 26;
    /// The function to be called for balances has another signature.
    const EDERIVED_BALANCE_FUNCTION_SIGNATURE_MISMATCH: u64 = 27;
    /// The function to be called for the supply has another signature.
    const EDERIVED_SUPPLY_FUNCTION_SIGNATURE_MISMATCH: u64 = 33;
    /// The reference changes another asset's description.
    const EMUTATE_REF_AND_METADATA_MISMATCH: u64 = 34;

    const MAX_NAME_LENGTH: u64 = 32;
    const MAX_SYMBOL_LENGTH: u64 = 32;
    const MAX_DECIMALS: u8 = 32;
    const MAX_URI_LENGTH: u64 = 512;
    const MAX_U128: u128 = 340282366920938463463374607431768211455;

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// How much there is of an asset.
    struct Supply has key {
        current: u128,
        /// None where the type alone limits it.
        maximum: Option<u128>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The same, for many transactions at once.
    struct ConcurrentSupply has key {
        current: Aggregator<u128>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// What an asset is called.
    struct Metadata has copy, drop, key {
        name: String,
        symbol: String,
        /// The number of digits behind the point when an amount is shown.
        decimals: u8,
        icon_uri: String,
        project_uri: String
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// Marks an asset whose stores cannot change owners.
    struct Untransferable has key {}

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// An amount of an asset that belongs to somebody.
    struct FungibleStore has key {
        metadata: Object<Metadata>,
        /// Zero where the store has a `ConcurrentFungibleBalance`.
        balance: u64,
        frozen: bool
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// A balance for many transactions at once.
    struct ConcurrentFungibleBalance has key {
        balance: Aggregator<u64>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The functions called in place of the plain ones.
    struct DispatchFunctionStore has key {
        withdraw_function: Option<FunctionInfo>,
        deposit_function: Option<FunctionInfo>,
        derived_balance_function: Option<FunctionInfo>
    }

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The function called for the supply.
    struct DeriveSupply has key {
        dispatch_function: Option<FunctionInfo>
    }

    /// An amount on its way. It can be neither copied nor lost.
    struct FungibleAsset {
        metadata: Object<Metadata>,
        amount: u64
    }

    /// The right to mint.
    struct MintRef has drop, store {
        metadata: Object<Metadata>
    }

    /// The right to move between stores, frozen or not, and to freeze them.
    struct TransferRef has drop, store {
        metadata: Object<Metadata>
    }

    /// The right to burn, out of any store.
    struct BurnRef has drop, store {
        metadata: Object<Metadata>
    }

    /// The right to read balances past the asset's own function.
    struct RawBalanceRef has drop, store {
        metadata: Object<Metadata>
    }

    /// The right to read the supply past the asset's own function.
    struct RawSupplyRef has drop, store {
        metadata: Object<Metadata>
    }

    /// The right to change the description.
    struct MutateMetadataRef has drop, store {
        metadata: Object<Metadata>
    }

    #[event]
    /// A store has received an amount.
    struct Deposit has drop, store {
        store: address,
        amount: u64
    }

    #[event]
    /// An amount has left a store.
    struct Withdraw has drop, store {
        store: address,
        amount: u64
    }

    #[event]
    /// A store has been frozen or let go.
    struct Frozen has drop, store {
        store: address,
        frozen: bool
    }

    // Making an asset.

    /// Makes a new object the description of an asset, of which there may be `maximum_supply` at most.
    ///
    /// Names have at most 32 bytes, links at most 512; `decimals` is at most 32. Aborts for an object that may be deleted.
    public fun add_fungibility(
        constructor_ref: &ConstructorRef,
        maximum_supply: Option<u128>,
        name: String,
        symbol: String,
        decimals: u8,
        icon_uri: String,
        project_uri: String
    ): Object<Metadata> {
        assert!(
            !object::can_generate_delete_ref(constructor_ref), error::invalid_argument(EOBJECT_IS_DELETABLE)
        );
        let object_signer = &object::generate_signer(constructor_ref);
        let metadata = Metadata { name, symbol, decimals, icon_uri, project_uri };
        assert_well_formed(&metadata);
        move_to(object_signer, metadata);
        if (features::concurrent_fungible_assets_enabled()) {
            let current =
                if (option::is_some(&maximum_supply)) {
                    aggregator_v2::create_aggregator(option::extract(&mut maximum_supply))
                } else {
                    aggregator_v2::create_unbounded_aggregator()
                };
            move_to(object_signer, ConcurrentSupply { current });
        } else {
            move_to(object_signer, Supply { current: 0, maximum: maximum_supply });
        };
        object::object_from_constructor_ref<Metadata>(constructor_ref)
    }

    fun assert_well_formed(metadata: &Metadata) {
        assert!(string::length(&metadata.name) <= MAX_NAME_LENGTH, error::out_of_range(ENAME_TOO_LONG));
        assert!(string::length(&metadata.symbol) <= MAX_SYMBOL_LENGTH, error::out_of_range(ESYMBOL_TOO_LONG));
        assert!(metadata.decimals <= MAX_DECIMALS, error::out_of_range(EDECIMALS_TOO_LARGE));
        assert!(string::length(&metadata.icon_uri) <= MAX_URI_LENGTH, error::out_of_range(EURI_TOO_LONG));
        assert!(string::length(&metadata.project_uri) <= MAX_URI_LENGTH, error::out_of_range(EURI_TOO_LONG));
    }

    /// Makes a new asset one whose stores cannot change owners.
    public fun set_untransferable(constructor_ref: &ConstructorRef) {
        assert!(
            exists<Metadata>(object::address_from_constructor_ref(constructor_ref)),
            error::not_found(EFUNGIBLE_METADATA_EXISTENCE)
        );
        move_to(&object::generate_signer(constructor_ref), Untransferable {});
    }

    /// Registers the functions called in place of the plain ones, each of which must have the signature of its place.
    public(friend) fun register_dispatch_functions(
        constructor_ref: &ConstructorRef,
        withdraw_function: Option<FunctionInfo>,
        deposit_function: Option<FunctionInfo>,
        derived_balance_function: Option<FunctionInfo>
    ) {
        assert_fits(&withdraw_function, b"dispatchable_withdraw", EWITHDRAW_FUNCTION_SIGNATURE_MISMATCH);
        assert_fits(&deposit_function, b"dispatchable_deposit", EDEPOSIT_FUNCTION_SIGNATURE_MISMATCH);
        assert_fits(
            &derived_balance_function,
            b"dispatchable_derived_balance",
            EDERIVED_BALANCE_FUNCTION_SIGNATURE_MISMATCH
        );
        let addr = assert_may_register(constructor_ref);
        assert!(!exists<DispatchFunctionStore>(addr), error::already_exists(EALREADY_REGISTERED));
        move_to(
            &object::generate_signer(constructor_ref),
            DispatchFunctionStore { withdraw_function, deposit_function, derived_balance_function }
        );
    }

    /// Registers the function called for the supply.
    public(friend) fun register_derive_supply_dispatch_function(
        constructor_ref: &ConstructorRef, dispatch_function: Option<FunctionInfo>
    ) {
        assert_fits(
            &dispatch_function, b"dispatchable_derived_supply", EDERIVED_SUPPLY_FUNCTION_SIGNATURE_MISMATCH
        );
        let addr = assert_may_register(constructor_ref);
        assert!(!exists<DeriveSupply>(addr), error::already_exists(EALREADY_REGISTERED));
        move_to(&object::generate_signer(constructor_ref), DeriveSupply { dispatch_function });
    }

    fun assert_may_register(constructor_ref: &ConstructorRef): address {
        let addr = object::address_from_constructor_ref(constructor_ref);
        assert!(addr != @aptos_fungible_asset, error::permission_denied(EAPT_NOT_DISPATCHABLE));
        assert!(
            !object::can_generate_delete_ref(constructor_ref), error::invalid_argument(EOBJECT_IS_DELETABLE)
        );
        assert!(exists<Metadata>(addr), error::not_found(EFUNGIBLE_METADATA_EXISTENCE));
        addr
    }

    fun assert_fits(target: &Option<FunctionInfo>, place: vector<u8>, code: u64) {
        if (option::is_none(target)) return;
        let framework_function =
            function_info::new_function_info_from_address(
                @aptos_framework, string::utf8(b"dispatchable_fungible_asset"), string::utf8(place)
            );
        assert!(
            function_info::check_dispatch_type_compatibility(&framework_function, option::borrow(target)),
            error::invalid_argument(code)
        );
    }

    /// The right to mint.
    public fun generate_mint_ref(constructor_ref: &ConstructorRef): MintRef {
        MintRef { metadata: object::object_from_constructor_ref<Metadata>(constructor_ref) }
    }

    /// The right to burn.
    public fun generate_burn_ref(constructor_ref: &ConstructorRef): BurnRef {
        BurnRef { metadata: object::object_from_constructor_ref<Metadata>(constructor_ref) }
    }

    /// The right to move and freeze.
    public fun generate_transfer_ref(constructor_ref: &ConstructorRef): TransferRef {
        TransferRef { metadata: object::object_from_constructor_ref<Metadata>(constructor_ref) }
    }

    /// The right to read balances past the asset's own function.
    public fun generate_raw_balance_ref(constructor_ref: &ConstructorRef): RawBalanceRef {
        RawBalanceRef { metadata: object::object_from_constructor_ref<Metadata>(constructor_ref) }
    }

    /// The right to read the supply past the asset's own function.
    public fun generate_raw_supply_ref(constructor_ref: &ConstructorRef): RawSupplyRef {
        RawSupplyRef { metadata: object::object_from_constructor_ref<Metadata>(constructor_ref) }
    }

    /// The right to change the description.
    public fun generate_mutate_metadata_ref(constructor_ref: &ConstructorRef): MutateMetadataRef {
        MutateMetadataRef { metadata: object::object_from_constructor_ref<Metadata>(constructor_ref) }
    }

    // Looking.

    #[view]
    /// How much there is, or none where that is not counted.
    public fun supply<T: key>(metadata: Object<T>): Option<u128> acquires Supply, ConcurrentSupply {
        let addr = object::object_address(&metadata);
        if (exists<ConcurrentSupply>(addr)) {
            option::some(aggregator_v2::read(&borrow_global<ConcurrentSupply>(addr).current))
        } else if (exists<Supply>(addr)) {
            option::some(borrow_global<Supply>(addr).current)
        } else {
            option::none()
        }
    }

    /// How much there is, past the asset's own function.
    public fun supply_with_ref(ref: &RawSupplyRef): Option<u128> acquires Supply, ConcurrentSupply {
        supply(ref.metadata)
    }

    #[view]
    /// How much there may be, or none where the type alone limits it.
    public fun maximum<T: key>(metadata: Object<T>): Option<u128> acquires Supply, ConcurrentSupply {
        let addr = object::object_address(&metadata);
        if (exists<ConcurrentSupply>(addr)) {
            let maximum = aggregator_v2::max_value(&borrow_global<ConcurrentSupply>(addr).current);
            if (maximum == MAX_U128) option::none() else option::some(maximum)
        } else if (exists<Supply>(addr)) {
            borrow_global<Supply>(addr).maximum
        } else {
            option::none()
        }
    }

    #[view]
    /// The asset's name.
    public fun name<T: key>(metadata: Object<T>): String acquires Metadata {
        description(&metadata).name
    }

    #[view]
    /// The asset's symbol.
    public fun symbol<T: key>(metadata: Object<T>): String acquires Metadata {
        description(&metadata).symbol
    }

    #[view]
    /// The number of digits behind the point when an amount is shown.
    public fun decimals<T: key>(metadata: Object<T>): u8 acquires Metadata {
        description(&metadata).decimals
    }

    #[view]
    /// Where the asset's picture is.
    public fun icon_uri<T: key>(metadata: Object<T>): String acquires Metadata {
        description(&metadata).icon_uri
    }

    #[view]
    /// Where the asset's maker is.
    public fun project_uri<T: key>(metadata: Object<T>): String acquires Metadata {
        description(&metadata).project_uri
    }

    #[view]
    /// The whole description.
    public fun metadata<T: key>(metadata: Object<T>): Metadata acquires Metadata {
        *description(&metadata)
    }

    inline fun description<T: key>(metadata: &Object<T>): &Metadata {
        let addr = object::object_address(metadata);
        assert!(exists<Metadata>(addr), error::not_found(EFUNGIBLE_METADATA_EXISTENCE));
        borrow_global<Metadata>(addr)
    }

    #[view]
    /// True where the asset's stores cannot change owners.
    public fun is_untransferable<T: key>(metadata: Object<T>): bool {
        exists<Untransferable>(object::object_address(&metadata))
    }

    #[view]
    /// True where the address is a store.
    public fun store_exists(store: address): bool {
        exists<FungibleStore>(store)
    }

    #[view]
    /// What a store holds.
    public fun store_metadata<T: key>(store: Object<T>): Object<Metadata> acquires FungibleStore {
        store_at(object::object_address(&store)).metadata
    }

    #[view]
    /// How much a store holds; 0 where there is none.
    public fun balance<T: key>(store: Object<T>): u64 acquires FungibleStore, ConcurrentFungibleBalance {
        balance_at(object::object_address(&store))
    }

    /// How much a store holds, past the asset's own function.
    public fun balance_with_ref<T: key>(
        ref: &RawBalanceRef, store: Object<T>
    ): u64 acquires FungibleStore, ConcurrentFungibleBalance {
        assert!(
            ref.metadata == store_metadata(store), error::invalid_argument(EFUNGIBLE_ASSET_AND_STORE_MISMATCH)
        );
        balance(store)
    }

    fun balance_at(store: address): u64 acquires FungibleStore, ConcurrentFungibleBalance {
        if (!exists<FungibleStore>(store)) return 0;
        let balance = borrow_global<FungibleStore>(store).balance;
        if (balance == 0 && exists<ConcurrentFungibleBalance>(store)) {
            aggregator_v2::read(&borrow_global<ConcurrentFungibleBalance>(store).balance)
        } else {
            balance
        }
    }

    #[view]
    /// True where the store holds at least `amount`.
    public fun is_balance_at_least<T: key>(
        store: Object<T>, amount: u64
    ): bool acquires FungibleStore, ConcurrentFungibleBalance {
        is_address_balance_at_least(object::object_address(&store), amount)
    }

    /// True where the address is a store that holds at least `amount`.
    public(friend) fun is_address_balance_at_least(
        store: address, amount: u64
    ): bool acquires FungibleStore, ConcurrentFungibleBalance {
        if (!exists<FungibleStore>(store)) return amount == 0;
        let balance = borrow_global<FungibleStore>(store).balance;
        if (balance == 0 && exists<ConcurrentFungibleBalance>(store)) {
            aggregator_v2::is_at_least(&borrow_global<ConcurrentFungibleBalance>(store).balance, amount)
        } else {
            balance >= amount
        }
    }

    #[view]
    /// True where the store is frozen.
    public fun is_frozen<T: key>(store: Object<T>): bool acquires FungibleStore {
        let addr = object::object_address(&store);
        exists<FungibleStore>(addr) && borrow_global<FungibleStore>(addr).frozen
    }

    #[view]
    /// True where withdrawals from the store or deposits to it go through the asset's own functions.
    public fun is_store_dispatchable<T: key>(store: Object<T>): bool acquires FungibleStore {
        exists<DispatchFunctionStore>(object::object_address(&store_metadata(store)))
    }

    /// The function called for deposits to the store, or none.
    public fun deposit_dispatch_function<T: key>(
        store: Object<T>
    ): Option<FunctionInfo> acquires FungibleStore, DispatchFunctionStore {
        let addr = object::object_address(&store_metadata(store));
        if (exists<DispatchFunctionStore>(addr)) {
            borrow_global<DispatchFunctionStore>(addr).deposit_function
        } else {
            option::none()
        }
    }

    /// The function called for withdrawals from the store, or none.
    public fun withdraw_dispatch_function<T: key>(
        store: Object<T>
    ): Option<FunctionInfo> acquires FungibleStore, DispatchFunctionStore {
        let addr = object::object_address(&store_metadata(store));
        if (exists<DispatchFunctionStore>(addr)) {
            borrow_global<DispatchFunctionStore>(addr).withdraw_function
        } else {
            option::none()
        }
    }

    /// The function called for the store's balance, or none.
    public(friend) fun derived_balance_dispatch_function<T: key>(
        store: Object<T>
    ): Option<FunctionInfo> acquires FungibleStore, DispatchFunctionStore {
        let addr = object::object_address(&store_metadata(store));
        if (exists<DispatchFunctionStore>(addr)) {
            borrow_global<DispatchFunctionStore>(addr).derived_balance_function
        } else {
            option::none()
        }
    }

    /// The function called for the supply, or none.
    public(friend) fun derived_supply_dispatch_function<T: key>(
        metadata: Object<T>
    ): Option<FunctionInfo> acquires DeriveSupply {
        let addr = object::object_address(&metadata);
        if (exists<DeriveSupply>(addr)) {
            borrow_global<DeriveSupply>(addr).dispatch_function
        } else {
            option::none()
        }
    }

    /// True where withdrawals of the asset go through its own function.
    public fun has_withdraw_dispatch_function(metadata: Object<Metadata>): bool acquires DispatchFunctionStore {
        let addr = object::object_address(&metadata);
        addr != @aptos_fungible_asset
            && exists<DispatchFunctionStore>(addr)
            && option::is_some(&borrow_global<DispatchFunctionStore>(addr).withdraw_function)
    }

    /// True where deposits of the asset go through its own function.
    public fun has_deposit_dispatch_function(metadata: Object<Metadata>): bool acquires DispatchFunctionStore {
        let addr = object::object_address(&metadata);
        addr != @aptos_fungible_asset
            && exists<DispatchFunctionStore>(addr)
            && option::is_some(&borrow_global<DispatchFunctionStore>(addr).deposit_function)
    }

    /// What a mint reference mints.
    public fun mint_ref_metadata(ref: &MintRef): Object<Metadata> {
        ref.metadata
    }

    /// What a burn reference burns.
    public fun burn_ref_metadata(ref: &BurnRef): Object<Metadata> {
        ref.metadata
    }

    /// What a transfer reference moves.
    public fun transfer_ref_metadata(ref: &TransferRef): Object<Metadata> {
        ref.metadata
    }

    /// What a reference describes.
    public fun object_from_metadata_ref(ref: &MutateMetadataRef): Object<Metadata> {
        ref.metadata
    }

    /// What an amount is of.
    public fun metadata_from_asset(fa: &FungibleAsset): Object<Metadata> {
        fa.metadata
    }

    /// What an amount is of.
    public fun asset_metadata(fa: &FungibleAsset): Object<Metadata> {
        fa.metadata
    }

    /// How much it is.
    public fun amount(fa: &FungibleAsset): u64 {
        fa.amount
    }

    inline fun store_at(store: address): &FungibleStore {
        assert!(exists<FungibleStore>(store), error::not_found(EFUNGIBLE_STORE_EXISTENCE));
        borrow_global<FungibleStore>(store)
    }

    // Stores.

    /// Makes a new object an empty store of the asset.
    public fun create_store<T: key>(
        constructor_ref: &ConstructorRef, metadata: Object<T>
    ): Object<FungibleStore> {
        let store = &object::generate_signer(constructor_ref);
        let metadata = object::convert<T, Metadata>(metadata);
        move_to(store, FungibleStore { metadata, balance: 0, frozen: false });
        if (is_untransferable(metadata)) {
            object::set_untransferable(constructor_ref);
        };
        if (features::default_to_concurrent_fungible_balance_enabled()) {
            move_to(store, ConcurrentFungibleBalance { balance: aggregator_v2::create_unbounded_aggregator() });
        };
        object::object_from_constructor_ref<FungibleStore>(constructor_ref)
    }

    /// Ends an empty store. Its object remains.
    public fun remove_store(delete_ref: &DeleteRef) acquires FungibleStore, ConcurrentFungibleBalance {
        let addr = object::address_from_delete_ref(delete_ref);
        assert!(exists<FungibleStore>(addr), error::not_found(EFUNGIBLE_STORE_EXISTENCE));
        let FungibleStore { metadata: _, balance, frozen: _ } = move_from<FungibleStore>(addr);
        assert!(balance == 0, error::permission_denied(EBALANCE_IS_NOT_ZERO));
        if (exists<ConcurrentFungibleBalance>(addr)) {
            let ConcurrentFungibleBalance { balance } = move_from<ConcurrentFungibleBalance>(addr);
            assert!(aggregator_v2::read(&balance) == 0, error::permission_denied(EBALANCE_IS_NOT_ZERO));
        }
    }

    /// Moves `amount` between stores of the same asset, the first of which the sender owns.
    ///
    /// Aborts for assets with functions of their own: `dispatchable_fungible_asset::transfer` moves those.
    public entry fun transfer<T: key>(
        sender: &signer, from: Object<T>, to: Object<T>, amount: u64
    ) acquires FungibleStore, DispatchFunctionStore, ConcurrentFungibleBalance {
        let fa = withdraw(sender, from, amount);
        deposit(to, fa);
    }

    /// Takes `amount` out of a store the calling account owns, directly or through other objects.
    public fun withdraw<T: key>(
        owner: &signer, store: Object<T>, amount: u64
    ): FungibleAsset acquires FungibleStore, DispatchFunctionStore, ConcurrentFungibleBalance {
        withdraw_sanity_check(owner, store, true);
        unchecked_withdraw(object::object_address(&store), amount)
    }

    /// Aborts unless the account owns the store and it is not frozen; where `abort_on_dispatch`, also for assets whose withdrawals go
    /// through a function of their own.
    public(friend) fun withdraw_sanity_check<T: key>(
        owner: &signer, store: Object<T>, abort_on_dispatch: bool
    ) acquires FungibleStore, DispatchFunctionStore {
        assert!(
            object::owns(store, signer::address_of(owner)), error::permission_denied(ENOT_STORE_OWNER)
        );
        let fa_store = store_at(object::object_address(&store));
        assert!(
            !abort_on_dispatch || !has_withdraw_dispatch_function(fa_store.metadata),
            error::invalid_argument(EINVALID_DISPATCHABLE_OPERATIONS)
        );
        assert!(!fa_store.frozen, error::permission_denied(ESTORE_IS_FROZEN));
    }

    /// Puts an amount into a store, whoever owns it.
    public fun deposit<T: key>(
        store: Object<T>, fa: FungibleAsset
    ) acquires FungibleStore, DispatchFunctionStore, ConcurrentFungibleBalance {
        deposit_sanity_check(store, true);
        unchecked_deposit(object::object_address(&store), fa);
    }

    /// Aborts where the store is frozen; where `abort_on_dispatch`, also for assets whose deposits go through a function of their own.
    public fun deposit_sanity_check<T: key>(
        store: Object<T>, abort_on_dispatch: bool
    ) acquires FungibleStore, DispatchFunctionStore {
        let fa_store = store_at(object::object_address(&store));
        assert!(
            !abort_on_dispatch || !has_deposit_dispatch_function(fa_store.metadata),
            error::invalid_argument(EINVALID_DISPATCHABLE_OPERATIONS)
        );
        assert!(!fa_store.frozen, error::permission_denied(ESTORE_IS_FROZEN));
    }

    // With references.

    /// Makes `amount` of the asset.
    public fun mint(ref: &MintRef, amount: u64): FungibleAsset acquires Supply, ConcurrentSupply {
        mint_internal(ref.metadata, amount)
    }

    /// Makes `amount` of an asset without a reference: for coins and their pairs.
    public(friend) fun mint_internal(
        metadata: Object<Metadata>, amount: u64
    ): FungibleAsset acquires Supply, ConcurrentSupply {
        increase_supply(object::object_address(&metadata), amount);
        FungibleAsset { metadata, amount }
    }

    /// Makes `amount` of the asset and puts it into a store.
    public fun mint_to<T: key>(
        ref: &MintRef, store: Object<T>, amount: u64
    ) acquires Supply, ConcurrentSupply, FungibleStore, DispatchFunctionStore, ConcurrentFungibleBalance {
        deposit_sanity_check(store, false);
        unchecked_deposit(object::object_address(&store), mint(ref, amount));
    }

    /// Destroys an amount.
    public fun burn(ref: &BurnRef, fa: FungibleAsset) acquires Supply, ConcurrentSupply {
        assert!(ref.metadata == fa.metadata, error::invalid_argument(EBURN_REF_AND_FUNGIBLE_ASSET_MISMATCH));
        burn_internal(fa);
    }

    /// Destroys an amount without a reference: for coins and their pairs. Returns how much it was.
    public(friend) fun burn_internal(fa: FungibleAsset): u64 acquires Supply, ConcurrentSupply {
        let FungibleAsset { metadata, amount } = fa;
        decrease_supply(object::object_address(&metadata), amount);
        amount
    }

    /// Destroys `amount` out of a store, frozen or not, whoever owns it.
    public fun burn_from<T: key>(
        ref: &BurnRef, store: Object<T>, amount: u64
    ) acquires Supply, ConcurrentSupply, FungibleStore, ConcurrentFungibleBalance {
        assert!(ref.metadata == store_metadata(store), error::invalid_argument(EBURN_REF_AND_STORE_MISMATCH));
        address_burn_from(object::object_address(&store), amount)
    }

    /// Destroys `amount` out of the store at an address.
    public(friend) fun address_burn_from(
        store: address, amount: u64
    ) acquires Supply, ConcurrentSupply, FungibleStore, ConcurrentFungibleBalance {
        // A fee of nothing leaves no trace, and an account without a store is no error then.
        if (amount == 0) return;
        burn_internal(unchecked_withdraw(store, amount));
    }

    /// Freezes a store or lets it go.
    public fun set_frozen_flag<T: key>(ref: &TransferRef, store: Object<T>, frozen: bool) acquires FungibleStore {
        assert!(
            ref.metadata == store_metadata(store), error::invalid_argument(ETRANSFER_REF_AND_STORE_MISMATCH)
        );
        set_frozen_flag_internal(store, frozen)
    }

    /// The same without a reference: for coins and their pairs.
    public(friend) fun set_frozen_flag_internal<T: key>(store: Object<T>, frozen: bool) acquires FungibleStore {
        let addr = object::object_address(&store);
        borrow_global_mut<FungibleStore>(addr).frozen = frozen;
        event::emit(Frozen { store: addr, frozen });
    }

    /// Takes `amount` out of a store, frozen or not, whoever owns it.
    public fun withdraw_with_ref<T: key>(
        ref: &TransferRef, store: Object<T>, amount: u64
    ): FungibleAsset acquires FungibleStore, ConcurrentFungibleBalance {
        assert!(
            ref.metadata == store_metadata(store), error::invalid_argument(ETRANSFER_REF_AND_STORE_MISMATCH)
        );
        unchecked_withdraw(object::object_address(&store), amount)
    }

    /// Puts an amount into a store, frozen or not.
    public fun deposit_with_ref<T: key>(
        ref: &TransferRef, store: Object<T>, fa: FungibleAsset
    ) acquires FungibleStore, ConcurrentFungibleBalance {
        assert!(
            ref.metadata == fa.metadata, error::invalid_argument(ETRANSFER_REF_AND_FUNGIBLE_ASSET_MISMATCH)
        );
        unchecked_deposit(object::object_address(&store), fa);
    }

    /// Moves `amount` between stores, frozen or not, whoever owns them.
    public fun transfer_with_ref<T: key>(
        ref: &TransferRef, from: Object<T>, to: Object<T>, amount: u64
    ) acquires FungibleStore, ConcurrentFungibleBalance {
        let fa = withdraw_with_ref(ref, from, amount);
        deposit_with_ref(ref, to, fa);
    }

    /// Changes what is given of the description.
    public fun mutate_metadata(
        ref: &MutateMetadataRef,
        name: Option<String>,
        symbol: Option<String>,
        decimals: Option<u8>,
        icon_uri: Option<String>,
        project_uri: Option<String>
    ) acquires Metadata {
        let metadata = borrow_global_mut<Metadata>(object::object_address(&ref.metadata));
        option::for_each(name, |value| metadata.name = value);
        option::for_each(symbol, |value| metadata.symbol = value);
        option::for_each(decimals, |value| metadata.decimals = value);
        option::for_each(icon_uri, |value| metadata.icon_uri = value);
        option::for_each(project_uri, |value| metadata.project_uri = value);
        assert_well_formed(metadata);
    }

    // Amounts.

    /// An amount of zero.
    public fun zero<T: key>(metadata: Object<T>): FungibleAsset {
        FungibleAsset { metadata: object::convert(metadata), amount: 0 }
    }

    /// Takes `amount` out of an amount.
    public fun extract(fungible_asset: &mut FungibleAsset, amount: u64): FungibleAsset {
        assert!(fungible_asset.amount >= amount, error::invalid_argument(EINSUFFICIENT_BALANCE));
        fungible_asset.amount = fungible_asset.amount - amount;
        FungibleAsset { metadata: fungible_asset.metadata, amount }
    }

    /// Puts an amount into another of the same asset.
    public fun merge(dst_fungible_asset: &mut FungibleAsset, src_fungible_asset: FungibleAsset) {
        let FungibleAsset { metadata, amount } = src_fungible_asset;
        assert!(metadata == dst_fungible_asset.metadata, error::invalid_argument(EFUNGIBLE_ASSET_MISMATCH));
        dst_fungible_asset.amount = dst_fungible_asset.amount + amount;
    }

    /// Throws away an amount of zero.
    public fun destroy_zero(fungible_asset: FungibleAsset) {
        let FungibleAsset { amount, metadata: _ } = fungible_asset;
        assert!(amount == 0, error::invalid_argument(EAMOUNT_IS_NOT_ZERO));
    }

    // Concurrency.

    /// Lets many transactions at once change the supply, where the chain keeps such supplies.
    public fun upgrade_to_concurrent(ref: &ExtendRef) acquires Supply {
        assert!(
            features::concurrent_fungible_assets_enabled(), error::invalid_argument(ECONCURRENT_SUPPLY_NOT_ENABLED)
        );
        let addr = object::address_from_extend_ref(ref);
        assert!(exists<Supply>(addr), error::not_found(ESUPPLY_NOT_FOUND));
        let Supply { current, maximum } = move_from<Supply>(addr);
        let limit = option::destroy_with_default(maximum, MAX_U128);
        let supply = ConcurrentSupply { current: aggregator_v2::create_aggregator_with_value(current, limit) };
        move_to(&object::generate_signer_for_extending(ref), supply);
    }

    /// Lets many transactions at once change a store the sender owns, where the chain keeps such balances.
    public entry fun upgrade_store_to_concurrent<T: key>(owner: &signer, store: Object<T>) acquires FungibleStore {
        assert!(
            object::owns(store, signer::address_of(owner)), error::permission_denied(ENOT_STORE_OWNER)
        );
        assert!(
            features::concurrent_fungible_balance_enabled(),
            error::invalid_argument(ECONCURRENT_BALANCE_NOT_ENABLED)
        );
        let addr = object::object_address(&store);
        assert!(exists<FungibleStore>(addr), error::not_found(EFUNGIBLE_STORE_EXISTENCE));
        if (exists<ConcurrentFungibleBalance>(addr)) return;
        let fa_store = borrow_global_mut<FungibleStore>(addr);
        let balance = aggregator_v2::create_unbounded_aggregator_with_value(fa_store.balance);
        fa_store.balance = 0;
        move_to(&create_signer(addr), ConcurrentFungibleBalance { balance });
    }

    // Without checks of owners, frozen stores and functions.

    public(friend) fun unchecked_withdraw(
        store: address, amount: u64
    ): FungibleAsset acquires FungibleStore, ConcurrentFungibleBalance {
        assert!(exists<FungibleStore>(store), error::not_found(EFUNGIBLE_STORE_EXISTENCE));
        let fa_store = borrow_global_mut<FungibleStore>(store);
        let metadata = fa_store.metadata;
        if (amount != 0) {
            if (fa_store.balance == 0 && exists<ConcurrentFungibleBalance>(store)) {
                let balance = &mut borrow_global_mut<ConcurrentFungibleBalance>(store).balance;
                assert!(
                    aggregator_v2::try_sub(balance, amount), error::invalid_argument(EINSUFFICIENT_BALANCE)
                );
            } else {
                assert!(fa_store.balance >= amount, error::invalid_argument(EINSUFFICIENT_BALANCE));
                fa_store.balance = fa_store.balance - amount;
            };
            event::emit(Withdraw { store, amount });
        };
        FungibleAsset { metadata, amount }
    }

    public(friend) fun unchecked_deposit(
        store: address, fa: FungibleAsset
    ) acquires FungibleStore, ConcurrentFungibleBalance {
        let FungibleAsset { metadata, amount } = fa;
        assert!(exists<FungibleStore>(store), error::not_found(EFUNGIBLE_STORE_EXISTENCE));
        let fa_store = borrow_global_mut<FungibleStore>(store);
        assert!(metadata == fa_store.metadata, error::invalid_argument(EFUNGIBLE_ASSET_AND_STORE_MISMATCH));
        if (amount == 0) return;
        if (fa_store.balance == 0 && exists<ConcurrentFungibleBalance>(store)) {
            aggregator_v2::add(&mut borrow_global_mut<ConcurrentFungibleBalance>(store).balance, amount);
        } else {
            fa_store.balance = fa_store.balance + amount;
        };
        event::emit(Deposit { store, amount });
    }

    fun increase_supply(metadata: address, amount: u64) acquires Supply, ConcurrentSupply {
        if (amount == 0) return;
        let amount = (amount as u128);
        if (exists<ConcurrentSupply>(metadata)) {
            assert!(
                aggregator_v2::try_add(&mut borrow_global_mut<ConcurrentSupply>(metadata).current, amount),
                error::out_of_range(EMAX_SUPPLY_EXCEEDED)
            );
        } else {
            assert!(exists<Supply>(metadata), error::not_found(ESUPPLY_NOT_FOUND));
            let supply = borrow_global_mut<Supply>(metadata);
            let limit = option::get_with_default(&supply.maximum, MAX_U128);
            assert!(amount <= limit - supply.current, error::out_of_range(EMAX_SUPPLY_EXCEEDED));
            supply.current = supply.current + amount;
        }
    }

    fun decrease_supply(metadata: address, amount: u64) acquires Supply, ConcurrentSupply {
        if (amount == 0) return;
        let amount = (amount as u128);
        if (exists<ConcurrentSupply>(metadata)) {
            assert!(
                aggregator_v2::try_sub(&mut borrow_global_mut<ConcurrentSupply>(metadata).current, amount),
                error::out_of_range(ESUPPLY_UNDERFLOW)
            );
        } else {
            assert!(exists<Supply>(metadata), error::not_found(ESUPPLY_NOT_FOUND));
            let supply = borrow_global_mut<Supply>(metadata);
            assert!(supply.current >= amount, error::invalid_state(ESUPPLY_UNDERFLOW));
            supply.current = supply.current - amount;
        }
    }
}
