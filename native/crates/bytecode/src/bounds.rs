//! The bounds pass: every index is inside its table.
//!
//! Run once on what the reader (or a builder) made. Afterwards handles, signatures, fields, locals,
//! branch targets and type parameters may be used without looking again. Linear in the module: the
//! type parameters a signature needs are counted once, not once per use.

mod code;

use crate::error::{BinaryError, Place};
use crate::format::{TYPE_PARAMETERS_MAX, Table, VARIANTS_MAX};
use crate::model::*;
use crate::status::StatusCode;

/// Most parameters and locals of one function together.
const LOCALS_MAX: usize = 255;

/// Checks a module.
///
/// # Errors
/// `NO_MODULE_HANDLES`; `INDEX_OUT_OF_BOUNDS` for an index outside its table, a type parameter
/// outside its declaration, a missing field or variant; `NUMBER_OF_TYPE_ARGUMENTS_MISMATCH` for a
/// struct named with the wrong number of type arguments; `ZERO_VARIANTS_ERROR` for an empty enum;
/// `TOO_MANY_LOCALS`.
pub fn check_module(module: &CompiledModule) -> Result<(), BinaryError> {
    if module.module_handles.is_empty() {
        return Err(BinaryError {
            status: StatusCode::NO_MODULE_HANDLES,
            place: Place::Whole,
            message: "a module without module handles",
        });
    }
    let checker = Checker::new(&module.tables);
    checker.pools()?;
    checker.module_handles(&module.tables.module_handles, Table::ModuleHandles)?;
    checker.index(module.self_handle.index(), module.module_handles.len(), Place::Whole)?;
    checker.struct_handles()?;
    checker.function_handles()?;
    checker.field_handles()?;
    checker.module_handles(&module.tables.friends, Table::Friends)?;
    checker.instantiations()?;
    checker.struct_defs()?;
    checker.function_defs(module)?;
    checker.variants()
}

/// Checks a script.
///
/// # Errors
/// As [`check_module`], but for what only modules have.
pub fn check_script(script: &CompiledScript) -> Result<(), BinaryError> {
    let checker = Checker::new(&script.tables);
    checker.pools()?;
    checker.module_handles(&script.tables.module_handles, Table::ModuleHandles)?;
    checker.struct_handles()?;
    checker.function_handles()?;
    checker.instantiations()?;
    let scope = script.type_parameters.len();
    checker.signature_in_scope(script.parameters, scope, Place::Whole)?;
    let parameters = script[script.parameters].len();
    checker.access(script.access.as_deref(), parameters, scope, Place::Whole)?;
    checker.code(None, &script.code, parameters, scope)
}

struct Checker<'a> {
    tables: &'a Tables,
    /// Per signature: how many type parameters must be in scope where it is used.
    scopes: Vec<usize>,
}

impl<'a> Checker<'a> {
    fn new(tables: &'a Tables) -> Self {
        let scopes = tables
            .signatures
            .iter()
            .map(|signature| signature.0.iter().map(scope_needed).max().unwrap_or(0))
            .collect();
        Self { tables, scopes }
    }

    fn index(&self, index: usize, length: usize, place: Place) -> Result<(), BinaryError> {
        if index < length {
            return Ok(());
        }
        Err(out_of_bounds(place, "an index outside its table"))
    }

    fn pools(&self) -> Result<(), BinaryError> {
        for (index, signature) in self.tables.signatures.iter().enumerate() {
            for entry in &signature.0 {
                self.handles_in(entry, Place::Entry { table: Table::Signatures, index })?;
            }
        }
        for (index, constant) in self.tables.constants.iter().enumerate() {
            self.handles_in(&constant.value_type, Place::Entry { table: Table::Constants, index })?;
        }
        Ok(())
    }

    /// The struct handles a type names exist and get as many type arguments as they declare.
    fn handles_in(&self, tree: &Type, place: Place) -> Result<(), BinaryError> {
        for node in tree.nodes() {
            let (handle, given) = match node {
                TypeNode::Struct(handle) => (*handle, 0),
                TypeNode::StructInstance { handle, arguments } => (*handle, usize::from(*arguments)),
                _ => continue,
            };
            self.index(handle.index(), self.tables.struct_handles.len(), place)?;
            if self.tables[handle].type_parameters.len() != given {
                return Err(BinaryError {
                    status: StatusCode::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH,
                    place,
                    message: "a struct with the wrong number of type arguments",
                });
            }
        }
        Ok(())
    }

    fn module_handles(&self, handles: &[ModuleHandle], table: Table) -> Result<(), BinaryError> {
        for (index, handle) in handles.iter().enumerate() {
            let place = Place::Entry { table, index };
            self.index(handle.address.index(), self.tables.addresses.len(), place)?;
            self.index(handle.name.index(), self.tables.identifiers.len(), place)?;
        }
        Ok(())
    }

    fn struct_handles(&self) -> Result<(), BinaryError> {
        for (index, handle) in self.tables.struct_handles.iter().enumerate() {
            let place = Place::Entry { table: Table::StructHandles, index };
            self.index(handle.module.index(), self.tables.module_handles.len(), place)?;
            self.index(handle.name.index(), self.tables.identifiers.len(), place)?;
        }
        Ok(())
    }

    fn function_handles(&self) -> Result<(), BinaryError> {
        for (index, handle) in self.tables.function_handles.iter().enumerate() {
            let place = Place::Entry { table: Table::FunctionHandles, index };
            self.index(handle.module.index(), self.tables.module_handles.len(), place)?;
            self.index(handle.name.index(), self.tables.identifiers.len(), place)?;
            let scope = handle.type_parameters.len();
            self.signature_in_scope(handle.parameters, scope, place)?;
            self.signature_in_scope(handle.results, scope, place)?;
            self.access(handle.access.as_deref(), self.tables[handle.parameters].len(), scope, place)?;
        }
        Ok(())
    }

    /// The signature exists and names no type parameter at or above `scope`.
    fn signature_in_scope(
        &self,
        signature: SignatureIndex,
        scope: usize,
        place: Place,
    ) -> Result<(), BinaryError> {
        self.index(signature.index(), self.tables.signatures.len(), place)?;
        if self.scopes[signature.index()] > scope {
            return Err(out_of_bounds(place, "a type parameter that is not declared"));
        }
        Ok(())
    }

    fn access(
        &self,
        specifiers: Option<&[AccessSpecifier]>,
        parameters: usize,
        scope: usize,
        place: Place,
    ) -> Result<(), BinaryError> {
        for specifier in specifiers.unwrap_or(&[]) {
            match specifier.resource {
                ResourceSpecifier::Any => {}
                ResourceSpecifier::DeclaredAt(address) => {
                    self.index(address.index(), self.tables.addresses.len(), place)?;
                }
                ResourceSpecifier::DeclaredIn(module) => {
                    self.index(module.index(), self.tables.module_handles.len(), place)?;
                }
                ResourceSpecifier::Resource(handle) => {
                    self.index(handle.index(), self.tables.struct_handles.len(), place)?;
                }
                ResourceSpecifier::ResourceInstance(handle, arguments) => {
                    self.index(handle.index(), self.tables.struct_handles.len(), place)?;
                    self.signature_in_scope(arguments, scope, place)?;
                }
            }
            match specifier.address {
                AddressSpecifier::Any => {}
                AddressSpecifier::Literal(address) => {
                    self.index(address.index(), self.tables.addresses.len(), place)?;
                }
                AddressSpecifier::Parameter(parameter, function) => {
                    self.index(usize::from(parameter), parameters, place)?;
                    if let Some(function) = function {
                        self.index(function.index(), self.tables.function_instantiations.len(), place)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn field_handles(&self) -> Result<(), BinaryError> {
        for (index, handle) in self.tables.field_handles.iter().enumerate() {
            let place = Place::Entry { table: Table::FieldHandles, index };
            self.index(handle.owner.index(), self.tables.struct_defs.len(), place)?;
            self.index(usize::from(handle.field), self.tables[handle.owner].fields().len(), place)?;
        }
        Ok(())
    }

    fn instantiations(&self) -> Result<(), BinaryError> {
        let tables = self.tables;
        let structs = (Table::StructInstantiations, tables.struct_defs.len());
        self.instantiation_table(&tables.struct_instantiations, structs)?;
        let functions = (Table::FunctionInstantiations, tables.function_handles.len());
        self.instantiation_table(&tables.function_instantiations, functions)?;
        let fields = (Table::FieldInstantiations, tables.field_handles.len());
        self.instantiation_table(&tables.field_instantiations, fields)
    }

    fn instantiation_table<T: Copy + Into<u16>>(
        &self,
        entries: &[Instantiation<T>],
        (table, targets): (Table, usize),
    ) -> Result<(), BinaryError> {
        for (index, entry) in entries.iter().enumerate() {
            let place = Place::Entry { table, index };
            self.index(usize::from(entry.target.into()), targets, place)?;
            self.index(entry.type_arguments.index(), self.tables.signatures.len(), place)?;
        }
        Ok(())
    }

    fn struct_defs(&self) -> Result<(), BinaryError> {
        for (index, def) in self.tables.struct_defs.iter().enumerate() {
            let place = Place::Entry { table: Table::StructDefs, index };
            self.index(def.handle.index(), self.tables.struct_handles.len(), place)?;
            let scope = self.tables[def.handle].type_parameters.len();
            for variant in def.variants() {
                self.index(variant.name.index(), self.tables.identifiers.len(), place)?;
            }
            for field in def.all_fields() {
                self.index(field.name.index(), self.tables.identifiers.len(), place)?;
                self.handles_in(&field.field_type, place)?;
                if scope_needed(&field.field_type) > scope {
                    return Err(out_of_bounds(place, "a type parameter that is not declared"));
                }
            }
            if def.is_enum() && def.variants().is_empty() {
                return Err(BinaryError {
                    status: StatusCode::ZERO_VARIANTS_ERROR,
                    place,
                    message: "an enum without variants",
                });
            }
        }
        Ok(())
    }

    fn function_defs(&self, module: &CompiledModule) -> Result<(), BinaryError> {
        for (index, def) in module.tables.function_defs.iter().enumerate() {
            let place = Place::Entry { table: Table::FunctionDefs, index };
            self.index(def.handle.index(), self.tables.function_handles.len(), place)?;
            for acquired in &def.acquires {
                self.index(acquired.index(), self.tables.struct_defs.len(), place)?;
            }
            let Some(unit) = &def.code else { continue };
            let handle = &self.tables[def.handle];
            let parameters = self.tables[handle.parameters].len();
            // The table holds at most 65536 definitions, so the position fits.
            self.code(Some(index as u16), unit, parameters, handle.type_parameters.len())?;
        }
        Ok(())
    }

    fn variants(&self) -> Result<(), BinaryError> {
        let tables = self.tables;
        for (index, handle) in tables.variant_field_handles.iter().enumerate() {
            let place = Place::Entry { table: Table::VariantFieldHandles, index };
            self.index(handle.owner.index(), tables.struct_defs.len(), place)?;
            for variant in &handle.variants {
                match tables[handle.owner].variant_fields(*variant) {
                    Some(fields) => self.index(usize::from(handle.field), fields.len(), place)?,
                    None => return Err(out_of_bounds(place, "a variant the enum does not have")),
                }
            }
        }
        for (index, handle) in tables.struct_variant_handles.iter().enumerate() {
            let place = Place::Entry { table: Table::StructVariantHandles, index };
            self.index(handle.owner.index(), tables.struct_defs.len(), place)?;
            self.index(usize::from(handle.variant), tables[handle.owner].variants().len(), place)?;
        }
        let fields = (Table::VariantFieldInstantiations, tables.variant_field_handles.len());
        self.instantiation_table(&tables.variant_field_instantiations, fields)?;
        let variants = (Table::StructVariantInstantiations, tables.struct_variant_handles.len());
        self.instantiation_table(&tables.struct_variant_instantiations, variants)
    }
}

fn out_of_bounds(place: Place, message: &'static str) -> BinaryError {
    BinaryError { status: StatusCode::INDEX_OUT_OF_BOUNDS, place, message }
}

/// One more than the highest type parameter in a type, 0 if there is none.
fn scope_needed(tree: &Type) -> usize {
    tree.nodes()
        .iter()
        .map(|node| match node {
            TypeNode::TypeParameter(index) => usize::from(*index) + 1,
            _ => 0,
        })
        .max()
        .unwrap_or(0)
}

// The reader's limits are what keeps the counters above in range.
const _: () = assert!(TYPE_PARAMETERS_MAX <= 255 && VARIANTS_MAX <= 127);
