/// The chain's native coin, in which fees are paid: 8 digits behind the point, smallest unit one octa.
///
/// On a development chain one account may mint it, and may hand that right to others.
module aptos_framework::aptos_coin {
    use std::error;
    use std::option::{Self, Option};
    use std::signer;
    use std::string;
    use std::vector;
    use aptos_framework::coin::{Self, BurnCapability, MintCapability};
    use aptos_framework::system_addresses;

    friend aptos_framework::genesis;

    /// The account may not mint.
    const ENO_CAPABILITIES: u64 = 1;
    /// The right to mint is on offer to this account already.
    const EALREADY_DELEGATED: u64 = 2;
    /// The right to mint is not on offer to this account.
    const EDELEGATION_NOT_FOUND: u64 = 3;

    /// The native coin's type.
    struct AptosCoin has key {}

    /// The right to mint, held by an account.
    struct MintCapStore has key {
        mint_cap: MintCapability<AptosCoin>
    }

    /// An offer of the right to mint.
    struct DelegatedMintCapability has store {
        to: address
    }

    /// Every open offer of the right to mint.
    struct Delegations has key {
        inner: vector<DelegatedMintCapability>
    }

    /// Makes the native coin. Genesis only. Returns the rights to burn and to mint.
    public(friend) fun initialize(aptos_framework: &signer): (BurnCapability<AptosCoin>, MintCapability<AptosCoin>) {
        system_addresses::assert_aptos_framework(aptos_framework);
        let (burn_cap, freeze_cap, mint_cap) =
            coin::initialize_with_parallelizable_supply<AptosCoin>(
                aptos_framework, string::utf8(b"Aptos Coin"), string::utf8(b"APT"), 8, true
            );
        move_to(aptos_framework, MintCapStore { mint_cap });
        // Nobody may freeze the coin that pays the fees.
        coin::destroy_freeze_cap(freeze_cap);
        (burn_cap, mint_cap)
    }

    /// True where the account may mint.
    public fun has_mint_capability(account: &signer): bool {
        exists<MintCapStore>(signer::address_of(account))
    }

    /// Takes the right to mint away from the framework account. Genesis only.
    public(friend) fun destroy_mint_cap(aptos_framework: &signer) acquires MintCapStore {
        system_addresses::assert_aptos_framework(aptos_framework);
        let MintCapStore { mint_cap } = move_from<MintCapStore>(@aptos_framework);
        coin::destroy_mint_cap(mint_cap);
    }

    /// Lets `minter` mint and offer the right to others. Genesis of a development chain only.
    public(friend) fun configure_minter(minter: &signer, mint_cap: MintCapability<AptosCoin>) {
        move_to(minter, MintCapStore { mint_cap });
        move_to(minter, Delegations { inner: vector::empty() });
    }

    /// Mints `amount` octas into the store of `dst_addr`.
    public entry fun mint(account: &signer, dst_addr: address, amount: u64) acquires MintCapStore {
        let account_addr = signer::address_of(account);
        assert!(exists<MintCapStore>(account_addr), error::not_found(ENO_CAPABILITIES));
        let minted = coin::mint<AptosCoin>(amount, &borrow_global<MintCapStore>(account_addr).mint_cap);
        coin::deposit<AptosCoin>(dst_addr, minted);
    }

    /// Offers `to` the right to mint. Only the minting account of a development chain.
    public entry fun delegate_mint_capability(account: signer, to: address) acquires Delegations {
        system_addresses::assert_core_resource(&account);
        let delegations = &mut borrow_global_mut<Delegations>(@core_resources).inner;
        assert!(option::is_none(&find_delegation(delegations, to)), error::invalid_argument(EALREADY_DELEGATED));
        vector::push_back(delegations, DelegatedMintCapability { to });
    }

    /// Takes an offer of the right to mint.
    public entry fun claim_mint_capability(account: &signer) acquires Delegations, MintCapStore {
        let delegations = &mut borrow_global_mut<Delegations>(@core_resources).inner;
        let found = find_delegation(delegations, signer::address_of(account));
        assert!(option::is_some(&found), error::not_found(EDELEGATION_NOT_FOUND));
        let DelegatedMintCapability { to: _ } = vector::swap_remove(delegations, option::destroy_some(found));
        let mint_cap = borrow_global<MintCapStore>(@core_resources).mint_cap;
        move_to(account, MintCapStore { mint_cap });
    }

    /// The position of the offer to `addr`.
    fun find_delegation(delegations: &vector<DelegatedMintCapability>, addr: address): Option<u64> {
        let i = 0;
        let n = vector::length(delegations);
        while (i < n) {
            if (vector::borrow(delegations, i).to == addr) return option::some(i);
            i = i + 1;
        };
        option::none()
    }
}
