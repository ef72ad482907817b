//! Bytes to module or script.
//!
//! Promises: no panic and no recursion whatever the bytes; memory in proportion to them; every
//! limit of the format kept; after success every index is inside its table, since
//! [`crate::bounds`] runs last. Leaves meaning (duplicates, types, code) to the verifier.
//!
//! Departures from the widest reading of the format, both unused by any published module: bytes
//! after the end are refused, and so are versions below 5.

mod code;
mod definitions;
mod handles;
mod header;
mod pools;
mod types;

use crate::bounds;
use crate::error::BinaryError;
use crate::format::{Table, VERSION_MAX};
use crate::model::{CompiledModule, CompiledScript, ModuleHandleIndex, Tables};
use crate::status::StatusCode;
use crate::wire::Cursor;

/// What a chain's settings allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Newest version accepted, 5 to 10.
    pub version_max: u32,
    /// Longest identifier in bytes: 255, or 65535 for the chain setting that leaves it open.
    pub identifier_length_max: u16,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self { version_max: VERSION_MAX, identifier_length_max: 255 }
    }
}

/// What every reader of a table needs to know.
#[derive(Clone, Copy)]
struct Context {
    version: u32,
    identifier_length_max: u16,
}

/// Reads a module and checks its bounds.
///
/// # Errors
/// The deserialization codes (3000 and up) for bytes that are no module of an allowed version, and
/// those of [`crate::bounds::check_module`].
pub fn read_module(bytes: &[u8], limits: &ReadLimits) -> Result<CompiledModule, BinaryError> {
    let (context, tables, mut tail) = read_tables(bytes, limits, true)?;
    let self_handle = ModuleHandleIndex(tail.uleb16()?);
    let module = CompiledModule { version: context.version, self_handle, tables };
    bounds::check_module(&module)?;
    expect_end(&tail)?;
    Ok(module)
}

/// Reads a script and checks its bounds.
///
/// # Errors
/// As [`read_module`].
pub fn read_script(bytes: &[u8], limits: &ReadLimits) -> Result<CompiledScript, BinaryError> {
    let (context, tables, mut tail) = read_tables(bytes, limits, false)?;
    let type_parameters = handles::type_parameters(&mut tail)?;
    let parameters = tail.uleb16()?.into();
    let access = if context.version >= crate::format::VERSION_FUNCTIONS {
        handles::access_specifiers(&mut tail)?
    } else {
        None
    };
    let code = code::code_unit(&mut tail, context)?;
    let script =
        CompiledScript { version: context.version, type_parameters, parameters, access, code, tables };
    bounds::check_script(&script)?;
    expect_end(&tail)?;
    Ok(script)
}

impl CompiledModule {
    /// Reads a module of any known version with the default limits; see [`read_module`].
    ///
    /// # Errors
    /// As [`read_module`].
    pub fn deserialize(bytes: &[u8]) -> Result<Self, BinaryError> {
        read_module(bytes, &ReadLimits::default())
    }
}

impl CompiledScript {
    /// Reads a script of any known version with the default limits; see [`read_script`].
    ///
    /// # Errors
    /// As [`read_module`].
    pub fn deserialize(bytes: &[u8]) -> Result<Self, BinaryError> {
        read_script(bytes, &ReadLimits::default())
    }
}

fn expect_end(tail: &Cursor<'_>) -> Result<(), BinaryError> {
    if tail.is_at_end() { Ok(()) } else { Err(tail.malformed("bytes after the end")) }
}

/// Reads header and tables; the cursor returned stands at the tail.
fn read_tables<'a>(
    bytes: &'a [u8],
    limits: &ReadLimits,
    is_module: bool,
) -> Result<(Context, Tables, Cursor<'a>), BinaryError> {
    let header = header::read(bytes, limits.version_max)?;
    let context = Context { version: header.version, identifier_length_max: limits.identifier_length_max };
    let mut tables = Tables::default();
    // Definitions last, wherever they lie: that is the order in which faults are reported.
    let (shared, definitions): (Vec<_>, Vec<_>) =
        header.sections.iter().partition(|section| section.kind.is_in_scripts());
    for section in shared.into_iter().chain(definitions) {
        let is_allowed =
            context.version >= section.kind.min_version() && (is_module || section.kind.is_in_scripts());
        if !is_allowed {
            return Err(BinaryError {
                status: StatusCode::MALFORMED,
                place: crate::error::Place::Byte(section.start),
                message: "a table that does not belong here",
            });
        }
        let mut cursor = Cursor::new(&bytes[section.start..section.end], section.start);
        while !cursor.is_at_end() {
            entry(&mut tables, section.kind, &mut cursor, context)?;
        }
    }
    Ok((context, tables, Cursor::new(&bytes[header.tail_start..], header.tail_start)))
}

/// Most entries in a table: more than the index type can name is never reachable.
const ENTRIES_MAX: usize = 65_536;

/// Reads one entry of a table.
fn entry(
    tables: &mut Tables,
    kind: Table,
    cursor: &mut Cursor<'_>,
    context: Context,
) -> Result<(), BinaryError> {
    fn push<T>(table: &mut Vec<T>, entry: T, cursor: &Cursor<'_>) -> Result<(), BinaryError> {
        if table.len() == ENTRIES_MAX {
            return Err(cursor.malformed("more entries than an index can name"));
        }
        table.push(entry);
        Ok(())
    }

    match kind {
        Table::ModuleHandles => push(&mut tables.module_handles, handles::module(cursor)?, cursor),
        Table::StructHandles => push(&mut tables.struct_handles, handles::structure(cursor)?, cursor),
        Table::FunctionHandles => {
            push(&mut tables.function_handles, handles::function(cursor, context)?, cursor)
        }
        Table::FunctionInstantiations => {
            push(&mut tables.function_instantiations, handles::instantiation(cursor)?, cursor)
        }
        Table::Signatures => push(&mut tables.signatures, types::signature(cursor, context)?, cursor),
        Table::Constants => push(&mut tables.constants, pools::constant(cursor, context)?, cursor),
        Table::Identifiers => push(&mut tables.identifiers, pools::identifier(cursor, context)?, cursor),
        Table::Addresses => push(&mut tables.addresses, pools::address(cursor)?, cursor),
        Table::Metadata => push(&mut tables.metadata, pools::metadata(cursor)?, cursor),
        Table::StructDefs => push(&mut tables.struct_defs, definitions::structure(cursor, context)?, cursor),
        Table::StructInstantiations => {
            push(&mut tables.struct_instantiations, handles::instantiation(cursor)?, cursor)
        }
        Table::FunctionDefs => {
            push(&mut tables.function_defs, definitions::function(cursor, context)?, cursor)
        }
        Table::FieldHandles => push(&mut tables.field_handles, handles::field(cursor)?, cursor),
        Table::FieldInstantiations => {
            push(&mut tables.field_instantiations, handles::instantiation(cursor)?, cursor)
        }
        Table::Friends => push(&mut tables.friends, handles::module(cursor)?, cursor),
        Table::VariantFieldHandles => {
            push(&mut tables.variant_field_handles, handles::variant_field(cursor)?, cursor)
        }
        Table::VariantFieldInstantiations => {
            push(&mut tables.variant_field_instantiations, handles::instantiation(cursor)?, cursor)
        }
        Table::StructVariantHandles => {
            push(&mut tables.struct_variant_handles, handles::struct_variant(cursor)?, cursor)
        }
        Table::StructVariantInstantiations => {
            push(&mut tables.struct_variant_instantiations, handles::instantiation(cursor)?, cursor)
        }
    }
}
