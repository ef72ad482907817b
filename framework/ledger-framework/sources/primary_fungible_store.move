/// Gives every account one store of each fungible asset, at an address that follows from account and asset.
///
/// Assets made with `create_primary_store_enabled_fungible_asset` have such stores. They come into being when they are first needed,
/// by the first deposit say.
module aptos_framework::primary_fungible_store {
    use std::option::Option;
    use std::signer;
    use std::string::String;
    use aptos_framework::dispatchable_fungible_asset;
    use aptos_framework::fungible_asset::{Self, BurnRef, FungibleAsset, FungibleStore, Metadata, MintRef, TransferRef};
    use aptos_framework::object::{Self, ConstructorRef, DeriveRef, Object};

    friend aptos_framework::aptos_account;
    friend aptos_framework::coin;

    #[resource_group_member(group = aptos_framework::object::ObjectGroup)]
    /// The right to make the stores, kept with the asset's description.
    struct DeriveRefPod has key {
        metadata_derive_ref: DeriveRef
    }

    /// Makes a new object the description of an asset that every account has a store of.
    public fun create_primary_store_enabled_fungible_asset(
        constructor_ref: &ConstructorRef,
        maximum_supply: Option<u128>,
        name: String,
        symbol: String,
        decimals: u8,
        icon_uri: String,
        project_uri: String
    ) {
        fungible_asset::add_fungibility(
            constructor_ref, maximum_supply, name, symbol, decimals, icon_uri, project_uri
        );
        move_to(
            &object::generate_signer(constructor_ref),
            DeriveRefPod { metadata_derive_ref: object::generate_derive_ref(constructor_ref) }
        );
    }

    /// The store of an account, made where there is none yet.
    public fun ensure_primary_store_exists<T: key>(
        owner: address, metadata: Object<T>
    ): Object<FungibleStore> acquires DeriveRefPod {
        if (primary_store_exists(owner, metadata)) {
            primary_store(owner, metadata)
        } else {
            create_primary_store(owner, metadata)
        }
    }

    /// Makes the store of an account.
    public fun create_primary_store<T: key>(
        owner_addr: address, metadata: Object<T>
    ): Object<FungibleStore> acquires DeriveRefPod {
        let metadata_addr = object::object_address(&metadata);
        object::address_to_object<Metadata>(metadata_addr);
        let derive_ref = &borrow_global<DeriveRefPod>(metadata_addr).metadata_derive_ref;
        let constructor_ref = &object::create_user_derived_object(owner_addr, derive_ref);
        // A store that could change owners would no longer be the one its address says.
        let transfer_ref = &object::generate_transfer_ref(constructor_ref);
        object::disable_ungated_transfer(transfer_ref);
        fungible_asset::create_store(constructor_ref, metadata)
    }

    #[view]
    /// Where the store of an account is, or would be.
    public fun primary_store_address<T: key>(owner: address, metadata: Object<T>): address {
        object::create_user_derived_object_address(owner, object::object_address(&metadata))
    }

    #[view]
    /// The store of an account. Aborts where there is none yet.
    public fun primary_store<T: key>(owner: address, metadata: Object<T>): Object<FungibleStore> {
        object::address_to_object<FungibleStore>(primary_store_address(owner, metadata))
    }

    #[view]
    /// True where the account has its store.
    public fun primary_store_exists<T: key>(account: address, metadata: Object<T>): bool {
        fungible_asset::store_exists(primary_store_address(account, metadata))
    }

    /// Where the store of an account is, or would be.
    public fun primary_store_address_inlined<T: key>(owner: address, metadata: Object<T>): address {
        primary_store_address(owner, metadata)
    }

    /// The store of an account. Aborts where there is none yet.
    public fun primary_store_inlined<T: key>(owner: address, metadata: Object<T>): Object<FungibleStore> {
        primary_store(owner, metadata)
    }

    /// True where the account has its store.
    public fun primary_store_exists_inlined<T: key>(owner: address, metadata: Object<T>): bool {
        primary_store_exists(owner, metadata)
    }

    #[view]
    /// How much the account holds in its store; 0 without one.
    public fun balance<T: key>(account: address, metadata: Object<T>): u64 {
        if (primary_store_exists(account, metadata)) {
            dispatchable_fungible_asset::derived_balance(primary_store(account, metadata))
        } else {
            0
        }
    }

    #[view]
    /// True where the account holds at least `amount` in its store.
    public fun is_balance_at_least<T: key>(account: address, metadata: Object<T>, amount: u64): bool {
        if (primary_store_exists(account, metadata)) {
            dispatchable_fungible_asset::is_derived_balance_at_least(primary_store(account, metadata), amount)
        } else {
            amount == 0
        }
    }

    #[view]
    /// True where the account's store is frozen.
    public fun is_frozen<T: key>(account: address, metadata: Object<T>): bool {
        primary_store_exists(account, metadata)
            && fungible_asset::is_frozen(primary_store(account, metadata))
    }

    /// Takes `amount` out of the calling account's store.
    public fun withdraw<T: key>(owner: &signer, metadata: Object<T>, amount: u64): FungibleAsset acquires DeriveRefPod {
        let store = ensure_primary_store_exists(signer::address_of(owner), metadata);
        may_be_unburn(owner, store);
        dispatchable_fungible_asset::withdraw(owner, store, amount)
    }

    /// Puts an amount into an account's store.
    public fun deposit(owner: address, fa: FungibleAsset) acquires DeriveRefPod {
        let store = ensure_primary_store_exists(owner, fungible_asset::asset_metadata(&fa));
        dispatchable_fungible_asset::deposit(store, fa);
    }

    /// Puts an amount into an account's store, frozen or not.
    public(friend) fun force_deposit(owner: address, fa: FungibleAsset) acquires DeriveRefPod {
        let store = ensure_primary_store_exists(owner, fungible_asset::asset_metadata(&fa));
        fungible_asset::unchecked_deposit(object::object_address(&store), fa);
    }

    /// Moves `amount` from the sender's store to a recipient's.
    public entry fun transfer<T: key>(
        sender: &signer, metadata: Object<T>, recipient: address, amount: u64
    ) acquires DeriveRefPod {
        let sender_store = ensure_primary_store_exists(signer::address_of(sender), metadata);
        may_be_unburn(sender, sender_store);
        let recipient_store = ensure_primary_store_exists(recipient, metadata);
        dispatchable_fungible_asset::transfer(sender, sender_store, recipient_store, amount);
    }

    /// The same, and aborts where the recipient's store gets less than `expected`.
    public entry fun transfer_assert_minimum_deposit<T: key>(
        sender: &signer, metadata: Object<T>, recipient: address, amount: u64, expected: u64
    ) acquires DeriveRefPod {
        let sender_store = ensure_primary_store_exists(signer::address_of(sender), metadata);
        may_be_unburn(sender, sender_store);
        let recipient_store = ensure_primary_store_exists(recipient, metadata);
        dispatchable_fungible_asset::transfer_assert_minimum_deposit(
            sender, sender_store, recipient_store, amount, expected
        );
    }

    /// Makes `amount` and puts it into an account's store.
    public fun mint(mint_ref: &MintRef, owner: address, amount: u64) acquires DeriveRefPod {
        let store = ensure_primary_store_exists(owner, fungible_asset::mint_ref_metadata(mint_ref));
        fungible_asset::mint_to(mint_ref, store, amount);
    }

    /// Destroys `amount` out of an account's store, frozen or not.
    public fun burn(burn_ref: &BurnRef, owner: address, amount: u64) {
        let store = primary_store(owner, fungible_asset::burn_ref_metadata(burn_ref));
        fungible_asset::burn_from(burn_ref, store, amount);
    }

    /// Freezes an account's store or lets it go.
    public fun set_frozen_flag(transfer_ref: &TransferRef, owner: address, frozen: bool) acquires DeriveRefPod {
        let store = ensure_primary_store_exists(owner, fungible_asset::transfer_ref_metadata(transfer_ref));
        fungible_asset::set_frozen_flag(transfer_ref, store, frozen);
    }

    /// Takes `amount` out of an account's store, frozen or not.
    public fun withdraw_with_ref(transfer_ref: &TransferRef, owner: address, amount: u64): FungibleAsset {
        let from = primary_store(owner, fungible_asset::transfer_ref_metadata(transfer_ref));
        fungible_asset::withdraw_with_ref(transfer_ref, from, amount)
    }

    /// Puts an amount into an account's store, frozen or not.
    public fun deposit_with_ref(transfer_ref: &TransferRef, owner: address, fa: FungibleAsset) acquires DeriveRefPod {
        let store = ensure_primary_store_exists(owner, fungible_asset::transfer_ref_metadata(transfer_ref));
        fungible_asset::deposit_with_ref(transfer_ref, store, fa);
    }

    /// Moves `amount` between the stores of two accounts, frozen or not.
    public fun transfer_with_ref(
        transfer_ref: &TransferRef, from: address, to: address, amount: u64
    ) acquires DeriveRefPod {
        let metadata = fungible_asset::transfer_ref_metadata(transfer_ref);
        let from = primary_store(from, metadata);
        let to = ensure_primary_store_exists(to, metadata);
        fungible_asset::transfer_with_ref(transfer_ref, from, to, amount);
    }

    /// A store that its owner burnt is brought back by using it.
    fun may_be_unburn(owner: &signer, store: Object<FungibleStore>) {
        if (object::is_burnt(store)) {
            object::unburn(owner, store);
        }
    }
}
