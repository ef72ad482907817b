//! Identifiers, addresses, constants and metadata.

use ledger_types::{Address, Identifier, is_valid_name};

use super::{Context, types};
use crate::error::BinaryError;
use crate::format::{
    CONSTANT_LENGTH_MAX, METADATA_KEY_LENGTH_MAX, METADATA_VALUE_LENGTH_MAX, VERSION_SIGNED,
};
use crate::model::{Constant, Metadata};
use crate::status::StatusCode;
use crate::wire::Cursor;

pub(super) fn identifier(cursor: &mut Cursor<'_>, context: Context) -> Result<Identifier, BinaryError> {
    let at = cursor.clone();
    let bytes = counted(cursor, u64::from(context.identifier_length_max))?;
    let name = std::str::from_utf8(bytes).map_err(|_| at.malformed("an identifier that is not UTF-8"))?;
    if !is_valid_name(name) {
        return Err(at.malformed("text that is no identifier"));
    }
    if context.version < VERSION_SIGNED && name.contains('$') {
        return Err(at.malformed("a dollar sign in an identifier before its version"));
    }
    Ok(Identifier::new_unchecked(name))
}

pub(super) fn address(cursor: &mut Cursor<'_>) -> Result<Address, BinaryError> {
    cursor.fixed(StatusCode::MALFORMED).map(Address)
}

pub(super) fn constant(cursor: &mut Cursor<'_>, context: Context) -> Result<Constant, BinaryError> {
    let value_type = types::type_tree(cursor, context)?;
    let bytes = counted(cursor, CONSTANT_LENGTH_MAX)?.to_vec();
    Ok(Constant { value_type, bytes })
}

pub(super) fn metadata(cursor: &mut Cursor<'_>) -> Result<Metadata, BinaryError> {
    let key = counted(cursor, METADATA_KEY_LENGTH_MAX)?.to_vec();
    let value = counted(cursor, METADATA_VALUE_LENGTH_MAX)?.to_vec();
    Ok(Metadata { key, value })
}

/// A length and that many bytes.
fn counted<'a>(cursor: &mut Cursor<'a>, length_max: u64) -> Result<&'a [u8], BinaryError> {
    let length = cursor.uleb(length_max)?;
    cursor.take(length as usize)
}
