/// The chain's clock: the time the last block states, in microseconds since 1970.
///
/// It moves at block borders only, so every transaction of a block sees one time.
module aptos_framework::timestamp {
    use std::error;
    use aptos_framework::system_addresses;

    friend aptos_framework::genesis;

    /// The clock has not been started.
    const ENOT_OPERATING: u64 = 1;
    /// A block's time must move forward, or stand still where nobody proposed it.
    const EINVALID_TIMESTAMP: u64 = 2;

    const MICRO_CONVERSION_FACTOR: u64 = 1000000;

    /// The time of the last block.
    struct CurrentTimeMicroseconds has key {
        microseconds: u64
    }

    /// Starts the clock at 0. Genesis only.
    public(friend) fun set_time_has_started(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, CurrentTimeMicroseconds { microseconds: 0 })
    }

    /// Moves the clock to `timestamp` microseconds. The virtual machine only.
    ///
    /// A block with a proposer must be later than the one before; a block nobody proposed keeps the time.
    public fun update_global_time(account: &signer, proposer: address, timestamp: u64) acquires CurrentTimeMicroseconds {
        system_addresses::assert_vm(account);
        let clock = borrow_global_mut<CurrentTimeMicroseconds>(@aptos_framework);
        let now = clock.microseconds;
        if (proposer == @vm_reserved) {
            assert!(now == timestamp, error::invalid_argument(EINVALID_TIMESTAMP));
        } else {
            assert!(now < timestamp, error::invalid_argument(EINVALID_TIMESTAMP));
            clock.microseconds = timestamp;
        }
    }

    #[view]
    /// The time of the last block, microseconds.
    public fun now_microseconds(): u64 acquires CurrentTimeMicroseconds {
        borrow_global<CurrentTimeMicroseconds>(@aptos_framework).microseconds
    }

    #[view]
    /// The time of the last block, whole seconds.
    public fun now_seconds(): u64 acquires CurrentTimeMicroseconds {
        now_microseconds() / MICRO_CONVERSION_FACTOR
    }

    #[test_only]
    /// Starts the clock for tests.
    public fun set_time_has_started_for_testing(account: &signer) {
        if (!exists<CurrentTimeMicroseconds>(@aptos_framework)) {
            set_time_has_started(account)
        }
    }

    #[test_only]
    /// Sets the clock for tests, microseconds.
    public fun update_global_time_for_test(timestamp: u64) acquires CurrentTimeMicroseconds {
        borrow_global_mut<CurrentTimeMicroseconds>(@aptos_framework).microseconds = timestamp;
    }

    #[test_only]
    /// Sets the clock for tests, seconds.
    public fun update_global_time_for_test_secs(seconds: u64) acquires CurrentTimeMicroseconds {
        update_global_time_for_test(seconds * MICRO_CONVERSION_FACTOR)
    }
}
