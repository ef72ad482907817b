//! Which name is which native.

use ledger_types::{Address, Identifier, ModuleId};

use super::{
    NativeFunction, aggregator, aggregator_v2, bls12381, context, crypto, event, format, function_info,
    memory, missing, publish, randomness, ristretto255, serialize, string, table, types, vector,
};

/// The native of this name; one that answers `not implemented` with its name if there is none.
pub fn find(module: &ModuleId, function: &Identifier) -> NativeFunction {
    lookup(module, function.as_str()).unwrap_or(missing)
}

/// Whether a native of this name is done. A module may declare one that is not: it links, and a call
/// answers `UNIMPLEMENTED_FUNCTIONALITY`.
pub fn has_native(module: &ModuleId, function: &str) -> bool {
    lookup(module, function).is_some()
}

fn lookup(module: &ModuleId, function: &str) -> Option<NativeFunction> {
    if module.address != Address::ONE {
        return None;
    }
    Some(match (module.name.as_str(), function) {
        ("account" | "genesis" | "create_signer", "create_signer") => context::create_signer,
        ("signer", "borrow_address") => context::borrow_address,
        ("aggregator", "add") => aggregator::add,
        ("aggregator", "sub") => aggregator::sub,
        ("aggregator", "read") => aggregator::read,
        ("aggregator", "destroy") => aggregator::destroy,
        ("aggregator_factory", "new_aggregator") => aggregator::new_aggregator,
        ("aggregator_v2", "create_aggregator") => aggregator_v2::create,
        ("aggregator_v2", "create_unbounded_aggregator") => aggregator_v2::create_unbounded,
        ("aggregator_v2", "try_add") => aggregator_v2::try_add,
        ("aggregator_v2", "try_sub") => aggregator_v2::try_sub,
        ("aggregator_v2", "is_at_least_impl") => aggregator_v2::is_at_least,
        ("aggregator_v2", "read") => aggregator_v2::read,
        ("aggregator_v2", "snapshot") => aggregator_v2::snapshot,
        ("aggregator_v2", "read_snapshot") => aggregator_v2::read_snapshot,
        ("aggregator_v2", "create_snapshot") => aggregator_v2::create_snapshot,
        ("aggregator_v2", "read_derived_string") => aggregator_v2::read_derived_string,
        ("aggregator_v2", "create_derived_string") => aggregator_v2::create_derived_string,
        ("aggregator_v2", "derive_string_concat") => aggregator_v2::derive_string_concat,
        ("aggregator_v2", "copy_snapshot" | "string_concat") => aggregator_v2::not_supported,
        ("aptos_hash", "sip_hash") => crypto::sip_hash,
        ("aptos_hash", "keccak256") => crypto::keccak256,
        ("aptos_hash", "sha2_512_internal") => crypto::sha2_512,
        ("aptos_hash", "sha3_512_internal") => crypto::sha3_512,
        ("aptos_hash", "ripemd160_internal") => crypto::ripemd160,
        ("aptos_hash", "blake2b_256_internal") => crypto::blake2b_256,
        ("bls12381", name) => return of_bls12381(name),
        ("ristretto255", name) => return of_ristretto255(name),
        ("randomness", "fetch_and_increment_txn_counter") => randomness::fetch_and_increment_counter,
        ("randomness", "is_unbiasable") => randomness::is_unbiasable,
        ("transaction_context", "is_encrypted_txn_internal") => context::is_encrypted,
        ("hash", "sha2_256") => crypto::sha2_256,
        ("hash", "sha3_256") => crypto::sha3_256,
        ("ed25519", "public_key_validate_internal") => crypto::ed25519_validate,
        ("ed25519", "signature_verify_strict_internal") => crypto::ed25519_verify,
        ("multi_ed25519", "public_key_validate_internal" | "public_key_validate_v2_internal") => {
            crypto::multi_ed25519_validate
        }
        ("multi_ed25519", "signature_verify_strict_internal") => crypto::multi_ed25519_verify,
        ("function_info", "is_identifier") => string::is_identifier,
        ("function_info", "load_function_impl") => function_info::load,
        ("function_info", "check_dispatch_type_compatibility_impl") => function_info::check_compatibility,
        (
            "dispatchable_fungible_asset",
            "dispatchable_withdraw"
            | "dispatchable_deposit"
            | "dispatchable_derived_balance"
            | "dispatchable_derived_supply",
        ) => function_info::dispatch_asset,
        ("account_abstraction", "dispatchable_authenticate") => function_info::dispatch_authenticate,
        ("secp256k1", "ecdsa_recover_internal") => crypto::secp256k1_recover,
        ("bcs", "to_bytes") => serialize::to_bytes,
        ("bcs", "serialized_size") => serialize::serialized_size,
        ("bcs", "constant_serialized_size") => serialize::constant_serialized_size,
        ("from_bcs" | "util", "from_bytes") => serialize::from_bytes,
        ("cmp", "compare") => memory::compare,
        ("mem", "swap") => memory::swap,
        ("vector", name) => return of_vector(name),
        ("code", "request_publish") => publish::request,
        ("code", "request_publish_with_allowed_deps") => publish::request_with_dependencies,
        ("debug", "print" | "print_stack_trace" | "native_print") => context::silent,
        ("debug", "native_stack_trace") => context::no_stack_trace,
        ("event", "write_to_event_store") => event::write_to_event_store,
        ("event", "write_module_event_to_store") => event::write_module_event,
        ("object", "exists_at") => context::object_exists,
        ("object", "create_user_derived_object_address_impl") => context::derived_object_address,
        ("state_storage", "get_state_storage_usage_only_at_epoch_beginning") => context::storage_usage,
        ("string", "internal_check_utf8") => string::check_utf8,
        ("string", "internal_is_char_boundary") => string::is_char_boundary,
        ("string", "internal_sub_string") => string::sub_string,
        ("string", "internal_index_of") => string::index_of,
        ("string_utils", "native_format") => format::format,
        ("string_utils", "native_format_list") => format::format_list,
        ("table", "new_table_handle") => table::new_handle,
        ("table", "add_box") => table::add,
        ("table", "borrow_box" | "borrow_box_mut") => table::borrow,
        ("table", "contains_box") => table::contains,
        ("table", "remove_box") => table::remove,
        ("table", "destroy_empty_box") => table::destroy_empty,
        ("table", "drop_unchecked_box") => table::drop_unchecked,
        ("transaction_context", "get_script_hash") => context::script_hash,
        ("transaction_context", "get_txn_hash") => context::session_hash,
        ("transaction_context", "generate_unique_address") => context::unique_address,
        ("transaction_context", "sender_internal") => context::sender,
        ("transaction_context", "secondary_signers_internal") => context::secondary_signers,
        ("transaction_context", "gas_payer_internal") => context::gas_payer,
        ("transaction_context", "max_gas_amount_internal") => context::max_gas_amount,
        ("transaction_context", "gas_unit_price_internal") => context::gas_unit_price,
        ("transaction_context", "entry_function_payload_internal") => context::entry_function_payload,
        ("transaction_context", "multisig_payload_internal") => context::multisig_payload,
        ("transaction_context", "monotonically_increasing_counter_internal") => context::monotonic_counter,
        ("transaction_context", "chain_id_internal") => types::transaction_chain_id,
        ("type_info", "chain_id_internal") => types::chain_id,
        ("type_info", "type_of") => types::type_of,
        ("type_info", "type_name") => types::type_name,
        _ => return None,
    })
}

fn of_vector(function: &str) -> Option<NativeFunction> {
    Some(match function {
        "borrow" => vector::borrow,
        "borrow_mut" => vector::borrow_mut,
        "destroy_empty" => vector::destroy_empty,
        "empty" => vector::empty,
        "length" => vector::length,
        "move_range" => memory::move_range,
        "pop_back" => vector::pop_back,
        "push_back" => vector::push_back,
        "swap" => vector::swap,
        _ => return None,
    })
}

fn of_bls12381(function: &str) -> Option<NativeFunction> {
    Some(match function {
        "aggregate_pubkeys_internal" => bls12381::aggregate_keys,
        "aggregate_signatures_internal" => bls12381::aggregate_signatures,
        "signature_subgroup_check_internal" => bls12381::check_signature_subgroup,
        "validate_pubkey_internal" => bls12381::validate_key,
        "verify_aggregate_signature_internal" => bls12381::verify_aggregate,
        "verify_multisignature_internal" | "verify_signature_share_internal" => bls12381::verify_possessed,
        "verify_normal_signature_internal" => bls12381::verify_normal,
        "verify_proof_of_possession_internal" => bls12381::verify_proof,
        _ => return None,
    })
}

fn of_ristretto255(function: &str) -> Option<NativeFunction> {
    use ristretto255::{points, scalars};
    Some(match function {
        "basepoint_double_mul_internal" => points::combine_with_generator,
        "basepoint_mul_internal" => points::generated,
        "double_scalar_mul_internal" => points::combine_two,
        "multi_scalar_mul_internal" => points::combine,
        "new_point_from_64_uniform_bytes_internal" => points::from_uniform,
        "new_point_from_sha512_internal" => points::from_sha512,
        "point_add_internal" => points::add,
        "point_clone_internal" => points::duplicate,
        "point_compress_internal" => points::compress,
        "point_decompress_internal" => points::decompress,
        "point_equals" => points::equals,
        "point_identity_internal" => points::identity,
        "point_is_canonical_internal" => points::is_canonical,
        "point_mul_internal" => points::multiply,
        "point_neg_internal" => points::negate,
        "point_sub_internal" => points::subtract,
        "scalar_add_internal" => scalars::add,
        "scalar_from_sha512_internal" => scalars::from_sha512,
        "scalar_from_u128_internal" => scalars::from_u128,
        "scalar_from_u64_internal" => scalars::from_u64,
        "scalar_invert_internal" => scalars::invert,
        "scalar_is_canonical_internal" => scalars::is_canonical,
        "scalar_mul_internal" => scalars::multiply,
        "scalar_neg_internal" => scalars::negate,
        "scalar_reduced_from_32_bytes_internal" => scalars::reduced,
        "scalar_sub_internal" => scalars::subtract,
        "scalar_uniform_from_64_bytes_internal" => scalars::from_uniform,
        _ => return None,
    })
}
