//! Types and signatures: already in the order of the file.

use crate::format::type_byte;
use crate::model::{Signature, Type, TypeNode};
use crate::wire::Sink;

pub(super) fn signature(sink: &mut Sink, signature: &Signature) {
    sink.uleb(signature.len() as u64);
    for entry in &signature.0 {
        type_tree(sink, entry);
    }
}

pub(super) fn type_tree(sink: &mut Sink, tree: &Type) {
    for node in tree.nodes() {
        write_node(sink, *node);
    }
}

fn write_node(sink: &mut Sink, node: TypeNode) {
    let byte = match node {
        TypeNode::Bool => type_byte::BOOL,
        TypeNode::U8 => type_byte::U8,
        TypeNode::U16 => type_byte::U16,
        TypeNode::U32 => type_byte::U32,
        TypeNode::U64 => type_byte::U64,
        TypeNode::U128 => type_byte::U128,
        TypeNode::U256 => type_byte::U256,
        TypeNode::I8 => type_byte::I8,
        TypeNode::I16 => type_byte::I16,
        TypeNode::I32 => type_byte::I32,
        TypeNode::I64 => type_byte::I64,
        TypeNode::I128 => type_byte::I128,
        TypeNode::I256 => type_byte::I256,
        TypeNode::Address => type_byte::ADDRESS,
        TypeNode::Signer => type_byte::SIGNER,
        TypeNode::Vector => type_byte::VECTOR,
        TypeNode::Reference => type_byte::REFERENCE,
        TypeNode::MutableReference => type_byte::MUTABLE_REFERENCE,
        TypeNode::TypeParameter(_) => type_byte::TYPE_PARAMETER,
        TypeNode::Struct(_) => type_byte::STRUCT,
        TypeNode::StructInstance { .. } => type_byte::STRUCT_INSTANCE,
        TypeNode::Function { .. } => type_byte::FUNCTION,
    };
    sink.byte(byte);
    match node {
        TypeNode::TypeParameter(index) => sink.uleb(u64::from(index)),
        TypeNode::Struct(handle) => sink.uleb(u64::from(handle.0)),
        TypeNode::StructInstance { handle, arguments } => {
            sink.uleb(u64::from(handle.0));
            sink.uleb(u64::from(arguments));
        }
        TypeNode::Function { abilities, parameters, results } => {
            sink.uleb(u64::from(abilities.bits()));
            sink.uleb(u64::from(parameters));
            sink.uleb(u64::from(results));
        }
        _ => {}
    }
}
