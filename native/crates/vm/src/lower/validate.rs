//! The last look at lowered code, which does not trust what made it.

use super::destination;
use crate::errors::Fault;
use crate::ins::{Code, Ins};

/// Checks that control stays inside: every jump meets an instruction, and the last one ends control.
///
/// # Errors
/// A broken invariant.
pub fn validate(code: &Code) -> Result<(), Fault> {
    let len = code.ins.len() as i64;
    for (at, ins) in code.ins.iter().enumerate() {
        if let Some(distance) = destination::jump(*ins) {
            let target = at as i64 + i64::from(distance);
            if !(0..len).contains(&target) {
                return Err(Fault::invariant("jump out of the code"));
            }
        }
    }
    match code.ins.last() {
        Some(
            Ins::Jmp { .. }
            | Ins::Ret { .. }
            | Ins::Abort { .. }
            | Ins::AbortMsg { .. }
            | Ins::NotImplemented { .. },
        ) => Ok(()),
        _ => Err(Fault::invariant("code runs off its end")),
    }
}
