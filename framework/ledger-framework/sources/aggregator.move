/// A counter whose value lives in a table item of its own, so that adding to it does not rewrite what it belongs to.
module aptos_framework::aggregator {
    /// The sum would exceed the limit.
    const EAGGREGATOR_OVERFLOW: u64 = 1;
    /// The difference would be below zero.
    const EAGGREGATOR_UNDERFLOW: u64 = 2;
    /// The counter does not offer the operation.
    const ENOT_SUPPORTED: u64 = 3;

    /// Names the item `key` of the table `handle`, a 128-bit number that never exceeds `limit`.
    struct Aggregator has store {
        handle: address,
        key: address,
        limit: u128
    }

    /// The largest value the counter may have.
    public fun limit(self: &Aggregator): u128 {
        self.limit
    }

    /// Adds `value`. Aborts with 0x20001 above the limit.
    native public fun add(self: &mut Aggregator, value: u128);

    /// Subtracts `value`. Aborts with 0x20002 below zero.
    native public fun sub(self: &mut Aggregator, value: u128);

    /// The value.
    native public fun read(self: &Aggregator): u128;

    /// Ends the counter and deletes its item.
    native public fun destroy(self: Aggregator);
}
