//! May a transaction wait in the mempool? Checks and prologue on a snapshot, without the payload.

use ledger_bytecode::StatusCode;
use ledger_types::SignedTransaction;
use ledger_vm::StateError;

use crate::doors;
use crate::facts::TransactionFacts;
use crate::machine::Machine;
use crate::reasons::StateReasons;
use crate::state_view::{BlockState, StateCache, StateView};
use crate::transaction::{self, TransactionEnvironment};

/// Checks a transaction whose signatures were verified. `now_secs` is the wall clock: the chain's own
/// clock stands still between blocks, and what has expired since need not wait.
///
/// The inner result is the status code with which a block would discard it. `SEQUENCE_NUMBER_TOO_NEW`
/// means that everything else is in order and transactions before it are missing.
///
/// # Errors
/// When the state cannot be read.
pub fn validate(
    machine: &mut Machine,
    view: &dyn StateView,
    signed: &SignedTransaction,
    now_secs: u64,
) -> Result<Result<(), StatusCode>, StateError> {
    if doors::check_payload(&signed.raw.payload).is_err() {
        return Ok(Err(StatusCode::FEATURE_UNDER_GATING));
    }
    let mut cache = StateCache::default();
    let state = BlockState::new(view, &mut cache);
    let chain = machine.prepare(&state)?;
    let facts = TransactionFacts::of(signed);
    let environment = TransactionEnvironment {
        chain: &chain,
        state: &state,
        reasons: &StateReasons { state: &state, cache: &machine.reasons },
        timestamp_usecs: now_secs.saturating_mul(1_000_000),
        transaction_index: 0,
        is_simulation: false,
    };
    let outcome = transaction::validate(&mut machine.vm, &environment, &facts);
    if let Some(error) = state.failure() {
        return Err(error);
    }
    let is_expired = facts.expiration_secs <= now_secs;
    Ok(match outcome {
        Ok(()) | Err(StatusCode::SEQUENCE_NUMBER_TOO_NEW) if is_expired => {
            Err(StatusCode::TRANSACTION_EXPIRED)
        }
        outcome => outcome,
    })
}
