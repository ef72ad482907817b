//! Questions about types: their abilities, and instances of definitions.

use ledger_bytecode::{AbilitySet, Field, Signature, StructDefIndex, Tables, Type, TypeNode, substitute};

/// Abilities of the type `nodes`, given the constraints of the type parameters in scope.
///
/// Iterative: children are reduced before their parents by walking the preorder backwards.
pub fn type_abilities(tables: &Tables, constraints: &[AbilitySet], nodes: &[TypeNode]) -> AbilitySet {
    // The last pushed is the first child of the node under consideration.
    let mut reduced: Vec<AbilitySet> = Vec::with_capacity(nodes.len());
    for node in nodes.iter().rev() {
        let own = match node {
            TypeNode::Signer => AbilitySet::SIGNER,
            TypeNode::Reference | TypeNode::MutableReference => {
                reduced.pop();
                AbilitySet::REFERENCES
            }
            TypeNode::Vector => {
                let element = reduced.pop().unwrap_or(AbilitySet::EMPTY);
                AbilitySet::of_instance(AbilitySet::VECTOR, [(false, element)])
            }
            TypeNode::TypeParameter(index) => {
                constraints.get(usize::from(*index)).copied().unwrap_or(AbilitySet::EMPTY)
            }
            TypeNode::Struct(handle) => tables[*handle].abilities,
            TypeNode::StructInstance { handle, arguments } => {
                let handle = &tables[*handle];
                let first = reduced.len() - usize::from(*arguments);
                let given = reduced.drain(first..).rev();
                let phantom = handle.type_parameters.iter().map(|parameter| parameter.is_phantom);
                AbilitySet::of_instance(handle.abilities, phantom.zip(given))
            }
            TypeNode::Function { abilities, parameters, results } => {
                let first = reduced.len() - usize::from(*parameters) - usize::from(*results);
                reduced.truncate(first);
                *abilities
            }
            _ => AbilitySet::PRIMITIVES,
        };
        reduced.push(own);
    }
    reduced.pop().unwrap_or(AbilitySet::EMPTY)
}

/// The type `def<arguments>`, or `def` without any.
pub(crate) fn struct_type(tables: &Tables, def: StructDefIndex, arguments: &[Type]) -> Vec<TypeNode> {
    let handle = tables[def].handle;
    if arguments.is_empty() {
        return vec![TypeNode::Struct(handle)];
    }
    // The limits pass keeps type parameters, and so matching arguments, below 256.
    let mut nodes = vec![TypeNode::StructInstance { handle, arguments: arguments.len() as u8 }];
    for argument in arguments {
        nodes.extend_from_slice(argument.nodes());
    }
    nodes
}

/// The type of a field in an instance with these type arguments.
pub(crate) fn field_type(field: &Field, arguments: &[Type]) -> Vec<TypeNode> {
    let mut nodes = Vec::with_capacity(field.field_type.nodes().len());
    substitute(field.field_type.nodes(), arguments, &mut nodes);
    nodes
}

/// The types of a signature with its type parameters replaced.
pub(crate) fn instantiate(signature: &Signature, arguments: &[Type]) -> Vec<Vec<TypeNode>> {
    let instance = |entry: &Type| {
        let mut nodes = Vec::with_capacity(entry.nodes().len());
        substitute(entry.nodes(), arguments, &mut nodes);
        nodes
    };
    signature.0.iter().map(instance).collect()
}

/// Whether a value of type `given` may stand where `wanted` is expected.
///
/// Equal types are; a function type may have more abilities than wanted; references to such, if
/// immutable, may too.
pub(crate) fn is_assignable(given: &[TypeNode], wanted: &[TypeNode]) -> bool {
    if given == wanted {
        return true;
    }
    match (given.first(), wanted.first()) {
        (Some(TypeNode::Reference), Some(TypeNode::Reference)) => {
            is_assignable_value(&given[1..], &wanted[1..])
        }
        _ => is_assignable_value(given, wanted),
    }
}

/// As [`is_assignable`], references not looked through: one can stand only at the outside.
fn is_assignable_value(given: &[TypeNode], wanted: &[TypeNode]) -> bool {
    if given == wanted {
        return true;
    }
    match (given.first(), wanted.first()) {
        (
            Some(TypeNode::Function { abilities, parameters, results }),
            Some(TypeNode::Function { abilities: fewer, parameters: same, results: alike }),
        ) => {
            fewer.is_subset_of(*abilities)
                && parameters == same
                && results == alike
                && given[1..] == wanted[1..]
        }
        _ => false,
    }
}
