//! Struct and function definitions, function bodies.

use super::handles::index;
use super::types::type_tree;
use crate::format::{function_flag, struct_flag};
use crate::model::{CodeUnit, Field, FunctionDef, StructDef, StructLayout, Visibility};
use crate::wire::Sink;

pub(super) fn structure(sink: &mut Sink, def: &StructDef) {
    index(sink, def.handle);
    match &def.layout {
        StructLayout::Native => sink.byte(struct_flag::NATIVE),
        StructLayout::Struct(list) => {
            sink.byte(struct_flag::STRUCT);
            fields(sink, list);
        }
        StructLayout::Enum(variants) => {
            sink.byte(struct_flag::ENUM);
            sink.uleb(variants.len() as u64);
            for variant in variants {
                index(sink, variant.name);
                fields(sink, &variant.fields);
            }
        }
    }
}

fn fields(sink: &mut Sink, list: &[Field]) {
    sink.uleb(list.len() as u64);
    for field in list {
        index(sink, field.name);
        type_tree(sink, &field.field_type);
    }
}

pub(super) fn function(sink: &mut Sink, def: &FunctionDef) {
    index(sink, def.handle);
    sink.byte(match def.visibility {
        Visibility::Private => function_flag::PRIVATE,
        Visibility::Public => function_flag::PUBLIC,
        Visibility::Friend => function_flag::FRIEND,
    });
    let native = if def.is_native() { function_flag::NATIVE_BIT } else { 0 };
    let entry = if def.is_entry { function_flag::ENTRY_BIT } else { 0 };
    sink.byte(native | entry);
    sink.uleb(def.acquires.len() as u64);
    for acquired in &def.acquires {
        index(sink, *acquired);
    }
    if let Some(code) = &def.code {
        code_unit(sink, code);
    }
}

pub(super) fn code_unit(sink: &mut Sink, unit: &CodeUnit) {
    index(sink, unit.locals);
    sink.uleb(unit.code.len() as u64);
    for instruction in &unit.code {
        instruction.write(sink);
    }
}
