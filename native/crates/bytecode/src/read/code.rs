//! Function bodies.

use super::Context;
use crate::error::BinaryError;
use crate::format::CODE_LENGTH_MAX;
use crate::model::{Bytecode, CodeUnit};
use crate::wire::Cursor;

pub(super) fn code_unit(cursor: &mut Cursor<'_>, context: Context) -> Result<CodeUnit, BinaryError> {
    let locals = cursor.uleb16()?.into();
    let count = cursor.uleb(CODE_LENGTH_MAX)?;
    let code = (0..count).map(|_| Bytecode::read(cursor, context.version)).collect::<Result<_, _>>()?;
    Ok(CodeUnit { locals, code })
}
