/// Makes counters. Holds the table their values live in.
module aptos_framework::aggregator_factory {
    use std::error;
    use aptos_std::table::{Self, Table};
    use aptos_framework::aggregator::Aggregator;
    use aptos_framework::system_addresses;

    friend aptos_framework::genesis;
    friend aptos_framework::optional_aggregator;

    /// The chain has no factory yet.
    const EAGGREGATOR_FACTORY_NOT_FOUND: u64 = 1;
    /// Counters are made by the framework only.
    const EAGGREGATOR_FACTORY_NOT_AVAILABLE: u64 = 2;

    /// The table of all counters' values.
    struct AggregatorFactory has key {
        phantom_table: Table<address, u128>
    }

    /// Publishes the factory. Genesis only.
    public(friend) fun initialize_aggregator_factory(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, AggregatorFactory { phantom_table: table::new() })
    }

    /// A counter at 0 that may go up to `limit`.
    public(friend) fun create_aggregator_internal(limit: u128): Aggregator acquires AggregatorFactory {
        assert!(exists<AggregatorFactory>(@aptos_framework), error::not_found(EAGGREGATOR_FACTORY_NOT_FOUND));
        new_aggregator(borrow_global_mut<AggregatorFactory>(@aptos_framework), limit)
    }

    /// A counter at 0 that may go up to `limit`. The framework account only.
    public fun create_aggregator(account: &signer, limit: u128): Aggregator acquires AggregatorFactory {
        system_addresses::assert_aptos_framework(account);
        create_aggregator_internal(limit)
    }

    native fun new_aggregator(aggregator_factory: &mut AggregatorFactory, limit: u128): Aggregator;

    #[test_only]
    /// Publishes the factory for tests.
    public fun initialize_aggregator_factory_for_test(aptos_framework: &signer) {
        if (!exists<AggregatorFactory>(@aptos_framework)) {
            initialize_aggregator_factory(aptos_framework)
        }
    }
}
