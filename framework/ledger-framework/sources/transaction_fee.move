/// Burning fees and paying back deposits, and the statement of what a transaction cost.
module aptos_framework::transaction_fee {
    use aptos_framework::aptos_coin::AptosCoin;
    use aptos_framework::coin::{Self, BurnCapability, MintCapability};
    use aptos_framework::event;
    use aptos_framework::system_addresses;

    friend aptos_framework::genesis;
    friend aptos_framework::transaction_validation;

    /// The right to burn the native coin.
    struct AptosCoinCapabilities has key {
        burn_cap: BurnCapability<AptosCoin>
    }

    /// The right to mint the native coin, used for refunds of storage deposits only.
    struct AptosCoinMintCapability has key {
        mint_cap: MintCapability<AptosCoin>
    }

    #[event]
    /// What a transaction cost: the fee is `total_charge_gas_units` times the gas unit price, less the refund.
    struct FeeStatement has drop, store {
        /// Everything charged, storage included, in gas units.
        total_charge_gas_units: u64,
        /// Computation, in gas units, rounded up by itself.
        execution_gas_units: u64,
        /// Reads and writes, in gas units, rounded up by itself.
        io_gas_units: u64,
        /// Deposits for storage slots and bytes, in octas.
        storage_fee_octas: u64,
        /// Deposits paid back, in octas.
        storage_fee_refund_octas: u64
    }

    /// Burns `fee` octas of an account.
    public(friend) fun burn_fee(account: address, fee: u64) acquires AptosCoinCapabilities {
        coin::burn_from<AptosCoin>(
            account, fee, &borrow_global<AptosCoinCapabilities>(@aptos_framework).burn_cap
        );
    }

    /// Mints `refund` octas to an account.
    public(friend) fun mint_and_refund(account: address, refund: u64) acquires AptosCoinMintCapability {
        let mint_cap = &borrow_global<AptosCoinMintCapability>(@aptos_framework).mint_cap;
        coin::force_deposit(account, coin::mint<AptosCoin>(refund, mint_cap));
    }

    /// Keeps the right to burn. Genesis only.
    public(friend) fun store_aptos_coin_burn_cap(
        aptos_framework: &signer, burn_cap: BurnCapability<AptosCoin>
    ) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, AptosCoinCapabilities { burn_cap })
    }

    /// Keeps the right to mint. Genesis only.
    public(friend) fun store_aptos_coin_mint_cap(
        aptos_framework: &signer, mint_cap: MintCapability<AptosCoin>
    ) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, AptosCoinMintCapability { mint_cap })
    }

    /// Writes a transaction's fee statement. Called by the virtual machine as the last event of a kept transaction.
    fun emit_fee_statement(fee_statement: FeeStatement) {
        event::emit(fee_statement)
    }
}
