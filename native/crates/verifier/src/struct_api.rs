//! Wrappers through which other modules use a public struct.
//!
//! From version 10 a module may offer functions that do nothing but pack, unpack, test or borrow from
//! one of its structs, so that callers and the machine can treat them as that instruction. Their
//! names, attributes, types and bodies must agree to the letter, in both directions.

mod name;

use ledger_bytecode::{
    Bytecode, CompiledModule, CompiledScript, Field, FunctionAttribute, FunctionDefIndex, StatusCode,
    StructDefIndex, StructLayout, Table, Type, TypeNode, VariantIndex,
};

use crate::error::{Verdict, VerificationError};
use crate::names::Names;
use crate::types::struct_type;
use name::Reserved;

/// First version with such wrappers.
const VERSION_MIN: u32 = 10;

/// Refuses a script that names a wrapper.
pub(crate) fn verify_script(script: &CompiledScript) -> Verdict {
    let handles = script.function_handles.iter();
    match handles.clone().position(|handle| handle.attributes.iter().any(|entry| entry.is_struct_api())) {
        Some(index) => Err(VerificationError::entry(
            StatusCode::INVALID_OPERATION_IN_SCRIPT,
            Table::FunctionHandles,
            index,
            "a struct wrapper used by a script",
        )),
        None => Ok(()),
    }
}

/// Checks every wrapper of a module, and that nothing else looks like one.
pub(crate) fn verify_module(module: &CompiledModule) -> Verdict {
    if module.version < VERSION_MIN {
        return Ok(());
    }
    let fault = |table, index, message| {
        Err(VerificationError::entry(StatusCode::INVALID_STRUCT_API_CODE, table, index, message))
    };
    for (index, handle) in module.function_handles.iter().enumerate() {
        if handle.attributes.iter().filter(|attribute| attribute.is_struct_api()).count() > 1 {
            return fault(Table::FunctionHandles, index, "more than one struct wrapper attribute");
        }
    }
    let names = Names::of(module);
    for (function, _) in module.function_defs() {
        if let Err(message) = function_wraps_what_it_claims(module, &names, function) {
            return fault(Table::FunctionDefs, function.index(), message);
        }
    }
    Ok(())
}

fn function_wraps_what_it_claims(
    module: &CompiledModule,
    names: &Names<'_>,
    function: FunctionDefIndex,
) -> Result<(), &'static str> {
    let handle = module.handle_of(function);
    let attribute = handle.attributes.iter().copied().find(|entry| entry.is_struct_api());
    let reserved = name::parse(module, names, module[handle.name].as_str(), attribute)?;
    let (reserved, attribute) = match (reserved, attribute) {
        (None, None) => return Ok(()),
        (Some(reserved), Some(attribute)) if reserved.attribute == attribute => (reserved, attribute),
        _ => return Err("a struct wrapper whose name and attribute disagree"),
    };
    let owner = reserved.owner;
    let struct_handle = module.struct_handle_of(owner);
    if struct_handle.abilities.has_key() {
        return Err("a wrapper of a resource");
    }
    if struct_handle.type_parameters.len() != handle.type_parameters.len() {
        return Err("a struct wrapper with other type parameters than the struct");
    }
    let body = module.body(function).ok_or("a native struct wrapper")?;
    let wrapper = Wrapper::new(module, owner, attribute, &reserved)?;
    if !matches(&body.parameters.0, &wrapper.parameters) || !matches(&body.results.0, &wrapper.results) {
        return Err("a struct wrapper with other parameters or results than its purpose needs");
    }
    let (operation, moves) = match body.code.code.as_slice() {
        [moves @ .., operation, Bytecode::Ret] => (operation, moves),
        _ => return Err("a struct wrapper with another body than its purpose needs"),
    };
    let moves_in_order = moves.len() == wrapper.parameters.len()
        && moves.iter().enumerate().all(|(i, instruction)| *instruction == Bytecode::MoveLoc(i as u8));
    if !moves_in_order || !wrapper.is_operation(module, operation) {
        return Err("a struct wrapper with another body than its purpose needs");
    }
    Ok(())
}

fn matches(types: &[Type], wanted: &[Vec<TypeNode>]) -> bool {
    types.len() == wanted.len() && types.iter().zip(wanted).all(|(given, nodes)| given.nodes() == nodes)
}

/// What a wrapper must look like.
struct Wrapper {
    owner: StructDefIndex,
    attribute: FunctionAttribute,
    /// The struct's own type parameters, as arguments.
    arguments: Vec<Type>,
    parameters: Vec<Vec<TypeNode>>,
    results: Vec<Vec<TypeNode>>,
    /// For a borrow from an enum, the variants that share the field.
    variants: Option<Vec<VariantIndex>>,
}

impl Wrapper {
    fn new(
        module: &CompiledModule,
        owner: StructDefIndex,
        attribute: FunctionAttribute,
        reserved: &Reserved,
    ) -> Result<Self, &'static str> {
        let count = module.struct_handle_of(owner).type_parameters.len();
        // At most 32 type parameters: the limits pass.
        let arguments: Vec<Type> =
            (0..count).map(|index| Type::leaf(TypeNode::TypeParameter(index as u16))).collect();
        let whole = struct_type(module, owner, &arguments);
        let mut wrapper =
            Self { owner, attribute, arguments, parameters: vec![], results: vec![], variants: None };
        let types = |fields: &[Field]| fields.iter().map(|f| f.field_type.nodes().to_vec()).collect();
        match attribute {
            FunctionAttribute::Pack | FunctionAttribute::PackVariant(_) => {
                wrapper.parameters = types(parts(module, owner, attribute)?);
                wrapper.results = vec![whole];
            }
            FunctionAttribute::Unpack | FunctionAttribute::UnpackVariant(_) => {
                wrapper.parameters = vec![whole];
                wrapper.results = types(parts(module, owner, attribute)?);
            }
            FunctionAttribute::TestVariant(_) => {
                parts(module, owner, attribute)?;
                wrapper.parameters = vec![wrap(TypeNode::Reference, &whole)];
                wrapper.results = vec![vec![TypeNode::Bool]];
            }
            FunctionAttribute::BorrowField(offset) | FunctionAttribute::BorrowFieldMut(offset) => {
                let reference = match attribute {
                    FunctionAttribute::BorrowField(_) => TypeNode::Reference,
                    _ => TypeNode::MutableReference,
                };
                let (field, variants) = borrowed(module, owner, offset, reserved.order)?;
                wrapper.variants = variants;
                wrapper.parameters = vec![wrap(reference, &whole)];
                wrapper.results = vec![wrap(reference, field.nodes())];
            }
            FunctionAttribute::Persistent | FunctionAttribute::ModuleLock => {
                return Err("an attribute that marks no wrapper");
            }
        }
        Ok(wrapper)
    }

    /// Whether `operation` is the one instruction this wrapper stands for.
    fn is_operation(&self, module: &CompiledModule, operation: &Bytecode) -> bool {
        use Bytecode::*;
        let own_arguments = |signature| module.types(signature) == self.arguments;
        let is_owner = |def: StructDefIndex| def == self.owner;
        let variant_of = |index: ledger_bytecode::StructVariantHandleIndex| {
            let handle = module[index];
            is_owner(handle.owner).then_some(handle.variant)
        };
        let variant_of_instance = |index: ledger_bytecode::StructVariantInstIndex| {
            let entry = module[index];
            own_arguments(entry.type_arguments).then(|| variant_of(entry.target)).flatten()
        };
        let is_field = |index: ledger_bytecode::FieldHandleIndex, offset: u16| {
            is_owner(module[index].owner) && module[index].field == offset
        };
        let is_variant_field = |index: ledger_bytecode::VariantFieldHandleIndex, offset: u16| {
            let handle = &module[index];
            is_owner(handle.owner)
                && handle.field == offset
                && self.variants.as_ref() == Some(&handle.variants)
        };
        match (self.attribute, *operation) {
            (FunctionAttribute::Pack, Pack(def)) | (FunctionAttribute::Unpack, Unpack(def)) => is_owner(def),
            (FunctionAttribute::Pack, PackGeneric(index))
            | (FunctionAttribute::Unpack, UnpackGeneric(index)) => {
                is_owner(module[index].target) && own_arguments(module[index].type_arguments)
            }
            (FunctionAttribute::PackVariant(wanted), PackVariant(index))
            | (FunctionAttribute::UnpackVariant(wanted), UnpackVariant(index))
            | (FunctionAttribute::TestVariant(wanted), TestVariant(index)) => {
                variant_of(index) == Some(wanted)
            }
            (FunctionAttribute::PackVariant(wanted), PackVariantGeneric(index))
            | (FunctionAttribute::UnpackVariant(wanted), UnpackVariantGeneric(index))
            | (FunctionAttribute::TestVariant(wanted), TestVariantGeneric(index)) => {
                variant_of_instance(index) == Some(wanted)
            }
            (FunctionAttribute::BorrowField(offset), ImmBorrowField(index))
            | (FunctionAttribute::BorrowFieldMut(offset), MutBorrowField(index)) => is_field(index, offset),
            (FunctionAttribute::BorrowField(offset), ImmBorrowFieldGeneric(index))
            | (FunctionAttribute::BorrowFieldMut(offset), MutBorrowFieldGeneric(index)) => {
                is_field(module[index].target, offset) && own_arguments(module[index].type_arguments)
            }
            (FunctionAttribute::BorrowField(offset), ImmBorrowVariantField(index))
            | (FunctionAttribute::BorrowFieldMut(offset), MutBorrowVariantField(index)) => {
                is_variant_field(index, offset)
            }
            (FunctionAttribute::BorrowField(offset), ImmBorrowVariantFieldGeneric(index))
            | (FunctionAttribute::BorrowFieldMut(offset), MutBorrowVariantFieldGeneric(index)) => {
                is_variant_field(module[index].target, offset) && own_arguments(module[index].type_arguments)
            }
            _ => false,
        }
    }
}

fn wrap(outer: TypeNode, inner: &[TypeNode]) -> Vec<TypeNode> {
    std::iter::once(outer).chain(inner.iter().copied()).collect()
}

/// The fields an attribute is about; plain attributes need plain structs, variant ones enums.
fn parts(
    module: &CompiledModule,
    owner: StructDefIndex,
    attribute: FunctionAttribute,
) -> Result<&[Field], &'static str> {
    let variant = match attribute {
        FunctionAttribute::PackVariant(variant)
        | FunctionAttribute::UnpackVariant(variant)
        | FunctionAttribute::TestVariant(variant) => Some(variant),
        _ => None,
    };
    match (&module[owner].layout, variant) {
        (StructLayout::Struct(fields), None) => Ok(fields),
        (StructLayout::Enum(_), Some(variant)) => {
            module[owner].variant_fields(variant).ok_or("a wrapper of a variant that is not there")
        }
        _ => Err("a wrapper of the wrong kind of struct"),
    }
}

/// The type of a borrowed field, and for an enum the variants that share it.
///
/// Fields of an enum are told apart by offset and type; `order` counts the distinct pairs as they
/// are first seen, variant by variant.
fn borrowed(
    module: &CompiledModule,
    owner: StructDefIndex,
    offset: u16,
    order: Option<u16>,
) -> Result<(&Type, Option<Vec<VariantIndex>>), &'static str> {
    let def = &module[owner];
    match (&def.layout, order) {
        (StructLayout::Struct(fields), None) => {
            let field = fields.get(usize::from(offset)).ok_or("a wrapper of a field that is not there")?;
            Ok((&field.field_type, None))
        }
        (StructLayout::Enum(variants), Some(order)) => {
            let mut pairs: Vec<(usize, &Type)> = Vec::new();
            for variant in variants {
                for (position, field) in variant.fields.iter().enumerate() {
                    if !pairs.contains(&(position, &field.field_type)) {
                        pairs.push((position, &field.field_type));
                    }
                }
            }
            let pair = *pairs.get(usize::from(order)).ok_or("a wrapper of a field that is not there")?;
            if pair.0 != usize::from(offset) {
                return Err("a wrapper whose field offset and order disagree");
            }
            let shares = |variant: &ledger_bytecode::Variant| {
                variant.fields.get(pair.0).is_some_and(|field| field.field_type == *pair.1)
            };
            // At most 127 variants: the reader.
            let sharing = variants.iter().enumerate().filter(|(_, v)| shares(v)).map(|(i, _)| i as u16);
            Ok((pair.1, Some(sharing.collect())))
        }
        _ => Err("a borrowing wrapper of the wrong kind of struct"),
    }
}
