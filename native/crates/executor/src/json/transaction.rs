//! Transactions as JSON: committed ones of every kind, pending ones, simulated ones.

use ledger_types::{
    BlockEpilogue, BlockMetadata, BlockMetadataExt, ContractEvent, HashValue, RawTransaction,
    ReplayProtector, SignedTransaction, Transaction, TransactionInfo, WriteSet, WriteSetPayload,
};

use crate::json::authenticator::write_authenticator;
use crate::json::changes::{write_changes, write_events};
use crate::json::payload::write_payload;
use crate::json::status::status_text;
use crate::json::types::Types;
use crate::json::write;

/// A committed transaction with what the ledger says of it.
#[derive(Clone, Debug)]
pub struct CommittedTransaction {
    /// Ledger version.
    pub version: u64,
    /// What was executed.
    pub transaction: Transaction,
    /// Its record.
    pub info: TransactionInfo,
    /// Its events.
    pub events: Vec<ContractEvent>,
    /// Its changes.
    pub write_set: WriteSet,
    /// Root of the transaction accumulator after it.
    pub accumulator_root: HashValue,
    /// Timestamp of its block, microseconds.
    pub timestamp_usecs: u64,
}

/// What differs between a committed and a simulated user transaction.
#[derive(Clone, Debug)]
pub struct SimulatedTransaction {
    /// As if committed: version and time of the newest block, hashes zero.
    pub committed: CommittedTransaction,
    /// Replaces the status text: a discarded transaction's bare status name, or the text with the
    /// machine's explanation.
    pub vm_status: String,
}

/// Appends a committed transaction.
pub fn write_committed(stored: &CommittedTransaction, types: &mut Types<'_>, out: &mut Vec<u8>) {
    let status = status_text(&stored.info.status, types);
    write_with_status(stored, &status, types, out);
}

/// Appends a simulated transaction.
pub fn write_simulated(simulated: &SimulatedTransaction, types: &mut Types<'_>, out: &mut Vec<u8>) {
    write_with_status(&simulated.committed, &simulated.vm_status, types, out);
}

/// Appends a transaction that waits.
pub fn write_pending(signed: &SignedTransaction, types: &mut Types<'_>, out: &mut Vec<u8>) {
    write::raw("{\"type\":\"pending_transaction\",\"hash\":", out);
    write::hash(&signed.hash(), out);
    write_request(signed, types, out);
    out.push(b'}');
}

fn write_with_status(stored: &CommittedTransaction, status: &str, types: &mut Types<'_>, out: &mut Vec<u8>) {
    let kind = match &stored.transaction {
        Transaction::User(_) => "user_transaction",
        Transaction::Genesis(_) => "genesis_transaction",
        Transaction::BlockMetadata(_) | Transaction::BlockMetadataExt(_) => "block_metadata_transaction",
        Transaction::StateCheckpoint(_) => "state_checkpoint_transaction",
        Transaction::BlockEpilogue(_) => "block_epilogue_transaction",
    };
    write::raw(&format!("{{\"type\":\"{kind}\""), out);
    write_info(stored, status, types, out);
    match &stored.transaction {
        Transaction::User(signed) => {
            write_request(signed, types, out);
            write_event_list(&stored.events, types, out);
        }
        Transaction::Genesis(payload) => {
            write_genesis_payload(payload, types, out);
            write_event_list(&stored.events, types, out);
        }
        Transaction::BlockMetadata(metadata) => write_metadata(metadata, &stored.events, types, out),
        Transaction::BlockMetadataExt(extended) => write_metadata_ext(extended, &stored.events, types, out),
        Transaction::StateCheckpoint(_) => {}
        Transaction::BlockEpilogue(epilogue) => write_block_end(epilogue, out),
    }
    if !matches!(stored.transaction, Transaction::Genesis(_)) {
        write::raw(",\"timestamp\":", out);
        write::number_text(stored.timestamp_usecs, out);
    }
    out.push(b'}');
}

fn write_info(stored: &CommittedTransaction, status: &str, types: &mut Types<'_>, out: &mut Vec<u8>) {
    let info = &stored.info;
    write::raw(",\"version\":", out);
    write::number_text(stored.version, out);
    for (name, hash) in [
        ("hash", info.transaction_hash),
        ("state_change_hash", info.state_change_hash),
        ("event_root_hash", info.event_root_hash),
        ("accumulator_root_hash", stored.accumulator_root),
    ] {
        write::raw(&format!(",\"{name}\":"), out);
        write::hash(&hash, out);
    }
    write::raw(",\"state_checkpoint_hash\":", out);
    match &info.state_checkpoint_hash {
        Some(hash) => write::hash(hash, out),
        None => write::raw("null", out),
    }
    write::raw(",\"gas_used\":", out);
    write::number_text(info.gas_used, out);
    write::raw(&format!(",\"success\":{},\"vm_status\":", info.status.is_success()), out);
    write::string(status, out);
    write::raw(",\"changes\":", out);
    write_changes(&stored.write_set, types, out);
}

fn write_request(signed: &SignedTransaction, types: &mut Types<'_>, out: &mut Vec<u8>) {
    let raw: &RawTransaction = &signed.raw;
    write::raw(",\"sender\":", out);
    write::address(&raw.sender, out);
    for (name, number) in [
        ("sequence_number", raw.sequence_number),
        ("max_gas_amount", raw.max_gas_amount),
        ("gas_unit_price", raw.gas_unit_price),
        ("expiration_timestamp_secs", raw.expiration_timestamp_secs),
    ] {
        write::raw(&format!(",\"{name}\":"), out);
        write::number_text(number, out);
    }
    write::raw(",\"replay_protection_nonce\":", out);
    match raw.replay_protector() {
        ReplayProtector::Nonce(nonce) => write::number_text(nonce, out),
        ReplayProtector::SequenceNumber(_) => write::raw("null", out),
    }
    write::raw(",\"payload\":", out);
    write_payload(&raw.payload, types, out);
    write::raw(",\"signature\":", out);
    write_authenticator(&signed.authenticator, out);
}

fn write_event_list(events: &[ContractEvent], types: &mut Types<'_>, out: &mut Vec<u8>) {
    write::raw(",\"events\":", out);
    write_events(events, types, out);
}

fn write_genesis_payload(payload: &WriteSetPayload, types: &mut Types<'_>, out: &mut Vec<u8>) {
    write::raw(",\"payload\":{\"type\":\"write_set_payload\",\"write_set\":", out);
    match payload {
        WriteSetPayload::Direct(change_set) => {
            write::raw("{\"type\":\"direct_write_set\",\"changes\":", out);
            write_changes(&change_set.write_set, types, out);
            write_event_list(&change_set.events, types, out);
            out.push(b'}');
        }
        WriteSetPayload::Script { execute_as, .. } => {
            write::raw("{\"type\":\"script_write_set\",\"execute_as\":", out);
            write::address(execute_as, out);
            out.push(b'}');
        }
    }
    out.push(b'}');
}

fn write_metadata(
    metadata: &BlockMetadata,
    events: &[ContractEvent],
    types: &mut Types<'_>,
    out: &mut Vec<u8>,
) {
    write::raw(",\"id\":", out);
    write::hash(&metadata.id, out);
    write::raw(",\"epoch\":", out);
    write::number_text(metadata.epoch, out);
    write::raw(",\"round\":", out);
    write::number_text(metadata.round, out);
    write_event_list(events, types, out);
    write::raw(",\"previous_block_votes_bitvec\":", out);
    let number = |number: &u8, out: &mut Vec<u8>| write::raw(&number.to_string(), out);
    write::array(&metadata.previous_block_votes_bitvec, out, number);
    write::raw(",\"proposer\":", out);
    write::address(&metadata.proposer, out);
    write::raw(",\"failed_proposer_indices\":", out);
    let index = |index: &u32, out: &mut Vec<u8>| write::raw(&index.to_string(), out);
    write::array(&metadata.failed_proposer_indices, out, index);
}

fn write_metadata_ext(
    extended: &BlockMetadataExt,
    events: &[ContractEvent],
    types: &mut Types<'_>,
    out: &mut Vec<u8>,
) {
    match extended {
        BlockMetadataExt::V0(metadata) => {
            write_metadata(metadata, events, types, out);
            write::raw(",\"block_metadata_extension\":{\"type\":\"v0\"}", out);
        }
        BlockMetadataExt::V1 { metadata, randomness } => {
            write_metadata(metadata, events, types, out);
            write::raw(",\"block_metadata_extension\":{\"type\":\"v1\",\"randomness\":", out);
            match randomness {
                Some(randomness) => write::hex(&randomness.randomness, out),
                None => write::raw("null", out),
            }
            out.push(b'}');
        }
    }
}

fn write_block_end(epilogue: &BlockEpilogue, out: &mut Vec<u8>) {
    let end = &epilogue.block_end_info;
    let text = format!(
        ",\"block_end_info\":{{\"block_gas_limit_reached\":{},\"block_output_limit_reached\":{},\
         \"block_effective_block_gas_units\":{},\"block_approx_output_size\":{}}}",
        end.block_gas_limit_reached,
        end.block_output_limit_reached,
        end.block_effective_block_gas_units,
        end.block_approx_output_size,
    );
    write::raw(&text, out);
}
