//! Packing, unpacking, fields and variants.

use ledger_bytecode::{
    Field, FieldHandleIndex, StatusCode, StructDefIndex, StructLayout, Type, TypeNode,
    VariantFieldHandleIndex, VariantIndex,
};

use super::{Checker, Fault};
use crate::types::{field_type, is_assignable, struct_type};

const BORROW: Fault = (StatusCode::BORROWFIELD_TYPE_MISMATCH_ERROR, "a field borrowed from another type");

impl<'a> Checker<'a> {
    /// Fields of a plain struct, or of a variant of an enum; `None` for anything mixed up.
    fn parts(&self, def: StructDefIndex, variant: Option<VariantIndex>) -> Option<&'a [Field]> {
        match (&self.tables.struct_defs[def.index()].layout, variant) {
            (StructLayout::Struct(fields), None) => Some(fields),
            (StructLayout::Enum(variants), Some(variant)) => {
                variants.get(usize::from(variant)).map(|found| found.fields.as_slice())
            }
            _ => None,
        }
    }

    pub(super) fn pack(
        &mut self,
        def: StructDefIndex,
        variant: Option<VariantIndex>,
        arguments: &[Type],
    ) -> Result<(), Fault> {
        let fault = (StatusCode::PACK_TYPE_MISMATCH_ERROR, "a value packed into a field of another type");
        for field in self.parts(def, variant).ok_or(fault)?.iter().rev() {
            if !is_assignable(self.stack.top()?, &field_type(field, arguments)) {
                return Err(fault);
            }
            self.stack.drop_top();
        }
        self.stack.push(&struct_type(self.tables, def, arguments));
        Ok(())
    }

    pub(super) fn unpack(
        &mut self,
        def: StructDefIndex,
        variant: Option<VariantIndex>,
        arguments: &[Type],
    ) -> Result<(), Fault> {
        let fault = (StatusCode::UNPACK_TYPE_MISMATCH_ERROR, "a value unpacked as another type");
        let fields = self.parts(def, variant).ok_or(fault)?;
        if self.stack.top()? != struct_type(self.tables, def, arguments) {
            return Err(fault);
        }
        self.stack.drop_top();
        for field in fields {
            self.stack.push(&field_type(field, arguments));
        }
        Ok(())
    }

    pub(super) fn test_variant(&mut self, def: StructDefIndex, arguments: &[Type]) -> Result<(), Fault> {
        let nodes = self.stack.top()?;
        if !nodes[0].is_reference() || nodes[1..] != struct_type(self.tables, def, arguments) {
            let message = "a variant tested of another type";
            return Err((StatusCode::TEST_VARIANT_TYPE_MISMATCH_ERROR, message));
        }
        self.stack.drop_top();
        self.push_leaf(TypeNode::Bool)
    }

    /// Pops a reference to the owner, which must be mutable for a mutable borrow.
    fn pop_owner(&mut self, def: StructDefIndex, arguments: &[Type], is_mutable: bool) -> Result<(), Fault> {
        let nodes = self.stack.top()?;
        let suits = if is_mutable { nodes[0] == TypeNode::MutableReference } else { nodes[0].is_reference() };
        if !suits || nodes[1..] != struct_type(self.tables, def, arguments) {
            return Err(BORROW);
        }
        self.stack.drop_top();
        Ok(())
    }

    fn push_borrowed(&mut self, nodes: &[TypeNode], is_mutable: bool) {
        let outer = if is_mutable { TypeNode::MutableReference } else { TypeNode::Reference };
        self.stack.push_wrapped(outer, nodes);
    }

    pub(super) fn borrow_field(
        &mut self,
        field: FieldHandleIndex,
        arguments: &[Type],
        is_mutable: bool,
    ) -> Result<(), Fault> {
        let handle = self.tables[field];
        self.pop_owner(handle.owner, arguments, is_mutable)?;
        let fields = self.parts(handle.owner, None).ok_or(BORROW)?;
        let found = fields.get(usize::from(handle.field)).ok_or(BORROW)?;
        self.push_borrowed(&field_type(found, arguments), is_mutable);
        Ok(())
    }

    pub(super) fn borrow_variant_field(
        &mut self,
        field: VariantFieldHandleIndex,
        arguments: &[Type],
        is_mutable: bool,
    ) -> Result<(), Fault> {
        let handle = &self.tables.variant_field_handles[field.index()];
        self.pop_owner(handle.owner, arguments, is_mutable)?;
        let mut common: Option<Vec<TypeNode>> = None;
        for variant in &handle.variants {
            let fields = self.parts(handle.owner, Some(*variant));
            let Some(found) = fields.and_then(|fields| fields.get(usize::from(handle.field))) else {
                let message = "a field that a listed variant does not have";
                return Err((StatusCode::BORROWFIELD_BAD_FIELD_ERROR, message));
            };
            let nodes = field_type(found, arguments);
            if common.as_ref().is_some_and(|known| *known != nodes) {
                return Err(BORROW);
            }
            common = Some(nodes);
        }
        let Some(nodes) = common else {
            return Err((StatusCode::ZERO_VARIANTS_ERROR, "a field of no variant"));
        };
        self.push_borrowed(&nodes, is_mutable);
        Ok(())
    }
}
