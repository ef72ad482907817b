//! Locals are set before they are used, and values without `drop` are never lost.

use ledger_bytecode::{AbilitySet, Body, Bytecode, StatusCode, Tables};

use crate::blocks::{Block, Blocks};
use crate::dataflow::{Analysis, analyse};
use crate::error::{Verdict, VerificationError};
use crate::meter::Meter;
use crate::types::type_abilities;

const UNITS_PER_INSTRUCTION: u64 = 15;
const UNITS_PER_LOCAL_AT_RETURN: u64 = 30;
const UNITS_PER_JOIN: u64 = 10;
const UNITS_PER_LOCAL_AT_JOIN: u64 = 5;

/// What is known of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Unset,
    Set,
    /// Set on some ways here.
    Maybe,
}

/// Checks one body.
pub(crate) fn verify_body(tables: &Tables, body: &Body<'_>, blocks: &Blocks, meter: &mut Meter) -> Verdict {
    let count = body.local_count();
    let abilities = (0..count)
        .map(|local| {
            // At most 255 locals: the bounds pass counts them.
            let nodes = body.local_type(local as u8).nodes();
            type_abilities(tables, body.type_parameters, nodes)
        })
        .collect();
    let initial = (0..count)
        .map(|local| if local < body.parameters.len() { Presence::Set } else { Presence::Unset })
        .collect();
    analyse(&mut Locals { body, abilities, meter }, blocks, initial)
}

struct Locals<'a, 'm> {
    body: &'a Body<'a>,
    abilities: Vec<AbilitySet>,
    meter: &'m mut Meter,
}

impl Analysis for Locals<'_, '_> {
    type State = Vec<Presence>;

    fn block(&mut self, mut state: Vec<Presence>, block: &Block) -> Result<Vec<Presence>, VerificationError> {
        for offset in block.start..block.end {
            self.meter.charge(UNITS_PER_INSTRUCTION)?;
            let instruction = &self.body.code.code[offset];
            self.instruction(&mut state, instruction).map_err(|(status, message)| {
                VerificationError::instruction(status, self.body.function, offset, message)
            })?;
            if matches!(instruction, Bytecode::Ret) {
                self.meter.charge_each(UNITS_PER_LOCAL_AT_RETURN, state.len())?;
            }
        }
        Ok(state)
    }

    fn join(
        &mut self,
        state: &mut Vec<Presence>,
        incoming: &Vec<Presence>,
    ) -> Result<bool, VerificationError> {
        self.meter.charge(UNITS_PER_JOIN)?;
        self.meter.charge_each(UNITS_PER_LOCAL_AT_JOIN, state.len())?;
        let mut changed = false;
        for (known, other) in state.iter_mut().zip(incoming) {
            if *known != *other && *known != Presence::Maybe {
                *known = Presence::Maybe;
                changed = true;
            }
        }
        Ok(changed)
    }
}

impl Locals<'_, '_> {
    fn instruction(
        &self,
        state: &mut [Presence],
        instruction: &Bytecode,
    ) -> Result<(), (StatusCode, &'static str)> {
        let needs = |local: u8, status, message| match state[usize::from(local)] {
            Presence::Set => Ok(()),
            _ => Err((status, message)),
        };
        match *instruction {
            Bytecode::StLoc(local) => {
                let local = usize::from(local);
                if state[local] != Presence::Unset && !self.abilities[local].has_drop() {
                    let message = "a local overwritten that may not be dropped";
                    return Err((StatusCode::STLOC_UNSAFE_TO_DESTROY_ERROR, message));
                }
                state[local] = Presence::Set;
                Ok(())
            }
            Bytecode::MoveLoc(local) => {
                needs(local, StatusCode::MOVELOC_UNAVAILABLE_ERROR, "a local moved that is not set")?;
                state[usize::from(local)] = Presence::Unset;
                Ok(())
            }
            Bytecode::CopyLoc(local) => {
                needs(local, StatusCode::COPYLOC_UNAVAILABLE_ERROR, "a local copied that is not set")
            }
            Bytecode::MutBorrowLoc(local) | Bytecode::ImmBorrowLoc(local) => {
                let message = "a local borrowed that is not set";
                needs(local, StatusCode::BORROWLOC_UNAVAILABLE_ERROR, message)
            }
            Bytecode::Ret => {
                let is_lost = state
                    .iter()
                    .zip(&self.abilities)
                    .any(|(known, abilities)| *known != Presence::Unset && !abilities.has_drop());
                if !is_lost {
                    return Ok(());
                }
                let message = "a return that loses a local which may not be dropped";
                Err((StatusCode::UNSAFE_RET_UNUSED_VALUES_WITHOUT_DROP, message))
            }
            _ => Ok(()),
        }
    }
}
