//! Module or script to bytes, in the order and form the official compiler writes.
//!
//! Reading what was written gives the value back, and writing what was read gives the bytes of any
//! module whose tables stand in that order. Values outside the format's limits (a table of more
//! than 65535 entries, say) cannot be read back; the reader's limits are not checked twice.

mod definitions;
mod handles;
mod types;

use crate::format::{FLAVOUR_MASK, FLAVOUR_VERSION_MIN, MAGIC, Table};
use crate::model::{CompiledModule, CompiledScript, Tables};
use crate::wire::Sink;

impl CompiledModule {
    /// The bytes of this module in its own version.
    ///
    /// Constructs newer than the version are written all the same; reading refuses them.
    pub fn serialize(&self) -> Vec<u8> {
        let mut sink = Sink::default();
        tables(&mut sink, &self.tables, self.version);
        sink.uleb(u64::from(self.self_handle.0));
        sink.into_bytes()
    }
}

impl CompiledScript {
    /// The bytes of this script in its own version.
    pub fn serialize(&self) -> Vec<u8> {
        let mut sink = Sink::default();
        tables(&mut sink, &self.tables, self.version);
        handles::type_parameters(&mut sink, &self.type_parameters);
        sink.uleb(u64::from(self.parameters.0));
        if self.version >= crate::format::VERSION_FUNCTIONS {
            handles::access_specifiers(&mut sink, self.access.as_deref());
        }
        definitions::code_unit(&mut sink, &self.code);
        sink.into_bytes()
    }
}

/// Writes everything before the tail.
fn tables(sink: &mut Sink, tables: &Tables, version: u32) {
    let mut body = Sink::default();
    let mut headers = Vec::new();
    for kind in Table::IN_FILE_ORDER {
        let start = body.len();
        table(&mut body, tables, kind, version);
        if body.len() > start {
            headers.push((kind, start, body.len() - start));
        }
    }

    let mask = if version >= FLAVOUR_VERSION_MIN { FLAVOUR_MASK } else { 0 };
    sink.bytes(&MAGIC);
    sink.bytes(&(version | mask).to_le_bytes());
    sink.uleb(headers.len() as u64);
    for (kind, start, length) in headers {
        sink.byte(kind as u8);
        sink.uleb(start as u64);
        sink.uleb(length as u64);
    }
    sink.bytes(&body.into_bytes());
}

fn table(sink: &mut Sink, tables: &Tables, kind: Table, version: u32) {
    fn each<T>(sink: &mut Sink, entries: &[T], mut write: impl FnMut(&mut Sink, &T)) {
        for entry in entries {
            write(sink, entry);
        }
    }

    match kind {
        Table::ModuleHandles => each(sink, &tables.module_handles, handles::module),
        Table::StructHandles => each(sink, &tables.struct_handles, handles::structure),
        Table::FunctionHandles => each(sink, &tables.function_handles, |sink, handle| {
            handles::function(sink, handle, version);
        }),
        Table::FunctionInstantiations => {
            each(sink, &tables.function_instantiations, handles::instantiation);
        }
        Table::Signatures => each(sink, &tables.signatures, types::signature),
        Table::Constants => each(sink, &tables.constants, |sink, constant| {
            types::type_tree(sink, &constant.value_type);
            counted(sink, &constant.bytes);
        }),
        Table::Identifiers => each(sink, &tables.identifiers, |sink, name| {
            counted(sink, name.as_str().as_bytes());
        }),
        Table::Addresses => each(sink, &tables.addresses, |sink, address| sink.bytes(&address.0)),
        Table::Metadata => each(sink, &tables.metadata, |sink, entry| {
            counted(sink, &entry.key);
            counted(sink, &entry.value);
        }),
        Table::StructDefs => each(sink, &tables.struct_defs, definitions::structure),
        Table::StructInstantiations => {
            each(sink, &tables.struct_instantiations, handles::instantiation);
        }
        Table::FunctionDefs => each(sink, &tables.function_defs, definitions::function),
        Table::FieldHandles => each(sink, &tables.field_handles, handles::field),
        Table::FieldInstantiations => {
            each(sink, &tables.field_instantiations, handles::instantiation);
        }
        Table::Friends => each(sink, &tables.friends, handles::module),
        Table::VariantFieldHandles => {
            each(sink, &tables.variant_field_handles, handles::variant_field);
        }
        Table::VariantFieldInstantiations => {
            each(sink, &tables.variant_field_instantiations, handles::instantiation);
        }
        Table::StructVariantHandles => {
            each(sink, &tables.struct_variant_handles, handles::struct_variant);
        }
        Table::StructVariantInstantiations => {
            each(sink, &tables.struct_variant_instantiations, handles::instantiation);
        }
    }
}

/// A length and the bytes.
fn counted(sink: &mut Sink, bytes: &[u8]) {
    sink.uleb(bytes.len() as u64);
    sink.bytes(bytes);
}
