/// Whether the chain is still being made or already runs.
module aptos_framework::chain_status {
    use std::error;
    use aptos_framework::system_addresses;

    friend aptos_framework::genesis;

    /// The chain does not run yet.
    const ENOT_OPERATING: u64 = 1;
    /// The chain is past its genesis.
    const ENOT_GENESIS: u64 = 2;

    /// Present once genesis is over.
    struct GenesisEndMarker has key {}

    /// Ends genesis.
    public(friend) fun set_genesis_end(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, GenesisEndMarker {})
    }

    #[view]
    /// True during genesis.
    public fun is_genesis(): bool {
        !exists<GenesisEndMarker>(@aptos_framework)
    }

    #[view]
    /// True once genesis is over.
    public fun is_operating(): bool {
        exists<GenesisEndMarker>(@aptos_framework)
    }

    /// Aborts during genesis.
    public fun assert_operating() {
        assert!(is_operating(), error::invalid_state(ENOT_OPERATING))
    }

    /// Aborts once genesis is over.
    public fun assert_genesis() {
        assert!(is_genesis(), error::invalid_state(ENOT_GENESIS))
    }
}
