//! A sealed block as flat arrays: one byte buffer, and rows of offsets into it.
//!
//! Nothing is allocated per field on the JavaScript side, and the store writes slices of the buffer as
//! they are. The rows are described in src/native/types.ts.

use ledger_bcs::Encode;
use ledger_executor::ledger::{Ledger, SealedTransaction};
use ledger_types::{ContractEvent, StateKey, WriteOp};
use napi::bindgen_prelude::Uint32Array;
use napi_derive::napi;

use crate::failure::Failure;
use crate::js_bytes::JsBytes;

/// Marks an absent offset.
const NONE: u32 = u32::MAX;

/// One executed block.
#[napi(object, object_from_js = false)]
pub struct AddonBlockOutput {
    /// What the offsets below point into.
    pub bytes: JsBytes,
    /// Rows of transactions.
    pub transactions: Uint32Array,
    /// Rows of writes.
    pub writes: Uint32Array,
    /// Rows of events that belong to a handle's stream.
    pub event_links: Uint32Array,
    /// Pairs of input position and status code.
    pub discarded: Vec<f64>,
    /// Input positions that go back to the mempool.
    pub retried: Vec<u32>,
    /// 32 bytes.
    pub state_root: JsBytes,
    /// 32 bytes each, largest subtree first.
    pub accumulator_peaks: JsBytes,
    /// In force after the block.
    pub epoch: f64,
}

/// Collects the rows of a block.
#[derive(Default)]
struct Rows {
    bytes: Vec<u8>,
    transactions: Vec<u32>,
    writes: Vec<u32>,
    event_links: Vec<u32>,
}

impl Rows {
    /// Appends bytes; returns their start and end.
    fn put(&mut self, bytes: &[u8]) -> [u32; 2] {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        [start, self.bytes.len() as u32]
    }

    fn put_transaction(&mut self, sealed: &SealedTransaction) {
        let [hash, _] = self.put(&sealed.hash.0);
        let [root, _] = self.put(&sealed.accumulator_root.0);
        let transaction = self.put(&sealed.transaction);
        let info = self.put(&sealed.info);
        let events = self.put(&sealed.events_bytes);
        let write_set = self.put(&sealed.write_set_bytes);
        let first_write = (self.writes.len() / 4) as u32;
        for (key, op) in &sealed.write_set {
            self.put_write(key, op);
        }
        let writes_end = (self.writes.len() / 4) as u32;
        let first_link = (self.event_links.len() / 4) as u32;
        for (index, event) in sealed.events.iter().enumerate() {
            self.put_link(index as u32, event);
        }
        let links_end = (self.event_links.len() / 4) as u32;
        let (sender, sequence_number) = match &sealed.replay {
            Some((sender, number)) => (self.put(&sender.0)[0], *number),
            None => (NONE, 0),
        };
        self.transactions.extend([hash, root]);
        self.transactions.extend([transaction, info, events, write_set].concat());
        self.transactions.extend([first_write, writes_end, first_link, links_end, sender]);
        self.transactions.extend(halves(sequence_number));
        self.transactions.push(u32::try_from(sealed.gas_used).unwrap_or(u32::MAX));
    }

    fn put_write(&mut self, key: &StateKey, op: &WriteOp) {
        let key = self.put(&key.to_storage());
        let value = match op.state_value() {
            Some(value) => self.put(&value.to_bytes()),
            None => [NONE, NONE],
        };
        self.writes.extend([key, value].concat());
    }

    fn put_link(&mut self, index: u32, event: &ContractEvent) {
        let ContractEvent::V1 { key, sequence_number, .. } = event else { return };
        let [start, _] = self.put(&key.account.0);
        self.put(&key.creation_number.to_le_bytes());
        self.event_links.push(start);
        self.event_links.extend(halves(*sequence_number));
        self.event_links.push(index);
    }
}

/// Low and high half.
fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// Packs sealed transactions with the ledger's hashes after them.
///
/// # Errors
/// For a block of 4 GiB and more.
pub fn pack(
    sealed: &[SealedTransaction],
    discarded: Vec<(usize, u64)>,
    retried: Vec<usize>,
    ledger: &Ledger,
    epoch: u64,
) -> Result<AddonBlockOutput, Failure> {
    let mut rows = Rows::default();
    for transaction in sealed {
        rows.put_transaction(transaction);
    }
    if rows.bytes.len() >= NONE as usize {
        return Err(Failure::internal("the output of a block exceeds 4 GiB"));
    }
    Ok(AddonBlockOutput {
        bytes: rows.bytes.into(),
        transactions: Uint32Array::new(rows.transactions),
        writes: Uint32Array::new(rows.writes),
        event_links: Uint32Array::new(rows.event_links),
        discarded: discarded.into_iter().flat_map(|(index, status)| [index as f64, status as f64]).collect(),
        retried: retried.into_iter().map(|index| index as u32).collect(),
        state_root: JsBytes::from(&ledger.state_root().0[..]),
        accumulator_peaks: ledger.peaks().iter().flat_map(|peak| peak.0).collect::<Vec<u8>>().into(),
        epoch: epoch as f64,
    })
}
