/// Accounts that several owners act for together.
///
/// An owner proposes a transaction, as its payload or as the payload's hash; owners vote; once enough have approved, any owner has the
/// node run it by sending a multisig transaction. Proposals run or are thrown out strictly in order of their numbers. The account is
/// a resource account, or an existing account that gave itself over: nobody can sign for it with a key.
///
/// The functions at the end are called by the node alone, past visibility, around a multisig transaction's payload.
module aptos_framework::multisig_account {
    use std::bcs;
    use std::error;
    use std::features;
    use std::hash;
    use std::option::{Self, Option};
    use std::signer;
    use std::string::String;
    use std::vector;
    use aptos_std::simple_map::{Self, SimpleMap};
    use aptos_std::table::{Self, Table};
    use aptos_framework::account::{Self, SignerCapability};
    use aptos_framework::aptos_coin::AptosCoin;
    use aptos_framework::chain_id;
    use aptos_framework::coin;
    use aptos_framework::create_signer::create_signer;
    use aptos_framework::event::{Self, EventHandle};
    use aptos_framework::timestamp::now_seconds;

    /// An owner is named twice.
    const EDUPLICATE_OWNER: u64 = 1;
    /// The account is no multisig account.
    const EACCOUNT_NOT_MULTISIG: u64 = 2002;
    /// The sender is not an owner.
    const ENOT_OWNER: u64 = 2003;
    /// A payload is empty.
    const EPAYLOAD_CANNOT_BE_EMPTY: u64 = 4;
    /// There must be at least one owner.
    const ENOT_ENOUGH_OWNERS: u64 = 5;
    /// There is no such transaction.
    const ETRANSACTION_NOT_FOUND: u64 = 2006;
    /// The payload is not the one whose hash was approved.
    const EPAYLOAD_DOES_NOT_MATCH_HASH: u64 = 2008;
    /// Too few owners have approved.
    const ENOT_ENOUGH_APPROVALS: u64 = 2009;
    /// The payload is not the one that was approved.
    const EPAYLOAD_DOES_NOT_MATCH: u64 = 2010;
    /// Too few owners have rejected.
    const ENOT_ENOUGH_REJECTIONS: u64 = 10;
    /// The number of approvals needed lies between 1 and the number of owners.
    const EINVALID_SIGNATURES_REQUIRED: u64 = 11;
    /// The hash of a payload has 32 bytes.
    const EINVALID_PAYLOAD_HASH: u64 = 12;
    /// The account cannot own itself.
    const EOWNER_CANNOT_BE_MULTISIG_ACCOUNT_ITSELF: u64 = 13;
    /// The chain has no multisig accounts.
    const EMULTISIG_ACCOUNTS_NOT_ENABLED_YET: u64 = 14;
    /// There must be one value for each key.
    const ENUMBER_OF_METADATA_KEYS_AND_VALUES_DONT_MATCH: u64 = 15;
    /// A key is given twice.
    const EDUPLICATE_METADATA_KEY: u64 = 16;
    /// The transaction has been dealt with, or is not there yet.
    const EINVALID_SEQUENCE_NUMBER: u64 = 17;
    /// An owner is to be added and removed.
    const EOWNERS_TO_REMOVE_NEW_OWNERS_OVERLAP: u64 = 18;
    /// Twenty transactions wait already.
    const EMAX_PENDING_TRANSACTIONS_EXCEEDED: u64 = 19;
    /// The chain does not deal with transactions in bulk.
    const EMULTISIG_V2_ENHANCEMENT_NOT_ENABLED: u64 = 20;

    /// The first part of the name under which an account's owner makes it.
    const DOMAIN_SEPARATOR: vector<u8> = b"aptos_framework::multisig_account";
    const ZERO_AUTH_KEY: vector<u8> = x"0000000000000000000000000000000000000000000000000000000000000000";
    const MAX_PENDING_TRANSACTIONS: u64 = 20;

    /// What makes an account a multisig account.
    struct MultisigAccount has key {
        owners: vector<address>,
        /// How many owners must approve a transaction.
        num_signatures_required: u64,
        /// By number, from 1. Dealt with ones are removed.
        transactions: Table<u64, MultisigTransaction>,
        /// The number of the last transaction that ran or was thrown out.
        last_executed_sequence_number: u64,
        /// The number the next proposal gets.
        next_sequence_number: u64,
        /// None where the account existed before.
        signer_cap: Option<SignerCapability>,
        metadata: SimpleMap<String, vector<u8>>,
        add_owners_events: EventHandle<AddOwnersEvent>,
        remove_owners_events: EventHandle<RemoveOwnersEvent>,
        update_signature_required_events: EventHandle<UpdateSignaturesRequiredEvent>,
        create_transaction_events: EventHandle<CreateTransactionEvent>,
        vote_events: EventHandle<VoteEvent>,
        execute_rejected_transaction_events: EventHandle<ExecuteRejectedTransactionEvent>,
        execute_transaction_events: EventHandle<TransactionExecutionSucceededEvent>,
        transaction_execution_failed_events: EventHandle<TransactionExecutionFailedEvent>,
        metadata_updated_events: EventHandle<MetadataUpdatedEvent>
    }

    /// A proposal.
    struct MultisigTransaction has copy, drop, store {
        /// Either the payload or its hash is there.
        payload: Option<vector<u8>>,
        /// SHA3-256 of the payload.
        payload_hash: Option<vector<u8>>,
        /// True for approval.
        votes: SimpleMap<address, bool>,
        creator: address,
        creation_time_secs: u64
    }

    /// Why a payload failed.
    struct ExecutionError has copy, drop, store {
        abort_location: String,
        /// `MoveAbort`, `VMError` and the like.
        error_type: String,
        error_code: u64
    }

    /// What the owner of an account signs to make it a multisig account.
    struct MultisigAccountCreationMessage has copy, drop {
        chain_id: u8,
        account_address: address,
        sequence_number: u64,
        owners: vector<address>,
        num_signatures_required: u64
    }

    /// The same, giving up every other way to act for the account.
    struct MultisigAccountCreationWithAuthKeyRevocationMessage has copy, drop {
        chain_id: u8,
        account_address: address,
        sequence_number: u64,
        owners: vector<address>,
        num_signatures_required: u64
    }

    /// Owners have been added.
    struct AddOwnersEvent has drop, store {
        owners_added: vector<address>
    }

    #[event]
    /// Owners have been added.
    struct AddOwners has drop, store {
        multisig_account: address,
        owners_added: vector<address>
    }

    /// Owners have been removed.
    struct RemoveOwnersEvent has drop, store {
        owners_removed: vector<address>
    }

    #[event]
    /// Owners have been removed.
    struct RemoveOwners has drop, store {
        multisig_account: address,
        owners_removed: vector<address>
    }

    /// Another number of approvals is needed.
    struct UpdateSignaturesRequiredEvent has drop, store {
        old_num_signatures_required: u64,
        new_num_signatures_required: u64
    }

    #[event]
    /// Another number of approvals is needed.
    struct UpdateSignaturesRequired has drop, store {
        multisig_account: address,
        old_num_signatures_required: u64,
        new_num_signatures_required: u64
    }

    /// A transaction has been proposed.
    struct CreateTransactionEvent has drop, store {
        creator: address,
        sequence_number: u64,
        transaction: MultisigTransaction
    }

    #[event]
    /// A transaction has been proposed.
    struct CreateTransaction has drop, store {
        multisig_account: address,
        creator: address,
        sequence_number: u64,
        transaction: MultisigTransaction
    }

    /// An owner has voted.
    struct VoteEvent has drop, store {
        owner: address,
        sequence_number: u64,
        approved: bool
    }

    #[event]
    /// An owner has voted.
    struct Vote has drop, store {
        multisig_account: address,
        owner: address,
        sequence_number: u64,
        approved: bool
    }

    /// A transaction has been thrown out.
    struct ExecuteRejectedTransactionEvent has drop, store {
        sequence_number: u64,
        num_rejections: u64,
        executor: address
    }

    #[event]
    /// A transaction has been thrown out.
    struct ExecuteRejectedTransaction has drop, store {
        multisig_account: address,
        sequence_number: u64,
        num_rejections: u64,
        executor: address
    }

    /// A transaction has run.
    struct TransactionExecutionSucceededEvent has drop, store {
        executor: address,
        sequence_number: u64,
        transaction_payload: vector<u8>,
        num_approvals: u64
    }

    #[event]
    /// A transaction has run.
    struct TransactionExecutionSucceeded has drop, store {
        multisig_account: address,
        executor: address,
        sequence_number: u64,
        transaction_payload: vector<u8>,
        num_approvals: u64
    }

    /// A transaction has run and failed.
    struct TransactionExecutionFailedEvent has drop, store {
        executor: address,
        sequence_number: u64,
        transaction_payload: vector<u8>,
        num_approvals: u64,
        execution_error: ExecutionError
    }

    #[event]
    /// A transaction has run and failed.
    struct TransactionExecutionFailed has drop, store {
        multisig_account: address,
        executor: address,
        sequence_number: u64,
        transaction_payload: vector<u8>,
        num_approvals: u64,
        execution_error: ExecutionError
    }

    /// The account is described otherwise.
    struct MetadataUpdatedEvent has drop, store {
        old_metadata: SimpleMap<String, vector<u8>>,
        new_metadata: SimpleMap<String, vector<u8>>
    }

    #[event]
    /// The account is described otherwise.
    struct MetadataUpdated has drop, store {
        multisig_account: address,
        old_metadata: SimpleMap<String, vector<u8>>,
        new_metadata: SimpleMap<String, vector<u8>>
    }

    // Looking.

    #[view]
    /// How the account is described.
    public fun metadata(multisig_account: address): SimpleMap<String, vector<u8>> acquires MultisigAccount {
        borrow_global<MultisigAccount>(multisig_account).metadata
    }

    #[view]
    /// How many owners must approve a transaction.
    public fun num_signatures_required(multisig_account: address): u64 acquires MultisigAccount {
        borrow_global<MultisigAccount>(multisig_account).num_signatures_required
    }

    #[view]
    /// The owners.
    public fun owners(multisig_account: address): vector<address> acquires MultisigAccount {
        borrow_global<MultisigAccount>(multisig_account).owners
    }

    #[view]
    /// True where `owner` is an owner.
    public fun is_owner(owner: address, multisig_account: address): bool acquires MultisigAccount {
        vector::contains(&borrow_global<MultisigAccount>(multisig_account).owners, &owner)
    }

    #[view]
    /// A proposal that has not been dealt with.
    public fun get_transaction(multisig_account: address, sequence_number: u64): MultisigTransaction acquires MultisigAccount {
        let account = borrow_global<MultisigAccount>(multisig_account);
        assert!(
            sequence_number > 0 && sequence_number < account.next_sequence_number,
            error::invalid_argument(EINVALID_SEQUENCE_NUMBER)
        );
        *table::borrow(&account.transactions, sequence_number)
    }

    #[view]
    /// Every proposal that has not been dealt with, in order.
    public fun get_pending_transactions(multisig_account: address): vector<MultisigTransaction> acquires MultisigAccount {
        let account = borrow_global<MultisigAccount>(multisig_account);
        let pending = vector[];
        let i = account.last_executed_sequence_number + 1;
        while (i < account.next_sequence_number) {
            vector::push_back(&mut pending, *table::borrow(&account.transactions, i));
            i = i + 1;
        };
        pending
    }

    #[view]
    /// What the node would run next, given the payload it was sent with (empty for none).
    public fun get_next_transaction_payload(
        multisig_account: address, provided_payload: vector<u8>
    ): vector<u8> acquires MultisigAccount {
        let account = borrow_global<MultisigAccount>(multisig_account);
        let next = account.last_executed_sequence_number + 1;
        let transaction = table::borrow(&account.transactions, next);
        if (option::is_some(&transaction.payload)) {
            *option::borrow(&transaction.payload)
        } else {
            provided_payload
        }
    }

    #[view]
    /// True where the transaction is next and enough owners have approved it.
    public fun can_be_executed(multisig_account: address, sequence_number: u64): bool acquires MultisigAccount {
        assert_valid_sequence_number(multisig_account, sequence_number);
        let (num_approvals, _) = num_approvals_and_rejections(multisig_account, sequence_number);
        sequence_number == last_resolved_sequence_number(multisig_account) + 1
            && num_approvals >= num_signatures_required(multisig_account)
    }

    #[view]
    /// The same, counting the vote that `owner` would give by having it run.
    public fun can_execute(owner: address, multisig_account: address, sequence_number: u64): bool acquires MultisigAccount {
        assert_valid_sequence_number(multisig_account, sequence_number);
        let (num_approvals, _) = num_approvals_and_rejections(multisig_account, sequence_number);
        if (!has_voted_for_approval(multisig_account, sequence_number, owner)) {
            num_approvals = num_approvals + 1;
        };
        is_owner(owner, multisig_account)
            && sequence_number == last_resolved_sequence_number(multisig_account) + 1
            && num_approvals >= num_signatures_required(multisig_account)
    }

    #[view]
    /// True where the transaction is next and enough owners have rejected it.
    public fun can_be_rejected(multisig_account: address, sequence_number: u64): bool acquires MultisigAccount {
        assert_valid_sequence_number(multisig_account, sequence_number);
        let (_, num_rejections) = num_approvals_and_rejections(multisig_account, sequence_number);
        sequence_number == last_resolved_sequence_number(multisig_account) + 1
            && num_rejections >= num_signatures_required(multisig_account)
    }

    #[view]
    /// The same, counting the vote that `owner` would give by throwing it out.
    public fun can_reject(owner: address, multisig_account: address, sequence_number: u64): bool acquires MultisigAccount {
        assert_valid_sequence_number(multisig_account, sequence_number);
        let (_, num_rejections) = num_approvals_and_rejections(multisig_account, sequence_number);
        if (!has_voted_for_rejection(multisig_account, sequence_number, owner)) {
            num_rejections = num_rejections + 1;
        };
        is_owner(owner, multisig_account)
            && sequence_number == last_resolved_sequence_number(multisig_account) + 1
            && num_rejections >= num_signatures_required(multisig_account)
    }

    #[view]
    /// The address of the multisig account that `creator` would make next.
    public fun get_next_multisig_account_address(creator: address): address {
        account::create_resource_address(
            &creator, create_multisig_account_seed(bcs::to_bytes(&account::get_sequence_number(creator)))
        )
    }

    #[view]
    /// The number of the last transaction that ran or was thrown out.
    public fun last_resolved_sequence_number(multisig_account: address): u64 acquires MultisigAccount {
        borrow_global<MultisigAccount>(multisig_account).last_executed_sequence_number
    }

    #[view]
    /// The number the next proposal gets.
    public fun next_sequence_number(multisig_account: address): u64 acquires MultisigAccount {
        borrow_global<MultisigAccount>(multisig_account).next_sequence_number
    }

    #[view]
    /// Whether an owner has voted, and how.
    public fun vote(multisig_account: address, sequence_number: u64, owner: address): (bool, bool) acquires MultisigAccount {
        let account = borrow_global<MultisigAccount>(multisig_account);
        assert!(
            sequence_number > 0 && sequence_number < account.next_sequence_number,
            error::invalid_argument(EINVALID_SEQUENCE_NUMBER)
        );
        let votes = &table::borrow(&account.transactions, sequence_number).votes;
        let voted = simple_map::contains_key(votes, &owner);
        (voted, voted && *simple_map::borrow(votes, &owner))
    }

    #[view]
    /// How many transactions an account may have waiting.
    public fun available_transaction_queue_capacity(multisig_account: address): u64 acquires MultisigAccount {
        let account = borrow_global<MultisigAccount>(multisig_account);
        let waiting = account.next_sequence_number - account.last_executed_sequence_number - 1;
        if (waiting > MAX_PENDING_TRANSACTIONS) 0 else MAX_PENDING_TRANSACTIONS - waiting
    }

    fun has_voted_for_approval(multisig_account: address, sequence_number: u64, owner: address): bool acquires MultisigAccount {
        let (voted, approves) = vote(multisig_account, sequence_number, owner);
        voted && approves
    }

    fun has_voted_for_rejection(multisig_account: address, sequence_number: u64, owner: address): bool acquires MultisigAccount {
        let (voted, approves) = vote(multisig_account, sequence_number, owner);
        voted && !approves
    }

    /// Votes of those who are owners now.
    fun num_approvals_and_rejections(multisig_account: address, sequence_number: u64): (u64, u64) acquires MultisigAccount {
        let account = borrow_global<MultisigAccount>(multisig_account);
        count_votes(&account.owners, table::borrow(&account.transactions, sequence_number))
    }

    fun count_votes(owners: &vector<address>, transaction: &MultisigTransaction): (u64, u64) {
        let num_approvals = 0;
        let num_rejections = 0;
        vector::for_each_ref(owners, |owner| {
            if (simple_map::contains_key(&transaction.votes, owner)) {
                if (*simple_map::borrow(&transaction.votes, owner)) {
                    num_approvals = num_approvals + 1;
                } else {
                    num_rejections = num_rejections + 1;
                }
            }
        });
        (num_approvals, num_rejections)
    }

    // Making an account.

    /// Makes an existing account a multisig account, by the word of its key: `create_multisig_account_signed_message` is the signature
    /// of a `MultisigAccountCreationMessage` with `account_public_key`. The key keeps its power over the account.
    public entry fun create_with_existing_account(
        multisig_address: address,
        owners: vector<address>,
        num_signatures_required: u64,
        account_scheme: u8,
        account_public_key: vector<u8>,
        create_multisig_account_signed_message: vector<u8>,
        metadata_keys: vector<String>,
        metadata_values: vector<vector<u8>>
    ) acquires MultisigAccount {
        account::verify_signed_message(
            multisig_address,
            account_scheme,
            account_public_key,
            create_multisig_account_signed_message,
            MultisigAccountCreationMessage {
                chain_id: chain_id::get(),
                account_address: multisig_address,
                sequence_number: account::get_sequence_number(multisig_address),
                owners,
                num_signatures_required
            }
        );
        create_with_owners_internal(
            &create_signer(multisig_address), owners, num_signatures_required, option::none(), metadata_keys,
            metadata_values
        );
    }

    /// Makes the calling account a multisig account. Its key keeps its power over the account.
    public fun create_with_existing_account_call(
        multisig_account: &signer,
        owners: vector<address>,
        num_signatures_required: u64,
        metadata_keys: vector<String>,
        metadata_values: vector<vector<u8>>
    ) acquires MultisigAccount {
        create_with_owners_internal(
            multisig_account, owners, num_signatures_required, option::none(), metadata_keys, metadata_values
        );
    }

    /// The same as `create_with_existing_account`, and no key has power over the account afterwards. The key signs a
    /// `MultisigAccountCreationWithAuthKeyRevocationMessage`.
    public entry fun create_with_existing_account_and_revoke_auth_key(
        multisig_address: address,
        owners: vector<address>,
        num_signatures_required: u64,
        account_scheme: u8,
        account_public_key: vector<u8>,
        create_multisig_account_signed_message: vector<u8>,
        metadata_keys: vector<String>,
        metadata_values: vector<vector<u8>>
    ) acquires MultisigAccount {
        account::verify_signed_message(
            multisig_address,
            account_scheme,
            account_public_key,
            create_multisig_account_signed_message,
            MultisigAccountCreationWithAuthKeyRevocationMessage {
                chain_id: chain_id::get(),
                account_address: multisig_address,
                sequence_number: account::get_sequence_number(multisig_address),
                owners,
                num_signatures_required
            }
        );
        create_with_existing_account_and_revoke_auth_key_call(
            &create_signer(multisig_address), owners, num_signatures_required, metadata_keys, metadata_values
        );
    }

    /// Makes the calling account a multisig account over which no key has power.
    public fun create_with_existing_account_and_revoke_auth_key_call(
        multisig_account: &signer,
        owners: vector<address>,
        num_signatures_required: u64,
        metadata_keys: vector<String>,
        metadata_values: vector<vector<u8>>
    ) acquires MultisigAccount {
        create_with_owners_internal(
            multisig_account, owners, num_signatures_required, option::none(), metadata_keys, metadata_values
        );
        let addr = signer::address_of(multisig_account);
        account::rotate_authentication_key_internal(multisig_account, ZERO_AUTH_KEY);
        if (account::is_signer_capability_offered(addr)) {
            account::revoke_any_signer_capability(multisig_account);
        };
        if (account::is_rotation_capability_offered(addr)) {
            account::revoke_any_rotation_capability(multisig_account);
        };
    }

    /// Makes a multisig account that the sender alone owns.
    public entry fun create(
        owner: &signer,
        num_signatures_required: u64,
        metadata_keys: vector<String>,
        metadata_values: vector<vector<u8>>
    ) acquires MultisigAccount {
        create_with_owners(owner, vector[], num_signatures_required, metadata_keys, metadata_values);
    }

    /// Makes a multisig account that the sender owns together with others.
    public entry fun create_with_owners(
        owner: &signer,
        additional_owners: vector<address>,
        num_signatures_required: u64,
        metadata_keys: vector<String>,
        metadata_values: vector<vector<u8>>
    ) acquires MultisigAccount {
        let (multisig_account, signer_cap) = create_multisig_account(owner);
        vector::push_back(&mut additional_owners, signer::address_of(owner));
        create_with_owners_internal(
            &multisig_account, additional_owners, num_signatures_required, option::some(signer_cap), metadata_keys,
            metadata_values
        );
    }

    /// Makes a multisig account for others, and takes the sender off its owners again.
    public entry fun create_with_owners_then_remove_bootstrapper(
        bootstrapper: &signer,
        owners: vector<address>,
        num_signatures_required: u64,
        metadata_keys: vector<String>,
        metadata_values: vector<vector<u8>>
    ) acquires MultisigAccount {
        let addr = signer::address_of(bootstrapper);
        create_with_owners(bootstrapper, owners, num_signatures_required, metadata_keys, metadata_values);
        update_owner_schema(
            get_next_multisig_account_address(addr), vector[], vector[addr], option::none()
        );
    }

    fun create_with_owners_internal(
        multisig_account: &signer,
        owners: vector<address>,
        num_signatures_required: u64,
        multisig_account_signer_cap: Option<SignerCapability>,
        metadata_keys: vector<String>,
        metadata_values: vector<vector<u8>>
    ) acquires MultisigAccount {
        assert!(
            features::multisig_accounts_enabled(), error::unavailable(EMULTISIG_ACCOUNTS_NOT_ENABLED_YET)
        );
        assert!(
            num_signatures_required > 0 && num_signatures_required <= vector::length(&owners),
            error::invalid_argument(EINVALID_SIGNATURES_REQUIRED)
        );
        let addr = signer::address_of(multisig_account);
        validate_owners(&owners, addr);
        move_to(
            multisig_account,
            MultisigAccount {
                owners,
                num_signatures_required,
                transactions: table::new(),
                last_executed_sequence_number: 0,
                next_sequence_number: 1,
                signer_cap: multisig_account_signer_cap,
                metadata: simple_map::new(),
                add_owners_events: account::new_event_handle(multisig_account),
                remove_owners_events: account::new_event_handle(multisig_account),
                update_signature_required_events: account::new_event_handle(multisig_account),
                create_transaction_events: account::new_event_handle(multisig_account),
                vote_events: account::new_event_handle(multisig_account),
                execute_rejected_transaction_events: account::new_event_handle(multisig_account),
                execute_transaction_events: account::new_event_handle(multisig_account),
                transaction_execution_failed_events: account::new_event_handle(multisig_account),
                metadata_updated_events: account::new_event_handle(multisig_account)
            }
        );
        update_metadata_internal(multisig_account, metadata_keys, metadata_values, false);
    }

    fun create_multisig_account(owner: &signer): (signer, SignerCapability) {
        let nonce = bcs::to_bytes(&account::get_sequence_number(signer::address_of(owner)));
        let (multisig_signer, signer_cap) =
            account::create_resource_account(owner, create_multisig_account_seed(nonce));
        // The account receives the native coin like any other.
        if (!coin::is_account_registered<AptosCoin>(signer::address_of(&multisig_signer))) {
            coin::register<AptosCoin>(&multisig_signer);
        };
        (multisig_signer, signer_cap)
    }

    fun create_multisig_account_seed(seed: vector<u8>): vector<u8> {
        let name = DOMAIN_SEPARATOR;
        vector::append(&mut name, seed);
        name
    }

    fun validate_owners(owners: &vector<address>, multisig_account: address) {
        let n = vector::length(owners);
        let i = 0;
        while (i < n) {
            let owner = *vector::borrow(owners, i);
            assert!(
                owner != multisig_account, error::invalid_argument(EOWNER_CANNOT_BE_MULTISIG_ACCOUNT_ITSELF)
            );
            let (_, first) = vector::index_of(owners, &owner);
            assert!(first == i, error::invalid_argument(EDUPLICATE_OWNER));
            i = i + 1;
        }
    }

    // Changes by the account itself: run as multisig transactions.

    /// Adds an owner.
    entry fun add_owner(multisig_account: &signer, new_owner: address) acquires MultisigAccount {
        add_owners(multisig_account, vector[new_owner]);
    }

    /// Adds owners.
    entry fun add_owners(multisig_account: &signer, new_owners: vector<address>) acquires MultisigAccount {
        update_owner_schema(signer::address_of(multisig_account), new_owners, vector[], option::none());
    }

    /// Adds owners and sets how many must approve.
    entry fun add_owners_and_update_signatures_required(
        multisig_account: &signer, new_owners: vector<address>, new_num_signatures_required: u64
    ) acquires MultisigAccount {
        update_owner_schema(
            signer::address_of(multisig_account), new_owners, vector[], option::some(new_num_signatures_required)
        );
    }

    /// Removes an owner.
    entry fun remove_owner(multisig_account: &signer, owner_to_remove: address) acquires MultisigAccount {
        remove_owners(multisig_account, vector[owner_to_remove]);
    }

    /// Removes owners. Those who are none are passed over.
    entry fun remove_owners(multisig_account: &signer, owners_to_remove: vector<address>) acquires MultisigAccount {
        update_owner_schema(signer::address_of(multisig_account), vector[], owners_to_remove, option::none());
    }

    /// Puts one owner in place of another.
    entry fun swap_owner(multisig_account: &signer, to_swap_in: address, to_swap_out: address) acquires MultisigAccount {
        swap_owners(multisig_account, vector[to_swap_in], vector[to_swap_out]);
    }

    /// Puts owners in place of others.
    entry fun swap_owners(
        multisig_account: &signer, to_swap_in: vector<address>, to_swap_out: vector<address>
    ) acquires MultisigAccount {
        update_owner_schema(signer::address_of(multisig_account), to_swap_in, to_swap_out, option::none());
    }

    /// Puts owners in place of others and sets how many must approve.
    entry fun swap_owners_and_update_signatures_required(
        multisig_account: &signer,
        new_owners: vector<address>,
        owners_to_remove: vector<address>,
        new_num_signatures_required: u64
    ) acquires MultisigAccount {
        update_owner_schema(
            signer::address_of(multisig_account), new_owners, owners_to_remove,
            option::some(new_num_signatures_required)
        );
    }

    /// Sets how many owners must approve.
    entry fun update_signatures_required(multisig_account: &signer, new_num_signatures_required: u64) acquires MultisigAccount {
        update_owner_schema(
            signer::address_of(multisig_account), vector[], vector[], option::some(new_num_signatures_required)
        );
    }

    /// Describes the account otherwise.
    entry fun update_metadata(
        multisig_account: &signer, keys: vector<String>, values: vector<vector<u8>>
    ) acquires MultisigAccount {
        update_metadata_internal(multisig_account, keys, values, true);
    }

    fun update_metadata_internal(
        multisig_account: &signer, keys: vector<String>, values: vector<vector<u8>>, emit_event: bool
    ) acquires MultisigAccount {
        let n = vector::length(&keys);
        assert!(
            n == vector::length(&values), error::invalid_argument(ENUMBER_OF_METADATA_KEYS_AND_VALUES_DONT_MATCH)
        );
        let addr = signer::address_of(multisig_account);
        assert_multisig_account_exists(addr);
        let account = borrow_global_mut<MultisigAccount>(addr);
        let old_metadata = account.metadata;
        let new_metadata = simple_map::new();
        let i = 0;
        while (i < n) {
            let key = *vector::borrow(&keys, i);
            assert!(
                !simple_map::contains_key(&new_metadata, &key), error::invalid_argument(EDUPLICATE_METADATA_KEY)
            );
            simple_map::add(&mut new_metadata, key, *vector::borrow(&values, i));
            i = i + 1;
        };
        account.metadata = new_metadata;
        if (emit_event) {
            if (features::module_event_migration_enabled()) {
                event::emit(MetadataUpdated { multisig_account: addr, old_metadata, new_metadata });
            } else {
                event::emit_event(
                    &mut account.metadata_updated_events, MetadataUpdatedEvent { old_metadata, new_metadata }
                );
            }
        }
    }

    /// Adds, then removes, then sets how many must approve; what comes out must be sound.
    fun update_owner_schema(
        multisig_address: address,
        new_owners: vector<address>,
        owners_to_remove: vector<address>,
        optional_new_num_signatures_required: Option<u64>
    ) acquires MultisigAccount {
        assert_multisig_account_exists(multisig_address);
        let account = borrow_global_mut<MultisigAccount>(multisig_address);
        vector::for_each_ref(&new_owners, |owner| {
            assert!(
                !vector::contains(&owners_to_remove, owner),
                error::invalid_argument(EOWNERS_TO_REMOVE_NEW_OWNERS_OVERLAP)
            )
        });
        if (vector::length(&new_owners) > 0) {
            vector::append(&mut account.owners, new_owners);
            validate_owners(&account.owners, multisig_address);
            if (features::module_event_migration_enabled()) {
                event::emit(AddOwners { multisig_account: multisig_address, owners_added: new_owners });
            } else {
                event::emit_event(&mut account.add_owners_events, AddOwnersEvent { owners_added: new_owners });
            }
        };
        if (vector::length(&owners_to_remove) > 0) {
            let owners_removed = vector[];
            vector::for_each_ref(&owners_to_remove, |owner| {
                let (found, index) = vector::index_of(&account.owners, owner);
                if (found) {
                    vector::push_back(&mut owners_removed, vector::swap_remove(&mut account.owners, index));
                }
            });
            if (vector::length(&owners_removed) > 0) {
                if (features::module_event_migration_enabled()) {
                    event::emit(RemoveOwners { multisig_account: multisig_address, owners_removed });
                } else {
                    event::emit_event(&mut account.remove_owners_events, RemoveOwnersEvent { owners_removed });
                }
            }
        };
        if (option::is_some(&optional_new_num_signatures_required)) {
            let new_num_signatures_required = option::extract(&mut optional_new_num_signatures_required);
            assert!(new_num_signatures_required > 0, error::invalid_argument(EINVALID_SIGNATURES_REQUIRED));
            let old_num_signatures_required = account.num_signatures_required;
            if (new_num_signatures_required != old_num_signatures_required) {
                account.num_signatures_required = new_num_signatures_required;
                if (features::module_event_migration_enabled()) {
                    event::emit(
                        UpdateSignaturesRequired {
                            multisig_account: multisig_address,
                            old_num_signatures_required,
                            new_num_signatures_required
                        }
                    );
                } else {
                    event::emit_event(
                        &mut account.update_signature_required_events,
                        UpdateSignaturesRequiredEvent { old_num_signatures_required, new_num_signatures_required }
                    );
                }
            }
        };
        assert!(
            vector::length(&account.owners) >= account.num_signatures_required,
            error::invalid_state(ENOT_ENOUGH_OWNERS)
        );
    }

    // Proposing and voting.

    /// Proposes a payload: the encoding of a multisig transaction's payload. The sender approves it.
    public entry fun create_transaction(owner: &signer, multisig_account: address, payload: vector<u8>) acquires MultisigAccount {
        assert!(vector::length(&payload) > 0, error::invalid_argument(EPAYLOAD_CANNOT_BE_EMPTY));
        propose(owner, multisig_account, option::some(payload), option::none());
    }

    /// Proposes a payload by its SHA3-256. Whoever has it run gives the payload. The sender approves it.
    public entry fun create_transaction_with_hash(
        owner: &signer, multisig_account: address, payload_hash: vector<u8>
    ) acquires MultisigAccount {
        // A hash of another length could never be met.
        assert!(vector::length(&payload_hash) == 32, error::invalid_argument(EINVALID_PAYLOAD_HASH));
        propose(owner, multisig_account, option::none(), option::some(payload_hash));
    }

    fun propose(
        owner: &signer,
        multisig_account: address,
        payload: Option<vector<u8>>,
        payload_hash: Option<vector<u8>>
    ) acquires MultisigAccount {
        assert_multisig_account_exists(multisig_account);
        assert_is_owner(owner, multisig_account);
        let creator = signer::address_of(owner);
        if (features::multisig_v2_enhancement_feature_enabled()) {
            assert!(
                available_transaction_queue_capacity(multisig_account) > 0,
                error::invalid_state(EMAX_PENDING_TRANSACTIONS_EXCEEDED)
            );
        };
        let transaction = MultisigTransaction {
            payload,
            payload_hash,
            votes: simple_map::new(),
            creator,
            creation_time_secs: now_seconds()
        };
        simple_map::add(&mut transaction.votes, creator, true);
        let account = borrow_global_mut<MultisigAccount>(multisig_account);
        let sequence_number = account.next_sequence_number;
        account.next_sequence_number = sequence_number + 1;
        table::add(&mut account.transactions, sequence_number, transaction);
        if (features::module_event_migration_enabled()) {
            event::emit(CreateTransaction { multisig_account, creator, sequence_number, transaction });
        } else {
            event::emit_event(
                &mut account.create_transaction_events,
                CreateTransactionEvent { creator, sequence_number, transaction }
            );
        }
    }

    /// Approves a transaction.
    public entry fun approve_transaction(owner: &signer, multisig_account: address, sequence_number: u64) acquires MultisigAccount {
        vote_transanction(owner, multisig_account, sequence_number, true);
    }

    /// Rejects a transaction.
    public entry fun reject_transaction(owner: &signer, multisig_account: address, sequence_number: u64) acquires MultisigAccount {
        vote_transanction(owner, multisig_account, sequence_number, false);
    }

    /// Approves or rejects a transaction. The name is what callers know.
    public entry fun vote_transanction(
        owner: &signer, multisig_account: address, sequence_number: u64, approved: bool
    ) acquires MultisigAccount {
        assert_multisig_account_exists(multisig_account);
        let owner_addr = signer::address_of(owner);
        assert_is_owner(owner, multisig_account);
        let account = borrow_global_mut<MultisigAccount>(multisig_account);
        assert!(
            table::contains(&account.transactions, sequence_number), error::not_found(ETRANSACTION_NOT_FOUND)
        );
        let transaction = table::borrow_mut(&mut account.transactions, sequence_number);
        // A vote may be changed as long as the transaction is there.
        simple_map::upsert(&mut transaction.votes, owner_addr, approved);
        if (features::module_event_migration_enabled()) {
            event::emit(Vote { multisig_account, owner: owner_addr, sequence_number, approved });
        } else {
            event::emit_event(
                &mut account.vote_events, VoteEvent { owner: owner_addr, sequence_number, approved }
            );
        }
    }

    /// Approves or rejects a transaction.
    public entry fun vote_transaction(
        owner: &signer, multisig_account: address, sequence_number: u64, approved: bool
    ) acquires MultisigAccount {
        assert_v2();
        vote_transanction(owner, multisig_account, sequence_number, approved);
    }

    /// Approves or rejects every transaction from one number to another, both included.
    public entry fun vote_transactions(
        owner: &signer,
        multisig_account: address,
        starting_sequence_number: u64,
        final_sequence_number: u64,
        approved: bool
    ) acquires MultisigAccount {
        assert_v2();
        let sequence_number = starting_sequence_number;
        while (sequence_number <= final_sequence_number) {
            vote_transanction(owner, multisig_account, sequence_number, approved);
            sequence_number = sequence_number + 1;
        }
    }

    /// Throws the next transaction out, where enough owners have rejected it. The sender's rejection counts.
    public entry fun execute_rejected_transaction(owner: &signer, multisig_account: address) acquires MultisigAccount {
        assert_multisig_account_exists(multisig_account);
        assert_is_owner(owner, multisig_account);
        let sequence_number = last_resolved_sequence_number(multisig_account) + 1;
        let owner_addr = signer::address_of(owner);
        if (features::multisig_v2_enhancement_feature_enabled()) {
            assert_transaction_exists(multisig_account, sequence_number);
            if (!has_voted_for_rejection(multisig_account, sequence_number, owner_addr)) {
                reject_transaction(owner, multisig_account, sequence_number);
            }
        };
        let account = borrow_global_mut<MultisigAccount>(multisig_account);
        let (_, num_rejections) = take_next_transaction(account);
        assert!(
            num_rejections >= account.num_signatures_required, error::invalid_state(ENOT_ENOUGH_REJECTIONS)
        );
        if (features::module_event_migration_enabled()) {
            event::emit(
                ExecuteRejectedTransaction {
                    multisig_account, sequence_number, num_rejections, executor: owner_addr
                }
            );
        } else {
            event::emit_event(
                &mut account.execute_rejected_transaction_events,
                ExecuteRejectedTransactionEvent { sequence_number, num_rejections, executor: owner_addr }
            );
        }
    }

    /// Throws out every transaction up to a number, each of which enough owners have rejected.
    public entry fun execute_rejected_transactions(
        owner: &signer, multisig_account: address, final_sequence_number: u64
    ) acquires MultisigAccount {
        assert_v2();
        assert!(
            last_resolved_sequence_number(multisig_account) < final_sequence_number,
            error::invalid_argument(EINVALID_SEQUENCE_NUMBER)
        );
        assert!(
            final_sequence_number < next_sequence_number(multisig_account),
            error::invalid_argument(EINVALID_SEQUENCE_NUMBER)
        );
        while (last_resolved_sequence_number(multisig_account) < final_sequence_number) {
            execute_rejected_transaction(owner, multisig_account);
        }
    }

    /// Removes the next transaction, and returns its approvals and rejections.
    fun take_next_transaction(account: &mut MultisigAccount): (u64, u64) {
        let sequence_number = account.last_executed_sequence_number + 1;
        assert!(
            table::contains(&account.transactions, sequence_number), error::not_found(ETRANSACTION_NOT_FOUND)
        );
        let transaction = table::remove(&mut account.transactions, sequence_number);
        account.last_executed_sequence_number = sequence_number;
        count_votes(&account.owners, &transaction)
    }

    fun assert_is_owner(owner: &signer, multisig_account: address) acquires MultisigAccount {
        assert!(
            is_owner(signer::address_of(owner), multisig_account), error::permission_denied(ENOT_OWNER)
        );
    }

    fun assert_multisig_account_exists(multisig_account: address) {
        assert!(exists<MultisigAccount>(multisig_account), error::invalid_state(EACCOUNT_NOT_MULTISIG));
    }

    fun assert_valid_sequence_number(multisig_account: address, sequence_number: u64) acquires MultisigAccount {
        let account = borrow_global<MultisigAccount>(multisig_account);
        assert!(
            sequence_number > 0 && sequence_number < account.next_sequence_number,
            error::invalid_argument(EINVALID_SEQUENCE_NUMBER)
        );
    }

    fun assert_transaction_exists(multisig_account: address, sequence_number: u64) acquires MultisigAccount {
        assert!(
            table::contains(
                &borrow_global<MultisigAccount>(multisig_account).transactions, sequence_number
            ),
            error::not_found(ETRANSACTION_NOT_FOUND)
        );
    }

    fun assert_v2() {
        assert!(
            features::multisig_v2_enhancement_feature_enabled(),
            error::invalid_state(EMULTISIG_V2_ENHANCEMENT_NOT_ENABLED)
        );
    }

    // Called by the node.

    /// Whether the node may run the next transaction for `owner`, who gives `payload` (empty for none). Unmetered, before execution;
    /// the reasons are read by the node.
    fun validate_multisig_transaction(owner: &signer, multisig_account: address, payload: vector<u8>) acquires MultisigAccount {
        assert_multisig_account_exists(multisig_account);
        assert_is_owner(owner, multisig_account);
        let sequence_number = last_resolved_sequence_number(multisig_account) + 1;
        assert_transaction_exists(multisig_account, sequence_number);
        let (num_approvals, _) = num_approvals_and_rejections(multisig_account, sequence_number);
        // Having it run is a vote for it.
        if (features::multisig_v2_enhancement_feature_enabled()
            && !has_voted_for_approval(multisig_account, sequence_number, signer::address_of(owner))) {
            num_approvals = num_approvals + 1;
        };
        let account = borrow_global<MultisigAccount>(multisig_account);
        assert!(
            num_approvals >= account.num_signatures_required, error::invalid_argument(ENOT_ENOUGH_APPROVALS)
        );

        let transaction = table::borrow(&account.transactions, sequence_number);
        if (option::is_some(&transaction.payload_hash)) {
            assert!(
                hash::sha3_256(payload) == *option::borrow(&transaction.payload_hash),
                error::invalid_argument(EPAYLOAD_DOES_NOT_MATCH_HASH)
            );
        };
        if (features::abort_if_multisig_payload_mismatch_enabled()
            && option::is_some(&transaction.payload)
            && !vector::is_empty(&payload)) {
            assert!(
                payload == *option::borrow(&transaction.payload),
                error::invalid_argument(EPAYLOAD_DOES_NOT_MATCH)
            );
        }
    }

    /// Settles a transaction whose payload has run.
    fun successful_transaction_execution_cleanup(
        executor: address, multisig_account: address, transaction_payload: vector<u8>
    ) acquires MultisigAccount {
        let num_approvals = settle(multisig_account, executor);
        let account = borrow_global_mut<MultisigAccount>(multisig_account);
        let sequence_number = account.last_executed_sequence_number;
        if (features::module_event_migration_enabled()) {
            event::emit(
                TransactionExecutionSucceeded {
                    multisig_account, executor, sequence_number, transaction_payload, num_approvals
                }
            );
        } else {
            event::emit_event(
                &mut account.execute_transaction_events,
                TransactionExecutionSucceededEvent {
                    executor, sequence_number, transaction_payload, num_approvals
                }
            );
        }
    }

    /// Settles a transaction whose payload has failed: it is dealt with all the same.
    fun failed_transaction_execution_cleanup(
        executor: address,
        multisig_account: address,
        transaction_payload: vector<u8>,
        execution_error: ExecutionError
    ) acquires MultisigAccount {
        let num_approvals = settle(multisig_account, executor);
        let account = borrow_global_mut<MultisigAccount>(multisig_account);
        let sequence_number = account.last_executed_sequence_number;
        if (features::module_event_migration_enabled()) {
            event::emit(
                TransactionExecutionFailed {
                    multisig_account, executor, sequence_number, transaction_payload, num_approvals, execution_error
                }
            );
        } else {
            event::emit_event(
                &mut account.transaction_execution_failed_events,
                TransactionExecutionFailedEvent {
                    executor, sequence_number, transaction_payload, num_approvals, execution_error
                }
            );
        }
    }

    /// Removes the transaction that was run. Returns its approvals, the executor's among them.
    fun settle(multisig_account: address, executor: address): u64 acquires MultisigAccount {
        let sequence_number = last_resolved_sequence_number(multisig_account) + 1;
        let implicit =
            features::multisig_v2_enhancement_feature_enabled()
                && !has_voted_for_approval(multisig_account, sequence_number, executor);
        let account = borrow_global_mut<MultisigAccount>(multisig_account);
        if (implicit) {
            let transaction = table::borrow_mut(&mut account.transactions, sequence_number);
            simple_map::upsert(&mut transaction.votes, executor, true);
            if (features::module_event_migration_enabled()) {
                event::emit(Vote { multisig_account, owner: executor, sequence_number, approved: true });
            } else {
                event::emit_event(
                    &mut account.vote_events, VoteEvent { owner: executor, sequence_number, approved: true }
                );
            }
        };
        let (num_approvals, _) = take_next_transaction(account);
        num_approvals
    }

    #[test_only]
    /// Asks what the node asks before it runs the next transaction.
    public fun validate_for_test(owner: &signer, multisig_account: address, payload: vector<u8>) acquires MultisigAccount {
        validate_multisig_transaction(owner, multisig_account, payload);
    }

    #[test_only]
    /// Settles the next transaction as the node does, as one that ran or as one that failed.
    public fun settle_for_test(executor: address, multisig_account: address, ran: bool) acquires MultisigAccount {
        if (ran) {
            successful_transaction_execution_cleanup(executor, multisig_account, b"payload");
        } else {
            let location = std::string::utf8(b"0x1::coin");
            let error_type = std::string::utf8(b"MoveAbort");
            failed_transaction_execution_cleanup(
                executor, multisig_account, b"payload",
                ExecutionError { abort_location: location, error_type, error_code: 65542 }
            );
        }
    }
}
