//! The gas schedule: public parameter names, one field each, with the values that stand in for a
//! name the chain's schedule does not have.
//!
//! Fields are internal gas unless their name ends in a unit of its own.

use std::collections::BTreeMap;

macro_rules! schedule {
    ($($field:ident $name:literal $default:literal)*) => {
        /// One cost per operation and native, in internal gas; the public name is beside each field
        /// in the source.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub struct Costs { $(pub $field: u64,)* }

        impl Costs {
            /// Reads every field through `get`, which may not know a name.
            fn read(get: impl Fn(&str) -> Option<u64>) -> Self {
                Self { $($field: get($name).unwrap_or($default),)* }
            }

            /// All values in field order: equal lists mean equal costs.
            pub(crate) fn values(&self) -> Vec<u64> {
                vec![$(self.$field,)*]
            }
        }
    };
}

schedule! {
    nop "instr.nop" 360
    ret "instr.ret" 2200
    abort "instr.abort" 2200
    br_true "instr.br_true" 4410
    br_false "instr.br_false" 4410
    branch "instr.branch" 2940
    pop "instr.pop" 1470
    ld_u8 "instr.ld_u8" 2200
    ld_u16 "instr.ld_u16" 2200
    ld_u32 "instr.ld_u32" 2200
    ld_u64 "instr.ld_u64" 2200
    ld_u128 "instr.ld_u128" 2940
    ld_u256 "instr.ld_u256" 2940
    ld_true "instr.ld_true" 2200
    ld_false "instr.ld_false" 2200
    ld_i8 "instr.ld_i8" 2200
    ld_i16 "instr.ld_i16" 2200
    ld_i32 "instr.ld_i32" 2200
    ld_i64 "instr.ld_i64" 2200
    ld_i128 "instr.ld_i128" 2940
    ld_i256 "instr.ld_i256" 2940
    imm_borrow_loc "instr.imm_borrow_loc" 2200
    mut_borrow_loc "instr.mut_borrow_loc" 2200
    imm_borrow_field "instr.imm_borrow_field" 7350
    mut_borrow_field "instr.mut_borrow_field" 7350
    imm_borrow_field_generic "instr.imm_borrow_field_generic" 7350
    mut_borrow_field_generic "instr.mut_borrow_field_generic" 7350
    imm_borrow_variant_field "instr.imm_borrow_variant_field" 8350
    mut_borrow_variant_field "instr.mut_borrow_variant_field" 8350
    imm_borrow_variant_field_generic "instr.imm_borrow_variant_field_generic" 8350
    mut_borrow_variant_field_generic "instr.mut_borrow_variant_field_generic" 8350
    test_variant "instr.test_variant" 5350
    test_variant_generic "instr.test_variant_generic" 5350
    freeze_ref "instr.freeze_ref" 360
    cast_u8 "instr.cast_u8" 4410
    cast_u16 "instr.cast_u16" 4410
    cast_u32 "instr.cast_u32" 4410
    cast_u64 "instr.cast_u64" 4410
    cast_u128 "instr.cast_u128" 4410
    cast_u256 "instr.cast_u256" 4410
    cast_i8 "instr.cast_i8" 4410
    cast_i16 "instr.cast_i16" 4410
    cast_i32 "instr.cast_i32" 4410
    cast_i64 "instr.cast_i64" 4410
    cast_i128 "instr.cast_i128" 4410
    cast_i256 "instr.cast_i256" 4410
    negate "instr.negate" 5880
    add "instr.add" 5880
    sub "instr.sub" 5880
    mul "instr.mul" 5880
    mod_ "instr.mod" 5880
    div "instr.div" 5880
    bit_or "instr.bit_or" 5880
    bit_and "instr.bit_and" 5880
    xor "instr.bit_xor" 5880
    shl "instr.bit_shl" 5880
    shr "instr.bit_shr" 5880
    or_ "instr.or" 5880
    and_ "instr.and" 5880
    not "instr.not" 5880
    lt "instr.lt" 5880
    gt "instr.gt" 5880
    le "instr.le" 5880
    ge "instr.ge" 5880
    ld_const_base "instr.ld_const.base" 23890
    ld_const_per_byte "instr.ld_const.per_byte" 1280
    copy_loc_base "instr.copy_loc.base" 2940
    copy_loc_per_unit "instr.copy_loc.per_abs_val_unit" 140
    move_loc "instr.move_loc.base" 4410
    st_loc "instr.st_loc.base" 4410
    call_base "instr.call.base" 36760
    call_per_arg "instr.call.per_arg" 3670
    call_per_local "instr.call.per_local" 3670
    call_generic_base "instr.call_generic.base" 36760
    call_generic_per_ty_arg "instr.call_generic.per_ty_arg" 3670
    call_generic_per_arg "instr.call_generic.per_arg" 3670
    call_generic_per_local "instr.call_generic.per_local" 3670
    pack_base "instr.pack.base" 8080
    pack_per_field "instr.pack.per_field" 1470
    pack_generic_base "instr.pack_generic.base" 8080
    pack_generic_per_field "instr.pack_generic.per_field" 1470
    unpack_base "instr.unpack.base" 8080
    unpack_per_field "instr.unpack.per_field" 1470
    unpack_generic_base "instr.unpack_generic.base" 8080
    unpack_generic_per_field "instr.unpack_generic.per_field" 1470
    read_ref_base "instr.read_ref.base" 7350
    read_ref_per_unit "instr.read_ref.per_abs_val_unit" 140
    write_ref "instr.write_ref.base" 7350
    eq_base "instr.eq.base" 3670
    eq_per_unit "instr.eq.per_abs_val_unit" 140
    neq_base "instr.neq.base" 3670
    neq_per_unit "instr.neq.per_abs_val_unit" 140
    imm_borrow_global "instr.imm_borrow_global.base" 18380
    mut_borrow_global "instr.mut_borrow_global.base" 18380
    imm_borrow_global_generic "instr.imm_borrow_global_generic.base" 18380
    mut_borrow_global_generic "instr.mut_borrow_global_generic.base" 18380
    exists "instr.exists.base" 9190
    exists_generic "instr.exists_generic.base" 9190
    move_from "instr.move_from.base" 12860
    move_from_generic "instr.move_from_generic.base" 12860
    move_to "instr.move_to.base" 18380
    move_to_generic "instr.move_to_generic.base" 18380
    vec_len "instr.vec_len.base" 8080
    vec_imm_borrow "instr.vec_imm_borrow.base" 12130
    vec_mut_borrow "instr.vec_mut_borrow.base" 12130
    vec_push_back "instr.vec_push_back.base" 13960
    vec_pop_back "instr.vec_pop_back.base" 9550
    vec_swap "instr.vec_swap.base" 11020
    vec_pack_base "instr.vec_pack.base" 22050
    vec_pack_per_element "instr.vec_pack.per_elem" 1470
    vec_unpack_base "instr.vec_unpack.base" 18380
    vec_unpack_per_element "instr.vec_unpack.per_expected_elem" 1470
    subst_type_per_node "instr.subst_ty_per_node" 4000
    abort_msg_base "instr.abort_msg.base" 4400
    abort_msg_per_byte "instr.abort_msg.per_byte" 450
    abs_u8 "misc.abs_val.u8" 40
    abs_u16 "misc.abs_val.u16" 40
    abs_u32 "misc.abs_val.u32" 40
    abs_u64 "misc.abs_val.u64" 40
    abs_u128 "misc.abs_val.u128" 40
    abs_u256 "misc.abs_val.u256" 40
    abs_bool "misc.abs_val.bool" 40
    abs_address "misc.abs_val.address" 40
    abs_struct "misc.abs_val.struct" 40
    abs_vector "misc.abs_val.vector" 40
    abs_reference "misc.abs_val.reference" 40
    abs_closure "misc.abs_val.closure" 40
    abs_packed_u8 "misc.abs_val.per_u8_packed" 1
    abs_packed_u16 "misc.abs_val.per_u16_packed" 2
    abs_packed_u32 "misc.abs_val.per_u32_packed" 4
    abs_packed_u64 "misc.abs_val.per_u64_packed" 8
    abs_packed_u128 "misc.abs_val.per_u128_packed" 16
    abs_packed_u256 "misc.abs_val.per_u256_packed" 32
    abs_packed_bool "misc.abs_val.per_bool_packed" 1
    abs_packed_address "misc.abs_val.per_address_packed" 32
    memory_quota "txn.memory_quota" 10000000
    type_nodes_max "txn.max_ty_size" 128
    type_depth_max "txn.max_ty_depth" 20
    load_slot "txn.storage_io_per_state_slot_read" 3023850
    load_per_byte "txn.storage_io_per_state_byte_read" 1510
    scaling_factor "txn.gas_unit_scaling_factor" 1000000
    max_execution_gas "txn.max_execution_gas" 9200000000
    max_io_gas "txn.max_io_gas" 10000000000
    bcs_per_byte "move_stdlib.bcs.to_bytes.per_byte_serialized" 360
    bcs_failure "move_stdlib.bcs.to_bytes.failure" 36760
    bcs_size_base "move_stdlib.bcs.serialized_size.base" 735
    bcs_size_per_byte "move_stdlib.bcs.serialized_size.per_byte_serialized" 360
    bcs_constant_size "move_stdlib.bcs.constant_serialized_size.base" 735
    sha2_base "move_stdlib.hash.sha2_256.base" 110280
    sha2_per_byte "move_stdlib.hash.sha2_256.per_byte" 1830
    sha3_base "move_stdlib.hash.sha3_256.base" 147040
    sha3_per_byte "move_stdlib.hash.sha3_256.per_byte" 1650
    signer_borrow_address "move_stdlib.signer.borrow_address.base" 7350
    utf8_base "move_stdlib.string.check_utf8.base" 11020
    utf8_per_byte "move_stdlib.string.check_utf8.per_byte" 290
    char_boundary "move_stdlib.string.is_char_boundary.base" 11020
    sub_string_base "move_stdlib.string.sub_string.base" 14700
    sub_string_per_byte "move_stdlib.string.sub_string.per_byte" 110
    index_of_base "move_stdlib.string.index_of.base" 14700
    index_of_per_pattern "move_stdlib.string.index_of.per_byte_pattern" 730
    index_of_per_searched "move_stdlib.string.index_of.per_byte_searched" 360
    cmp_base "move_stdlib.cmp.compare.base" 3670
    cmp_per_unit "move_stdlib.cmp.compare.per_abs_val_unit" 140
    mem_swap "move_stdlib.mem.swap.base" 15000
    move_range_base "move_stdlib.vector.move_range.base" 40000
    move_range_per_element "move_stdlib.vector.move_range.per_index_moved" 100
    create_signer "aptos_framework.account.create_signer.base" 11020
    account_create_address "aptos_framework.account.create_address.base" 11020
    aggregator_add "aptos_framework.aggregator.add.base" 11020
    aggregator_read "aptos_framework.aggregator.read.base" 11020
    aggregator_sub "aptos_framework.aggregator.sub.base" 11020
    aggregator_destroy "aptos_framework.aggregator.destroy.base" 18380
    new_aggregator "aptos_framework.aggregator_factory.new_aggregator.base" 18380
    from_bytes_base "aptos_framework.util.from_bytes.base" 11020
    from_bytes_per_byte "aptos_framework.util.from_bytes.per_byte" 180
    type_of_base "aptos_framework.type_info.type_of.base" 11020
    type_of_per_byte "aptos_framework.type_info.type_of.per_abstract_memory_unit" 180
    type_name_base "aptos_framework.type_info.type_name.base" 11020
    type_name_per_byte "aptos_framework.type_info.type_name.per_abstract_memory_unit" 180
    chain_id "aptos_framework.type_info.chain_id.base" 5510
    txn_hash "aptos_framework.transaction_context.get_txn_hash.base" 7350
    txn_script_hash "aptos_framework.transaction_context.get_script_hash.base" 7350
    txn_counter "aptos_framework.transaction_context.monotonically_increasing_counter.base" 7350
    txn_sender "aptos_framework.transaction_context.sender.base" 7350
    txn_secondary_signers "aptos_framework.transaction_context.secondary_signers.base" 7350
    txn_secondary_signers_per_signer "aptos_framework.transaction_context.secondary_signers.per_signer" 5760
    txn_fee_payer "aptos_framework.transaction_context.fee_payer.base" 7350
    txn_max_gas_amount "aptos_framework.transaction_context.max_gas_amount.base" 7350
    txn_gas_unit_price "aptos_framework.transaction_context.gas_unit_price.base" 7350
    txn_chain_id "aptos_framework.transaction_context.chain_id.base" 7350
    txn_entry_function "aptos_framework.transaction_context.entry_function_payload.base" 7350
    txn_entry_function_per_byte "aptos_framework.transaction_context.entry_function_payload.per_abstract_memory_unit" 180
    txn_multisig "aptos_framework.transaction_context.multisig_payload.base" 7350
    txn_multisig_per_byte "aptos_framework.transaction_context.multisig_payload.per_abstract_memory_unit" 180
    unique_address "aptos_framework.transaction_context.generate_unique_address.base" 147040
    event_base "aptos_framework.event.write_to_event_store.base" 200060
    event_per_unit "aptos_framework.event.write_to_event_store.per_abstract_memory_unit" 610
    storage_usage "aptos_framework.state_storage.get_usage.base" 18380
    request_publish_base "aptos_framework.code.request_publish.base" 18380
    request_publish_per_byte "aptos_framework.code.request_publish.per_byte" 70
    derived_object "aptos_framework.object.user_derived_address.base" 147040
    object_exists "aptos_framework.object.exists_at.base" 9190
    sip_base "aptos_framework.hash.sip_hash.base" 36760
    sip_per_byte "aptos_framework.hash.sip_hash.per_byte" 730
    keccak_base "aptos_framework.hash.keccak256.base" 147040
    keccak_per_byte "aptos_framework.hash.keccak256.per_byte" 1650
    sha2_512_base "aptos_framework.hash.sha2_512.base" 119100
    sha2_512_per_byte "aptos_framework.hash.sha2_512.per_byte" 2200
    sha3_512_base "aptos_framework.hash.sha3_512.base" 165420
    sha3_512_per_byte "aptos_framework.hash.sha3_512.per_byte" 1830
    ripemd_base "aptos_framework.hash.ripemd160.base" 110280
    ripemd_per_byte "aptos_framework.hash.ripemd160.per_byte" 1830
    blake2b_base "aptos_framework.hash.blake2b_256.base" 64330
    blake2b_per_byte "aptos_framework.hash.blake2b_256.per_byte" 550
    ed25519_key "aptos_framework.signature.per_pubkey_deserialize" 1396880
    ed25519_small_order "aptos_framework.signature.per_pubkey_small_order_check" 233420
    ed25519_signature "aptos_framework.signature.per_sig_deserialize" 13780
    ed25519_verify "aptos_framework.signature.per_sig_strict_verify" 9814920
    ed25519_hash_base "aptos_framework.signature.per_msg_hashing_base" 119100
    ed25519_hash_per_byte "aptos_framework.signature.per_msg_byte_hashing" 2200
    bls_base "aptos_framework.bls12381.base" 5510
    bls_key "aptos_framework.bls12381.per_pubkey_deserialize" 4006840
    bls_key_aggregate "aptos_framework.bls12381.per_pubkey_aggregate" 154390
    bls_key_subgroup "aptos_framework.bls12381.per_pubkey_subgroup_check" 13601200
    bls_signature "aptos_framework.bls12381.per_sig_deserialize" 8160720
    bls_signature_aggregate "aptos_framework.bls12381.per_sig_aggregate" 428250
    bls_signature_subgroup "aptos_framework.bls12381.per_sig_subgroup_check" 16927980
    bls_verify "aptos_framework.bls12381.per_sig_verify" 311908600
    bls_proof "aptos_framework.bls12381.per_pop_verify" 378628000
    bls_pairing "aptos_framework.bls12381.per_pairing" 147517880
    bls_hash "aptos_framework.bls12381.per_msg_hashing" 56610400
    bls_hash_per_byte "aptos_framework.bls12381.per_byte_hashing" 1830
    ristretto_basepoint_mul "aptos_framework.ristretto255.basepoint_mul" 4705280
    ristretto_basepoint_double_mul "aptos_framework.ristretto255.basepoint_double_mul" 16174400
    ristretto_point_add "aptos_framework.ristretto255.point_add" 78480
    ristretto_point_clone "aptos_framework.ristretto255.point_clone" 5510
    ristretto_point_compress "aptos_framework.ristretto255.point_compress" 1470400
    ristretto_point_decompress "aptos_framework.ristretto255.point_decompress" 1488780
    ristretto_point_equals "aptos_framework.ristretto255.point_equals" 84540
    ristretto_point_from_64_uniform_bytes "aptos_framework.ristretto255.point_from_64_uniform_bytes" 2995940
    ristretto_point_identity "aptos_framework.ristretto255.point_identity" 5510
    ristretto_point_mul "aptos_framework.ristretto255.point_mul" 17313960
    ristretto_point_double_mul "aptos_framework.ristretto255.point_double_mul" 18699070
    ristretto_point_neg "aptos_framework.ristretto255.point_neg" 13230
    ristretto_point_sub "aptos_framework.ristretto255.point_sub" 78290
    ristretto_point_parse_arg "aptos_framework.ristretto255.point_parse_arg" 5510
    ristretto_scalar_sha512_per_byte "aptos_framework.ristretto255.scalar_sha512_per_byte" 2200
    ristretto_scalar_sha512_per_hash "aptos_framework.ristretto255.scalar_sha512_per_hash" 119100
    ristretto_scalar_add "aptos_framework.ristretto255.scalar_add" 28300
    ristretto_scalar_reduced_from_32_bytes "aptos_framework.ristretto255.scalar_reduced_from_32_bytes" 26090
    ristretto_scalar_uniform_from_64_bytes "aptos_framework.ristretto255.scalar_uniform_from_64_bytes" 45760
    ristretto_scalar_from_u128 "aptos_framework.ristretto255.scalar_from_u128" 6430
    ristretto_scalar_from_u64 "aptos_framework.ristretto255.scalar_from_u64" 6430
    ristretto_scalar_invert "aptos_framework.ristretto255.scalar_invert" 4043600
    ristretto_scalar_is_canonical "aptos_framework.ristretto255.scalar_is_canonical" 42270
    ristretto_scalar_mul "aptos_framework.ristretto255.scalar_mul" 39140
    ristretto_scalar_neg "aptos_framework.ristretto255.scalar_neg" 26650
    ristretto_scalar_sub "aptos_framework.ristretto255.scalar_sub" 38960
    ristretto_scalar_parse_arg "aptos_framework.ristretto255.scalar_parse_arg" 5510
    dispatch_compatibility "aptos_framework.function_info.check_dispatch_type_compatibility_impl.base" 10020
    load_function "aptos_framework.function_info.load_function.base" 5510
    dispatch_asset "aptos_framework.dispatchable_fungible_asset.dispatch.base" 5510
    dispatch_authenticate "aptos_framework.dispatchable_authenticate.dispatch.base" 5510
    format_base "aptos_framework.string_utils.format.base" 11020
    format_per_byte "aptos_framework.string_utils.format.per_byte" 30
    random_counter "aptos_framework.randomness.fetch_and_inc_counter" 10
    table_new "table.new_table_handle.base" 36760
    table_add "table.add_box.base" 44110
    table_add_per_byte "table.add_box.per_byte_serialized" 360
    table_borrow "table.borrow_box.base" 44110
    table_borrow_per_byte "table.borrow_box.per_byte_serialized" 360
    table_contains "table.contains_box.base" 44110
    table_contains_per_byte "table.contains_box.per_byte_serialized" 360
    table_remove "table.remove_box.base" 44110
    table_remove_per_byte "table.remove_box.per_byte_serialized" 360
    table_destroy "table.destroy_empty_box.base" 44110
    table_drop "table.drop_unchecked_box.base" 3670
    aggregator_v2_create "aptos_framework.aggregator_v2.create_aggregator.base" 18380
    aggregator_v2_try_add "aptos_framework.aggregator_v2.try_add.base" 11020
    aggregator_v2_try_sub "aptos_framework.aggregator_v2.try_sub.base" 11020
    aggregator_v2_is_at_least "aptos_framework.aggregator_v2.is_at_least.base" 5000
    aggregator_v2_read "aptos_framework.aggregator_v2.read.base" 22050
    aggregator_v2_snapshot "aptos_framework.aggregator_v2.snapshot.base" 11020
    aggregator_v2_create_snapshot "aptos_framework.aggregator_v2.create_snapshot.base" 11020
    aggregator_v2_create_snapshot_per_byte "aptos_framework.aggregator_v2.create_snapshot.per_byte" 30
    aggregator_v2_read_snapshot "aptos_framework.aggregator_v2.read_snapshot.base" 22050
    aggregator_v2_string_concat "aptos_framework.aggregator_v2.string_concat.base" 11020
    aggregator_v2_string_concat_per_byte "aptos_framework.aggregator_v2.string_concat.per_byte" 30
    secp256k1_base "aptos_framework.secp256k1.base" 5510
    secp256k1_recover "aptos_framework.secp256k1.ecdsa_recover" 59183600
    is_identifier "aptos_framework.function_info.is_identifier.base" 14700
    is_identifier_per_byte "aptos_framework.function_info.is_identifier.per_byte" 360
}

/// A gas schedule as the chain publishes it.
#[derive(Clone, Debug)]
pub struct GasParameters {
    feature_version: u64,
    entries: BTreeMap<String, u64>,
    costs: Costs,
}

impl GasParameters {
    /// Reads the entries of `0x1::gas_schedule::GasScheduleV2`. A name that is absent takes the
    /// built-in value; one that is unknown here stays readable through [`Self::get`].
    pub fn from_entries(feature_version: u64, entries: &[(String, u64)]) -> Self {
        let entries: BTreeMap<String, u64> = entries.iter().cloned().collect();
        let costs = Costs::read(|name| entries.get(name).copied());
        Self { feature_version, entries, costs }
    }

    /// The schedule's version, which says which rules it was written for.
    pub fn feature_version(&self) -> u64 {
        self.feature_version
    }

    /// The value of a parameter by its public name, if the schedule has it.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.entries.get(name).copied()
    }

    /// What the machine charges.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }
}

impl Default for GasParameters {
    /// The built-in values.
    fn default() -> Self {
        Self::from_entries(0, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_overrides_the_built_in_value_and_absence_keeps_it() {
        let gas = GasParameters::from_entries(52, &[("instr.add".into(), 7), ("txn.other".into(), 9)]);
        assert_eq!((gas.costs().add, gas.costs().sub), (7, 5880));
        assert_eq!((gas.get("txn.other"), gas.get("instr.sub")), (Some(9), None));
    }
}
