/// A 128-bit counter with a limit, kept either beside its owner (an aggregator) or inside it (an integer).
module aptos_framework::optional_aggregator {
    use std::error;
    use std::option::{Self, Option};
    use aptos_framework::aggregator::{Self, Aggregator};
    use aptos_framework::aggregator_factory;

    friend aptos_framework::coin;

    /// The sum would exceed the limit.
    const EAGGREGATOR_OVERFLOW: u64 = 1;
    /// The difference would be below zero.
    const EAGGREGATOR_UNDERFLOW: u64 = 2;

    /// A counter inside its owner.
    struct Integer has store {
        value: u128,
        limit: u128
    }

    /// Exactly one of the two forms is present.
    struct OptionalAggregator has store {
        aggregator: Option<Aggregator>,
        integer: Option<Integer>
    }

    /// A counter at 0, beside its owner where `parallelizable`.
    public(friend) fun new(limit: u128, parallelizable: bool): OptionalAggregator {
        if (parallelizable) {
            OptionalAggregator {
                aggregator: option::some(aggregator_factory::create_aggregator_internal(limit)),
                integer: option::none()
            }
        } else {
            OptionalAggregator {
                aggregator: option::none(),
                integer: option::some(Integer { value: 0, limit })
            }
        }
    }

    /// Changes the form and keeps value and limit.
    public fun switch(self: &mut OptionalAggregator) {
        let value = read(self);
        if (is_parallelizable(self)) {
            let old = option::extract(&mut self.aggregator);
            let limit = aggregator::limit(&old);
            aggregator::destroy(old);
            option::fill(&mut self.integer, Integer { value, limit });
        } else {
            let Integer { value: _, limit } = option::extract(&mut self.integer);
            let new = aggregator_factory::create_aggregator_internal(limit);
            aggregator::add(&mut new, value);
            option::fill(&mut self.aggregator, new);
        }
    }

    /// Ends the counter.
    public fun destroy(self: OptionalAggregator) {
        let OptionalAggregator { aggregator, integer } = self;
        if (option::is_some(&aggregator)) {
            aggregator::destroy(option::extract(&mut aggregator));
        };
        option::destroy_none(aggregator);
        if (option::is_some(&integer)) {
            Integer { value: _, limit: _ } = option::extract(&mut integer);
        };
        option::destroy_none(integer);
    }

    /// Adds `value`. Aborts with `EAGGREGATOR_OVERFLOW` above the limit.
    public fun add(self: &mut OptionalAggregator, value: u128) {
        if (option::is_some(&self.aggregator)) {
            aggregator::add(option::borrow_mut(&mut self.aggregator), value)
        } else {
            let integer = option::borrow_mut(&mut self.integer);
            assert!(value <= integer.limit - integer.value, error::out_of_range(EAGGREGATOR_OVERFLOW));
            integer.value = integer.value + value;
        }
    }

    /// Subtracts `value`. Aborts with `EAGGREGATOR_UNDERFLOW` below zero.
    public fun sub(self: &mut OptionalAggregator, value: u128) {
        if (option::is_some(&self.aggregator)) {
            aggregator::sub(option::borrow_mut(&mut self.aggregator), value)
        } else {
            let integer = option::borrow_mut(&mut self.integer);
            assert!(value <= integer.value, error::out_of_range(EAGGREGATOR_UNDERFLOW));
            integer.value = integer.value - value;
        }
    }

    /// The value.
    public fun read(self: &OptionalAggregator): u128 {
        if (option::is_some(&self.aggregator)) {
            aggregator::read(option::borrow(&self.aggregator))
        } else {
            option::borrow(&self.integer).value
        }
    }

    /// True where the counter lives beside its owner.
    public fun is_parallelizable(self: &OptionalAggregator): bool {
        option::is_some(&self.aggregator)
    }

    #[test]
    fun an_integer_counts_up_and_down() {
        let counter = new(10, false);
        add(&mut counter, 10);
        sub(&mut counter, 4);
        assert!(read(&counter) == 6 && !is_parallelizable(&counter), 0);
        destroy(counter);
    }

    #[test]
    #[expected_failure(abort_code = 0x20001, location = Self)]
    fun an_integer_stops_at_its_limit() {
        let counter = new(10, false);
        add(&mut counter, 11);
        destroy(counter);
    }

    #[test]
    #[expected_failure(abort_code = 0x20002, location = Self)]
    fun an_integer_stops_at_zero() {
        let counter = new(10, false);
        sub(&mut counter, 1);
        destroy(counter);
    }
}
