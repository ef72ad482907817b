/// Random numbers for entry functions.
///
/// This chain has one producer and no protocol that hides its dice: the seed of a block is made of what the producer knows before it
/// cuts the block. The numbers are well spread and differ from call to call, and suit development; whoever runs the node can foresee them.
module aptos_framework::randomness {
    use std::bcs;
    use std::hash;
    use std::option::{Self, Option};
    use std::vector;
    use aptos_framework::event;
    use aptos_framework::system_addresses;
    use aptos_framework::transaction_context;

    friend aptos_framework::block;
    friend aptos_framework::genesis;

    /// A number may be drawn only in a call that begins with a private entry function marked `#[randomness]`, since a program that calls
    /// another could throw away the outcomes it does not like.
    const E_API_USE_IS_BIASIBLE: u64 = 1;

    /// Set apart from other uses of the same hash.
    const DST: vector<u8> = b"LEDGER_NODE_DEVELOPMENT_RANDOMNESS";
    const MAX_U256: u256 = 115792089237316195423570985008687907853269984665640564039457584007913129639935;

    /// What a block's numbers come from.
    struct PerBlockRandomness has drop, key {
        epoch: u64,
        round: u64,
        /// 32 bytes; none before the first block.
        seed: Option<vector<u8>>
    }

    #[event]
    /// A number has been drawn.
    struct RandomnessGeneratedEvent has drop, store {}

    /// Publishes the source. Genesis only.
    public(friend) fun initialize(framework: &signer) {
        system_addresses::assert_aptos_framework(framework);
        if (!exists<PerBlockRandomness>(@aptos_framework)) {
            move_to(framework, PerBlockRandomness { epoch: 0, round: 0, seed: option::none() });
        }
    }

    /// Sets the seed of a block.
    public(friend) fun on_new_block(vm: &signer, epoch: u64, round: u64, seed_for_new_block: Option<vector<u8>>) acquires PerBlockRandomness {
        system_addresses::assert_vm(vm);
        if (exists<PerBlockRandomness>(@aptos_framework)) {
            let randomness = borrow_global_mut<PerBlockRandomness>(@aptos_framework);
            randomness.epoch = epoch;
            randomness.round = round;
            randomness.seed = seed_for_new_block;
        }
    }

    /// The next 32 bytes: a hash over the block's seed, the transaction and the number of the call.
    fun next_32_bytes(): vector<u8> acquires PerBlockRandomness {
        assert!(is_unbiasable(), E_API_USE_IS_BIASIBLE);
        let input = DST;
        let randomness = borrow_global<PerBlockRandomness>(@aptos_framework);
        vector::append(&mut input, *option::borrow(&randomness.seed));
        vector::append(&mut input, transaction_context::get_transaction_hash());
        vector::append(&mut input, fetch_and_increment_txn_counter());
        hash::sha3_256(input)
    }

    fun next_bytes(n: u64): vector<u8> acquires PerBlockRandomness {
        let bytes = vector[];
        while (vector::length(&bytes) < n) {
            vector::append(&mut bytes, next_32_bytes());
        };
        vector::trim(&mut bytes, n);
        bytes
    }

    fun next_number(bytes: u64): u256 acquires PerBlockRandomness {
        let number: u256 = 0;
        vector::for_each(next_bytes(bytes), |byte| number = (number << 8) + (byte as u256));
        number
    }

    fun drawn() {
        event::emit(RandomnessGeneratedEvent {});
    }

    /// `n` random bytes.
    public fun bytes(n: u64): vector<u8> acquires PerBlockRandomness {
        drawn();
        next_bytes(n)
    }

    /// A random `u8`.
    public fun u8_integer(): u8 acquires PerBlockRandomness {
        drawn();
        (next_number(1) as u8)
    }

    /// A random `u16`.
    public fun u16_integer(): u16 acquires PerBlockRandomness {
        drawn();
        (next_number(2) as u16)
    }

    /// A random `u32`.
    public fun u32_integer(): u32 acquires PerBlockRandomness {
        drawn();
        (next_number(4) as u32)
    }

    /// A random `u64`.
    public fun u64_integer(): u64 acquires PerBlockRandomness {
        drawn();
        (next_number(8) as u64)
    }

    /// A random `u128`.
    public fun u128_integer(): u128 acquires PerBlockRandomness {
        drawn();
        (next_number(16) as u128)
    }

    /// A random `u256`.
    public fun u256_integer(): u256 acquires PerBlockRandomness {
        drawn();
        next_number(32)
    }

    /// A random number from `min_incl` up to, not including, `max_excl`, drawn from many more bits than the range has, so that no number
    /// is favoured by more than one part in 2^64.
    fun in_range(min_incl: u256, max_excl: u256, bytes: u64): u256 acquires PerBlockRandomness {
        drawn();
        min_incl + next_number(bytes) % (max_excl - min_incl)
    }

    /// A random number from `min_incl` up to, not including, `max_excl`.
    public fun u8_range(min_incl: u8, max_excl: u8): u8 acquires PerBlockRandomness {
        (in_range((min_incl as u256), (max_excl as u256), 16) as u8)
    }

    /// A random number from `min_incl` up to, not including, `max_excl`.
    public fun u16_range(min_incl: u16, max_excl: u16): u16 acquires PerBlockRandomness {
        (in_range((min_incl as u256), (max_excl as u256), 16) as u16)
    }

    /// A random number from `min_incl` up to, not including, `max_excl`.
    public fun u32_range(min_incl: u32, max_excl: u32): u32 acquires PerBlockRandomness {
        (in_range((min_incl as u256), (max_excl as u256), 16) as u32)
    }

    /// A random number from `min_incl` up to, not including, `max_excl`.
    public fun u64_range(min_incl: u64, max_excl: u64): u64 acquires PerBlockRandomness {
        (in_range((min_incl as u256), (max_excl as u256), 16) as u64)
    }

    /// A random number from `min_incl` up to, not including, `max_excl`.
    public fun u128_range(min_incl: u128, max_excl: u128): u128 acquires PerBlockRandomness {
        (in_range((min_incl as u256), (max_excl as u256), 32) as u128)
    }

    /// A random number from `min_incl` up to, not including, `max_excl`, by drawing again where a draw would favour some numbers.
    public fun u256_range(min_incl: u256, max_excl: u256): u256 acquires PerBlockRandomness {
        drawn();
        let range = max_excl - min_incl;
        let excess = (MAX_U256 % range + 1) % range;
        let sample = next_number(32);
        while (sample > MAX_U256 - excess) {
            sample = next_number(32);
        };
        min_incl + sample % range
    }

    /// A random order of the numbers below `n`.
    public fun permutation(n: u64): vector<u64> acquires PerBlockRandomness {
        drawn();
        let values = vector::range(0, n);
        let tail = n;
        while (tail > 1) {
            let pick = (next_number(16) % (tail as u256) as u64);
            tail = tail - 1;
            vector::swap(&mut values, pick, tail);
        };
        values
    }

    /// The seed of a block, from what tells it apart from all others.
    public(friend) fun development_seed(block_id: address, epoch: u64, round: u64, timestamp_usecs: u64): vector<u8> {
        let input = DST;
        vector::append(&mut input, bcs::to_bytes(&block_id));
        vector::append(&mut input, bcs::to_bytes(&epoch));
        vector::append(&mut input, bcs::to_bytes(&round));
        vector::append(&mut input, bcs::to_bytes(&timestamp_usecs));
        hash::sha3_256(input)
    }

    native fun fetch_and_increment_txn_counter(): vector<u8>;
    native fun is_unbiasable(): bool;
}
