/// Counters and snapshots that work on encodings, standing in for those of the node. The types stay generic.
module aptos_framework::aggregator_v2 {
    use std::bcs;
    use std::error;
    use std::string::{Self, String};
    use std::vector;
    use aptos_std::from_bcs;
    use aptos_std::type_info;

    struct Aggregator<IntElement> has drop, store {
        value: u128,
        max_value: IntElement
    }

    struct AggregatorSnapshot<phantom IntElement> has drop, store {
        value: u128
    }

    struct DerivedStringSnapshot has drop, store {
        value: String,
        padding: vector<u8>
    }

    fun to_number<T>(value: &T): u128 {
        let bytes = bcs::to_bytes(value);
        if (vector::length(&bytes) == 8) { (from_bcs::to_u64(bytes) as u128) } else { from_bcs::to_u128(bytes) }
    }

    fun from_number<T>(value: u128): T {
        let bytes = bcs::to_bytes(&value);
        if (type_info::type_name<T>() == string::utf8(b"u64")) {
            vector::trim(&mut bytes, 8);
        };
        from_bcs::from_bytes<T>(bytes)
    }

    public fun max_value<IntElement: copy + drop>(self: &Aggregator<IntElement>): IntElement {
        self.max_value
    }

    public fun create_aggregator<IntElement: copy + drop>(max_value: IntElement): Aggregator<IntElement> {
        Aggregator { value: 0, max_value }
    }

    public fun create_aggregator_with_value<IntElement: copy + drop>(
        start_value: IntElement, max_value: IntElement
    ): Aggregator<IntElement> {
        Aggregator { value: to_number(&start_value), max_value }
    }

    public fun create_unbounded_aggregator<IntElement: copy + drop>(): Aggregator<IntElement> {
        let is_short = type_info::type_name<IntElement>() == string::utf8(b"u64");
        let most = if (is_short) { 18446744073709551615 } else { 340282366920938463463374607431768211455 };
        Aggregator { value: 0, max_value: from_number(most) }
    }

    public fun create_unbounded_aggregator_with_value<IntElement: copy + drop>(
        start_value: IntElement
    ): Aggregator<IntElement> {
        let aggregator = create_unbounded_aggregator<IntElement>();
        aggregator.value = to_number(&start_value);
        aggregator
    }

    public fun try_add<IntElement: drop>(self: &mut Aggregator<IntElement>, value: IntElement): bool {
        let more = to_number(&value);
        if (more > to_number(&self.max_value) - self.value) return false;
        self.value = self.value + more;
        true
    }

    public fun add<IntElement: drop>(self: &mut Aggregator<IntElement>, value: IntElement) {
        assert!(try_add(self, value), error::out_of_range(1));
    }

    public fun try_sub<IntElement: drop>(self: &mut Aggregator<IntElement>, value: IntElement): bool {
        let less = to_number(&value);
        if (less > self.value) return false;
        self.value = self.value - less;
        true
    }

    public fun sub<IntElement: drop>(self: &mut Aggregator<IntElement>, value: IntElement) {
        assert!(try_sub(self, value), error::out_of_range(2));
    }

    public fun is_at_least<IntElement: drop>(self: &Aggregator<IntElement>, min_amount: IntElement): bool {
        self.value >= to_number(&min_amount)
    }

    public fun read<IntElement>(self: &Aggregator<IntElement>): IntElement {
        from_number(self.value)
    }

    public fun snapshot<IntElement>(self: &Aggregator<IntElement>): AggregatorSnapshot<IntElement> {
        AggregatorSnapshot { value: self.value }
    }

    public fun create_snapshot<IntElement: copy + drop>(value: IntElement): AggregatorSnapshot<IntElement> {
        AggregatorSnapshot { value: to_number(&value) }
    }

    public fun read_snapshot<IntElement>(self: &AggregatorSnapshot<IntElement>): IntElement {
        from_number(self.value)
    }

    public fun read_derived_string(self: &DerivedStringSnapshot): String {
        self.value
    }

    public fun create_derived_string(value: String): DerivedStringSnapshot {
        DerivedStringSnapshot { value, padding: vector[] }
    }

    public fun derive_string_concat<IntElement>(
        before: String, snapshot: &AggregatorSnapshot<IntElement>, after: String
    ): DerivedStringSnapshot {
        string::append(&mut before, decimal(snapshot.value));
        string::append(&mut before, after);
        create_derived_string(before)
    }

    fun decimal(value: u128): String {
        let digits = vector[];
        while (value >= 10) {
            vector::push_back(&mut digits, ((value % 10) as u8) + 48);
            value = value / 10;
        };
        vector::push_back(&mut digits, (value as u8) + 48);
        vector::reverse(&mut digits);
        string::utf8(digits)
    }
}
