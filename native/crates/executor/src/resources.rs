//! Finding and showing what accounts hold.

use std::str::FromStr;

use ledger_bcs::{Decode, Encode};
use ledger_types::{Address, Path, StateKey, StateValue, StructTag, TypeTag};

use crate::json::Types;
use crate::json::types::group_members;
use crate::refusal::{QueryError, Refusal};

/// Where a resource is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceLocation {
    /// Key of the item: the resource's own, or that of its group.
    pub key: StateKey,
    /// The resource's type.
    pub tag: StructTag,
    /// BCS of the tag to look up inside the group, for a member of one.
    pub member_tag: Option<Vec<u8>>,
}

/// Struct tag of a request.
///
/// # Errors
/// `invalid_input` for a text that is not the name of a struct.
pub fn parse_struct(text: &str) -> Result<StructTag, QueryError> {
    StructTag::from_str(text)
        .map_err(|error| Refusal::invalid_input(format!("{text} is not a struct type: {error}")).into())
}

/// Type tag of a request.
///
/// # Errors
/// `invalid_input` for a text that is not the name of a type.
pub fn parse_type(text: &str) -> Result<TypeTag, QueryError> {
    TypeTag::from_str(text)
        .map_err(|error| Refusal::invalid_input(format!("{text} is not a type: {error}")).into())
}

/// Finds out where a resource is kept; whether it exists is for the reader of the key to see.
pub fn locate(address: &Address, tag: StructTag, types: &mut Types<'_>) -> ResourceLocation {
    match types.group_of(&tag) {
        Some(group) => ResourceLocation {
            key: StateKey::resource_group(address, &group),
            member_tag: Some(tag.to_bytes()),
            tag,
        },
        None => ResourceLocation { key: StateKey::resource(address, &tag), tag, member_tag: None },
    }
}

/// JSON array of `{type,data}` of an account's items, in the order given; groups are flattened in the
/// order of their members. Items are storage-encoded key and BCS `StateValue`.
///
/// # Errors
/// When an item is not a resource, or does not decode.
pub fn write_resources<'a>(
    items: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    types: &mut Types<'_>,
) -> Result<Vec<u8>, QueryError> {
    let mut out = vec![b'['];
    for (key, value) in items {
        let broken = |_| QueryError::from(broken_item());
        let key = StateKey::from_storage(key).map_err(broken)?;
        let data = StateValue::from_bytes(value).map_err(broken)?.data;
        match key.path().map_err(broken)? {
            Some(Path::Resource(tag)) => append(&tag, &data, types, &mut out)?,
            Some(Path::ResourceGroup(_)) => {
                for (tag, bytes) in group_members(&data).map_err(broken)? {
                    append(&tag, &bytes, types, &mut out)?;
                }
            }
            Some(Path::Code(_)) | None => return Err(broken_item().into()),
        }
    }
    out.push(b']');
    Ok(out)
}

fn broken_item() -> Refusal {
    Refusal {
        code: "internal_error",
        message: "an item of the account is not a resource".to_owned(),
        vm_status: None,
    }
}

fn append(tag: &StructTag, bytes: &[u8], types: &mut Types<'_>, out: &mut Vec<u8>) -> Result<(), QueryError> {
    if out.len() > 1 {
        out.push(b',');
    }
    types.write_resource(tag, bytes, out)
}

/// JSON of a resource's data alone.
///
/// # Errors
/// When the type is unknown or the bytes are not a value of it.
pub fn write_data(tag: &TypeTag, bytes: &[u8], types: &mut Types<'_>) -> Result<Vec<u8>, QueryError> {
    let mut out = Vec::new();
    types.write_value(tag, bytes, &mut out)?;
    Ok(out)
}

/// JSON of a module, its ABI included.
pub fn write_module(code: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    ledger_bytecode::abi::write_module_json(code, &mut out);
    out
}
