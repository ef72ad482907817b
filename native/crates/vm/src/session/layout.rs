//! Run-time types as BCS layouts with names, for showing values and for reading them from JSON.

use std::collections::HashMap;
use std::sync::Arc;

use ledger_bcs::layout::{Layout, LayoutBuilder, LayoutError, Leaf, NodeId};
use ledger_bytecode::{Field, StructLayout};
use ledger_types::Address;

use crate::catalog::Catalog;
use crate::errors::{Fault, status};
use crate::types::{Int, Kind, TypeId, TypeInfo, TypeKey};

/// The layout of a type.
///
/// # Errors
/// References and function types have none; types that are too big.
pub fn layout_of(catalog: &Catalog, ty: TypeId) -> Result<Layout, Fault> {
    let mut builder = LayoutBuilder::new();
    let mut done: HashMap<TypeId, NodeId> = HashMap::new();
    // Depth first: a type waits on the list until all its parts are done.
    let mut waiting = vec![ty];
    while let Some(&top) = waiting.last() {
        if done.contains_key(&top) {
            waiting.pop();
            continue;
        }
        let info = catalog.types.get(top);
        let parts = parts_of(catalog, info)?;
        let before = waiting.len();
        waiting.extend(parts.iter().filter(|part| !done.contains_key(part)));
        if waiting.len() == before {
            let node = build(catalog, info, &mut builder, &done)?;
            done.insert(top, node);
            waiting.pop();
        }
    }
    let root = done.get(&ty).copied().ok_or_else(|| Fault::invariant("layout without root"))?;
    Ok(builder.finish(root))
}

/// Whether the type is this struct of the framework; answers its type arguments.
pub fn framework_struct<'e>(
    catalog: &Catalog,
    info: &'e TypeInfo,
    module: &str,
    name: &str,
) -> Option<&'e [TypeId]> {
    let TypeKey::Struct { module: owner, definition, arguments } = &info.key else { return None };
    let owner = catalog.module(*owner);
    let same = owner.id.address == Address::ONE
        && owner.id.name.as_str() == module
        && owner.struct_name(*definition).as_str() == name;
    same.then_some(&arguments[..])
}

fn is_bytes(catalog: &Catalog, element: TypeId) -> bool {
    matches!(catalog.types.get(element).kind, Kind::Int(Int::U8))
}

/// Types whose nodes must exist before the type's own.
fn parts_of(catalog: &Catalog, info: &TypeInfo) -> Result<Vec<TypeId>, Fault> {
    if let Some(arguments) = framework_struct(catalog, info, "option", "Option") {
        return Ok(arguments.to_vec());
    }
    if framework_struct(catalog, info, "string", "String").is_some()
        || framework_struct(catalog, info, "object", "Object").is_some()
    {
        return Ok(Vec::new());
    }
    Ok(match &info.kind {
        Kind::Vector(element) if is_bytes(catalog, *element) => Vec::new(),
        Kind::Vector(element) => vec![*element],
        Kind::Struct(fields) => fields.iter().map(|field| field.ty).collect(),
        Kind::Enum(variants) => {
            variants.iter().flat_map(|variant| variant.fields.iter().map(|field| field.ty)).collect()
        }
        Kind::Reference(_) | Kind::MutableReference(_) => {
            return Err(Fault::with_message(status::TYPE_RESOLUTION_FAILURE, "references have no layout"));
        }
        Kind::Function => return Err(Fault::not_implemented("layouts of function values")),
        Kind::Bool | Kind::Int(_) | Kind::Address | Kind::Signer => Vec::new(),
    })
}

fn build(
    catalog: &Catalog,
    info: &TypeInfo,
    builder: &mut LayoutBuilder,
    done: &HashMap<TypeId, NodeId>,
) -> Result<NodeId, Fault> {
    let node = |ty: &TypeId| done.get(ty).copied().ok_or_else(|| Fault::invariant("layout out of order"));
    let too_big = |_: LayoutError| Fault::new(status::TOO_MANY_TYPE_NODES);
    if let Some([element]) = framework_struct(catalog, info, "option", "Option") {
        return builder.option(node(element)?).map_err(too_big);
    }
    if framework_struct(catalog, info, "string", "String").is_some() {
        return builder.leaf(Leaf::String).map_err(too_big);
    }
    if framework_struct(catalog, info, "object", "Object").is_some() {
        return builder.leaf(Leaf::Object).map_err(too_big);
    }
    let leaf = match &info.kind {
        Kind::Bool => Leaf::Bool,
        Kind::Address => Leaf::Address,
        Kind::Signer => Leaf::Signer,
        Kind::Int(int) => match int {
            Int::U8 => Leaf::U8,
            Int::U16 => Leaf::U16,
            Int::U32 => Leaf::U32,
            Int::U64 => Leaf::U64,
            Int::U128 => Leaf::U128,
            Int::U256 => Leaf::U256,
            Int::I8 => Leaf::I8,
            Int::I16 => Leaf::I16,
            Int::I32 => Leaf::I32,
            Int::I64 => Leaf::I64,
            Int::I128 => Leaf::I128,
            Int::I256 => Leaf::I256,
        },
        Kind::Vector(element) if is_bytes(catalog, *element) => Leaf::Bytes,
        Kind::Vector(element) => return builder.vector(node(element)?).map_err(too_big),
        Kind::Struct(slots) => {
            let (names, _) = names_of(catalog, info)?;
            let mut fields = Vec::with_capacity(slots.len());
            for (name, slot) in names.into_iter().zip(slots) {
                fields.push((name, node(&slot.ty)?));
            }
            return builder.structure(fields).map_err(too_big);
        }
        Kind::Enum(variants) => {
            let (_, names) = names_of(catalog, info)?;
            let mut list = Vec::with_capacity(variants.len());
            for ((name, field_names), variant) in names.into_iter().zip(variants) {
                let mut fields = Vec::with_capacity(variant.fields.len());
                for (name, slot) in field_names.into_iter().zip(&variant.fields) {
                    fields.push((name, node(&slot.ty)?));
                }
                list.push((name, fields));
            }
            return builder.enumeration(list).map_err(too_big);
        }
        Kind::Reference(_) | Kind::MutableReference(_) | Kind::Function => {
            return Err(Fault::invariant("layout of a type that has none"));
        }
    };
    builder.leaf(leaf).map_err(too_big)
}

/// Field names of a struct or variant.
type FieldNames = Vec<Arc<str>>;
/// Names of an enum's variants, each with its field names.
type VariantNames = Vec<(Arc<str>, FieldNames)>;

/// Names of the fields of a struct, or of the variants of an enum and their fields.
fn names_of(catalog: &Catalog, info: &TypeInfo) -> Result<(FieldNames, VariantNames), Fault> {
    let TypeKey::Struct { module, definition, .. } = &info.key else {
        return Err(Fault::invariant("fields of something that is no struct"));
    };
    let code = &catalog.module(*module).code;
    let names = |fields: &[Field]| -> FieldNames {
        fields.iter().map(|field| Arc::from(code[field.name].as_str())).collect()
    };
    Ok(match &code.struct_defs[usize::from(*definition)].layout {
        StructLayout::Struct(fields) => (names(fields), Vec::new()),
        StructLayout::Enum(variants) => {
            let list = variants
                .iter()
                .map(|variant| (Arc::from(code[variant.name].as_str()), names(&variant.fields)))
                .collect();
            (Vec::new(), list)
        }
        StructLayout::Native => return Err(Fault::not_implemented("native structs")),
    })
}
