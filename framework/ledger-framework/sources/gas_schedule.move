/// What everything costs, by name. The node reads the resource at the start of a block.
module aptos_framework::gas_schedule {
    use std::error;
    use std::string::String;
    use std::vector;
    use aptos_framework::chain_status;
    use aptos_framework::config_buffer;
    use aptos_framework::system_addresses;
    use aptos_framework::util::from_bytes;

    friend aptos_framework::genesis;
    friend aptos_framework::reconfiguration;

    /// The schedule is empty.
    const EINVALID_GAS_SCHEDULE: u64 = 1;
    /// The new schedule is for an older version of the node's charges.
    const EINVALID_GAS_FEATURE_VERSION: u64 = 2;

    /// One price or limit.
    struct GasEntry has copy, drop, store {
        key: String,
        val: u64
    }

    /// All prices and limits, and the version of the rules they are for.
    struct GasScheduleV2 has copy, drop, key, store {
        feature_version: u64,
        entries: vector<GasEntry>
    }

    /// Publishes the schedule encoded in `gas_schedule_blob`. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer, gas_schedule_blob: vector<u8>) {
        system_addresses::assert_aptos_framework(aptos_framework);
        assert!(!vector::is_empty(&gas_schedule_blob), error::invalid_argument(EINVALID_GAS_SCHEDULE));
        move_to<GasScheduleV2>(aptos_framework, from_bytes(gas_schedule_blob));
    }

    /// Stages a schedule for the next epoch. The framework account only; the version may not go back.
    public fun set_for_next_epoch(aptos_framework: &signer, gas_schedule_blob: vector<u8>) acquires GasScheduleV2 {
        system_addresses::assert_aptos_framework(aptos_framework);
        assert!(!vector::is_empty(&gas_schedule_blob), error::invalid_argument(EINVALID_GAS_SCHEDULE));
        let new_schedule: GasScheduleV2 = from_bytes(gas_schedule_blob);
        if (exists<GasScheduleV2>(@aptos_framework)) {
            assert!(
                new_schedule.feature_version >= borrow_global<GasScheduleV2>(@aptos_framework).feature_version,
                error::invalid_argument(EINVALID_GAS_FEATURE_VERSION)
            );
        };
        config_buffer::upsert(new_schedule);
    }

    /// Makes a staged schedule the current one.
    public(friend) fun on_new_epoch(framework: &signer) acquires GasScheduleV2 {
        system_addresses::assert_aptos_framework(framework);
        if (chain_status::is_operating() && config_buffer::does_exist<GasScheduleV2>()) {
            let staged = config_buffer::extract<GasScheduleV2>();
            if (exists<GasScheduleV2>(@aptos_framework)) {
                *borrow_global_mut<GasScheduleV2>(@aptos_framework) = staged;
            } else {
                move_to(framework, staged);
            }
        }
    }

    #[test_only]
    /// The version of the current schedule.
    public fun feature_version_for_test(): u64 acquires GasScheduleV2 {
        borrow_global<GasScheduleV2>(@aptos_framework).feature_version
    }
}
