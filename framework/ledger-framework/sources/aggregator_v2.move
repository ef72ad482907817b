/// Counters that many transactions may change at once, and snapshots of them.
///
/// A counter may be raised and lowered without being read, so that two transactions which only add to it do not depend on each
/// other. A snapshot keeps the value a counter had, and may be woven into a text, again without being read.
module aptos_framework::aggregator_v2 {
    use std::error;
    use std::string::String;

    /// The sum would exceed the limit.
    const EAGGREGATOR_OVERFLOW: u64 = 1;
    /// The difference would be below zero.
    const EAGGREGATOR_UNDERFLOW: u64 = 2;
    /// A snapshot holds no value of this type.
    const EUNSUPPORTED_AGGREGATOR_SNAPSHOT_TYPE: u64 = 5;
    /// A counter counts in `u64` or `u128`.
    const EUNSUPPORTED_AGGREGATOR_TYPE: u64 = 7;
    /// The texts around a snapshot have more than 1024 bytes.
    const ECONCAT_STRING_LENGTH_TOO_LARGE: u64 = 8;
    /// The function is not offered any more.
    const EAGGREGATOR_FUNCTION_NOT_YET_SUPPORTED: u64 = 9;

    /// A counter from 0 to `max_value`. `IntElement` is `u64` or `u128`.
    struct Aggregator<IntElement> has drop, store {
        value: IntElement,
        max_value: IntElement
    }

    /// The value a counter had.
    struct AggregatorSnapshot<IntElement> has drop, store {
        value: IntElement
    }

    /// A text around a snapshot. `padding` makes the encoding as long as the longest value would need.
    struct DerivedStringSnapshot has drop, store {
        value: String,
        padding: vector<u8>
    }

    /// The limit of a counter.
    public fun max_value<IntElement: copy + drop>(self: &Aggregator<IntElement>): IntElement {
        self.max_value
    }

    /// A counter at 0. Aborts with `EUNSUPPORTED_AGGREGATOR_TYPE` for other types than `u64` and `u128`.
    native public fun create_aggregator<IntElement: copy + drop>(max_value: IntElement): Aggregator<IntElement>;

    /// A counter at `start_value`.
    public fun create_aggregator_with_value<IntElement: copy + drop>(
        start_value: IntElement, max_value: IntElement
    ): Aggregator<IntElement> {
        let aggregator = create_aggregator(max_value);
        add(&mut aggregator, start_value);
        aggregator
    }

    /// A counter at 0, limited by its type alone.
    native public fun create_unbounded_aggregator<IntElement: copy + drop>(): Aggregator<IntElement>;

    /// A counter at `start_value`, limited by its type alone.
    public fun create_unbounded_aggregator_with_value<IntElement: copy + drop>(
        start_value: IntElement
    ): Aggregator<IntElement> {
        let aggregator = create_unbounded_aggregator();
        add(&mut aggregator, start_value);
        aggregator
    }

    /// Adds `value`, or changes nothing and returns false where the sum would exceed the limit.
    native public fun try_add<IntElement>(self: &mut Aggregator<IntElement>, value: IntElement): bool;

    /// Adds `value`. Aborts with `EAGGREGATOR_OVERFLOW` above the limit.
    public fun add<IntElement>(self: &mut Aggregator<IntElement>, value: IntElement) {
        assert!(try_add(self, value), error::out_of_range(EAGGREGATOR_OVERFLOW));
    }

    /// Subtracts `value`, or changes nothing and returns false where the difference would be below zero.
    native public fun try_sub<IntElement>(self: &mut Aggregator<IntElement>, value: IntElement): bool;

    /// Subtracts `value`. Aborts with `EAGGREGATOR_UNDERFLOW` below zero.
    public fun sub<IntElement>(self: &mut Aggregator<IntElement>, value: IntElement) {
        assert!(try_sub(self, value), error::out_of_range(EAGGREGATOR_UNDERFLOW));
    }

    native fun is_at_least_impl<IntElement>(self: &Aggregator<IntElement>, min_amount: IntElement): bool;

    /// True where the value is `min_amount` or more. Tells less than `read`, so it conflicts with fewer changes.
    public fun is_at_least<IntElement>(self: &Aggregator<IntElement>, min_amount: IntElement): bool {
        is_at_least_impl(self, min_amount)
    }

    /// The value. A transaction that reads it waits for all that change it.
    native public fun read<IntElement>(self: &Aggregator<IntElement>): IntElement;

    /// A snapshot of the value.
    native public fun snapshot<IntElement>(self: &Aggregator<IntElement>): AggregatorSnapshot<IntElement>;

    /// A snapshot of a value given.
    native public fun create_snapshot<IntElement: copy + drop>(value: IntElement): AggregatorSnapshot<IntElement>;

    /// The value of a snapshot.
    native public fun read_snapshot<IntElement>(self: &AggregatorSnapshot<IntElement>): IntElement;

    /// The text of a derived snapshot.
    native public fun read_derived_string(self: &DerivedStringSnapshot): String;

    /// A text of at most 1024 bytes in the form of a derived snapshot.
    native public fun create_derived_string(value: String): DerivedStringSnapshot;

    /// `before`, the snapshot in decimal, and `after`. The two texts have at most 1024 bytes together.
    native public fun derive_string_concat<IntElement>(
        before: String, snapshot: &AggregatorSnapshot<IntElement>, after: String
    ): DerivedStringSnapshot;

    /// Not offered any more: aborts.
    native public fun copy_snapshot<IntElement: copy + drop>(
        snapshot: &AggregatorSnapshot<IntElement>
    ): AggregatorSnapshot<IntElement>;

    /// Not offered any more: aborts.
    native public fun string_concat<IntElement>(
        before: String, snapshot: &AggregatorSnapshot<IntElement>, after: String
    ): AggregatorSnapshot<String>;
}
