//! Handles and instantiations.

use crate::format::{VERSION_ENUMS, VERSION_FUNCTIONS, option_byte};
use crate::model::{
    AbilitySet, AccessKind, AccessSpecifier, AddressSpecifier, FieldHandle, FunctionAttribute,
    FunctionHandle, Instantiation, ModuleHandle, ResourceSpecifier, StructHandle, StructVariantHandle,
    VariantFieldHandle,
};
use crate::wire::Sink;

/// A table index.
pub(super) fn index(sink: &mut Sink, index: impl Into<u16>) {
    sink.uleb(u64::from(index.into()));
}

pub(super) fn module(sink: &mut Sink, handle: &ModuleHandle) {
    index(sink, handle.address);
    index(sink, handle.name);
}

pub(super) fn structure(sink: &mut Sink, handle: &StructHandle) {
    index(sink, handle.module);
    index(sink, handle.name);
    sink.uleb(u64::from(handle.abilities.bits()));
    sink.uleb(handle.type_parameters.len() as u64);
    for parameter in &handle.type_parameters {
        sink.uleb(u64::from(parameter.constraints.bits()));
        sink.uleb(u64::from(parameter.is_phantom));
    }
}

pub(super) fn function(sink: &mut Sink, handle: &FunctionHandle, version: u32) {
    index(sink, handle.module);
    index(sink, handle.name);
    index(sink, handle.parameters);
    index(sink, handle.results);
    type_parameters(sink, &handle.type_parameters);
    if version >= VERSION_ENUMS {
        access_specifiers(sink, handle.access.as_deref());
    }
    if version >= VERSION_FUNCTIONS {
        sink.uleb(handle.attributes.len() as u64);
        for entry in &handle.attributes {
            attribute(sink, *entry);
        }
    }
}

pub(super) fn type_parameters(sink: &mut Sink, constraints: &[AbilitySet]) {
    sink.uleb(constraints.len() as u64);
    for set in constraints {
        sink.uleb(u64::from(set.bits()));
    }
}

pub(super) fn field(sink: &mut Sink, handle: &FieldHandle) {
    index(sink, handle.owner);
    index(sink, handle.field);
}

pub(super) fn variant_field(sink: &mut Sink, handle: &VariantFieldHandle) {
    index(sink, handle.owner);
    index(sink, handle.field);
    sink.uleb(handle.variants.len() as u64);
    for variant in &handle.variants {
        index(sink, *variant);
    }
}

pub(super) fn struct_variant(sink: &mut Sink, handle: &StructVariantHandle) {
    index(sink, handle.owner);
    index(sink, handle.variant);
}

pub(super) fn instantiation<T: Copy + Into<u16>>(sink: &mut Sink, entry: &Instantiation<T>) {
    index(sink, entry.target);
    index(sink, entry.type_arguments);
}

fn option(sink: &mut Sink, is_some: bool) {
    sink.byte(if is_some { option_byte::SOME } else { option_byte::NONE });
}

pub(super) fn access_specifiers(sink: &mut Sink, specifiers: Option<&[AccessSpecifier]>) {
    option(sink, specifiers.is_some());
    let Some(specifiers) = specifiers else { return };
    sink.uleb(specifiers.len() as u64);
    for specifier in specifiers {
        access_specifier(sink, specifier);
    }
}

fn access_specifier(sink: &mut Sink, specifier: &AccessSpecifier) {
    sink.byte(match specifier.kind {
        AccessKind::Reads => 1,
        AccessKind::Writes => 2,
    });
    sink.byte(if specifier.is_negated { option_byte::TRUE } else { option_byte::FALSE });
    match specifier.resource {
        ResourceSpecifier::Any => sink.byte(1),
        ResourceSpecifier::DeclaredAt(address) => {
            sink.byte(2);
            index(sink, address);
        }
        ResourceSpecifier::DeclaredIn(module) => {
            sink.byte(3);
            index(sink, module);
        }
        ResourceSpecifier::Resource(handle) => {
            sink.byte(4);
            index(sink, handle);
        }
        ResourceSpecifier::ResourceInstance(handle, arguments) => {
            sink.byte(5);
            index(sink, handle);
            index(sink, arguments);
        }
    }
    match specifier.address {
        AddressSpecifier::Any => sink.byte(1),
        AddressSpecifier::Literal(address) => {
            sink.byte(2);
            index(sink, address);
        }
        AddressSpecifier::Parameter(parameter, function) => {
            sink.byte(3);
            sink.uleb(u64::from(parameter));
            option(sink, function.is_some());
            if let Some(function) = function {
                index(sink, function);
            }
        }
    }
}

fn attribute(sink: &mut Sink, attribute: FunctionAttribute) {
    let (code, operand) = match attribute {
        FunctionAttribute::Persistent => (1, None),
        FunctionAttribute::ModuleLock => (2, None),
        FunctionAttribute::Pack => (3, None),
        FunctionAttribute::PackVariant(variant) => (4, Some(variant)),
        FunctionAttribute::Unpack => (5, None),
        FunctionAttribute::UnpackVariant(variant) => (6, Some(variant)),
        FunctionAttribute::TestVariant(variant) => (7, Some(variant)),
        FunctionAttribute::BorrowField(field) => (8, Some(field)),
        FunctionAttribute::BorrowFieldMut(field) => (9, Some(field)),
    };
    sink.byte(code);
    if let Some(operand) = operand {
        sink.bytes(&operand.to_le_bytes());
    }
}
