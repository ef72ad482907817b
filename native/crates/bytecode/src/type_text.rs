//! Types as people write them: `vector<0x1::string::String>`, `&mut T0`, `|u64,address|bool`.
//!
//! The form of ABIs: short addresses, `, ` between type arguments, parameters as `T0`, `T1`. Function
//! types list arguments and results between bars, without spaces. Written with an explicit stack.

use std::fmt::Write;

use crate::model::{StructHandleIndex, Tables, TypeNode};

/// What remains to be written around and between the children of an open node.
struct Open {
    /// Children still to come.
    left: usize,
    kind: Enclosure,
}

enum Enclosure {
    /// `&` or `&mut`: nothing follows.
    Reference,
    /// `vector<..>` or `S<..>`.
    Angle,
    /// `|..|..`; holds how many of the children are results.
    Bars { results: usize },
}

impl Tables {
    /// The text of the type `nodes`, which must be one whole tree.
    pub fn type_text(&self, nodes: &[TypeNode]) -> String {
        let mut text = String::new();
        let mut open: Vec<Open> = Vec::new();
        for node in nodes {
            match node {
                TypeNode::Bool => text.push_str("bool"),
                TypeNode::U8 => text.push_str("u8"),
                TypeNode::U16 => text.push_str("u16"),
                TypeNode::U32 => text.push_str("u32"),
                TypeNode::U64 => text.push_str("u64"),
                TypeNode::U128 => text.push_str("u128"),
                TypeNode::U256 => text.push_str("u256"),
                TypeNode::I8 => text.push_str("i8"),
                TypeNode::I16 => text.push_str("i16"),
                TypeNode::I32 => text.push_str("i32"),
                TypeNode::I64 => text.push_str("i64"),
                TypeNode::I128 => text.push_str("i128"),
                TypeNode::I256 => text.push_str("i256"),
                TypeNode::Address => text.push_str("address"),
                TypeNode::Signer => text.push_str("signer"),
                TypeNode::Vector => text.push_str("vector<"),
                TypeNode::Reference => text.push('&'),
                TypeNode::MutableReference => text.push_str("&mut "),
                TypeNode::TypeParameter(index) => push(&mut text, format_args!("T{index}")),
                TypeNode::Struct(handle) => self.push_struct(&mut text, *handle),
                TypeNode::StructInstance { handle, .. } => {
                    self.push_struct(&mut text, *handle);
                    text.push('<');
                }
                TypeNode::Function { parameters, .. } => {
                    text.push('|');
                    if *parameters == 0 {
                        text.push('|');
                    }
                }
            }
            let left = node.child_count();
            if left > 0 {
                let kind = match node {
                    TypeNode::Reference | TypeNode::MutableReference => Enclosure::Reference,
                    TypeNode::Function { results, .. } => Enclosure::Bars { results: usize::from(*results) },
                    _ => Enclosure::Angle,
                };
                open.push(Open { left, kind });
                continue;
            }
            close_finished(&mut text, &mut open);
        }
        text
    }

    /// The texts of a list of types.
    pub fn type_texts<'a>(&self, types: impl IntoIterator<Item = &'a crate::model::Type>) -> Vec<String> {
        types.into_iter().map(|entry| self.type_text(entry.nodes())).collect()
    }

    fn push_struct(&self, text: &mut String, handle: StructHandleIndex) {
        let module = &self[self[handle].module];
        let name = self.struct_name(handle);
        push(text, format_args!("{}::{}::{name}", self[module.address], self[module.name]));
    }
}

/// After a whole tree: closes every node it completes, or separates it from its next sibling.
fn close_finished(text: &mut String, open: &mut Vec<Open>) {
    while let Some(top) = open.last_mut() {
        top.left -= 1;
        match top.kind {
            Enclosure::Reference => {}
            Enclosure::Angle if top.left == 0 => text.push('>'),
            Enclosure::Angle => text.push_str(", "),
            Enclosure::Bars { results } if top.left == results => text.push('|'),
            Enclosure::Bars { .. } if top.left == 0 => {}
            Enclosure::Bars { .. } => text.push(','),
        }
        if top.left > 0 {
            return;
        }
        open.pop();
    }
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}
