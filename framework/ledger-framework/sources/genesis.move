/// Makes a chain's first state, step by step.
///
/// The functions are private: the node calls them past visibility, in the order the framework's README gives, once in the life of a
/// chain. None takes a signer, since nobody can sign yet.
module aptos_framework::genesis {
    use std::error;
    use std::features;
    use std::vector;
    use aptos_framework::account;
    use aptos_framework::aggregator_factory;
    use aptos_framework::aptos_account;
    use aptos_framework::aptos_coin::{Self, AptosCoin};
    use aptos_framework::block;
    use aptos_framework::chain_id;
    use aptos_framework::chain_status;
    use aptos_framework::code::{Self, PackageMetadata};
    use aptos_framework::coin::{Self, MintCapability};
    use aptos_framework::config_buffer;
    use aptos_framework::create_signer::create_signer;
    use aptos_framework::gas_schedule;
    use aptos_framework::nonce_validation;
    use aptos_framework::randomness;
    use aptos_framework::reconfiguration;
    use aptos_framework::stake;
    use aptos_framework::state_storage;
    use aptos_framework::storage_gas;
    use aptos_framework::timestamp;
    use aptos_framework::transaction_fee;
    use aptos_framework::transaction_validation;
    use aptos_framework::util;
    use aptos_framework::version;

    /// There must be one balance for each account.
    const EBALANCES_LENGTH_MISMATCH: u64 = 1;

    /// The version of the protocol a new chain speaks.
    const INITIAL_VERSION: u64 = 1;

    /// The package whose modules live at `0x4`.
    const TOKEN_OBJECTS_PACKAGE: vector<u8> = b"LedgerTokenObjects";

    /// The right to mint while the chain is being made. Gone once it runs.
    struct GenesisMint has key {
        mint_cap: MintCapability<AptosCoin>
    }

    /// Publishes the framework account's resources.
    ///
    /// `gas_schedule` is the encoding of a `GasScheduleV2`, `features` the numbers of those that are on, `epoch_interval_usecs`
    /// the length of an epoch.
    fun initialize(
        gas_schedule: vector<u8>, chain_id: u8, features: vector<u64>, epoch_interval_usecs: u64
    ) {
        chain_status::assert_genesis();
        let (framework, _) = account::create_framework_reserved_account(@aptos_framework);
        let framework = &framework;
        features::change_feature_flags_internal(framework, features, vector[]);
        account::initialize(framework);
        aggregator_factory::initialize_aggregator_factory(framework);
        chain_id::initialize(framework, chain_id);
        version::initialize(framework, INITIAL_VERSION);
        config_buffer::initialize(framework);
        gas_schedule::initialize(framework, gas_schedule);
        storage_gas::initialize(framework);
        state_storage::initialize(framework);
        transaction_validation::initialize(framework);
        nonce_validation::initialize(framework);
        randomness::initialize(framework);
        stake::initialize(framework);
        // Nodes know both streams of events by their numbers: 2 for epochs, 3 for blocks.
        reconfiguration::initialize(framework);
        block::initialize(framework, epoch_interval_usecs);
        timestamp::set_time_has_started(framework);
    }

    /// Makes the native coin and gives the rights to burn fees and mint refunds to those who use them.
    fun initialize_aptos_coin() {
        chain_status::assert_genesis();
        let framework = &create_signer(@aptos_framework);
        coin::initialize_supply_config(framework);
        coin::create_coin_conversion_map(framework);
        let (burn_cap, mint_cap) = aptos_coin::initialize(framework);
        transaction_fee::store_aptos_coin_burn_cap(framework, burn_cap);
        transaction_fee::store_aptos_coin_mint_cap(framework, mint_cap);
        coin::create_pairing<AptosCoin>(framework);
        move_to(framework, GenesisMint { mint_cap });
    }

    /// Creates the account that may mint on a development chain, guarded by the key with the hash `core_resources_auth_key`.
    fun initialize_core_resources(core_resources_auth_key: vector<u8>, balance: u64) acquires GenesisMint {
        chain_status::assert_genesis();
        aptos_account::create_account(@core_resources);
        let core_resources = create_signer(@core_resources);
        account::rotate_authentication_key_internal(&core_resources, core_resources_auth_key);
        let mint_cap = &borrow_global<GenesisMint>(@aptos_framework).mint_cap;
        aptos_coin::configure_minter(&core_resources, *mint_cap);
        coin::deposit(@core_resources, coin::mint<AptosCoin>(balance, mint_cap));
    }

    /// Creates accounts that hold `balances` octas.
    fun create_accounts(addresses: vector<address>, balances: vector<u64>) acquires GenesisMint {
        chain_status::assert_genesis();
        let n = vector::length(&addresses);
        assert!(n == vector::length(&balances), error::invalid_argument(EBALANCES_LENGTH_MISMATCH));
        let mint_cap = &borrow_global<GenesisMint>(@aptos_framework).mint_cap;
        let i = 0;
        while (i < n) {
            let addr = *vector::borrow(&addresses, i);
            aptos_account::create_account(addr);
            coin::deposit(addr, coin::mint<AptosCoin>(*vector::borrow(&balances, i), mint_cap));
            i = i + 1;
        }
    }

    /// Adds a validator, creating its account where it does not exist.
    fun create_validator(owner_address: address, consensus_pubkey: vector<u8>, voting_power: u64) {
        chain_status::assert_genesis();
        if (!account::exists_at(owner_address)) {
            aptos_account::create_account(owner_address);
        };
        stake::add_genesis_validator(&create_signer(owner_address), consensus_pubkey, voting_power);
    }

    /// Records the framework's own packages. Each element is the encoding of a `PackageMetadata`. The package of token objects lives
    /// at `0x4`, all others at `0x1`.
    fun initialize_packages(packages: vector<vector<u8>>) {
        chain_status::assert_genesis();
        let framework = &create_signer(@aptos_framework);
        vector::for_each(packages, |package| {
            let metadata = util::from_bytes<PackageMetadata>(package);
            if (code::package_name(&metadata) == std::string::utf8(TOKEN_OBJECTS_PACKAGE)) {
                let (owner, _) = account::create_framework_reserved_account(@0x4);
                code::initialize(framework, &owner, metadata)
            } else {
                code::initialize(framework, framework, metadata)
            }
        });
    }

    /// Ends genesis: epoch 1 begins, and nobody but those who were given the right can mint.
    fun set_genesis_end() acquires GenesisMint {
        let framework = &create_signer(@aptos_framework);
        let GenesisMint { mint_cap } = move_from<GenesisMint>(@aptos_framework);
        coin::destroy_mint_cap(mint_cap);
        aptos_coin::destroy_mint_cap(framework);
        block::emit_genesis_block_event(create_signer(@vm_reserved));
        reconfiguration::emit_genesis_reconfiguration_event();
        chain_status::set_genesis_end(framework);
    }

    #[test_only]
    /// A running chain for tests: id 4, epochs of a second, the validator `0xb0b`, and `0xa11ce` with 1000 octas.
    public fun setup_for_test() acquires GenesisMint {
        let gas_schedule = x"25000000000000000103747874ff00000000000000";
        initialize(gas_schedule, 4, vector[10, 22, 26, 34, 37, 50, 52, 55, 60, 67, 70, 78], 1000000);
        initialize_aptos_coin();
        initialize_core_resources(std::bcs::to_bytes(&@0xfa0ce7), 5000);
        create_accounts(vector[@0xa11ce], vector[1000]);
        create_validator(@0xb0b, b"key", 1);
        initialize_packages(vector[]);
        set_genesis_end();
    }
}
