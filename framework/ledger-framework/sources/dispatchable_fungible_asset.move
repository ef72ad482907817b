/// Moves fungible assets through the functions their makers registered, and plainly where there are none.
///
/// A registered function is called by the node in place of the native one of the same shape. While it runs, nothing may come back
/// into this module: the node refuses that.
module aptos_framework::dispatchable_fungible_asset {
    use std::error;
    use std::option::{Self, Option};
    use aptos_framework::function_info::{Self, FunctionInfo};
    use aptos_framework::fungible_asset::{Self, FungibleAsset, TransferRef};
    use aptos_framework::object::{Self, ConstructorRef, Object};

    /// The asset has no reference to hand to its functions.
    const ETRANSFER_REF_NOT_FOUND: u64 = 1;
    /// The receiving store got less than was asked for.
    const EAMOUNT_MISMATCH: u64 = 2;
    /// The chain does not offer this function yet.
    const ENOT_ACTIVATED: u64 = 3;
    /// The asset has no such function.
    const ENOT_DISPATCHABLE: u64 = 4;

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The reference handed to an asset's functions.
    struct TransferRefStore has key {
        transfer_ref: TransferRef
    }

    /// Registers the functions called in place of plain withdrawals, deposits and balances of a new asset.
    public fun register_dispatch_functions(
        constructor_ref: &ConstructorRef,
        withdraw_function: Option<FunctionInfo>,
        deposit_function: Option<FunctionInfo>,
        derived_balance_function: Option<FunctionInfo>
    ) {
        fungible_asset::register_dispatch_functions(
            constructor_ref, withdraw_function, deposit_function, derived_balance_function
        );
        let store_obj = &object::generate_signer(constructor_ref);
        move_to(
            store_obj,
            TransferRefStore { transfer_ref: fungible_asset::generate_transfer_ref(constructor_ref) }
        );
    }

    /// Registers the function called for the supply of a new asset.
    public fun register_derive_supply_dispatch_function(
        constructor_ref: &ConstructorRef, dispatch_function: Option<FunctionInfo>
    ) {
        fungible_asset::register_derive_supply_dispatch_function(constructor_ref, dispatch_function);
    }

    /// Takes `amount` out of a store the calling account owns.
    public fun withdraw<T: key>(owner: &signer, store: Object<T>, amount: u64): FungibleAsset acquires TransferRefStore {
        fungible_asset::withdraw_sanity_check(owner, store, false);
        let function = fungible_asset::withdraw_dispatch_function(store);
        if (option::is_some(&function)) {
            let function = option::borrow(&function);
            function_info::load_module_from_function(function);
            dispatchable_withdraw(store, amount, transfer_ref(store), function)
        } else {
            fungible_asset::unchecked_withdraw(object::object_address(&store), amount)
        }
    }

    /// Puts an amount into a store, whoever owns it.
    public fun deposit<T: key>(store: Object<T>, fa: FungibleAsset) acquires TransferRefStore {
        fungible_asset::deposit_sanity_check(store, false);
        let function = fungible_asset::deposit_dispatch_function(store);
        if (option::is_some(&function)) {
            let function = option::borrow(&function);
            function_info::load_module_from_function(function);
            dispatchable_deposit(store, fa, transfer_ref(store), function)
        } else {
            fungible_asset::unchecked_deposit(object::object_address(&store), fa)
        }
    }

    /// Moves `amount` between stores of the same asset, the first of which the sender owns.
    public entry fun transfer<T: key>(
        sender: &signer, from: Object<T>, to: Object<T>, amount: u64
    ) acquires TransferRefStore {
        let fa = withdraw(sender, from, amount);
        deposit(to, fa);
    }

    /// The same, and aborts where the receiving store gets less than `expected`.
    public entry fun transfer_assert_minimum_deposit<T: key>(
        sender: &signer, from: Object<T>, to: Object<T>, amount: u64, expected: u64
    ) acquires TransferRefStore {
        let start = fungible_asset::balance(to);
        transfer(sender, from, to, amount);
        let end = fungible_asset::balance(to);
        assert!(end >= start && end - start >= expected, error::aborted(EAMOUNT_MISMATCH));
    }

    #[view]
    /// How much a store holds, as the asset's own function tells it.
    public fun derived_balance<T: key>(store: Object<T>): u64 {
        let function = fungible_asset::derived_balance_dispatch_function(store);
        if (option::is_some(&function)) {
            let function = option::borrow(&function);
            function_info::load_module_from_function(function);
            dispatchable_derived_balance(store, function)
        } else {
            fungible_asset::balance(store)
        }
    }

    #[view]
    /// True where the store holds at least `amount`, as the asset's own function tells it.
    public fun is_derived_balance_at_least<T: key>(store: Object<T>, amount: u64): bool {
        if (option::is_some(&fungible_asset::derived_balance_dispatch_function(store))) {
            derived_balance(store) >= amount
        } else {
            fungible_asset::is_balance_at_least(store, amount)
        }
    }

    #[view]
    /// How much there is of an asset, as its own function tells it.
    public fun derived_supply<T: key>(metadata: Object<T>): Option<u128> {
        let function = fungible_asset::derived_supply_dispatch_function(metadata);
        if (option::is_some(&function)) {
            let function = option::borrow(&function);
            function_info::load_module_from_function(function);
            dispatchable_derived_supply(metadata, function)
        } else {
            fungible_asset::supply(metadata)
        }
    }

    inline fun transfer_ref<T: key>(store: Object<T>): &TransferRef {
        let addr = object::object_address(&fungible_asset::store_metadata(store));
        assert!(exists<TransferRefStore>(addr), error::not_found(ETRANSFER_REF_NOT_FOUND));
        &borrow_global<TransferRefStore>(addr).transfer_ref
    }

    native fun dispatchable_withdraw<T: key>(
        store: Object<T>, amount: u64, transfer_ref: &TransferRef, function: &FunctionInfo
    ): FungibleAsset;
    native fun dispatchable_deposit<T: key>(
        store: Object<T>, fa: FungibleAsset, transfer_ref: &TransferRef, function: &FunctionInfo
    );
    native fun dispatchable_derived_balance<T: key>(store: Object<T>, function: &FunctionInfo): u64;
    native fun dispatchable_derived_supply<T: key>(metadata: Object<T>, function: &FunctionInfo): Option<u128>;
}
