//! Struct and function definitions.

use super::{Context, code, types};
use crate::error::BinaryError;
use crate::format::{ACQUIRES_MAX, FIELDS_MAX, VARIANTS_MAX, VERSION_ENUMS, function_flag, struct_flag};
use crate::model::{Field, FunctionDef, StructDef, StructLayout, Variant, Visibility};
use crate::status::StatusCode;
use crate::wire::Cursor;

pub(super) fn structure(cursor: &mut Cursor<'_>, context: Context) -> Result<StructDef, BinaryError> {
    let handle = cursor.uleb16()?.into();
    let at = cursor.clone();
    let layout = match cursor.byte()? {
        struct_flag::NATIVE => StructLayout::Native,
        struct_flag::STRUCT => StructLayout::Struct(fields(cursor, context)?),
        struct_flag::ENUM if context.version < VERSION_ENUMS => {
            return Err(at.malformed("an enum before its version"));
        }
        struct_flag::ENUM => {
            let count = cursor.uleb(VARIANTS_MAX)?;
            let variants = (0..count)
                .map(|_| Ok(Variant { name: cursor.uleb16()?.into(), fields: fields(cursor, context)? }))
                .collect::<Result<_, BinaryError>>()?;
            StructLayout::Enum(variants)
        }
        _ => {
            return Err(at.error(StatusCode::UNKNOWN_NATIVE_STRUCT_FLAG, "a byte that is no struct flag"));
        }
    };
    Ok(StructDef { handle, layout })
}

fn fields(cursor: &mut Cursor<'_>, context: Context) -> Result<Vec<Field>, BinaryError> {
    let count = cursor.uleb(FIELDS_MAX)?;
    (0..count)
        .map(|_| {
            let name = cursor.uleb16()?.into();
            let field_type = types::type_tree(cursor, context)?;
            Ok(Field { name, field_type })
        })
        .collect()
}

pub(super) fn function(cursor: &mut Cursor<'_>, context: Context) -> Result<FunctionDef, BinaryError> {
    let handle = cursor.uleb16()?.into();
    let at = cursor.clone();
    let visibility = match cursor.byte()? {
        function_flag::PRIVATE => Visibility::Private,
        function_flag::PUBLIC => Visibility::Public,
        function_flag::FRIEND => Visibility::Friend,
        _ => return Err(at.malformed("a byte that is no visibility")),
    };
    let at = cursor.clone();
    let flags = cursor.byte()?;
    let count = cursor.uleb(ACQUIRES_MAX)?;
    let acquires = (0..count).map(|_| cursor.uleb16().map(Into::into)).collect::<Result<_, _>>()?;
    let code =
        if flags & function_flag::NATIVE_BIT == 0 { Some(code::code_unit(cursor, context)?) } else { None };
    // Asked last: what the body has wrong is reported first.
    if flags & !(function_flag::NATIVE_BIT | function_flag::ENTRY_BIT) != 0 {
        return Err(at.error(StatusCode::INVALID_FLAG_BITS, "a bit that is no function flag"));
    }
    Ok(FunctionDef { handle, visibility, is_entry: flags & function_flag::ENTRY_BIT != 0, acquires, code })
}
