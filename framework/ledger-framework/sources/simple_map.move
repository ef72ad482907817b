/// A map for few keys: a vector of pairs, searched from the front.
module aptos_std::simple_map {
    use std::error;
    use std::option::{Self, Option};
    use std::vector;

    /// The key is in the map already.
    const EKEY_ALREADY_EXISTS: u64 = 1;
    /// The key is not in the map.
    const EKEY_NOT_FOUND: u64 = 2;

    /// Pairs with different keys, in the order they were added unless one was removed.
    struct SimpleMap<Key, Value> has copy, drop, store {
        data: vector<Element<Key, Value>>
    }

    /// One pair.
    struct Element<Key, Value> has copy, drop, store {
        key: Key,
        value: Value
    }

    /// The number of pairs.
    public fun length<Key: store, Value: store>(self: &SimpleMap<Key, Value>): u64 {
        vector::length(&self.data)
    }

    /// A map without pairs.
    public fun new<Key: store, Value: store>(): SimpleMap<Key, Value> {
        SimpleMap { data: vector::empty() }
    }

    /// A map of the pairs of two vectors of equal length.
    public fun new_from<Key: store, Value: store>(keys: vector<Key>, values: vector<Value>): SimpleMap<Key, Value> {
        let map = new();
        add_all(&mut map, keys, values);
        map
    }

    /// A map without pairs.
    public fun create<Key: store, Value: store>(): SimpleMap<Key, Value> {
        new()
    }

    /// Borrows the value of `key`. Aborts with `EKEY_NOT_FOUND`.
    public fun borrow<Key: store, Value: store>(self: &SimpleMap<Key, Value>, key: &Key): &Value {
        let found = find(self, key);
        assert!(option::is_some(&found), error::invalid_argument(EKEY_NOT_FOUND));
        &vector::borrow(&self.data, option::extract(&mut found)).value
    }

    /// Borrows the value of `key` for writing. Aborts with `EKEY_NOT_FOUND`.
    public fun borrow_mut<Key: store, Value: store>(self: &mut SimpleMap<Key, Value>, key: &Key): &mut Value {
        let found = find(self, key);
        assert!(option::is_some(&found), error::invalid_argument(EKEY_NOT_FOUND));
        &mut vector::borrow_mut(&mut self.data, option::extract(&mut found)).value
    }

    /// True where `key` is in the map.
    public fun contains_key<Key: store, Value: store>(self: &SimpleMap<Key, Value>, key: &Key): bool {
        option::is_some(&find(self, key))
    }

    /// Consumes a map without pairs.
    public fun destroy_empty<Key: store, Value: store>(self: SimpleMap<Key, Value>) {
        let SimpleMap { data } = self;
        vector::destroy_empty(data);
    }

    /// Adds a pair. Aborts with `EKEY_ALREADY_EXISTS`.
    public fun add<Key: store, Value: store>(self: &mut SimpleMap<Key, Value>, key: Key, value: Value) {
        assert!(!contains_key(self, &key), error::invalid_argument(EKEY_ALREADY_EXISTS));
        vector::push_back(&mut self.data, Element { key, value });
    }

    /// Adds the pairs of two vectors of equal length. Aborts with `EKEY_ALREADY_EXISTS`.
    public fun add_all<Key: store, Value: store>(
        self: &mut SimpleMap<Key, Value>, keys: vector<Key>, values: vector<Value>
    ) {
        vector::zip(keys, values, |key, value| add(self, key, value));
    }

    /// Makes `value` the value of `key`, and returns the pair that was there.
    public fun upsert<Key: store, Value: store>(
        self: &mut SimpleMap<Key, Value>, key: Key, value: Value
    ): (Option<Key>, Option<Value>) {
        let found = find(self, &key);
        if (option::is_some(&found)) {
            let Element { key, value } =
                vector::replace(&mut self.data, option::extract(&mut found), Element { key, value });
            (option::some(key), option::some(value))
        } else {
            vector::push_back(&mut self.data, Element { key, value });
            (option::none(), option::none())
        }
    }

    /// A copy of all keys.
    public fun keys<Key: copy, Value>(self: &SimpleMap<Key, Value>): vector<Key> {
        vector::map_ref(&self.data, |pair| {
            let pair: &Element<Key, Value> = pair;
            pair.key
        })
    }

    /// A copy of all values.
    public fun values<Key, Value: copy>(self: &SimpleMap<Key, Value>): vector<Value> {
        vector::map_ref(&self.data, |pair| {
            let pair: &Element<Key, Value> = pair;
            pair.value
        })
    }

    /// Unpacks the map into its keys and values.
    public fun to_vec_pair<Key: store, Value: store>(self: SimpleMap<Key, Value>): (vector<Key>, vector<Value>) {
        let SimpleMap { data } = self;
        let keys = vector::empty();
        let values = vector::empty();
        vector::for_each(data, |pair| {
            let Element { key, value } = pair;
            vector::push_back(&mut keys, key);
            vector::push_back(&mut values, value);
        });
        (keys, values)
    }

    /// Takes the pair of `key`. Aborts with `EKEY_NOT_FOUND`. The last pair takes its place.
    public fun remove<Key: store, Value: store>(self: &mut SimpleMap<Key, Value>, key: &Key): (Key, Value) {
        let found = find(self, key);
        assert!(option::is_some(&found), error::invalid_argument(EKEY_NOT_FOUND));
        let Element { key, value } = vector::swap_remove(&mut self.data, option::extract(&mut found));
        (key, value)
    }

    fun find<Key: store, Value: store>(self: &SimpleMap<Key, Value>, key: &Key): Option<u64> {
        let i = 0;
        let n = vector::length(&self.data);
        while (i < n) {
            if (&vector::borrow(&self.data, i).key == key) return option::some(i);
            i = i + 1;
        };
        option::none()
    }

    #[test]
    fun pairs_are_added_replaced_and_removed() {
        let map = new<u64, u8>();
        add(&mut map, 3, 30);
        add(&mut map, 4, 40);
        upsert(&mut map, 3, 31);
        assert!(*borrow(&map, &3) == 31 && length(&map) == 2, 0);
        let (key, value) = remove(&mut map, &3);
        assert!(key == 3 && value == 31 && !contains_key(&map, &3), 1);
        assert!(keys(&map) == vector[4] && values(&map) == vector[40], 2);
    }

    #[test]
    #[expected_failure(abort_code = 0x10001, location = Self)]
    fun a_key_is_added_once() {
        let map = new<u64, u8>();
        add(&mut map, 3, 30);
        add(&mut map, 3, 30);
    }
}
