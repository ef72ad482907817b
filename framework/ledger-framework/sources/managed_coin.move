/// Coins whose publisher mints and burns by transactions, without writing a module for it.
module aptos_framework::managed_coin {
    use std::error;
    use std::signer;
    use std::string;
    use aptos_framework::coin::{Self, BurnCapability, FreezeCapability, MintCapability};

    /// The account does not manage this coin.
    const ENO_CAPABILITIES: u64 = 1;

    /// The publisher's rights over its coin.
    struct Capabilities<phantom CoinType> has key {
        burn_cap: BurnCapability<CoinType>,
        freeze_cap: FreezeCapability<CoinType>,
        mint_cap: MintCapability<CoinType>
    }

    /// Makes a type of the sender a coin it manages.
    public entry fun initialize<CoinType>(
        account: &signer, name: vector<u8>, symbol: vector<u8>, decimals: u8, monitor_supply: bool
    ) {
        let (burn_cap, freeze_cap, mint_cap) =
            coin::initialize<CoinType>(account, string::utf8(name), string::utf8(symbol), decimals, monitor_supply);
        move_to(account, Capabilities<CoinType> { burn_cap, freeze_cap, mint_cap });
    }

    /// Mints `amount` into the store of `dst_addr`.
    public entry fun mint<CoinType>(account: &signer, dst_addr: address, amount: u64) acquires Capabilities {
        let account_addr = signer::address_of(account);
        assert!(exists<Capabilities<CoinType>>(account_addr), error::not_found(ENO_CAPABILITIES));
        let capabilities = borrow_global<Capabilities<CoinType>>(account_addr);
        coin::deposit(dst_addr, coin::mint(amount, &capabilities.mint_cap));
    }

    /// Burns `amount` out of the sender's own store.
    public entry fun burn<CoinType>(account: &signer, amount: u64) acquires Capabilities {
        let account_addr = signer::address_of(account);
        assert!(exists<Capabilities<CoinType>>(account_addr), error::not_found(ENO_CAPABILITIES));
        let capabilities = borrow_global<Capabilities<CoinType>>(account_addr);
        coin::burn(coin::withdraw<CoinType>(account, amount), &capabilities.burn_cap);
    }

    /// Gives the sender a store of the coin.
    public entry fun register<CoinType>(account: &signer) {
        coin::register<CoinType>(account);
    }

    /// Gives up the rights over a coin, so that nobody mints or burns it any more.
    public entry fun destroy_caps<CoinType>(account: &signer) acquires Capabilities {
        let account_addr = signer::address_of(account);
        assert!(exists<Capabilities<CoinType>>(account_addr), error::not_found(ENO_CAPABILITIES));
        let Capabilities { burn_cap, freeze_cap, mint_cap } = move_from<Capabilities<CoinType>>(account_addr);
        coin::destroy_burn_cap(burn_cap);
        coin::destroy_freeze_cap(freeze_cap);
        coin::destroy_mint_cap(mint_cap);
    }
}
