/// Global storage: what is moved in, borrowed, changed, moved out, and what is not there.
module diff::resources {
    use std::signer;

    struct Counter has key, store, drop { value: u64, log: vector<u64> }

    struct Slot<T: store> has key { item: T }

    fun bump(at: address) acquires Counter {
        let counter = borrow_global_mut<Counter>(at);
        counter.value += 1;
        let value = counter.value;
        counter.log.push_back(value * 10);
    }

    public fun stored_and_read(s: &signer): (u64, vector<u64>, bool, bool) acquires Counter {
        let at = signer::address_of(s);
        let before = exists<Counter>(at);
        move_to(s, Counter { value: 5, log: vector[] });
        bump(at);
        bump(at);
        let counter = borrow_global<Counter>(at);
        (counter.value, counter.log, before, exists<Counter>(at))
    }

    public fun moved_out(s: &signer): (u64, bool) acquires Counter {
        let at = signer::address_of(s);
        move_to(s, Counter { value: 1, log: vector[2] });
        bump(at);
        let Counter { value, log } = move_from<Counter>(at);
        (value + log[1], exists<Counter>(at))
    }

    public fun one_type_per_slot(s: &signer): (u8, bool, bool) acquires Slot {
        move_to(s, Slot { item: 7u8 });
        move_to(s, Slot { item: b"bytes" });
        let Slot { item } = move_from<Slot<u8>>(@0x5);
        (item, exists<Slot<u8>>(@0x5), exists<Slot<vector<u8>>>(@0x5))
    }

    public fun moved_in_twice(s: &signer) {
        move_to(s, Slot { item: 1u8 });
        move_to(s, Slot { item: 2u8 });
    }

    public fun borrowed_where_nothing_is(): u64 acquires Counter { borrow_global<Counter>(@0x6).value }

    public fun moved_from_where_nothing_is(s: &signer): u8 acquires Slot {
        move_to(s, Slot { item: 1u64 });
        let Slot { item } = move_from<Slot<u8>>(@0x5);
        item
    }

    public fun changed_where_nothing_is(s: &signer) acquires Counter {
        move_to(s, Counter { value: 0, log: vector[] });
        bump(@0x5);
        bump(@0x7);
    }
}
