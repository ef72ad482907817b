//! Constants are of a type that can be one, and their bytes are a value of it.

use ledger_bcs::Reader;
use ledger_bytecode::{Constant, StatusCode, Table, Tables, TypeNode};

use crate::error::{Verdict, VerificationError};

/// Checks the constant pool.
pub(crate) fn verify(tables: &Tables) -> Verdict {
    for (index, constant) in tables.constants.iter().enumerate() {
        let fault = |status, message| Err(VerificationError::entry(status, Table::Constants, index, message));
        let Some(element) = element(constant) else {
            return fault(StatusCode::INVALID_CONSTANT_TYPE, "a type that no constant can have");
        };
        let vectors = constant.value_type.nodes().len() - 1;
        if !is_value(&constant.bytes, vectors, element) {
            return fault(StatusCode::MALFORMED_CONSTANT_DATA, "bytes that are no value of the type");
        }
    }
    Ok(())
}

/// The innermost type, if everything around it is vectors and it is a plain value.
fn element(constant: &Constant) -> Option<TypeNode> {
    let (last, outer) = constant.value_type.nodes().split_last()?;
    let is_plain = last.is_integer() || matches!(last, TypeNode::Bool | TypeNode::Address);
    (is_plain && outer.iter().all(|node| *node == TypeNode::Vector)).then_some(*last)
}

/// Whether `bytes` are exactly one value: `vectors` around `element`.
fn is_value(bytes: &[u8], vectors: usize, element: TypeNode) -> bool {
    let mut reader = Reader::new(bytes);
    // Elements still to come, per open vector. Each element takes at least a byte, so the bytes
    // bound the work whatever the announced lengths.
    let mut open: Vec<usize> = Vec::with_capacity(vectors);
    loop {
        if open.len() < vectors {
            let Ok(length) = reader.length() else { return false };
            open.push(length);
        } else if skip_plain(&mut reader, element).is_none() {
            return false;
        } else if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        // Leave finished vectors; each was an element of the one around it.
        while open.last() == Some(&0) {
            open.pop();
            if let Some(left) = open.last_mut() {
                *left -= 1;
            }
        }
        if open.is_empty() {
            return reader.finish().is_ok();
        }
    }
}

fn skip_plain(reader: &mut Reader<'_>, element: TypeNode) -> Option<()> {
    let width = match element {
        TypeNode::Bool => return reader.bool().ok().map(|_| ()),
        TypeNode::U8 | TypeNode::I8 => 1,
        TypeNode::U16 | TypeNode::I16 => 2,
        TypeNode::U32 | TypeNode::I32 => 4,
        TypeNode::U64 | TypeNode::I64 => 8,
        TypeNode::U128 | TypeNode::I128 => 16,
        _ => 32,
    };
    reader.take(width).ok().map(|_| ())
}
