//! Values to BCS and back.

use super::{NativeCx, by_length, encoded};
use crate::errors::Fault;
use crate::types::{Op, TypeInfo};

/// Abort code of a value that has no BCS.
const NOT_SERIALIZABLE: u64 = 0x1c5;
/// Abort code of bytes that are not the BCS of the type.
const FROM_BYTES: u64 = 0x1_0001;

fn encode_argument(cx: &mut NativeCx<'_, '_>) -> Result<Vec<u8>, Fault> {
    let ty = cx.type_argument(0)?;
    match encoded(cx, ty, cx.target(0)?) {
        Ok(bytes) => Ok(bytes),
        Err(_) => {
            cx.charge(cx.env.costs.bcs_failure)?;
            Err(Fault::abort(NOT_SERIALIZABLE))
        }
    }
}

/// `bcs::to_bytes`
pub fn to_bytes(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let bytes = encode_argument(cx)?;
    cx.charge(by_length(0, cx.env.costs.bcs_per_byte, bytes.len()))?;
    cx.ret_bytes(&bytes)
}

/// `bcs::serialized_size`
pub fn serialized_size(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let bytes = encode_argument(cx)?;
    let costs = cx.env.costs;
    cx.charge(by_length(costs.bcs_size_base, costs.bcs_size_per_byte, bytes.len()))?;
    cx.ret_word(bytes.len() as u64);
    Ok(())
}

/// `bcs::constant_serialized_size`
pub fn constant_serialized_size(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.bcs_constant_size)?;
    let size = constant_size(cx, cx.type_argument(0)?);
    let option = match size {
        None => vec![0],
        Some(size) => [&[1][..], &size.to_le_bytes()].concat(),
    };
    let ty = cx.result(0)?;
    if cx.ret_bcs(ty, &option)? { Ok(()) } else { Err(Fault::invariant("option without layout")) }
}

/// Bytes that every value of the type takes, if that is one number.
fn constant_size(cx: &NativeCx<'_, '_>, ty: &TypeInfo) -> Option<u64> {
    let mut size = 0u64;
    let mut programs = vec![&ty.program[..]];
    while let Some(program) = programs.pop() {
        for op in program {
            size += match *op {
                Op::Words(count) => u64::from(count) * 8,
                Op::Bool => 1,
                Op::Narrow(width) => u64::from(width),
                Op::Boxed(ty) => {
                    programs.push(&cx.env.ty(ty).content);
                    0
                }
                Op::Vector(_) | Op::Enum { .. } | Op::Function => return None,
            };
        }
    }
    Some(size)
}

/// `from_bcs::from_bytes` and `util::from_bytes`
pub fn from_bytes(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let bytes = cx.bytes(0)?;
    let costs = cx.env.costs;
    cx.charge(by_length(costs.from_bytes_base, costs.from_bytes_per_byte, bytes.len()))?;
    let ty = cx.type_argument(0)?;
    if cx.ret_bcs(ty, &bytes)? { Ok(()) } else { Err(Fault::abort(FROM_BYTES)) }
}
