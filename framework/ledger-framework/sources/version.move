/// The version of the protocol the chain speaks.
module aptos_framework::version {
    use std::error;
    use aptos_framework::config_buffer;
    use aptos_framework::system_addresses;

    friend aptos_framework::genesis;
    friend aptos_framework::reconfiguration;

    /// The version may only go up.
    const EINVALID_MAJOR_VERSION_NUMBER: u64 = 1;

    /// The version.
    struct Version has drop, key, store {
        major: u64
    }

    /// Publishes the version. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer, initial_version: u64) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(aptos_framework, Version { major: initial_version });
    }

    /// Stages a higher version for the next epoch. The framework account only.
    public fun set_for_next_epoch(aptos_framework: &signer, major: u64) acquires Version {
        system_addresses::assert_aptos_framework(aptos_framework);
        assert!(
            borrow_global<Version>(@aptos_framework).major < major,
            error::invalid_argument(EINVALID_MAJOR_VERSION_NUMBER)
        );
        config_buffer::upsert(Version { major });
    }

    /// Makes a staged version the current one.
    public(friend) fun on_new_epoch(framework: &signer) acquires Version {
        system_addresses::assert_aptos_framework(framework);
        if (config_buffer::does_exist<Version>()) {
            *borrow_global_mut<Version>(@aptos_framework) = config_buffer::extract<Version>();
        }
    }

    #[test_only]
    /// The current version.
    public fun major_for_test(): u64 acquires Version {
        borrow_global<Version>(@aptos_framework).major
    }
}
