/// Epochs: spans of blocks under one set of validators and one set of settings.
module aptos_framework::reconfiguration {
    use std::error;
    use std::features;
    use std::signer;
    use aptos_framework::account;
    use aptos_framework::chain_status;
    use aptos_framework::create_signer::create_signer;
    use aptos_framework::event::{Self, EventHandle};
    use aptos_framework::gas_schedule;
    use aptos_framework::stake;
    use aptos_framework::storage_gas;
    use aptos_framework::system_addresses;
    use aptos_framework::timestamp;
    use aptos_framework::version;

    friend aptos_framework::block;
    friend aptos_framework::genesis;

    /// The chain has no epochs yet.
    const ECONFIGURATION: u64 = 1;
    /// The chain is not as genesis leaves it.
    const ECONFIG: u64 = 2;
    /// Epochs are not disabled or enabled twice.
    const EMODIFY_CAPABILITY: u64 = 3;
    /// The clock stands before the last change of epoch.
    const EINVALID_BLOCK_TIME: u64 = 4;
    /// The stream of epoch events must have identifier 2, by which nodes know it.
    const EINVALID_GUID_FOR_EVENT: u64 = 5;

    #[event]
    /// A new epoch has begun.
    struct NewEpoch has drop, store {
        epoch: u64
    }

    /// A new epoch has begun, on the stream nodes follow.
    struct NewEpochEvent has drop, store {
        epoch: u64
    }

    /// The current epoch and when it began, microseconds.
    struct Configuration has key {
        epoch: u64,
        last_reconfiguration_time: u64,
        events: EventHandle<NewEpochEvent>
    }

    /// Present while epochs do not change.
    struct DisableReconfiguration has key {}

    /// Publishes epoch 0. Genesis only, and before any other stream of the framework account.
    public(friend) fun initialize(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        assert!(
            account::get_guid_next_creation_num(signer::address_of(aptos_framework)) == 2,
            error::invalid_state(EINVALID_GUID_FOR_EVENT)
        );
        move_to(
            aptos_framework,
            Configuration {
                epoch: 0,
                last_reconfiguration_time: 0,
                events: account::new_event_handle<NewEpochEvent>(aptos_framework)
            }
        );
    }

    /// Begins the next epoch: settings that waited take effect, prices follow the state's size, counters start anew.
    ///
    /// Does nothing during genesis, at time 0, while disabled, and for a second time in one microsecond.
    public(friend) fun reconfigure() acquires Configuration {
        if (chain_status::is_genesis()
            || timestamp::now_microseconds() == 0
            || exists<DisableReconfiguration>(@aptos_framework)) return;
        let now = timestamp::now_microseconds();
        let last = borrow_global<Configuration>(@aptos_framework).last_reconfiguration_time;
        if (now == last) return;
        assert!(now > last, error::invalid_state(EINVALID_BLOCK_TIME));

        let framework = create_signer(@aptos_framework);
        gas_schedule::on_new_epoch(&framework);
        version::on_new_epoch(&framework);
        features::on_new_epoch(&framework);
        stake::on_new_epoch();
        storage_gas::on_reconfig();

        let config = borrow_global_mut<Configuration>(@aptos_framework);
        config.last_reconfiguration_time = now;
        config.epoch = config.epoch + 1;
        emit_epoch(config);
    }

    #[view]
    /// When the epoch began, microseconds.
    public fun last_reconfiguration_time(): u64 acquires Configuration {
        borrow_global<Configuration>(@aptos_framework).last_reconfiguration_time
    }

    #[view]
    /// The current epoch.
    public fun current_epoch(): u64 acquires Configuration {
        borrow_global<Configuration>(@aptos_framework).epoch
    }

    /// Begins epoch 1 at the end of genesis.
    public(friend) fun emit_genesis_reconfiguration_event() acquires Configuration {
        let config = borrow_global_mut<Configuration>(@aptos_framework);
        assert!(config.epoch == 0 && config.last_reconfiguration_time == 0, error::invalid_state(ECONFIGURATION));
        config.epoch = 1;
        emit_epoch(config);
    }

    fun emit_epoch(config: &mut Configuration) {
        let epoch = config.epoch;
        event::emit_event(&mut config.events, NewEpochEvent { epoch });
        if (features::module_event_enabled()) {
            event::emit(NewEpoch { epoch });
        }
    }
}
