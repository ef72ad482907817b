//! A format with `{}` for each value of a list `Cons { car, cdr }` that ends with `NIL {}`.

use super::text::{Place, Style, Text, is_framework_struct};
use crate::errors::Fault;
use crate::natives::NativeCx;
use crate::types::TypeInfo;

/// Abort code of more or fewer values than places, and of a list of other structs.
const ARGUMENTS_MISMATCH: u64 = 1;
/// Abort code of a brace that opens or closes nothing.
const INVALID_FORMAT: u64 = 2;

/// How values in formats look.
const STYLE: Style =
    Style { type_tags: true, full_addresses: false, single_line: true, integer_types: false };

/// Fills in the values of the list at `place`. Doubled braces stand for themselves.
pub fn fill(cx: &mut NativeCx<'_, '_>, format: &[u8], ty: &TypeInfo, place: Place) -> Result<String, Fault> {
    let invalid = || Fault::abort(INVALID_FORMAT);
    let format = std::str::from_utf8(format).map_err(|_| invalid())?;
    cx.charge(cx.env.costs.format_per_byte.saturating_mul(format.len() as u64))?;
    let env = cx.env;
    let (mut rest, mut at) = (env.ty(ty.id), place);
    let mut text = Text::new(cx, STYLE);
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        match (character, matches!(character, '{' | '}').then(|| characters.next())) {
            ('{', Some(Some('}'))) => {
                if !is_framework_struct(env, rest, "string_utils", "Cons") {
                    return Err(Fault::abort(ARGUMENTS_MISMATCH));
                }
                let start = at.content(env, rest);
                let &[car, cdr] = rest.fields() else { return Err(Fault::abort(ARGUMENTS_MISMATCH)) };
                text.value(env.ty(car.ty), Place::Slot(start + car.offset as usize), 0)?;
                (rest, at) = (env.ty(cdr.ty), Place::Slot(start + cdr.offset as usize));
            }
            ('{', Some(Some('{'))) => text.push("{")?,
            ('}', Some(Some('}'))) => text.push("}")?,
            ('{' | '}', _) => return Err(invalid()),
            _ => text.push(character.encode_utf8(&mut [0; 4]))?,
        }
    }
    if !is_framework_struct(env, rest, "string_utils", "NIL") {
        return Err(Fault::abort(ARGUMENTS_MISMATCH));
    }
    Ok(text.finish())
}
