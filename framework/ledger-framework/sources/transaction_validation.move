/// What the node asks of a transaction before it runs, and what it takes from the payer afterwards.
///
/// The functions are private: only the virtual machine calls them, past visibility and without gas. A prologue that aborts keeps
/// the transaction off the ledger, and its reason (1001 and up) tells the node which status to answer.
module aptos_framework::transaction_validation {
    use std::bcs;
    use std::error;
    use std::features;
    use std::option::{Self, Option};
    use std::signer;
    use std::vector;
    use aptos_framework::account;
    use aptos_framework::aptos_coin::AptosCoin;
    use aptos_framework::chain_id;
    use aptos_framework::coin;
    use aptos_framework::nonce_validation;
    use aptos_framework::system_addresses;
    use aptos_framework::timestamp;
    use aptos_framework::transaction_fee;

    friend aptos_framework::genesis;

    /// More gas is left than the transaction started with.
    const EOUT_OF_GAS: u64 = 6;

    /// The authentication key does not belong to the account.
    const PROLOGUE_EINVALID_ACCOUNT_AUTH_KEY: u64 = 1001;
    /// The sequence number has been used.
    const PROLOGUE_ESEQUENCE_NUMBER_TOO_OLD: u64 = 1002;
    /// The sequence number is ahead of the account's.
    const PROLOGUE_ESEQUENCE_NUMBER_TOO_NEW: u64 = 1003;
    /// The account does not exist.
    const PROLOGUE_EACCOUNT_DOES_NOT_EXIST: u64 = 1004;
    /// The payer cannot pay for all the gas that may be used.
    const PROLOGUE_ECANT_PAY_GAS_DEPOSIT: u64 = 1005;
    /// The transaction has expired.
    const PROLOGUE_ETRANSACTION_EXPIRED: u64 = 1006;
    /// The transaction is meant for another chain.
    const PROLOGUE_EBAD_CHAIN_ID: u64 = 1007;
    /// The sequence number is at its end.
    const PROLOGUE_ESEQUENCE_NUMBER_TOO_BIG: u64 = 1008;
    /// There must be one authentication key for each secondary signer.
    const PROLOGUE_ESECONDARY_KEYS_ADDRESSES_COUNT_MISMATCH: u64 = 1009;
    /// Fees may not be paid by another account on this chain.
    const PROLOGUE_EFEE_PAYER_NOT_ENABLED: u64 = 1010;

    /// The nonce has been used.
    const PROLOGUE_ENONCE_ALREADY_USED: u64 = 1012;
    /// An orderless transaction must expire soon.
    const PROLOGUE_ETRANSACTION_EXPIRATION_TOO_FAR_IN_FUTURE: u64 = 1013;

    /// How far ahead an orderless transaction may expire, in seconds.
    const MAX_EXPIRATION_TIME_SECONDS_FOR_ORDERLESS_TXNS: u64 = 100;
    const MAX_U64: u128 = 18446744073709551615;
    /// Sequence numbers stay below 2^63.
    const MAX_SEQUENCE_NUMBER: u64 = 1 << 63;

    /// What keeps a transaction from running twice.
    enum ReplayProtector has copy, drop {
        Nonce(u64),
        SequenceNumber(u64)
    }

    /// Where the node finds the functions below. Read by tools; the node knows the names.
    struct TransactionValidation has key {
        module_addr: address,
        module_name: vector<u8>,
        script_prologue_name: vector<u8>,
        module_prologue_name: vector<u8>,
        multi_agent_prologue_name: vector<u8>,
        user_epilogue_name: vector<u8>
    }

    /// Publishes the names. Genesis only.
    public(friend) fun initialize(aptos_framework: &signer) {
        system_addresses::assert_aptos_framework(aptos_framework);
        move_to(
            aptos_framework,
            TransactionValidation {
                module_addr: @aptos_framework,
                module_name: b"transaction_validation",
                script_prologue_name: b"script_prologue",
                module_prologue_name: b"module_prologue",
                multi_agent_prologue_name: b"multi_agent_script_prologue",
                user_epilogue_name: b"epilogue"
            }
        );
    }

    // Prologues.

    /// A transaction with one signer who pays for it.
    fun script_prologue(
        sender: signer,
        txn_sequence_number: u64,
        txn_public_key: vector<u8>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8,
        script_hash: vector<u8>
    ) {
        script_prologue_extended(
            sender, txn_sequence_number, txn_public_key, txn_gas_price, txn_max_gas_units, txn_expiration_time,
            chain_id, script_hash, false
        )
    }

    /// The same, told whether the transaction is only simulated.
    fun script_prologue_extended(
        sender: signer,
        txn_sequence_number: u64,
        txn_public_key: vector<u8>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8,
        _script_hash: vector<u8>,
        is_simulation: bool
    ) {
        let sender_addr = signer::address_of(&sender);
        check_transaction(
            sender_addr, sender_addr, option::some(txn_public_key), ReplayProtector::SequenceNumber(txn_sequence_number), txn_gas_price, txn_max_gas_units,
            txn_expiration_time, chain_id, is_simulation
        )
    }

    /// A transaction with several signers, paid for by the sender.
    fun multi_agent_script_prologue(
        sender: signer,
        txn_sequence_number: u64,
        txn_sender_public_key: vector<u8>,
        secondary_signer_addresses: vector<address>,
        secondary_signer_public_key_hashes: vector<vector<u8>>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8
    ) {
        multi_agent_script_prologue_extended(
            sender, txn_sequence_number, txn_sender_public_key, secondary_signer_addresses,
            secondary_signer_public_key_hashes, txn_gas_price, txn_max_gas_units, txn_expiration_time, chain_id, false
        )
    }

    /// The same, told whether the transaction is only simulated.
    fun multi_agent_script_prologue_extended(
        sender: signer,
        txn_sequence_number: u64,
        txn_sender_public_key: vector<u8>,
        secondary_signer_addresses: vector<address>,
        secondary_signer_public_key_hashes: vector<vector<u8>>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8,
        is_simulation: bool
    ) {
        let sender_addr = signer::address_of(&sender);
        check_transaction(
            sender_addr, sender_addr, option::some(txn_sender_public_key), ReplayProtector::SequenceNumber(txn_sequence_number), txn_gas_price,
            txn_max_gas_units, txn_expiration_time, chain_id, is_simulation
        );
        check_secondary_signers(
            &secondary_signer_addresses, &some_each(secondary_signer_public_key_hashes), is_simulation
        );
    }

    /// A transaction paid for by another account.
    fun fee_payer_script_prologue(
        sender: signer,
        txn_sequence_number: u64,
        txn_sender_public_key: vector<u8>,
        secondary_signer_addresses: vector<address>,
        secondary_signer_public_key_hashes: vector<vector<u8>>,
        fee_payer_address: address,
        fee_payer_public_key_hash: vector<u8>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8
    ) {
        fee_payer_script_prologue_extended(
            sender, txn_sequence_number, txn_sender_public_key, secondary_signer_addresses,
            secondary_signer_public_key_hashes, fee_payer_address, fee_payer_public_key_hash, txn_gas_price,
            txn_max_gas_units, txn_expiration_time, chain_id, false
        )
    }

    /// The same, told whether the transaction is only simulated.
    fun fee_payer_script_prologue_extended(
        sender: signer,
        txn_sequence_number: u64,
        txn_sender_public_key: vector<u8>,
        secondary_signer_addresses: vector<address>,
        secondary_signer_public_key_hashes: vector<vector<u8>>,
        fee_payer_address: address,
        fee_payer_public_key_hash: vector<u8>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8,
        is_simulation: bool
    ) {
        check_fee_payer_transaction(
            signer::address_of(&sender), fee_payer_address, option::some(txn_sender_public_key),
            option::some(fee_payer_public_key_hash), ReplayProtector::SequenceNumber(txn_sequence_number), secondary_signer_addresses,
            some_each(secondary_signer_public_key_hashes), txn_gas_price, txn_max_gas_units, txn_expiration_time, chain_id,
            is_simulation
        )
    }

    /// Any transaction paid for by its sender. A key of none stands for an account that is not guarded by a key.
    fun unified_prologue(
        sender: signer,
        txn_sender_public_key: Option<vector<u8>>,
        txn_sequence_number: u64,
        secondary_signer_addresses: vector<address>,
        secondary_signer_public_key_hashes: vector<Option<vector<u8>>>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8,
        is_simulation: bool
    ) {
        let sender_addr = signer::address_of(&sender);
        check_transaction(
            sender_addr, sender_addr, txn_sender_public_key, ReplayProtector::SequenceNumber(txn_sequence_number), txn_gas_price, txn_max_gas_units,
            txn_expiration_time, chain_id, is_simulation
        );
        check_secondary_signers(&secondary_signer_addresses, &secondary_signer_public_key_hashes, is_simulation);
    }

    /// Any transaction paid for by another account.
    fun unified_prologue_fee_payer(
        sender: signer,
        fee_payer: signer,
        txn_sender_public_key: Option<vector<u8>>,
        fee_payer_public_key_hash: Option<vector<u8>>,
        txn_sequence_number: u64,
        secondary_signer_addresses: vector<address>,
        secondary_signer_public_key_hashes: vector<Option<vector<u8>>>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8,
        is_simulation: bool
    ) {
        check_fee_payer_transaction(
            signer::address_of(&sender), signer::address_of(&fee_payer), txn_sender_public_key, fee_payer_public_key_hash,
            ReplayProtector::SequenceNumber(txn_sequence_number), secondary_signer_addresses, secondary_signer_public_key_hashes, txn_gas_price,
            txn_max_gas_units, txn_expiration_time, chain_id, is_simulation
        )
    }

    /// Any transaction paid for by its sender, protected by a sequence number or a nonce.
    fun unified_prologue_v2(
        sender: signer,
        txn_sender_public_key: Option<vector<u8>>,
        replay_protector: ReplayProtector,
        secondary_signer_addresses: vector<address>,
        secondary_signer_public_key_hashes: vector<Option<vector<u8>>>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8,
        is_simulation: bool
    ) {
        let sender_addr = signer::address_of(&sender);
        check_transaction(
            sender_addr, sender_addr, txn_sender_public_key, replay_protector, txn_gas_price, txn_max_gas_units,
            txn_expiration_time, chain_id, is_simulation
        );
        check_secondary_signers(&secondary_signer_addresses, &secondary_signer_public_key_hashes, is_simulation);
    }

    /// Any transaction paid for by another account, protected by a sequence number or a nonce.
    fun unified_prologue_fee_payer_v2(
        sender: signer,
        fee_payer: signer,
        txn_sender_public_key: Option<vector<u8>>,
        fee_payer_public_key_hash: Option<vector<u8>>,
        replay_protector: ReplayProtector,
        secondary_signer_addresses: vector<address>,
        secondary_signer_public_key_hashes: vector<Option<vector<u8>>>,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        txn_expiration_time: u64,
        chain_id: u8,
        is_simulation: bool
    ) {
        check_fee_payer_transaction(
            signer::address_of(&sender), signer::address_of(&fee_payer), txn_sender_public_key, fee_payer_public_key_hash,
            replay_protector, secondary_signer_addresses, secondary_signer_public_key_hashes, txn_gas_price,
            txn_max_gas_units, txn_expiration_time, chain_id, is_simulation
        )
    }

    fun check_fee_payer_transaction(
        sender: address,
        fee_payer: address,
        sender_key: Option<vector<u8>>,
        fee_payer_key: Option<vector<u8>>,
        replay_protector: ReplayProtector,
        secondary_signer_addresses: vector<address>,
        secondary_signer_keys: vector<Option<vector<u8>>>,
        gas_price: u64,
        max_gas_units: u64,
        expiration_time: u64,
        chain_id: u8,
        is_simulation: bool
    ) {
        assert!(features::fee_payer_enabled(), error::invalid_state(PROLOGUE_EFEE_PAYER_NOT_ENABLED));
        check_transaction(
            sender, fee_payer, sender_key, replay_protector, gas_price, max_gas_units, expiration_time, chain_id,
            is_simulation
        );
        check_secondary_signers(&secondary_signer_addresses, &secondary_signer_keys, is_simulation);
        if (!skips_key_check(is_simulation, &fee_payer_key)) {
            assert!(account::exists_at(fee_payer), error::invalid_argument(PROLOGUE_EACCOUNT_DOES_NOT_EXIST));
            assert_key(&fee_payer_key, account::get_authentication_key(fee_payer));
        }
    }

    /// The checks every transaction shares. The sequence number is among the last that can fail for good: the node treats one that
    /// is too new as possibly valid later.
    fun check_transaction(
        sender: address,
        gas_payer: address,
        sender_key: Option<vector<u8>>,
        replay_protector: ReplayProtector,
        gas_price: u64,
        max_gas_units: u64,
        expiration_time: u64,
        chain_id: u8,
        is_simulation: bool
    ) {
        assert!(
            timestamp::now_seconds() < expiration_time, error::invalid_argument(PROLOGUE_ETRANSACTION_EXPIRED)
        );
        assert!(chain_id::get() == chain_id, error::invalid_argument(PROLOGUE_EBAD_CHAIN_ID));

        // A sender without an account may start with its first transaction, where somebody else pays for creating it.
        let starts_here =
            sender != gas_payer
                && !account::exists_at(sender)
                && features::sponsored_automatic_account_creation_enabled();
        if (!skips_key_check(is_simulation, &sender_key)) {
            if (starts_here) {
                assert_key(&sender_key, bcs::to_bytes(&sender));
            } else {
                assert!(account::exists_at(sender), error::invalid_argument(PROLOGUE_EACCOUNT_DOES_NOT_EXIST));
                assert_key(&sender_key, account::get_authentication_key(sender));
            }
        };
        match (replay_protector) {
            ReplayProtector::SequenceNumber(sequence_number) => {
                if (starts_here) {
                    assert!(sequence_number == 0, error::invalid_argument(PROLOGUE_ESEQUENCE_NUMBER_TOO_NEW));
                } else {
                    check_sequence_number(sender, sequence_number);
                }
            },
            ReplayProtector::Nonce(nonce) => {
                check_nonce(sender, nonce, expiration_time);
            }
        };

        // The product must fit, or this ends in an arithmetic error: no balance could ever cover it.
        let max_fee = gas_price * max_gas_units;
        // A simulation may leave the payer open.
        if (!(is_simulation && gas_payer == @0x0)) {
            assert!(
                coin::is_balance_at_least<AptosCoin>(gas_payer, max_fee),
                error::invalid_argument(PROLOGUE_ECANT_PAY_GAS_DEPOSIT)
            );
        }
    }

    fun check_sequence_number(sender: address, sequence_number: u64) {
        assert!(account::exists_at(sender), error::invalid_argument(PROLOGUE_EACCOUNT_DOES_NOT_EXIST));
        assert!(
            sequence_number < MAX_SEQUENCE_NUMBER, error::out_of_range(PROLOGUE_ESEQUENCE_NUMBER_TOO_BIG)
        );
        let expected = account::get_sequence_number(sender);
        assert!(sequence_number >= expected, error::invalid_argument(PROLOGUE_ESEQUENCE_NUMBER_TOO_OLD));
        assert!(sequence_number == expected, error::invalid_argument(PROLOGUE_ESEQUENCE_NUMBER_TOO_NEW));
    }

    /// Uses the nonce up. Its history would grow without end if transactions could expire at any time.
    fun check_nonce(sender: address, nonce: u64, expiration_time: u64) {
        assert!(
            expiration_time <= timestamp::now_seconds() + MAX_EXPIRATION_TIME_SECONDS_FOR_ORDERLESS_TXNS,
            error::invalid_argument(PROLOGUE_ETRANSACTION_EXPIRATION_TOO_FAR_IN_FUTURE)
        );
        assert!(
            nonce_validation::check_and_insert_nonce(sender, nonce, expiration_time),
            error::invalid_argument(PROLOGUE_ENONCE_ALREADY_USED)
        );
    }

    fun check_secondary_signers(
        addresses: &vector<address>, keys: &vector<Option<vector<u8>>>, is_simulation: bool
    ) {
        let n = vector::length(addresses);
        assert!(
            n == vector::length(keys), error::invalid_argument(PROLOGUE_ESECONDARY_KEYS_ADDRESSES_COUNT_MISMATCH)
        );
        let i = 0;
        while (i < n) {
            let addr = *vector::borrow(addresses, i);
            assert!(account::exists_at(addr), error::invalid_argument(PROLOGUE_EACCOUNT_DOES_NOT_EXIST));
            let key = vector::borrow(keys, i);
            if (!skips_key_check(is_simulation, key)) {
                assert_key(key, account::get_authentication_key(addr));
            };
            i = i + 1;
        }
    }

    /// A simulation may leave a key out, or empty.
    fun skips_key_check(is_simulation: bool, key: &Option<vector<u8>>): bool {
        is_simulation && (option::is_none(key) || vector::is_empty(option::borrow(key)))
    }

    /// A key of none never matches: no account here is guarded by anything but a key.
    fun assert_key(given: &Option<vector<u8>>, expected: vector<u8>) {
        assert!(
            option::is_some(given) && *option::borrow(given) == expected,
            error::invalid_argument(PROLOGUE_EINVALID_ACCOUNT_AUTH_KEY)
        );
    }

    fun some_each(keys: vector<vector<u8>>): vector<Option<vector<u8>>> {
        vector::map(keys, |key| option::some(key))
    }

    // Epilogues.

    /// Settles a transaction its sender pays for.
    fun epilogue(
        account: signer,
        storage_fee_refunded: u64,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        gas_units_remaining: u64
    ) {
        let addr = signer::address_of(&account);
        settle(addr, addr, storage_fee_refunded, txn_gas_price, txn_max_gas_units, gas_units_remaining, false, false)
    }

    /// The same, told whether the transaction is only simulated.
    fun epilogue_extended(
        account: signer,
        storage_fee_refunded: u64,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        gas_units_remaining: u64,
        is_simulation: bool
    ) {
        let addr = signer::address_of(&account);
        settle(
            addr, addr, storage_fee_refunded, txn_gas_price, txn_max_gas_units, gas_units_remaining, is_simulation, false
        )
    }

    /// Settles a transaction another account pays for.
    fun epilogue_gas_payer(
        account: signer,
        gas_payer: address,
        storage_fee_refunded: u64,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        gas_units_remaining: u64
    ) {
        settle(
            signer::address_of(&account), gas_payer, storage_fee_refunded, txn_gas_price, txn_max_gas_units,
            gas_units_remaining, false, false
        )
    }

    /// The same, told whether the transaction is only simulated.
    fun epilogue_gas_payer_extended(
        account: signer,
        gas_payer: address,
        storage_fee_refunded: u64,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        gas_units_remaining: u64,
        is_simulation: bool
    ) {
        settle(
            signer::address_of(&account), gas_payer, storage_fee_refunded, txn_gas_price, txn_max_gas_units,
            gas_units_remaining, is_simulation, false
        )
    }

    /// Settles any transaction.
    fun unified_epilogue(
        account: signer,
        gas_payer: signer,
        storage_fee_refunded: u64,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        gas_units_remaining: u64,
        is_simulation: bool
    ) {
        settle(
            signer::address_of(&account), signer::address_of(&gas_payer), storage_fee_refunded, txn_gas_price,
            txn_max_gas_units, gas_units_remaining, is_simulation, false
        )
    }

    /// Settles any transaction, told whether a nonce protected it.
    fun unified_epilogue_v2(
        account: signer,
        gas_payer: signer,
        storage_fee_refunded: u64,
        txn_gas_price: u64,
        txn_max_gas_units: u64,
        gas_units_remaining: u64,
        is_simulation: bool,
        is_orderless_txn: bool
    ) {
        settle(
            signer::address_of(&account), signer::address_of(&gas_payer), storage_fee_refunded, txn_gas_price,
            txn_max_gas_units, gas_units_remaining, is_simulation, is_orderless_txn
        )
    }

    /// Takes the fee from the payer, or pays the rest of a refund out, and counts the transaction.
    fun settle(
        sender: address,
        gas_payer: address,
        storage_fee_refunded: u64,
        gas_price: u64,
        max_gas_units: u64,
        gas_units_remaining: u64,
        is_simulation: bool,
        is_orderless: bool
    ) {
        assert!(max_gas_units >= gas_units_remaining, error::invalid_argument(EOUT_OF_GAS));
        let gas_used = max_gas_units - gas_units_remaining;
        assert!(
            (gas_price as u128) * (gas_used as u128) <= MAX_U64, error::out_of_range(EOUT_OF_GAS)
        );
        let fee = gas_price * gas_used;

        // A simulation may leave the payer open.
        if (!(is_simulation && gas_payer == @0x0)) {
            assert!(
                coin::is_balance_at_least<AptosCoin>(gas_payer, fee),
                error::out_of_range(PROLOGUE_ECANT_PAY_GAS_DEPOSIT)
            );
            if (fee > storage_fee_refunded) {
                transaction_fee::burn_fee(gas_payer, fee - storage_fee_refunded);
            } else if (fee < storage_fee_refunded) {
                transaction_fee::mint_and_refund(gas_payer, storage_fee_refunded - fee);
            }
        };
        // An orderless transaction was counted by its nonce.
        if (!is_orderless) {
            account::increment_sequence_number(sender);
        }
    }

    #[test_only]
    /// Runs the prologue of a transaction of one signer.
    public fun prologue_for_test(
        sender: signer, sequence_number: u64, auth_key: vector<u8>, max_gas_units: u64, expiration: u64, chain_id: u8
    ) {
        script_prologue(sender, sequence_number, auth_key, 1, max_gas_units, expiration, chain_id, vector[])
    }

    #[test_only]
    /// Runs the prologue of a transaction paid for by another account.
    public fun fee_payer_prologue_for_test(
        sender: signer, sequence_number: u64, sender_key: vector<u8>, payer: address, payer_key: vector<u8>
    ) {
        fee_payer_script_prologue(
            sender, sequence_number, sender_key, vector[], vector[], payer, payer_key, 1, 100, 10, 4
        )
    }

    #[test_only]
    /// Runs the prologue of a transaction of two signers.
    public fun multi_agent_prologue_for_test(
        sender: signer, sender_key: vector<u8>, others: vector<address>, other_keys: vector<vector<u8>>
    ) {
        multi_agent_script_prologue(sender, 0, sender_key, others, other_keys, 1, 100, 10, 4)
    }

    #[test_only]
    /// Runs an epilogue at price 1.
    public fun epilogue_for_test(sender: signer, payer: address, refund: u64, max_gas_units: u64, remaining: u64) {
        epilogue_gas_payer(sender, payer, refund, 1, max_gas_units, remaining)
    }

    #[test_only]
    /// Runs the unified prologue of a transaction paid for by another account.
    public fun unified_prologue_for_test(
        sender: signer, payer: signer, sender_key: Option<vector<u8>>, payer_key: Option<vector<u8>>, is_simulation: bool
    ) {
        unified_prologue_fee_payer(
            sender, payer, sender_key, payer_key, 0, vector[], vector[], 1, 100, 10, 4, is_simulation
        )
    }

    #[test_only]
    /// Runs the unified epilogue at price 1, having used 10 of 100 units.
    public fun unified_epilogue_for_test(sender: signer, payer: signer) {
        unified_epilogue(sender, payer, 0, 1, 100, 90, false)
    }
}
