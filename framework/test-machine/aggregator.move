/// A counter that holds its own value, standing in for the one whose value is a table item.
module aptos_framework::aggregator {
    friend aptos_framework::aggregator_factory;

    struct Aggregator has store {
        handle: address,
        key: address,
        limit: u128,
        value: u128
    }

    public(friend) fun new(limit: u128): Aggregator {
        Aggregator { handle: @0x0, key: @0x0, limit, value: 0 }
    }

    public fun limit(self: &Aggregator): u128 {
        self.limit
    }

    public fun add(self: &mut Aggregator, value: u128) {
        assert!(value <= self.limit - self.value, 0x20001);
        self.value = self.value + value;
    }

    public fun sub(self: &mut Aggregator, value: u128) {
        assert!(value <= self.value, 0x20002);
        self.value = self.value - value;
    }

    public fun read(self: &Aggregator): u128 {
        self.value
    }

    public fun destroy(self: Aggregator) {
        Aggregator { handle: _, key: _, limit: _, value: _ } = self;
    }
}
