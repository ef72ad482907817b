//! Reference safety: no reference outlives what it points to, and nothing is changed or taken while
//! something else may still look at it.
//!
//! Each reference is a node of a borrow graph ([`graph`]); an edge says that one was made from another,
//! and along which path of fields. One more node stands for the frame: locals and global resources
//! are borrowed from it. [`state`] is the graph with what locals and stack hold, [`transfer`] what each
//! instruction asks of it and does to it. Values that are no references are just values here.

mod graph;
mod state;
mod transfer;

use ledger_bytecode::{Body, StatusCode, Tables};

use crate::acquires::AcquiresByHandle;
use crate::blocks::{Block, Blocks};
use crate::dataflow::{Analysis, analyse};
use crate::error::{Verdict, VerificationError};
use crate::meter::Meter;
use state::State;
use transfer::Transfer;

const UNITS_PER_INSTRUCTION: u64 = 10;
const UNITS_PER_LOCAL: u64 = 20;
const UNITS_PER_GRAPH_ITEM: u64 = 50;
const UNITS_PER_JOIN: u64 = 100;
const UNITS_PER_LOCAL_AT_JOIN: u64 = 10;

/// Why an instruction is refused.
type Fault = (StatusCode, &'static str);

/// A broken promise of an earlier pass, or of this one.
const INVARIANT: Fault =
    (StatusCode::VERIFIER_INVARIANT_VIOLATION, "the reference pass met what earlier passes exclude");

/// Checks one body that all earlier passes took.
pub(crate) fn verify_body(
    tables: &Tables,
    body: &Body<'_>,
    blocks: &Blocks,
    acquires: &AcquiresByHandle<'_>,
    meter: &mut Meter,
) -> Verdict {
    let initial = State::at_entry(body);
    analyse(&mut References { tables, body, acquires, meter }, blocks, initial)
}

struct References<'a, 'm> {
    tables: &'a Tables,
    body: &'a Body<'a>,
    acquires: &'a AcquiresByHandle<'a>,
    meter: &'m mut Meter,
}

impl Analysis for References<'_, '_> {
    type State = State;

    fn block(&mut self, mut state: State, block: &Block) -> Result<State, VerificationError> {
        let transfer = Transfer { tables: self.tables, body: self.body, acquires: self.acquires };
        for offset in block.start..block.end {
            self.meter.charge(UNITS_PER_INSTRUCTION)?;
            self.meter.charge_each(UNITS_PER_LOCAL, state.local_count())?;
            self.meter.charge_each(UNITS_PER_GRAPH_ITEM, state.graph_size())?;
            let instruction = &self.body.code.code[offset];
            transfer.instruction(&mut state, instruction).map_err(|(status, message)| {
                VerificationError::instruction(status, self.body.function, offset, message)
            })?;
            // Moving edges around is work the instruction's own price does not show.
            self.meter.charge_each(UNITS_PER_GRAPH_ITEM, state.take_work())?;
        }
        state.make_canonical();
        Ok(state)
    }

    fn join(&mut self, state: &mut State, incoming: &State) -> Result<bool, VerificationError> {
        self.meter.charge(UNITS_PER_JOIN)?;
        self.meter.charge_each(UNITS_PER_LOCAL_AT_JOIN, state.local_count())?;
        self.meter.charge_each(UNITS_PER_GRAPH_ITEM, state.graph_size() + incoming.graph_size())?;
        let changed = state.join(incoming);
        self.meter.charge_each(UNITS_PER_GRAPH_ITEM, state.take_work())?;
        Ok(changed)
    }
}
