//! Whether a type is well formed: references only at the outside, type arguments able enough.

use ledger_bytecode::{AbilitySet, StatusCode, Tables, TypeNode};

/// What is wrong with a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) status: StatusCode,
    pub(crate) message: &'static str,
}

/// Where a type stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand<'a> {
    /// Whether the type itself may be a reference.
    pub(crate) allows_reference: bool,
    /// Abilities it must have.
    pub(crate) required: AbilitySet,
    /// Constraints of the type parameters in scope; `None` asks nothing of them.
    pub(crate) constraints: Option<&'a [AbilitySet]>,
}

/// Children of an open node still to come, and what is asked of them.
enum Open {
    /// All alike.
    Same { left: usize, allows_reference: bool, required: AbilitySet },
    /// Type arguments of a struct: what its parameters ask.
    Arguments { next: usize, handle: ledger_bytecode::StructHandleIndex, required: AbilitySet },
}

/// Checks the type `nodes`, one whole tree.
pub(crate) fn check(tables: &Tables, nodes: &[TypeNode], demand: Demand<'_>) -> Result<(), Malformed> {
    let mut open: Vec<Open> = Vec::new();
    for node in nodes {
        let (allows_reference, required) = match open.last_mut() {
            None => (demand.allows_reference, demand.required),
            Some(Open::Same { left, allows_reference, required }) => {
                *left -= 1;
                (*allows_reference, *required)
            }
            Some(Open::Arguments { next, handle, required }) => {
                let parameter = tables[*handle].type_parameters[*next];
                *next += 1;
                let inherited = if parameter.is_phantom { AbilitySet::EMPTY } else { required.requires() };
                (false, parameter.constraints | inherited)
            }
        };
        let own = match node {
            TypeNode::TypeParameter(index) => match demand.constraints {
                Some(constraints) => constraints[usize::from(*index)],
                None => AbilitySet::ALL,
            },
            TypeNode::Signer => AbilitySet::SIGNER,
            TypeNode::Reference | TypeNode::MutableReference => {
                if !allows_reference {
                    return Err(Malformed {
                        status: StatusCode::INVALID_SIGNATURE_TOKEN,
                        message: "a reference where none may be",
                    });
                }
                AbilitySet::REFERENCES
            }
            TypeNode::Vector => AbilitySet::VECTOR,
            TypeNode::Struct(handle) | TypeNode::StructInstance { handle, .. } => tables[*handle].abilities,
            TypeNode::Function { abilities, .. } => *abilities,
            _ => AbilitySet::PRIMITIVES,
        };
        if !required.is_subset_of(own) {
            return Err(Malformed {
                status: StatusCode::CONSTRAINT_NOT_SATISFIED,
                message: "a type without the abilities it needs",
            });
        }
        match node {
            TypeNode::Reference | TypeNode::MutableReference => {
                open.push(Open::Same { left: 1, allows_reference: false, required: AbilitySet::EMPTY });
            }
            TypeNode::Vector => {
                open.push(Open::Same { left: 1, allows_reference: false, required: required.requires() });
            }
            TypeNode::StructInstance { handle, .. } => {
                open.push(Open::Arguments { next: 0, handle: *handle, required });
            }
            TypeNode::Function { .. } if node.child_count() > 0 => open.push(Open::Same {
                left: node.child_count(),
                allows_reference: true,
                required: AbilitySet::EMPTY,
            }),
            _ => {}
        }
        while open.last().is_some_and(|top| is_finished(tables, top)) {
            open.pop();
        }
    }
    Ok(())
}

fn is_finished(tables: &Tables, open: &Open) -> bool {
    match open {
        Open::Same { left, .. } => *left == 0,
        Open::Arguments { next, handle, .. } => *next == tables[*handle].type_parameters.len(),
    }
}
