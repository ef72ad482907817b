//! Lowered code as text, for people: one line an instruction, with the bytecode it stands for.

use std::fmt::Write as _;

use crate::ins::{Code, Ins};
use crate::lower::jump;

/// The listing of a function. Jumps are shown by the number of the instruction they lead to.
pub fn listing(code: &Code) -> String {
    let mut text = String::new();
    if code.native.is_some() {
        text.push_str("native\n");
        return text;
    }
    let _ = writeln!(text, "frame {} slots, {} operands", code.frame_slots, code.height);
    for (pc, ins) in code.ins.iter().enumerate() {
        let offset = code.offsets.get(pc).copied().unwrap_or(0);
        let _ = write!(text, "{pc:>5} @{offset:<4} ");
        let shown = format!("{ins:?}");
        let _ = match jump(*ins) {
            Some(distance) => {
                writeln!(text, "{} -> {}", without_jump(&shown), pc as i64 + i64::from(distance))
            }
            None => match ins {
                Ins::LdK { k, .. } => writeln!(text, "{shown} = {}", word(code, *k as usize)),
                Ins::AddK { k, .. }
                | Ins::SubK { k, .. }
                | Ins::MulK { k, .. }
                | Ins::DivK { k, .. }
                | Ins::ModK { k, .. }
                | Ins::AndK { k, .. } => {
                    writeln!(text, "{shown} = {}", word(code, usize::from(*k)))
                }
                _ => writeln!(text, "{shown}"),
            },
        };
    }
    text
}

fn word(code: &Code, number: usize) -> String {
    code.words.get(number).map_or_else(|| "?".to_owned(), u64::to_string)
}

/// Leaves out the distance, which the line says in a better way.
fn without_jump(shown: &str) -> String {
    match shown.split_once("o: ") {
        Some((before, _)) if before.ends_with(", ") => format!("{} }}", before.trim_end_matches(", ")),
        Some((before, _)) => before.trim_end_matches(" { ").to_owned(),
        None => shown.to_owned(),
    }
}
