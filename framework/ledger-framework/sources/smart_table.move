/// Maps that know their size: cut into buckets by a hash of the key, each bucket an item of a table.
///
/// Buckets are split one by one as the map grows (linear hashing), so that no call moves more than one bucket. Keys of one hash share a
/// bucket, however long it gets: whoever lets strangers choose keys should use a plain table.
module aptos_std::smart_table {
    use std::error;
    use std::option::{Self, Option};
    use std::vector;
    use aptos_std::aptos_hash::sip_hash_from_value;
    use aptos_std::simple_map::{Self, SimpleMap};
    use aptos_std::table_with_length::{Self, TableWithLength};

    /// The map does not have this key.
    const ENOT_FOUND: u64 = 1;
    /// Only an empty map can be thrown away.
    const ENOT_EMPTY: u64 = 3;
    /// The map has this key already.
    const EALREADY_EXIST: u64 = 4;
    /// A map is split when it is more than 0 and at most 100 percent full.
    const EINVALID_LOAD_THRESHOLD_PERCENT: u64 = 5;
    /// A bucket should hold more than nothing.
    const EINVALID_TARGET_BUCKET_SIZE: u64 = 6;

    const DEFAULT_SPLIT_LOAD_THRESHOLD: u8 = 75;
    /// About as many bytes a bucket has where the maker does not say how many pairs it should hold.
    const TARGET_BUCKET_BYTES: u64 = 1024;

    /// A pair with the hash of its key.
    struct Entry<K, V> has copy, drop, store {
        hash: u64,
        key: K,
        value: V
    }

    /// A map.
    struct SmartTable<K, V> has store {
        buckets: TableWithLength<u64, vector<Entry<K, V>>>,
        num_buckets: u64,
        /// There are from 2^level up to, not including, 2^(level + 1) buckets.
        level: u8,
        /// How many pairs there are.
        size: u64,
        /// A bucket is split when the map is so full, in percent.
        split_load_threshold: u8,
        /// How many pairs a bucket should hold.
        target_bucket_size: u64
    }

    /// A map without pairs.
    public fun new<K: copy + drop + store, V: store>(): SmartTable<K, V> {
        new_with_config<K, V>(0, 0, 0)
    }

    /// A map without pairs. Zero stands for the usual: two buckets, 75 percent, as many pairs as fit into about 1024 bytes.
    public fun new_with_config<K: copy + drop + store, V: store>(
        num_initial_buckets: u64, split_load_threshold: u8, target_bucket_size: u64
    ): SmartTable<K, V> {
        assert!(
            split_load_threshold <= 100, error::invalid_argument(EINVALID_LOAD_THRESHOLD_PERCENT)
        );
        let buckets = table_with_length::new();
        table_with_length::add(&mut buckets, 0, vector[]);
        let table = SmartTable {
            buckets,
            num_buckets: 1,
            level: 0,
            size: 0,
            split_load_threshold: if (split_load_threshold == 0) DEFAULT_SPLIT_LOAD_THRESHOLD else split_load_threshold,
            target_bucket_size
        };
        if (num_initial_buckets == 0) {
            num_initial_buckets = 2;
        };
        while (table.num_buckets < num_initial_buckets) {
            split_one_bucket(&mut table);
        };
        table
    }

    /// Throws away a map without pairs.
    public fun destroy_empty<K, V>(self: SmartTable<K, V>) {
        assert!(self.size == 0, error::invalid_argument(ENOT_EMPTY));
        let i = 0;
        while (i < self.num_buckets) {
            vector::destroy_empty(table_with_length::remove(&mut self.buckets, i));
            i = i + 1;
        };
        let SmartTable { buckets, num_buckets: _, level: _, size: _, split_load_threshold: _, target_bucket_size: _ } =
            self;
        table_with_length::destroy_empty(buckets);
    }

    /// Throws away a map whose pairs may be thrown away.
    public fun destroy<K: drop, V: drop>(self: SmartTable<K, V>) {
        clear(&mut self);
        destroy_empty(self);
    }

    /// Throws every pair away. One bucket remains.
    public fun clear<K: drop, V: drop>(self: &mut SmartTable<K, V>) {
        *table_with_length::borrow_mut(&mut self.buckets, 0) = vector::empty();
        let i = 1;
        while (i < self.num_buckets) {
            table_with_length::remove(&mut self.buckets, i);
            i = i + 1;
        };
        self.num_buckets = 1;
        self.level = 0;
        self.size = 0;
    }

    /// Adds a pair. Aborts where the key is there.
    public fun add<K, V>(self: &mut SmartTable<K, V>, key: K, value: V) {
        let hash = sip_hash_from_value(&key);
        let bucket = table_with_length::borrow_mut(&mut self.buckets, bucket_index(self.level, self.num_buckets, hash));
        assert!(
            !vector::any(bucket, |entry| entry.hash == hash && &entry.key == &key),
            error::invalid_argument(EALREADY_EXIST)
        );
        let entry = Entry { hash, key, value };
        if (self.target_bucket_size == 0) {
            let bytes = std::bcs::serialized_size(&entry);
            self.target_bucket_size = if (bytes > TARGET_BUCKET_BYTES) 1 else TARGET_BUCKET_BYTES / bytes;
        };
        vector::push_back(bucket, entry);
        self.size = self.size + 1;
        if (load_factor(self) >= (self.split_load_threshold as u64)) {
            split_one_bucket(self);
        }
    }

    /// Adds pairs from two lists of the same length.
    public fun add_all<K, V>(self: &mut SmartTable<K, V>, keys: vector<K>, values: vector<V>) {
        vector::zip(keys, values, |key, value| add(self, key, value));
    }

    /// Cuts the next bucket in its order in two.
    fun split_one_bucket<K, V>(self: &mut SmartTable<K, V>) {
        let new_bucket_index = self.num_buckets;
        // The new bucket takes from the one with the same number but for its first bit.
        let to_split = new_bucket_index ^ (1 << self.level);
        self.num_buckets = new_bucket_index + 1;
        if (to_split + 1 == 1 << self.level) {
            self.level = self.level + 1;
        };
        let old = table_with_length::remove(&mut self.buckets, to_split);
        let stays = vector[];
        let moves = vector[];
        while (!vector::is_empty(&old)) {
            let entry = vector::pop_back(&mut old);
            if (bucket_index(self.level, self.num_buckets, entry.hash) == new_bucket_index) {
                vector::push_back(&mut moves, entry);
            } else {
                vector::push_back(&mut stays, entry);
            }
        };
        vector::destroy_empty(old);
        table_with_length::add(&mut self.buckets, to_split, stays);
        table_with_length::add(&mut self.buckets, new_bucket_index, moves);
    }

    /// The bucket of a hash: its last bits, one less where that bucket has not been split off yet.
    fun bucket_index(level: u8, num_buckets: u64, hash: u64): u64 {
        let index = hash % (1 << (level + 1));
        if (index < num_buckets) index else index % (1 << level)
    }

    /// How full the map is, in percent.
    public fun load_factor<K, V>(self: &SmartTable<K, V>): u64 {
        if (self.target_bucket_size == 0) 0 else self.size * 100 / self.num_buckets / self.target_bucket_size
    }

    /// How many pairs there are.
    public fun length<K, V>(self: &SmartTable<K, V>): u64 {
        self.size
    }

    inline fun position<K, V>(bucket: &vector<Entry<K, V>>, hash: u64, key: &K): Option<u64> {
        let (found, i) = vector::find(bucket, |entry| entry.hash == hash && &entry.key == key);
        if (found) option::some(i) else option::none()
    }

    /// The value of a key. Aborts where it is not there.
    public fun borrow<K: drop, V>(self: &SmartTable<K, V>, key: K): &V {
        let hash = sip_hash_from_value(&key);
        let bucket = table_with_length::borrow(&self.buckets, bucket_index(self.level, self.num_buckets, hash));
        let found = position(bucket, hash, &key);
        assert!(option::is_some(&found), error::invalid_argument(ENOT_FOUND));
        &vector::borrow(bucket, option::destroy_some(found)).value
    }

    /// The value of a key, or `default` where it is not there.
    public fun borrow_with_default<K: copy + drop, V>(self: &SmartTable<K, V>, key: K, default: &V): &V {
        if (contains(self, key)) borrow(self, key) else default
    }

    /// The value of a key, for writing. Aborts where it is not there.
    public fun borrow_mut<K: drop, V>(self: &mut SmartTable<K, V>, key: K): &mut V {
        let hash = sip_hash_from_value(&key);
        let index = bucket_index(self.level, self.num_buckets, hash);
        let bucket = table_with_length::borrow_mut(&mut self.buckets, index);
        let found = position(bucket, hash, &key);
        assert!(option::is_some(&found), error::invalid_argument(ENOT_FOUND));
        &mut vector::borrow_mut(bucket, option::destroy_some(found)).value
    }

    /// The value of a key, for writing, added first where it is not there.
    public fun borrow_mut_with_default<K: copy + drop, V: drop>(
        self: &mut SmartTable<K, V>, key: K, default: V
    ): &mut V {
        if (!contains(self, key)) {
            add(self, key, default);
        };
        borrow_mut(self, key)
    }

    /// True where the key is there.
    public fun contains<K: drop, V>(self: &SmartTable<K, V>, key: K): bool {
        let hash = sip_hash_from_value(&key);
        let bucket = table_with_length::borrow(&self.buckets, bucket_index(self.level, self.num_buckets, hash));
        vector::any(bucket, |entry| entry.hash == hash && &entry.key == &key)
    }

    /// Adds a pair, or replaces the value that is there.
    public fun upsert<K: copy + drop, V: drop>(self: &mut SmartTable<K, V>, key: K, value: V) {
        if (contains(self, key)) {
            *borrow_mut(self, key) = value;
        } else {
            add(self, key, value);
        }
    }

    /// Removes a pair and returns its value. Aborts where the key is not there.
    public fun remove<K: copy + drop, V>(self: &mut SmartTable<K, V>, key: K): V {
        let hash = sip_hash_from_value(&key);
        let index = bucket_index(self.level, self.num_buckets, hash);
        let bucket = table_with_length::borrow_mut(&mut self.buckets, index);
        let found = position(bucket, hash, &key);
        assert!(option::is_some(&found), error::invalid_argument(ENOT_FOUND));
        let Entry { hash: _, key: _, value } = vector::swap_remove(bucket, option::destroy_some(found));
        self.size = self.size - 1;
        value
    }

    /// All keys, in no order. Costs as much as the map is large.
    public fun keys<K: copy + drop + store, V: store>(self: &SmartTable<K, V>): vector<K> {
        let keys = vector[];
        let i = 0;
        while (i < self.num_buckets) {
            vector::for_each_ref(
                table_with_length::borrow(&self.buckets, i), |entry| vector::push_back(&mut keys, entry.key)
            );
            i = i + 1;
        };
        keys
    }

    /// All pairs as a simple map. Costs as much as the map is large.
    public fun to_simple_map<K: copy + drop + store, V: copy + store>(
        self: &SmartTable<K, V>
    ): SimpleMap<K, V> {
        let map = simple_map::new<K, V>();
        let i = 0;
        while (i < self.num_buckets) {
            vector::for_each_ref(
                table_with_length::borrow(&self.buckets, i),
                |entry| simple_map::add(&mut map, entry.key, entry.value)
            );
            i = i + 1;
        };
        map
    }

    /// Splits buckets at another fullness from now on, in percent.
    public fun update_split_load_threshold<K, V>(self: &mut SmartTable<K, V>, split_load_threshold: u8) {
        assert!(
            split_load_threshold > 0 && split_load_threshold <= 100,
            error::invalid_argument(EINVALID_LOAD_THRESHOLD_PERCENT)
        );
        self.split_load_threshold = split_load_threshold;
    }

    /// Lets buckets hold another number of pairs from now on.
    public fun update_target_bucket_size<K, V>(self: &mut SmartTable<K, V>, target_bucket_size: u64) {
        assert!(target_bucket_size > 0, error::invalid_argument(EINVALID_TARGET_BUCKET_SIZE));
        self.target_bucket_size = target_bucket_size;
    }

    #[test]
    fun a_map_is_split_and_loses_nothing() {
        let map = new_with_config<u64, u64>(1, 75, 4);
        let i = 0;
        while (i < 100) {
            add(&mut map, i, i * i);
            i = i + 1;
        };
        assert!(length(&map) == 100 && map.num_buckets > 20 && load_factor(&map) < 75, 0);
        i = 0;
        while (i < 100) {
            assert!(*borrow(&map, i) == i * i, 1);
            i = i + 2;
        };
        upsert(&mut map, 7, 0);
        *borrow_mut_with_default(&mut map, 200, 1) = 2;
        assert!(*borrow(&map, 7) == 0 && remove(&mut map, 200) == 2 && !contains(&map, 200), 2);
        assert!(vector::length(&keys(&map)) == 100, 3);
        assert!(*simple_map::borrow(&to_simple_map(&map), &9) == 81, 4);
        destroy(map);
    }

    #[test]
    #[expected_failure(abort_code = 0x10004, location = Self)]
    fun a_key_is_added_once() {
        let map = new<u64, bool>();
        add(&mut map, 1, true);
        add(&mut map, 1, true);
        destroy(map);
    }
}
