//! Types as people write them: `vector<0x1::string::String>`, `&mut T0`, `|u64,address|bool`.
//!
//! Short addresses, `, ` between type arguments, parameters as `T0`, `T1`. Function types list
//! arguments between bars and results after them; the assembly form, which must be readable back,
//! puts results in parentheses and adds the abilities. Written with an explicit stack.

use std::fmt::Write;

use crate::model::{AbilitySet, StructHandleIndex, Tables, TypeNode};

/// How function types are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeStyle {
    /// As ABIs have them: `|u64,address|bool`.
    Abi,
    /// Complete: `|u64,address|(bool) has copy+drop`.
    Assembly,
}

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
    /// `|..|..`; `results` of the children are results.
    Bars { results: usize, abilities: AbilitySet },
}

impl Tables {
    /// The text of the type `nodes`, which must be one whole tree, in the form of ABIs.
    pub fn type_text(&self, nodes: &[TypeNode]) -> String {
        self.styled_type_text(nodes, TypeStyle::Abi)
    }

    /// The text of the type `nodes`, which must be one whole tree.
    pub(crate) fn styled_type_text(&self, nodes: &[TypeNode], style: TypeStyle) -> String {
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
                TypeNode::Function { abilities, parameters, results } => {
                    text.push('|');
                    if *parameters == 0 {
                        end_parameters(&mut text, usize::from(*results), *abilities, style);
                    }
                }
            }
            let left = node.child_count();
            if left > 0 {
                let kind = match node {
                    TypeNode::Reference | TypeNode::MutableReference => Enclosure::Reference,
                    TypeNode::Function { abilities, results, .. } => {
                        Enclosure::Bars { results: usize::from(*results), abilities: *abilities }
                    }
                    _ => Enclosure::Angle,
                };
                open.push(Open { left, kind });
                continue;
            }
            close_finished(&mut text, &mut open, style);
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
fn close_finished(text: &mut String, open: &mut Vec<Open>, style: TypeStyle) {
    while let Some(top) = open.last_mut() {
        top.left -= 1;
        match top.kind {
            Enclosure::Reference => {}
            Enclosure::Angle if top.left == 0 => text.push('>'),
            Enclosure::Angle => text.push_str(", "),
            Enclosure::Bars { results, abilities } if top.left == results => {
                end_parameters(text, results, abilities, style);
            }
            Enclosure::Bars { abilities, .. } if top.left == 0 => end_results(text, abilities, style),
            Enclosure::Bars { .. } => text.push(','),
        }
        if top.left > 0 {
            return;
        }
        open.pop();
    }
}

/// The second bar, and what ends the type if there are no results.
fn end_parameters(text: &mut String, results: usize, abilities: AbilitySet, style: TypeStyle) {
    text.push('|');
    if style == TypeStyle::Assembly {
        text.push('(');
    }
    if results == 0 {
        end_results(text, abilities, style);
    }
}

fn end_results(text: &mut String, abilities: AbilitySet, style: TypeStyle) {
    if style == TypeStyle::Abi {
        return;
    }
    text.push(')');
    for (position, ability) in abilities.iter().enumerate() {
        text.push_str(if position == 0 { " has " } else { "+" });
        text.push_str(ability.name());
    }
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}
