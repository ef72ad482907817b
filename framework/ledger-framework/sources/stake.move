/// The validators: who may propose blocks, and how often each did.
///
/// The set is made at genesis and stays. There are no stake pools, no rewards and no delegation here: a chain of one validator
/// needs none, and the module holds exactly what the block prologue and tools read.
module aptos_framework::stake {
    use std::error;
    use std::option::{Self, Option};
    use std::signer;
    use std::vector;
    use aptos_framework::chain_status;
    use aptos_framework::system_addresses;

    friend aptos_framework::block;
    friend aptos_framework::genesis;
    friend aptos_framework::reconfiguration;

    /// The address has no validator configuration.
    const EVALIDATOR_CONFIG: u64 = 1;
    /// A validator has some voting power.
    const EINVALID_VOTING_POWER: u64 = 2;
    /// The address is a validator already.
    const EALREADY_ACTIVE_VALIDATOR: u64 = 4;

    const VALIDATOR_STATUS_ACTIVE: u64 = 2;
    const VALIDATOR_STATUS_INACTIVE: u64 = 4;

    /// How a validator is reached and recognised.
    struct ValidatorConfig has copy, drop, key, store {
        consensus_pubkey: vector<u8>,
        network_addresses: vector<u8>,
        fullnode_addresses: vector<u8>,
        /// Position in the active set.
        validator_index: u64
    }

    /// One member of the set.
    struct ValidatorInfo has copy, drop, store {
        addr: address,
        voting_power: u64,
        config: ValidatorConfig
    }

    /// The validators of this epoch, and those who leave or join with the next.
    struct ValidatorSet has copy, drop, key, store {
        consensus_scheme: u8,
        active_validators: vector<ValidatorInfo>,
        pending_inactive: vector<ValidatorInfo>,
        pending_active: vector<ValidatorInfo>,
        total_voting_power: u128,
        total_joining_power: u128
    }

    /// How often a validator proposed, and failed to, in this epoch.
    struct IndividualValidatorPerformance has drop, store {
        successful_proposals: u64,
        failed_proposals: u64
    }

    /// The performance of the active validators, by position.
    struct ValidatorPerformance has key {
        validators: vector<IndividualValidatorPerformance>
    }

    /// Publishes an empty set. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(
            aptos_framework,
            ValidatorSet {
                consensus_scheme: 0,
                active_validators: vector::empty(),
                pending_inactive: vector::empty(),
                pending_active: vector::empty(),
                total_voting_power: 0,
                total_joining_power: 0
            }
        );
        move_to(aptos_framework, ValidatorPerformance { validators: vector::empty() });
    }

    /// Adds an active validator. Genesis only.
    public(friend) fun add_genesis_validator(
        owner: &signer, consensus_pubkey: vector<u8>, voting_power: u64
    ) acquires ValidatorPerformance, ValidatorSet {
        chain_status::assert_genesis();
        let addr = signer::address_of(owner);
        assert!(voting_power > 0, error::invalid_argument(EINVALID_VOTING_POWER));
        assert!(!exists<ValidatorConfig>(addr), error::already_exists(EALREADY_ACTIVE_VALIDATOR));
        let set = borrow_global_mut<ValidatorSet>(@aptos_framework);
        let config = ValidatorConfig {
            consensus_pubkey,
            network_addresses: vector::empty(),
            fullnode_addresses: vector::empty(),
            validator_index: vector::length(&set.active_validators)
        };
        move_to(owner, config);
        vector::push_back(&mut set.active_validators, ValidatorInfo { addr, voting_power, config });
        set.total_voting_power = set.total_voting_power + (voting_power as u128);
        let performance = borrow_global_mut<ValidatorPerformance>(@aptos_framework);
        vector::push_back(
            &mut performance.validators,
            IndividualValidatorPerformance { successful_proposals: 0, failed_proposals: 0 }
        );
    }

    #[view]
    /// True where `pool_address` is a validator of this epoch.
    public fun is_current_epoch_validator(pool_address: address): bool acquires ValidatorSet {
        option::is_some(
            &find_validator(&borrow_global<ValidatorSet>(@aptos_framework).active_validators, pool_address)
        )
    }

    #[view]
    /// 2 for a validator of this epoch, 4 for any other address.
    public fun get_validator_state(pool_address: address): u64 acquires ValidatorSet {
        if (is_current_epoch_validator(pool_address)) { VALIDATOR_STATUS_ACTIVE } else { VALIDATOR_STATUS_INACTIVE }
    }

    #[view]
    /// The validator's voting power in this epoch, 0 where the address is none.
    public fun get_current_epoch_voting_power(pool_address: address): u64 acquires ValidatorSet {
        let validators = &borrow_global<ValidatorSet>(@aptos_framework).active_validators;
        let found = find_validator(validators, pool_address);
        if (option::is_some(&found)) {
            vector::borrow(validators, option::extract(&mut found)).voting_power
        } else {
            0
        }
    }

    #[view]
    /// The validator's position in the active set.
    public fun get_validator_index(pool_address: address): u64 acquires ValidatorConfig {
        assert!(exists<ValidatorConfig>(pool_address), error::not_found(EVALIDATOR_CONFIG));
        borrow_global<ValidatorConfig>(pool_address).validator_index
    }

    #[view]
    /// The validator's consensus key, network addresses and full node addresses.
    public fun get_validator_config(
        pool_address: address
    ): (vector<u8>, vector<u8>, vector<u8>) acquires ValidatorConfig {
        assert!(exists<ValidatorConfig>(pool_address), error::not_found(EVALIDATOR_CONFIG));
        let config = borrow_global<ValidatorConfig>(pool_address);
        (config.consensus_pubkey, config.network_addresses, config.fullnode_addresses)
    }

    #[view]
    /// How often the validator at a position proposed, and failed to, in this epoch.
    public fun get_current_epoch_proposal_counts(validator_index: u64): (u64, u64) acquires ValidatorPerformance {
        let performance = &borrow_global<ValidatorPerformance>(@aptos_framework).validators;
        let validator = vector::borrow(performance, validator_index);
        (validator.successful_proposals, validator.failed_proposals)
    }

    /// Counts a block for its proposer and against those who should have proposed before. Never aborts, because a block prologue
    /// must not: positions outside the set are passed over.
    public(friend) fun update_performance_statistics(
        proposer_index: Option<u64>, failed_proposer_indices: vector<u64>
    ) acquires ValidatorPerformance {
        let validators = &mut borrow_global_mut<ValidatorPerformance>(@aptos_framework).validators;
        let n = vector::length(validators);
        if (option::is_some(&proposer_index)) {
            let index = option::extract(&mut proposer_index);
            if (index < n) {
                let validator = vector::borrow_mut(validators, index);
                validator.successful_proposals = validator.successful_proposals + 1;
            }
        };
        let i = 0;
        while (i < vector::length(&failed_proposer_indices)) {
            let index = *vector::borrow(&failed_proposer_indices, i);
            if (index < n) {
                let validator = vector::borrow_mut(validators, index);
                validator.failed_proposals = validator.failed_proposals + 1;
            };
            i = i + 1;
        }
    }

    /// Starts counting anew. The set stays as it is.
    public(friend) fun on_new_epoch() acquires ValidatorPerformance {
        let validators = &mut borrow_global_mut<ValidatorPerformance>(@aptos_framework).validators;
        let i = 0;
        while (i < vector::length(validators)) {
            *vector::borrow_mut(validators, i) = IndividualValidatorPerformance {
                successful_proposals: 0,
                failed_proposals: 0
            };
            i = i + 1;
        }
    }

    fun find_validator(validators: &vector<ValidatorInfo>, addr: address): Option<u64> {
        let i = 0;
        let n = vector::length(validators);
        while (i < n) {
            if (vector::borrow(validators, i).addr == addr) return option::some(i);
            i = i + 1;
        };
        option::none()
    }
}
