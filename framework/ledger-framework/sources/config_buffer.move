/// Settings that wait for the next epoch, one for each type.
module aptos_framework::config_buffer {
    use std::string::String;
    use aptos_std::any::{Self, Any};
    use aptos_std::simple_map::{Self, SimpleMap};
    use aptos_std::type_info;
    use aptos_framework::system_addresses;

    friend aptos_framework::gas_schedule;
    friend aptos_framework::genesis;
    friend aptos_framework::version;

    /// Waiting settings by the text of their type.
    struct PendingConfigs has key {
        configs: SimpleMap<String, Any>
    }

    /// Publishes the empty buffer. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        if (!exists<PendingConfigs>(@aptos_framework)) {
            move_to(aptos_framework, PendingConfigs { configs: simple_map::new() })
        }
    }

    /// True where a setting of type `T` waits.
    public fun does_exist<T: store>(): bool acquires PendingConfigs {
        exists<PendingConfigs>(@aptos_framework)
            && simple_map::contains_key(
                &borrow_global<PendingConfigs>(@aptos_framework).configs, &type_info::type_name<T>()
            )
    }

    /// Makes `config` the waiting setting of its type.
    public(friend) fun upsert<T: drop + store>(config: T) acquires PendingConfigs {
        let configs = borrow_global_mut<PendingConfigs>(@aptos_framework);
        simple_map::upsert(&mut configs.configs, type_info::type_name<T>(), any::pack(config));
    }

    /// Takes the waiting setting of type `T`.
    public(friend) fun extract<T: store>(): T acquires PendingConfigs {
        let configs = borrow_global_mut<PendingConfigs>(@aptos_framework);
        let (_, packed) = simple_map::remove(&mut configs.configs, &type_info::type_name<T>());
        any::unpack(packed)
    }
}
