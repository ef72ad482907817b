/// The number that tells one chain's transactions from another's.
module aptos_framework::chain_id {
    use aptos_framework::system_addresses;

    friend aptos_framework::genesis;

    /// The chain's number, 1 to 255.
    struct ChainId has key {
        id: u8
    }

    /// Publishes the number. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer, id: u8) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, ChainId { id })
    }

    #[view]
    /// The chain's number.
    public fun get(): u8 acquires ChainId {
        borrow_global<ChainId>(@aptos_framework).id
    }

    #[test_only]
    /// Publishes a number for tests.
    public fun initialize_for_test(aptos_framework: &signer, id: u8) {
        if (!exists<ChainId>(@aptos_framework)) {
            initialize(aptos_framework, id)
        }
    }
}
