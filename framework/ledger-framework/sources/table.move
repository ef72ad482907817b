/// Maps whose items live in storage one by one, each found by its key without loading the others.
///
/// A table knows neither how many items it has nor which keys: whoever needs that keeps it beside the table.
module aptos_std::table {
    friend aptos_std::table_with_length;

    /// The items live under `handle`, which is unique over the life of the chain.
    struct Table<phantom K: copy + drop, phantom V> has store {
        handle: address
    }

    /// What is stored for an item. Its encoding is that of the value alone.
    struct Box<V> has key, drop, store {
        val: V
    }

    /// A table without items.
    public fun new<K: copy + drop, V: store>(): Table<K, V> {
        Table { handle: new_table_handle<K, V>() }
    }

    /// Adds an item. Aborts with 25607 where `key` has one.
    public fun add<K: copy + drop, V>(self: &mut Table<K, V>, key: K, val: V) {
        add_box<K, V, Box<V>>(self, key, Box { val })
    }

    /// Borrows the item of `key`. Aborts with 25863 where there is none.
    public fun borrow<K: copy + drop, V>(self: &Table<K, V>, key: K): &V {
        &borrow_box<K, V, Box<V>>(self, key).val
    }

    /// Borrows the item of `key`, or `default` where there is none.
    public fun borrow_with_default<K: copy + drop, V>(self: &Table<K, V>, key: K, default: &V): &V {
        if (contains(self, key)) { borrow(self, key) } else { default }
    }

    /// Borrows the item of `key` for writing. Aborts with 25863 where there is none.
    public fun borrow_mut<K: copy + drop, V>(self: &mut Table<K, V>, key: K): &mut V {
        &mut borrow_box_mut<K, V, Box<V>>(self, key).val
    }

    /// Borrows the item of `key` for writing, adding `default` first where there is none.
    public fun borrow_mut_with_default<K: copy + drop, V: drop>(self: &mut Table<K, V>, key: K, default: V): &mut V {
        if (!contains(self, key)) {
            add(self, key, default)
        };
        borrow_mut(self, key)
    }

    /// Makes `value` the item of `key`, whether there is one or not.
    public fun upsert<K: copy + drop, V: drop>(self: &mut Table<K, V>, key: K, value: V) {
        if (contains(self, key)) {
            *borrow_mut(self, key) = value
        } else {
            add(self, key, value)
        }
    }

    /// Takes the item of `key`. Aborts with 25863 where there is none.
    public fun remove<K: copy + drop, V>(self: &mut Table<K, V>, key: K): V {
        let Box { val } = remove_box<K, V, Box<V>>(self, key);
        val
    }

    /// True where `key` has an item.
    public fun contains<K: copy + drop, V>(self: &Table<K, V>, key: K): bool {
        contains_box<K, V, Box<V>>(self, key)
    }

    /// Ends a table its owner knows to be empty. Items left in it become unreachable.
    public(friend) fun destroy<K: copy + drop, V>(self: Table<K, V>) {
        destroy_empty_box<K, V, Box<V>>(&self);
        drop_unchecked_box<K, V, Box<V>>(self)
    }

    native fun new_table_handle<K, V>(): address;
    native fun add_box<K: copy + drop, V, B>(table: &mut Table<K, V>, key: K, val: Box<V>);
    native fun borrow_box<K: copy + drop, V, B>(table: &Table<K, V>, key: K): &Box<V>;
    native fun borrow_box_mut<K: copy + drop, V, B>(table: &mut Table<K, V>, key: K): &mut Box<V>;
    native fun contains_box<K: copy + drop, V, B>(table: &Table<K, V>, key: K): bool;
    native fun remove_box<K: copy + drop, V, B>(table: &mut Table<K, V>, key: K): Box<V>;
    native fun destroy_empty_box<K: copy + drop, V, B>(table: &Table<K, V>);
    native fun drop_unchecked_box<K: copy + drop, V, B>(table: Table<K, V>);
}
