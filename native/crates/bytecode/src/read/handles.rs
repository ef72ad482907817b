//! Handles and instantiations.

use super::Context;
use crate::error::BinaryError;
use crate::format::{
    ACCESS_SPECIFIERS_MAX, ATTRIBUTES_MAX, TYPE_PARAMETERS_MAX, VARIANTS_MAX, VERSION_ENUMS,
    VERSION_FUNCTIONS, VERSION_STRUCT_API, option_byte,
};
use crate::model::{
    AbilitySet, AccessKind, AccessSpecifier, AddressSpecifier, FieldHandle, FunctionAttribute,
    FunctionHandle, Instantiation, ModuleHandle, ResourceSpecifier, StructHandle, StructTypeParameter,
    StructVariantHandle, VariantFieldHandle,
};
use crate::status::StatusCode;
use crate::wire::Cursor;

pub(super) fn module(cursor: &mut Cursor<'_>) -> Result<ModuleHandle, BinaryError> {
    Ok(ModuleHandle { address: cursor.uleb16()?.into(), name: cursor.uleb16()?.into() })
}

pub(super) fn structure(cursor: &mut Cursor<'_>) -> Result<StructHandle, BinaryError> {
    let module = cursor.uleb16()?.into();
    let name = cursor.uleb16()?.into();
    let abilities = ability_set(cursor)?;
    let count = cursor.uleb(TYPE_PARAMETERS_MAX)?;
    let type_parameters = (0..count)
        .map(|_| {
            let constraints = ability_set(cursor)?;
            let is_phantom = cursor.uleb(1)? == 1;
            Ok(StructTypeParameter { constraints, is_phantom })
        })
        .collect::<Result<_, BinaryError>>()?;
    Ok(StructHandle { module, name, abilities, type_parameters })
}

pub(super) fn function(cursor: &mut Cursor<'_>, context: Context) -> Result<FunctionHandle, BinaryError> {
    Ok(FunctionHandle {
        module: cursor.uleb16()?.into(),
        name: cursor.uleb16()?.into(),
        parameters: cursor.uleb16()?.into(),
        results: cursor.uleb16()?.into(),
        type_parameters: type_parameters(cursor)?,
        access: if context.version >= VERSION_ENUMS { access_specifiers(cursor)? } else { None },
        attributes: if context.version >= VERSION_FUNCTIONS { attributes(cursor, context)? } else { vec![] },
    })
}

/// Constraints of a function's type parameters.
pub(super) fn type_parameters(cursor: &mut Cursor<'_>) -> Result<Vec<AbilitySet>, BinaryError> {
    let count = cursor.uleb(TYPE_PARAMETERS_MAX)?;
    (0..count).map(|_| ability_set(cursor)).collect()
}

pub(super) fn ability_set(cursor: &mut Cursor<'_>) -> Result<AbilitySet, BinaryError> {
    let at = cursor.clone();
    let bits = cursor.uleb(u64::from(AbilitySet::ALL.bits()))?;
    AbilitySet::from_bits(bits as u8)
        .ok_or_else(|| at.error(StatusCode::UNKNOWN_ABILITY, "a bit that is no ability"))
}

pub(super) fn field(cursor: &mut Cursor<'_>) -> Result<FieldHandle, BinaryError> {
    Ok(FieldHandle { owner: cursor.uleb16()?.into(), field: u16::from(cursor.uleb8()?) })
}

pub(super) fn variant_field(cursor: &mut Cursor<'_>) -> Result<VariantFieldHandle, BinaryError> {
    let owner = cursor.uleb16()?.into();
    let field = u16::from(cursor.uleb8()?);
    let count = cursor.uleb(VARIANTS_MAX)?;
    let variants =
        (0..count).map(|_| cursor.uleb(VARIANTS_MAX).map(|v| v as u16)).collect::<Result<_, _>>()?;
    Ok(VariantFieldHandle { owner, field, variants })
}

pub(super) fn struct_variant(cursor: &mut Cursor<'_>) -> Result<StructVariantHandle, BinaryError> {
    Ok(StructVariantHandle { owner: cursor.uleb16()?.into(), variant: cursor.uleb(VARIANTS_MAX)? as u16 })
}

pub(super) fn instantiation<T: From<u16>>(cursor: &mut Cursor<'_>) -> Result<Instantiation<T>, BinaryError> {
    Ok(Instantiation { target: cursor.uleb16()?.into(), type_arguments: cursor.uleb16()?.into() })
}

/// Reads an option byte: whether something follows.
fn is_some(cursor: &mut Cursor<'_>) -> Result<bool, BinaryError> {
    let at = cursor.clone();
    match cursor.byte()? {
        option_byte::NONE => Ok(false),
        option_byte::SOME => Ok(true),
        _ => Err(at.malformed("a byte that is no option")),
    }
}

fn boolean(cursor: &mut Cursor<'_>) -> Result<bool, BinaryError> {
    let at = cursor.clone();
    match cursor.byte()? {
        option_byte::FALSE => Ok(false),
        option_byte::TRUE => Ok(true),
        _ => Err(at.malformed("a byte that is no boolean")),
    }
}

pub(super) fn access_specifiers(
    cursor: &mut Cursor<'_>,
) -> Result<Option<Vec<AccessSpecifier>>, BinaryError> {
    if !is_some(cursor)? {
        return Ok(None);
    }
    let count = cursor.uleb(ACCESS_SPECIFIERS_MAX)?;
    (0..count).map(|_| access_specifier(cursor)).collect::<Result<_, _>>().map(Some)
}

fn access_specifier(cursor: &mut Cursor<'_>) -> Result<AccessSpecifier, BinaryError> {
    let at = cursor.clone();
    let kind = match cursor.byte()? {
        1 => AccessKind::Reads,
        2 => AccessKind::Writes,
        _ => return Err(at.malformed("a byte that is no access kind")),
    };
    let is_negated = boolean(cursor)?;
    let at = cursor.clone();
    let resource = match cursor.byte()? {
        1 => ResourceSpecifier::Any,
        2 => ResourceSpecifier::DeclaredAt(cursor.uleb16()?.into()),
        3 => ResourceSpecifier::DeclaredIn(cursor.uleb16()?.into()),
        4 => ResourceSpecifier::Resource(cursor.uleb16()?.into()),
        5 => ResourceSpecifier::ResourceInstance(cursor.uleb16()?.into(), cursor.uleb16()?.into()),
        _ => return Err(at.malformed("a byte that is no resource specifier")),
    };
    let at = cursor.clone();
    let address = match cursor.byte()? {
        1 => AddressSpecifier::Any,
        2 => AddressSpecifier::Literal(cursor.uleb16()?.into()),
        3 => {
            let parameter = cursor.uleb8()?;
            let function = if is_some(cursor)? { Some(cursor.uleb16()?.into()) } else { None };
            AddressSpecifier::Parameter(parameter, function)
        }
        _ => return Err(at.malformed("a byte that is no address specifier")),
    };
    Ok(AccessSpecifier { kind, is_negated, resource, address })
}

fn attributes(cursor: &mut Cursor<'_>, context: Context) -> Result<Vec<FunctionAttribute>, BinaryError> {
    let count = cursor.uleb(ATTRIBUTES_MAX)?;
    (0..count).map(|_| attribute(cursor, context)).collect()
}

fn attribute(cursor: &mut Cursor<'_>, context: Context) -> Result<FunctionAttribute, BinaryError> {
    let at = cursor.clone();
    let code = cursor.byte()?;
    if code > 2 && context.version < VERSION_STRUCT_API {
        return Err(at.malformed("a function attribute newer than the version"));
    }
    // The operand is a plain little-endian number, unlike everything around it.
    let mut operand = || cursor.fixed(StatusCode::BAD_U16).map(u16::from_le_bytes);
    Ok(match code {
        1 => FunctionAttribute::Persistent,
        2 => FunctionAttribute::ModuleLock,
        3 => FunctionAttribute::Pack,
        4 => FunctionAttribute::PackVariant(operand()?),
        5 => FunctionAttribute::Unpack,
        6 => FunctionAttribute::UnpackVariant(operand()?),
        7 => FunctionAttribute::TestVariant(operand()?),
        8 => FunctionAttribute::BorrowField(operand()?),
        9 => FunctionAttribute::BorrowFieldMut(operand()?),
        _ => return Err(at.malformed("a byte that is no function attribute")),
    })
}
