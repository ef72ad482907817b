//! Types and signatures, read with a counter per open node instead of recursion.

use super::Context;
use super::handles::ability_set;
use crate::error::BinaryError;
use crate::format::{
    SIGNATURE_LENGTH_MAX, TYPE_DEPTH_MAX, VERSION_FUNCTIONS, VERSION_SIGNED, VERSION_WIDE_INTEGERS, type_byte,
};
use crate::model::{Signature, Type, TypeNode};
use crate::status::StatusCode;
use crate::wire::Cursor;

/// One past the largest number a type parameter may be written as; it must then still fit a `u16`.
const TYPE_PARAMETER_INDEX_MAX: u64 = 65_536;

pub(super) fn signature(cursor: &mut Cursor<'_>, context: Context) -> Result<Signature, BinaryError> {
    let count = cursor.uleb(SIGNATURE_LENGTH_MAX)?;
    (0..count).map(|_| type_tree(cursor, context)).collect::<Result<_, _>>().map(Signature)
}

/// Reads one whole type.
pub(super) fn type_tree(cursor: &mut Cursor<'_>, context: Context) -> Result<Type, BinaryError> {
    let mut nodes = Vec::new();
    // Children still to be read, per open node.
    let mut open: Vec<usize> = Vec::new();
    loop {
        if open.len() == TYPE_DEPTH_MAX {
            return Err(cursor.malformed("a type nested too deeply"));
        }
        let node = node(cursor, context)?;
        nodes.push(node);
        if node.child_count() > 0 {
            open.push(node.child_count());
            continue;
        }
        // A finished tree may finish the nodes above it.
        loop {
            match open.last_mut() {
                None => return Ok(Type::from_tree(nodes)),
                Some(1) => {
                    open.pop();
                }
                Some(left) => {
                    *left -= 1;
                    break;
                }
            }
        }
    }
}

fn node(cursor: &mut Cursor<'_>, context: Context) -> Result<TypeNode, BinaryError> {
    let at = cursor.clone();
    let byte = cursor.byte()?;
    let min_version = match byte {
        type_byte::U16 | type_byte::U32 | type_byte::U256 => VERSION_WIDE_INTEGERS,
        type_byte::FUNCTION => VERSION_FUNCTIONS,
        type_byte::I8..=type_byte::I256 => VERSION_SIGNED,
        _ => 0,
    };
    if context.version < min_version {
        return Err(at.malformed("a type newer than the version"));
    }
    Ok(match byte {
        type_byte::BOOL => TypeNode::Bool,
        type_byte::U8 => TypeNode::U8,
        type_byte::U16 => TypeNode::U16,
        type_byte::U32 => TypeNode::U32,
        type_byte::U64 => TypeNode::U64,
        type_byte::U128 => TypeNode::U128,
        type_byte::U256 => TypeNode::U256,
        type_byte::I8 => TypeNode::I8,
        type_byte::I16 => TypeNode::I16,
        type_byte::I32 => TypeNode::I32,
        type_byte::I64 => TypeNode::I64,
        type_byte::I128 => TypeNode::I128,
        type_byte::I256 => TypeNode::I256,
        type_byte::ADDRESS => TypeNode::Address,
        type_byte::SIGNER => TypeNode::Signer,
        type_byte::REFERENCE => TypeNode::Reference,
        type_byte::MUTABLE_REFERENCE => TypeNode::MutableReference,
        type_byte::VECTOR => TypeNode::Vector,
        type_byte::STRUCT => TypeNode::Struct(cursor.uleb16()?.into()),
        type_byte::STRUCT_INSTANCE => {
            let handle = cursor.uleb16()?.into();
            let arguments = cursor.uleb8()?;
            if arguments == 0 {
                return Err(at.malformed("a generic instance without type arguments"));
            }
            TypeNode::StructInstance { handle, arguments }
        }
        type_byte::TYPE_PARAMETER => {
            let index = cursor.uleb(TYPE_PARAMETER_INDEX_MAX)?;
            let index = u16::try_from(index).map_err(|_| at.malformed("a type parameter above 65535"))?;
            TypeNode::TypeParameter(index)
        }
        type_byte::FUNCTION => {
            let abilities = ability_set(cursor)?;
            let parameters = cursor.uleb8()?;
            let results = cursor.uleb8()?;
            TypeNode::Function { abilities, parameters, results }
        }
        _ => return Err(at.error(StatusCode::UNKNOWN_SERIALIZED_TYPE, "a byte that is no type")),
    })
}
