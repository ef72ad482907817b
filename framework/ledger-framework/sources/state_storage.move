/// How large the state is, as of the start of the epoch.
module aptos_framework::state_storage {
    use std::error;
    use aptos_framework::system_addresses;

    friend aptos_framework::block;
    friend aptos_framework::genesis;
    friend aptos_framework::storage_gas;

    /// The chain does not measure its state yet.
    const ESTATE_STORAGE_USAGE: u64 = 0;

    /// Number of state items, and the bytes of their keys and values.
    struct Usage has copy, drop, store {
        items: u64,
        bytes: u64
    }

    /// The size and the epoch it is for.
    struct StateStorageUsage has key, store {
        epoch: u64,
        usage: Usage
    }

    /// Publishes a size of nothing. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        assert!(!exists<StateStorageUsage>(@aptos_framework), error::already_exists(ESTATE_STORAGE_USAGE));
        move_to(aptos_framework, StateStorageUsage { epoch: 0, usage: Usage { items: 0, bytes: 0 } });
    }

    /// Measures the state in the first block of an epoch.
    public(friend) fun on_new_block(epoch: u64) acquires StateStorageUsage {
        assert!(exists<StateStorageUsage>(@aptos_framework), error::not_found(ESTATE_STORAGE_USAGE));
        let state = borrow_global_mut<StateStorageUsage>(@aptos_framework);
        if (epoch != state.epoch) {
            state.epoch = epoch;
            state.usage = get_state_storage_usage_only_at_epoch_beginning();
        }
    }

    /// The number of items and of bytes at the start of the epoch.
    public(friend) fun current_items_and_bytes(): (u64, u64) acquires StateStorageUsage {
        assert!(exists<StateStorageUsage>(@aptos_framework), error::not_found(ESTATE_STORAGE_USAGE));
        let usage = borrow_global<StateStorageUsage>(@aptos_framework).usage;
        (usage.items, usage.bytes)
    }

    /// The size of the state the block starts from. Called in the first block of an epoch only.
    native fun get_state_storage_usage_only_at_epoch_beginning(): Usage;
}
