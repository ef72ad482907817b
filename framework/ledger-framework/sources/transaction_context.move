/// What Move code may know about the transaction that runs it.
///
/// Functions that need a user transaction abort elsewhere, in views and block prologues say.
module aptos_framework::transaction_context {
    use std::error;
    use std::features;
    use std::option::Option;
    use std::string::String;
    use aptos_framework::timestamp;

    /// The function needs a user transaction.
    const ETRANSACTION_CONTEXT_NOT_AVAILABLE: u64 = 1;
    /// The chain does not offer this function yet.
    const ETRANSACTION_CONTEXT_EXTENSION_NOT_ENABLED: u64 = 2;

    /// An address that nothing on the chain has had before.
    struct AUID has drop, store {
        unique_address: address
    }

    /// A call of an entry function.
    struct EntryFunctionPayload has copy, drop {
        account_address: address,
        module_name: String,
        function_name: String,
        ty_args_names: vector<String>,
        args: vector<vector<u8>>
    }

    /// A call on behalf of a multisig account.
    struct MultisigPayload has copy, drop {
        multisig_address: address,
        entry_function_payload: Option<EntryFunctionPayload>
    }

    /// The hash of the transaction's session, which is not the hash it is known by outside.
    public fun get_transaction_hash(): vector<u8> {
        get_txn_hash()
    }

    /// An address that nothing on the chain has had before.
    public fun generate_auid_address(): address {
        generate_unique_address()
    }

    /// The same, in a form that proves where it comes from.
    public fun generate_auid(): AUID {
        AUID { unique_address: generate_unique_address() }
    }

    /// The address of an `AUID`.
    public fun auid_address(auid: &AUID): address {
        auid.unique_address
    }

    /// SHA3-256 of the transaction's script, or nothing where it calls an entry function.
    native public fun get_script_hash(): vector<u8>;

    /// The sender.
    public fun sender(): address {
        assert_extension();
        sender_internal()
    }

    /// The secondary signers, in order.
    public fun secondary_signers(): vector<address> {
        assert_extension();
        secondary_signers_internal()
    }

    /// Who pays the fee.
    public fun gas_payer(): address {
        assert_extension();
        gas_payer_internal()
    }

    /// The most gas units the transaction may use.
    public fun max_gas_amount(): u64 {
        assert_extension();
        max_gas_amount_internal()
    }

    /// The price of a gas unit, in octas.
    public fun gas_unit_price(): u64 {
        assert_extension();
        gas_unit_price_internal()
    }

    /// The chain's number.
    public fun chain_id(): u8 {
        assert_extension();
        chain_id_internal()
    }

    /// The entry function the transaction calls, or none.
    public fun entry_function_payload(): Option<EntryFunctionPayload> {
        assert_extension();
        entry_function_payload_internal()
    }

    /// The account of the entry function's module.
    public fun account_address(payload: &EntryFunctionPayload): address {
        payload.account_address
    }

    /// The entry function's module.
    public fun module_name(payload: &EntryFunctionPayload): String {
        payload.module_name
    }

    /// The entry function's name.
    public fun function_name(payload: &EntryFunctionPayload): String {
        payload.function_name
    }

    /// The texts of the entry function's type arguments.
    public fun type_arg_names(payload: &EntryFunctionPayload): vector<String> {
        payload.ty_args_names
    }

    /// The encodings of the entry function's arguments.
    public fun args(payload: &EntryFunctionPayload): vector<vector<u8>> {
        payload.args
    }

    /// The multisig call of the transaction, or none.
    public fun multisig_payload(): Option<MultisigPayload> {
        assert_extension();
        multisig_payload_internal()
    }

    /// The multisig account of a call.
    public fun multisig_address(payload: &MultisigPayload): address {
        payload.multisig_address
    }

    /// The entry function of a multisig call, where the transaction gives it.
    public fun inner_entry_function_payload(payload: &MultisigPayload): Option<EntryFunctionPayload> {
        payload.entry_function_payload
    }

    fun assert_extension() {
        assert!(
            features::transaction_context_extension_enabled(),
            error::invalid_state(ETRANSACTION_CONTEXT_EXTENSION_NOT_ENABLED)
        );
    }

    /// A number larger than every one this function has returned before, in this transaction, block or any earlier one.
    public fun monotonically_increasing_counter(): u128 {
        monotonically_increasing_counter_internal(timestamp::now_microseconds())
    }

    native fun monotonically_increasing_counter_internal(timestamp_us: u64): u128;
    native fun get_txn_hash(): vector<u8>;
    native fun generate_unique_address(): address;
    native fun sender_internal(): address;
    native fun secondary_signers_internal(): vector<address>;
    native fun gas_payer_internal(): address;
    native fun max_gas_amount_internal(): u64;
    native fun gas_unit_price_internal(): u64;
    native fun chain_id_internal(): u8;
    native fun entry_function_payload_internal(): Option<EntryFunctionPayload>;
    native fun multisig_payload_internal(): Option<MultisigPayload>;
}
