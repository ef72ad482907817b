//! Types are well formed wherever they stand, and type arguments are as many and as able as asked.

use std::collections::HashSet;

use ledger_bytecode::{
    Ability, AbilitySet, Body, Bytecode, CompiledModule, CompiledScript, Field, FunctionDefIndex,
    FunctionHandleIndex, Instantiation, Signature, SignatureIndex, StatusCode, StructDefIndex, Table, Tables,
    Type, TypeNode, children,
};

use crate::abilities::{Demand, Malformed, check};
use crate::error::{Verdict, VerificationError};
use crate::types::{struct_type, type_abilities};

/// Checks a module.
pub(crate) fn verify_module(module: &CompiledModule) -> Verdict {
    let tables = &module.tables;
    verify_tables(tables)?;
    struct_instantiations(tables)?;
    for (index, _) in module.function_defs() {
        if let Some(body) = module.body(index) {
            verify_body(tables, &body)?;
        }
    }
    struct_defs(tables)
}

/// Checks what modules and scripts share: the pool, function instantiations, function handles.
pub(crate) fn verify_tables(tables: &Tables) -> Verdict {
    for (index, signature) in tables.signatures.iter().enumerate() {
        let place = Entry(Table::Signatures, index);
        types_in(tables, signature, None, true).map_err(|fault| place.fault(fault))?;
    }
    for (index, instance) in tables.function_instantiations.iter().enumerate() {
        let arguments = tables.types(instance.type_arguments);
        function_arguments(tables, instance.target, arguments, None)
            .map_err(|fault| Entry(Table::FunctionInstantiations, index).fault(fault))?;
    }
    for (index, handle) in tables.function_handles.iter().enumerate() {
        let place = Entry(Table::FunctionHandles, index);
        for signature in [handle.parameters, handle.results] {
            types_in(tables, &tables[signature], Some(&handle.type_parameters), true)
                .map_err(|fault| place.fault(fault))?;
        }
    }
    Ok(())
}

/// Checks a script's parameters and everything its body names.
pub(crate) fn verify_script(script: &CompiledScript) -> Verdict {
    let parameters = &script[script.parameters];
    types_in(&script.tables, parameters, Some(&script.type_parameters), true)
        .map_err(|fault| VerificationError::whole(fault.status, fault.message))?;
    verify_body(&script.tables, &script.body())
}

/// Where a fault in a table is.
struct Entry(Table, usize);

impl Entry {
    fn fault(&self, malformed: Malformed) -> VerificationError {
        VerificationError::entry(malformed.status, self.0, self.1, malformed.message)
    }
}

fn types_in(
    tables: &Tables,
    signature: &Signature,
    constraints: Option<&[AbilitySet]>,
    allows_reference: bool,
) -> Result<(), Malformed> {
    let demand = Demand { allows_reference, required: AbilitySet::EMPTY, constraints };
    signature.0.iter().try_for_each(|entry| check(tables, entry.nodes(), demand))
}

fn count_matches(given: usize, wanted: usize) -> Result<(), Malformed> {
    if given == wanted {
        return Ok(());
    }
    Err(Malformed {
        status: StatusCode::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH,
        message: "the wrong number of type arguments",
    })
}

fn function_arguments(
    tables: &Tables,
    function: FunctionHandleIndex,
    arguments: &[Type],
    constraints: Option<&[AbilitySet]>,
) -> Result<(), Malformed> {
    let wanted = &tables[function].type_parameters;
    count_matches(arguments.len(), wanted.len())?;
    for (argument, required) in arguments.iter().zip(wanted) {
        let demand = Demand { allows_reference: false, required: *required, constraints };
        check(tables, argument.nodes(), demand)?;
    }
    Ok(())
}

fn struct_arguments(
    tables: &Tables,
    owner: StructDefIndex,
    arguments: &[Type],
    required: AbilitySet,
    constraints: Option<&[AbilitySet]>,
) -> Result<(), Malformed> {
    count_matches(arguments.len(), tables[tables[owner].handle].type_parameters.len())?;
    let nodes = struct_type(tables, owner, arguments);
    check(tables, &nodes, Demand { allows_reference: false, required, constraints })
}

/// Instantiations of structs, fields and variants, outside any function.
fn struct_instantiations(tables: &Tables) -> Verdict {
    fn each<T: Copy>(
        tables: &Tables,
        table: Table,
        entries: &[Instantiation<T>],
        owner: impl Fn(T) -> StructDefIndex,
    ) -> Verdict {
        for (index, entry) in entries.iter().enumerate() {
            let arguments = tables.types(entry.type_arguments);
            struct_arguments(tables, owner(entry.target), arguments, AbilitySet::EMPTY, None)
                .map_err(|fault| Entry(table, index).fault(fault))?;
        }
        Ok(())
    }

    each(tables, Table::StructInstantiations, &tables.struct_instantiations, |def| def)?;
    let fields = &tables.field_instantiations;
    each(tables, Table::FieldInstantiations, fields, |field| tables[field].owner)?;
    let fields = &tables.variant_field_instantiations;
    each(tables, Table::VariantFieldInstantiations, fields, |field| tables[field].owner)?;
    let variants = &tables.struct_variant_instantiations;
    each(tables, Table::StructVariantInstantiations, variants, |variant| tables[variant].owner)
}

/// What a generic instruction names, so that each is checked once per function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Named {
    Function(FunctionHandleIndex, SignatureIndex),
    Struct(StructDefIndex, SignatureIndex),
    Resource(StructDefIndex, SignatureIndex),
    Element(SignatureIndex),
    Closure(SignatureIndex),
}

/// Checks locals and everything the instructions of a function name, in its own context.
pub(crate) fn verify_body(tables: &Tables, body: &Body<'_>) -> Verdict {
    let constraints = Some(body.type_parameters);
    let at = |offset, fault: Malformed| instruction_fault(body.function, offset, fault);
    types_in(tables, body.locals, constraints, true).map_err(|fault| at(0, fault))?;
    let mut seen = HashSet::new();
    for (offset, instruction) in body.code.code.iter().enumerate() {
        let Some(named) = named(tables, instruction) else { continue };
        if !seen.insert(named) {
            continue;
        }
        let result = match named {
            Named::Function(target, arguments) => {
                function_arguments(tables, target, tables.types(arguments), constraints)
            }
            Named::Struct(owner, arguments) => {
                struct_arguments(tables, owner, tables.types(arguments), AbilitySet::EMPTY, constraints)
            }
            Named::Resource(owner, arguments) => {
                struct_arguments(tables, owner, tables.types(arguments), Ability::Key.into(), constraints)
            }
            Named::Element(signature) => count_matches(tables.types(signature).len(), 1)
                .and_then(|()| types_in(tables, &tables[signature], constraints, false)),
            Named::Closure(signature) => closure_type(tables, signature)
                .and_then(|()| types_in(tables, &tables[signature], constraints, false)),
        };
        result.map_err(|fault| at(offset, fault))?;
    }
    Ok(())
}

fn instruction_fault(
    function: Option<FunctionDefIndex>,
    offset: usize,
    fault: Malformed,
) -> VerificationError {
    VerificationError::instruction(fault.status, function, offset, fault.message)
}

fn closure_type(tables: &Tables, signature: SignatureIndex) -> Result<(), Malformed> {
    match tables.single_type(signature).map(Type::root) {
        Some(TypeNode::Function { .. }) => Ok(()),
        _ => Err(Malformed {
            status: StatusCode::CLOSURE_CALL_REQUIRES_FUNCTION,
            message: "a closure call that names no function type",
        }),
    }
}

fn named(tables: &Tables, instruction: &Bytecode) -> Option<Named> {
    use Bytecode::*;
    Some(match *instruction {
        CallGeneric(instance) | PackClosureGeneric(instance, _) => {
            Named::Function(tables[instance].target, tables[instance].type_arguments)
        }
        PackGeneric(instance) | UnpackGeneric(instance) => {
            Named::Struct(tables[instance].target, tables[instance].type_arguments)
        }
        ExistsGeneric(instance)
        | MutBorrowGlobalGeneric(instance)
        | ImmBorrowGlobalGeneric(instance)
        | MoveFromGeneric(instance)
        | MoveToGeneric(instance) => {
            Named::Resource(tables[instance].target, tables[instance].type_arguments)
        }
        MutBorrowFieldGeneric(field) | ImmBorrowFieldGeneric(field) => {
            Named::Struct(tables[tables[field].target].owner, tables[field].type_arguments)
        }
        ImmBorrowVariantFieldGeneric(field) | MutBorrowVariantFieldGeneric(field) => {
            Named::Struct(tables[tables[field].target].owner, tables[field].type_arguments)
        }
        PackVariantGeneric(variant) | UnpackVariantGeneric(variant) | TestVariantGeneric(variant) => {
            Named::Struct(tables[tables[variant].target].owner, tables[variant].type_arguments)
        }
        VecPack(signature, _)
        | VecUnpack(signature, _)
        | VecLen(signature)
        | VecImmBorrow(signature)
        | VecMutBorrow(signature)
        | VecPushBack(signature)
        | VecPopBack(signature)
        | VecSwap(signature) => Named::Element(signature),
        CallClosure(signature) => Named::Closure(signature),
        _ => return None,
    })
}

/// Fields are well formed, able enough for their struct, and name phantom parameters in phantom
/// positions only.
fn struct_defs(tables: &Tables) -> Verdict {
    for (index, def) in tables.struct_defs.iter().enumerate() {
        let handle = &tables[def.handle];
        let constraints: Vec<AbilitySet> =
            handle.type_parameters.iter().map(|parameter| parameter.constraints).collect();
        // What a struct can do is asked again for each instance; its definition answers for the
        // most able arguments.
        let most_able = vec![AbilitySet::ALL; constraints.len()];
        let required = handle.abilities.requires();
        let place = Entry(Table::StructDefs, index);
        for Field { field_type, .. } in def.all_fields() {
            let nodes = field_type.nodes();
            let demand = Demand {
                allows_reference: false,
                required: AbilitySet::EMPTY,
                constraints: Some(&constraints),
            };
            check(tables, nodes, demand).map_err(|fault| place.fault(fault))?;
            if !required.is_subset_of(type_abilities(tables, &most_able, nodes)) {
                return Err(place.fault(Malformed {
                    status: StatusCode::FIELD_MISSING_TYPE_ABILITY,
                    message: "a field that lacks an ability of its struct",
                }));
            }
            if names_phantom_openly(tables, &handle.type_parameters, nodes) {
                return Err(place.fault(Malformed {
                    status: StatusCode::INVALID_PHANTOM_TYPE_PARAM_POSITION,
                    message: "a phantom type parameter in a position that is not phantom",
                }));
            }
        }
    }
    Ok(())
}

/// Whether a phantom parameter stands anywhere but directly as a phantom type argument.
fn names_phantom_openly(
    tables: &Tables,
    parameters: &[ledger_bytecode::StructTypeParameter],
    nodes: &[TypeNode],
) -> bool {
    let is_phantom = |node: &TypeNode| match node {
        TypeNode::TypeParameter(index) => parameters[usize::from(*index)].is_phantom,
        _ => false,
    };
    let phantom_uses = nodes.iter().filter(|node| is_phantom(node)).count();
    let allowed_uses: usize = nodes
        .iter()
        .enumerate()
        .filter_map(|(position, node)| match node {
            TypeNode::StructInstance { handle, .. } => Some((position, handle)),
            _ => None,
        })
        .map(|(position, handle)| {
            children(&nodes[position..])
                .zip(&tables[*handle].type_parameters)
                .filter(|(argument, parameter)| parameter.is_phantom && is_phantom(&argument[0]))
                .count()
        })
        .sum();
    phantom_uses != allowed_uses
}
