/// Maps whose pairs are kept in the order of their keys, in one vector: small maps that are searched more than changed.
///
/// A search halves the map at each step; adding and removing move the pairs behind. The whole map is read and written as one value, so one
/// that may grow without end belongs into a table.
module aptos_framework::ordered_map {
    use std::cmp;
    use std::error;
    use std::option::{Self, Option};
    use std::vector;

    /// The map has this key already.
    const EKEY_ALREADY_EXISTS: u64 = 1;
    /// The map does not have this key.
    const EKEY_NOT_FOUND: u64 = 2;
    /// There must be one value for each key.
    const EITER_OUT_OF_BOUNDS: u64 = 3;
    /// Only an empty map can be thrown away.
    const EMAP_NOT_EMPTY: u64 = 4;

    /// A key and its value.
    struct Entry<K, V> has copy, drop, store {
        key: K,
        value: V
    }

    /// A map. Keys rise from the front.
    enum OrderedMap<K, V> has copy, drop, store {
        SortedVectorMap {
            entries: vector<Entry<K, V>>
        }
    }

    /// A map without pairs.
    public fun new<K, V>(): OrderedMap<K, V> {
        OrderedMap::SortedVectorMap { entries: vector::empty() }
    }

    /// A map of two lists of the same length, in any order, without equal keys.
    public fun new_from<K, V>(keys: vector<K>, values: vector<V>): OrderedMap<K, V> {
        let map = new();
        add_all(&mut map, keys, values);
        map
    }

    /// How many pairs there are.
    public fun length<K, V>(self: &OrderedMap<K, V>): u64 {
        vector::length(&self.entries)
    }

    /// True where there are none.
    public fun is_empty<K, V>(self: &OrderedMap<K, V>): bool {
        vector::is_empty(&self.entries)
    }

    /// Where the key is or belongs, and whether it is there.
    fun search<K, V>(self: &OrderedMap<K, V>, key: &K): (u64, bool) {
        let low = 0;
        let high = vector::length(&self.entries);
        while (low < high) {
            let middle = low + (high - low) / 2;
            let order = cmp::compare(&vector::borrow(&self.entries, middle).key, key);
            if (cmp::is_eq(&order)) return (middle, true);
            if (cmp::is_lt(&order)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        };
        (low, false)
    }

    /// Adds a pair. Aborts where the key is there.
    public fun add<K, V>(self: &mut OrderedMap<K, V>, key: K, value: V) {
        let (index, found) = search(self, &key);
        assert!(!found, error::invalid_argument(EKEY_ALREADY_EXISTS));
        vector::insert(&mut self.entries, index, Entry { key, value });
    }

    /// Adds pairs from two lists of the same length.
    public fun add_all<K, V>(self: &mut OrderedMap<K, V>, keys: vector<K>, values: vector<V>) {
        assert!(
            vector::length(&keys) == vector::length(&values), error::invalid_argument(EITER_OUT_OF_BOUNDS)
        );
        vector::zip(keys, values, |key, value| add(self, key, value));
    }

    /// Adds a pair, or replaces and returns the value that is there.
    public fun upsert<K: drop, V>(self: &mut OrderedMap<K, V>, key: K, value: V): Option<V> {
        let (index, found) = search(self, &key);
        if (found) {
            let Entry { key: _, value: old } =
                vector::replace(&mut self.entries, index, Entry { key, value });
            option::some(old)
        } else {
            vector::insert(&mut self.entries, index, Entry { key, value });
            option::none()
        }
    }

    /// Removes a pair and returns its value. Aborts where the key is not there.
    public fun remove<K: drop, V>(self: &mut OrderedMap<K, V>, key: &K): V {
        let (index, found) = search(self, key);
        assert!(found, error::invalid_argument(EKEY_NOT_FOUND));
        let Entry { key: _, value } = vector::remove(&mut self.entries, index);
        value
    }

    /// Removes a pair and returns its value, or none where the key is not there.
    public fun remove_or_none<K: drop, V>(self: &mut OrderedMap<K, V>, key: &K): Option<V> {
        let (index, found) = search(self, key);
        if (found) {
            let Entry { key: _, value } = vector::remove(&mut self.entries, index);
            option::some(value)
        } else {
            option::none()
        }
    }

    /// True where the key is there.
    public fun contains<K, V>(self: &OrderedMap<K, V>, key: &K): bool {
        let (_, found) = search(self, key);
        found
    }

    /// The value of a key. Aborts where it is not there.
    public fun borrow<K, V>(self: &OrderedMap<K, V>, key: &K): &V {
        let (index, found) = search(self, key);
        assert!(found, error::invalid_argument(EKEY_NOT_FOUND));
        &vector::borrow(&self.entries, index).value
    }

    /// The value of a key, for writing. Aborts where it is not there.
    public fun borrow_mut<K, V>(self: &mut OrderedMap<K, V>, key: &K): &mut V {
        let (index, found) = search(self, key);
        assert!(found, error::invalid_argument(EKEY_NOT_FOUND));
        &mut vector::borrow_mut(&mut self.entries, index).value
    }

    /// A copy of the value of a key, or none where it is not there.
    public fun get<K: copy + drop, V: copy>(self: &OrderedMap<K, V>, key: &K): Option<V> {
        let (index, found) = search(self, key);
        if (found) option::some(vector::borrow(&self.entries, index).value) else option::none()
    }

    /// The first key and its value. Aborts where the map is empty.
    public fun borrow_front<K, V>(self: &OrderedMap<K, V>): (&K, &V) {
        let entry = vector::borrow(&self.entries, 0);
        (&entry.key, &entry.value)
    }

    /// The last key and its value. Aborts where the map is empty.
    public fun borrow_back<K, V>(self: &OrderedMap<K, V>): (&K, &V) {
        let entry = vector::borrow(&self.entries, vector::length(&self.entries) - 1);
        (&entry.key, &entry.value)
    }

    /// Removes the first pair. Aborts where the map is empty.
    public fun pop_front<K, V>(self: &mut OrderedMap<K, V>): (K, V) {
        let Entry { key, value } = vector::remove(&mut self.entries, 0);
        (key, value)
    }

    /// Removes the last pair. Aborts where the map is empty.
    public fun pop_back<K, V>(self: &mut OrderedMap<K, V>): (K, V) {
        let Entry { key, value } = vector::pop_back(&mut self.entries);
        (key, value)
    }

    /// The last key before this one, or none.
    public fun prev_key<K: copy, V>(self: &OrderedMap<K, V>, key: &K): Option<K> {
        let (index, _) = search(self, key);
        if (index == 0) option::none() else option::some(vector::borrow(&self.entries, index - 1).key)
    }

    /// The first key after this one, or none.
    public fun next_key<K: copy, V>(self: &OrderedMap<K, V>, key: &K): Option<K> {
        let (index, found) = search(self, key);
        let next = if (found) index + 1 else index;
        if (next < vector::length(&self.entries)) {
            option::some(vector::borrow(&self.entries, next).key)
        } else {
            option::none()
        }
    }

    /// The keys in order.
    public fun keys<K: copy, V>(self: &OrderedMap<K, V>): vector<K> {
        vector::map_ref(&self.entries, |entry| entry.key)
    }

    /// The values in the order of their keys.
    public fun values<K, V: copy>(self: &OrderedMap<K, V>): vector<V> {
        vector::map_ref(&self.entries, |entry| entry.value)
    }

    /// Keys and values in order.
    public fun to_vec_pair<K, V>(self: OrderedMap<K, V>): (vector<K>, vector<V>) {
        let OrderedMap::SortedVectorMap { entries } = self;
        let keys = vector[];
        let values = vector[];
        vector::for_each(entries, |entry| {
            let Entry { key, value } = entry;
            vector::push_back(&mut keys, key);
            vector::push_back(&mut values, value);
        });
        (keys, values)
    }

    /// Throws away a map without pairs.
    public fun destroy_empty<K, V>(self: OrderedMap<K, V>) {
        let OrderedMap::SortedVectorMap { entries } = self;
        assert!(vector::is_empty(&entries), error::invalid_argument(EMAP_NOT_EMPTY));
        vector::destroy_empty(entries);
    }

    #[test]
    fun pairs_stand_in_the_order_of_their_keys() {
        let map = new_from(vector[30, 10, 20], vector[b"c", b"a", b"b"]);
        assert!(keys(&map) == vector[10, 20, 30] && values(&map) == vector[b"a", b"b", b"c"], 0);
        assert!(*borrow(&map, &20) == b"b" && contains(&map, &30) && !contains(&map, &25), 1);
        assert!(next_key(&map, &20) == option::some(30) && next_key(&map, &25) == option::some(30), 2);
        assert!(prev_key(&map, &10) == option::none() && prev_key(&map, &25) == option::some(20), 3);
        assert!(upsert(&mut map, 20, b"B") == option::some(b"b") && upsert(&mut map, 40, b"d") == option::none(), 4);
        assert!(remove(&mut map, &10) == b"a" && remove_or_none(&mut map, &10) == option::none(), 5);
        let (key, value) = pop_front(&mut map);
        assert!(key == 20 && value == b"B" && length(&map) == 2, 6);
    }

    #[test]
    #[expected_failure(abort_code = 0x10001, location = Self)]
    fun a_key_is_added_once() {
        add(&mut new_from(vector[1], vector[true]), 1, false);
    }
}
