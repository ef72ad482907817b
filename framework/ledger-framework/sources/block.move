/// Blocks: the clock, the height, and the end of an epoch when its time has come.
module aptos_framework::block {
    use std::error;
    use std::option;
    use std::vector;
    use aptos_framework::account;
    use aptos_framework::event::{Self, EventHandle};
    use aptos_framework::randomness;
    use aptos_framework::reconfiguration;
    use aptos_framework::stake;
    use aptos_framework::state_storage;
    use aptos_framework::system_addresses;
    use aptos_framework::timestamp;

    friend aptos_framework::genesis;

    /// The height and the number of block events differ.
    const ENUM_NEW_BLOCK_EVENTS_DOES_NOT_MATCH_BLOCK_HEIGHT: u64 = 1;
    /// The proposer is no validator of this epoch.
    const EINVALID_PROPOSER: u64 = 2;
    /// An epoch lasts longer than no time.
    const EZERO_EPOCH_INTERVAL: u64 = 3;

    /// The height of the last block and the length of an epoch, microseconds.
    struct BlockResource has key {
        height: u64,
        epoch_interval: u64,
        new_block_events: EventHandle<NewBlockEvent>,
        update_epoch_interval_events: EventHandle<UpdateEpochIntervalEvent>
    }

    /// A block has begun.
    struct NewBlockEvent has copy, drop, store {
        /// The block's id.
        hash: address,
        epoch: u64,
        round: u64,
        height: u64,
        previous_block_votes_bitvec: vector<u8>,
        proposer: address,
        failed_proposer_indices: vector<u64>,
        time_microseconds: u64
    }

    /// The length of an epoch has changed, microseconds.
    struct UpdateEpochIntervalEvent has drop, store {
        old_epoch_interval: u64,
        new_epoch_interval: u64
    }

    /// Publishes height 0. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer, epoch_interval_microsecs: u64) {
        system_addresses::assert_aptos_framework(aptos_framework);
        assert!(epoch_interval_microsecs > 0, error::invalid_argument(EZERO_EPOCH_INTERVAL));
        move_to(
            aptos_framework,
            BlockResource {
                height: 0,
                epoch_interval: epoch_interval_microsecs,
                new_block_events: account::new_event_handle<NewBlockEvent>(aptos_framework),
                update_epoch_interval_events: account::new_event_handle<UpdateEpochIntervalEvent>(aptos_framework)
            }
        );
    }

    /// Changes the length of an epoch. The framework account only.
    public fun update_epoch_interval_microsecs(
        aptos_framework: &signer, new_epoch_interval: u64
    ) acquires BlockResource {
        system_addresses::assert_aptos_framework(aptos_framework);
        assert!(new_epoch_interval > 0, error::invalid_argument(EZERO_EPOCH_INTERVAL));
        let block = borrow_global_mut<BlockResource>(@aptos_framework);
        let old_epoch_interval = block.epoch_interval;
        block.epoch_interval = new_epoch_interval;
        event::emit_event(
            &mut block.update_epoch_interval_events,
            UpdateEpochIntervalEvent { old_epoch_interval, new_epoch_interval }
        );
    }

    #[view]
    /// The length of an epoch, whole seconds.
    public fun get_epoch_interval_secs(): u64 acquires BlockResource {
        borrow_global<BlockResource>(@aptos_framework).epoch_interval / 1000000
    }

    #[view]
    /// The height of the last block.
    public fun get_current_block_height(): u64 acquires BlockResource {
        borrow_global<BlockResource>(@aptos_framework).height
    }

    /// Begins a block. Called by the virtual machine as the first thing of every block.
    ///
    /// `proposer` is a validator of this epoch, or `0x0` for a block that nobody proposed; `hash` is the block's id; `timestamp`
    /// is in microseconds.
    fun block_prologue(
        vm: signer,
        hash: address,
        epoch: u64,
        round: u64,
        proposer: address,
        failed_proposer_indices: vector<u64>,
        previous_block_votes_bitvec: vector<u8>,
        timestamp: u64
    ) acquires BlockResource {
        system_addresses::assert_vm(&vm);
        assert!(
            proposer == @vm_reserved || stake::is_current_epoch_validator(proposer),
            error::permission_denied(EINVALID_PROPOSER)
        );
        let proposer_index =
            if (proposer == @vm_reserved) {
                option::none()
            } else {
                option::some(stake::get_validator_index(proposer))
            };

        let block = borrow_global_mut<BlockResource>(@aptos_framework);
        block.height = event::counter(&block.new_block_events);
        let new_block_event = NewBlockEvent {
            hash,
            epoch,
            round,
            height: block.height,
            previous_block_votes_bitvec,
            proposer,
            failed_proposer_indices,
            time_microseconds: timestamp
        };
        emit_new_block_event(&vm, block, new_block_event);
        let seed = randomness::development_seed(hash, epoch, round, timestamp);
        randomness::on_new_block(&vm, epoch, round, option::some(seed));

        stake::update_performance_statistics(proposer_index, failed_proposer_indices);
        state_storage::on_new_block(reconfiguration::current_epoch());

        if (timestamp - reconfiguration::last_reconfiguration_time() >= block.epoch_interval) {
            reconfiguration::reconfigure();
        }
    }

    fun emit_new_block_event(vm: &signer, block: &mut BlockResource, new_block_event: NewBlockEvent) {
        timestamp::update_global_time(vm, new_block_event.proposer, new_block_event.time_microseconds);
        assert!(
            event::counter(&block.new_block_events) == new_block_event.height,
            error::invalid_argument(ENUM_NEW_BLOCK_EVENTS_DOES_NOT_MATCH_BLOCK_HEIGHT)
        );
        event::emit_event(&mut block.new_block_events, new_block_event);
    }

    /// Begins block 0, the genesis block.
    public(friend) fun emit_genesis_block_event(vm: signer) acquires BlockResource {
        let block = borrow_global_mut<BlockResource>(@aptos_framework);
        emit_new_block_event(
            &vm,
            block,
            NewBlockEvent {
                hash: @0x0,
                epoch: 0,
                round: 0,
                height: 0,
                previous_block_votes_bitvec: vector::empty(),
                proposer: @vm_reserved,
                failed_proposer_indices: vector::empty(),
                time_microseconds: 0
            }
        );
    }

    #[test_only]
    /// Runs the prologue of a block.
    public fun prologue_for_test(vm: signer, proposer: address, timestamp: u64) acquires BlockResource {
        block_prologue(vm, @0xb10c, 1, 1, proposer, vector[], vector[], timestamp)
    }
}
