/// Remembers the nonces of orderless transactions until each has expired, so that none runs twice.
///
/// The history is cut into buckets by a hash of sender and nonce, so that two transactions rarely touch the same items. Within a bucket
/// every nonce is an item of its own, and a queue in order of arrival says which ones may have expired: a call forgets at most five, so
/// its work does not grow with the history, and the history holds little more than what was sent in the last minutes.
module aptos_framework::nonce_validation {
    use std::bcs;
    use std::error;
    use aptos_std::aptos_hash::sip_hash;
    use aptos_std::table::{Self, Table};
    use aptos_framework::system_addresses;
    use aptos_framework::timestamp;

    friend aptos_framework::genesis;
    friend aptos_framework::transaction_validation;

    /// The chain keeps no history.
    const E_NONCE_HISTORY_DOES_NOT_EXIST: u64 = 1;

    const NUM_BUCKETS: u64 = 50000;
    /// A nonce may be used again for a transaction that expires this much later than the one before, in seconds.
    const NONCE_REPLAY_PROTECTION_OVERLAP_INTERVAL_SECS: u64 = 100;
    /// As many expired nonces one call forgets.
    const MAX_ENTRIES_GARBAGE_COLLECTED_PER_CALL: u64 = 5;

    /// Every nonce that has not been forgotten. A bucket is made when it is first needed.
    struct NonceHistory has key {
        nonce_table: Table<u64, Bucket>
    }

    /// The nonces of one hash.
    struct Bucket has store {
        /// When the latest transaction with a nonce expires, in seconds.
        nonce_to_exp_time_map: Table<NonceKey, u64>,
        /// In order of arrival; items from `first` up to, not including, `next`.
        arrivals: Table<u64, NonceKeyWithExpTime>,
        first: u64,
        next: u64
    }

    /// What must not come twice.
    struct NonceKey has copy, drop, store {
        sender_address: address,
        nonce: u64
    }

    /// The same, for a transaction that expires then.
    struct NonceKeyWithExpTime has copy, drop, store {
        txn_expiration_time: u64,
        sender_address: address,
        nonce: u64
    }

    /// Publishes an empty history. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, NonceHistory { nonce_table: table::new() });
    }

    /// Remembers the nonce of a transaction that expires at `txn_expiration_time`, in seconds, or returns false where it may not be used:
    /// while a transaction with it could still run, or where the new one expires hardly later than the one before.
    public(friend) fun check_and_insert_nonce(
        sender_address: address, nonce: u64, txn_expiration_time: u64
    ): bool acquires NonceHistory {
        assert!(exists<NonceHistory>(@aptos_framework), error::invalid_state(E_NONCE_HISTORY_DOES_NOT_EXIST));
        let nonce_key = NonceKey { sender_address, nonce };
        let bucket = bucket_of(&nonce_key);
        let now = timestamp::now_seconds();
        if (table::contains(&bucket.nonce_to_exp_time_map, nonce_key)) {
            let existing = *table::borrow(&bucket.nonce_to_exp_time_map, nonce_key);
            if (existing >= now
                || txn_expiration_time <= existing + NONCE_REPLAY_PROTECTION_OVERLAP_INTERVAL_SECS) return false;
        };
        forget_expired(bucket, now);
        table::upsert(&mut bucket.nonce_to_exp_time_map, nonce_key, txn_expiration_time);
        table::add(
            &mut bucket.arrivals, bucket.next, NonceKeyWithExpTime { txn_expiration_time, sender_address, nonce }
        );
        bucket.next = bucket.next + 1;
        true
    }

    inline fun bucket_of(nonce_key: &NonceKey): &mut Bucket {
        let index = sip_hash(bcs::to_bytes(nonce_key)) % NUM_BUCKETS;
        let buckets = &mut borrow_global_mut<NonceHistory>(@aptos_framework).nonce_table;
        if (!table::contains(buckets, index)) {
            table::add(
                buckets,
                index,
                Bucket { nonce_to_exp_time_map: table::new(), arrivals: table::new(), first: 0, next: 0 }
            );
        };
        table::borrow_mut(buckets, index)
    }

    /// Forgets from the front of the queue. One that has not expired holds up those behind it, for as long as transactions live at most.
    fun forget_expired(bucket: &mut Bucket, now: u64) {
        let forgotten = 0;
        while (forgotten < MAX_ENTRIES_GARBAGE_COLLECTED_PER_CALL && bucket.first < bucket.next) {
            let NonceKeyWithExpTime { txn_expiration_time, sender_address, nonce } =
                *table::borrow(&bucket.arrivals, bucket.first);
            if (txn_expiration_time + NONCE_REPLAY_PROTECTION_OVERLAP_INTERVAL_SECS >= now) break;
            table::remove(&mut bucket.arrivals, bucket.first);
            bucket.first = bucket.first + 1;
            // A nonce used again stands in the queue twice; the later arrival forgets it.
            let key = NonceKey { sender_address, nonce };
            if (table::contains(&bucket.nonce_to_exp_time_map, key)
                && *table::borrow(&bucket.nonce_to_exp_time_map, key) == txn_expiration_time) {
                table::remove(&mut bucket.nonce_to_exp_time_map, key);
            };
            forgotten = forgotten + 1;
        }
    }

    #[view]
    /// True where a transaction with this nonce could still run.
    public fun nonce_exists(sender_address: address, nonce: u64, txn_expiration_time: u64): bool acquires NonceHistory {
        let key = NonceKey { sender_address, nonce };
        let index = sip_hash(bcs::to_bytes(&key)) % NUM_BUCKETS;
        let buckets = &borrow_global<NonceHistory>(@aptos_framework).nonce_table;
        if (!table::contains(buckets, index)) return false;
        let nonces = &table::borrow(buckets, index).nonce_to_exp_time_map;
        table::contains(nonces, key) && *table::borrow(nonces, key) == txn_expiration_time
    }

    #[test_only]
    /// Uses a nonce.
    public fun insert_for_test(sender_address: address, nonce: u64, txn_expiration_time: u64): bool acquires NonceHistory {
        check_and_insert_nonce(sender_address, nonce, txn_expiration_time)
    }
}
