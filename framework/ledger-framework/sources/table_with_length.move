/// A table that counts its items, and so can be ended when it is empty.
module aptos_std::table_with_length {
    use std::error;
    use aptos_std::table::{Self, Table};

    /// The table holds items.
    const ENOT_EMPTY: u64 = 102;

    /// A table and the number of its items.
    struct TableWithLength<phantom K: copy + drop, phantom V> has store {
        inner: Table<K, V>,
        length: u64
    }

    /// A table without items.
    public fun new<K: copy + drop, V: store>(): TableWithLength<K, V> {
        TableWithLength { inner: table::new<K, V>(), length: 0 }
    }

    /// Ends an empty table. Aborts with `ENOT_EMPTY` where it holds items.
    public fun destroy_empty<K: copy + drop, V>(self: TableWithLength<K, V>) {
        assert!(self.length == 0, error::invalid_state(ENOT_EMPTY));
        let TableWithLength { inner, length: _ } = self;
        table::destroy(inner)
    }

    /// Adds an item. Aborts with 25607 where `key` has one.
    public fun add<K: copy + drop, V>(self: &mut TableWithLength<K, V>, key: K, val: V) {
        table::add(&mut self.inner, key, val);
        self.length = self.length + 1;
    }

    /// Borrows the item of `key`. Aborts with 25863 where there is none.
    public fun borrow<K: copy + drop, V>(self: &TableWithLength<K, V>, key: K): &V {
        table::borrow(&self.inner, key)
    }

    /// Borrows the item of `key` for writing. Aborts with 25863 where there is none.
    public fun borrow_mut<K: copy + drop, V>(self: &mut TableWithLength<K, V>, key: K): &mut V {
        table::borrow_mut(&mut self.inner, key)
    }

    /// Borrows the item of `key` for writing, adding `default` first where there is none.
    public fun borrow_mut_with_default<K: copy + drop, V: drop>(
        self: &mut TableWithLength<K, V>, key: K, default: V
    ): &mut V {
        if (!contains(self, key)) {
            add(self, key, default)
        };
        borrow_mut(self, key)
    }

    /// The number of items.
    public fun length<K: copy + drop, V>(self: &TableWithLength<K, V>): u64 {
        self.length
    }

    /// True where there are no items.
    public fun empty<K: copy + drop, V>(self: &TableWithLength<K, V>): bool {
        self.length == 0
    }

    /// Makes `value` the item of `key`, whether there is one or not.
    public fun upsert<K: copy + drop, V: drop>(self: &mut TableWithLength<K, V>, key: K, value: V) {
        if (contains(self, key)) {
            *borrow_mut(self, key) = value
        } else {
            add(self, key, value)
        }
    }

    /// Takes the item of `key`. Aborts with 25863 where there is none.
    public fun remove<K: copy + drop, V>(self: &mut TableWithLength<K, V>, key: K): V {
        let val = table::remove(&mut self.inner, key);
        self.length = self.length - 1;
        val
    }

    /// True where `key` has an item.
    public fun contains<K: copy + drop, V>(self: &TableWithLength<K, V>, key: K): bool {
        table::contains(&self.inner, key)
    }
}
