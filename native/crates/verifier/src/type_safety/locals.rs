//! Locals and references.

use ledger_bytecode::{LocalIndex, StatusCode, TypeNode};

use super::{Checker, Fault};
use crate::types::is_assignable;

impl Checker<'_> {
    pub(super) fn copy_local(&mut self, local: LocalIndex) -> Result<(), Fault> {
        let nodes = self.body.local_type(local).nodes();
        if !self.abilities(nodes).has_copy() {
            let message = "a copy of a local whose type may not be copied";
            return Err((StatusCode::COPYLOC_WITHOUT_COPY_ABILITY, message));
        }
        self.stack.push(nodes);
        Ok(())
    }

    pub(super) fn store_local(&mut self, local: LocalIndex) -> Result<(), Fault> {
        if !is_assignable(self.stack.top()?, self.body.local_type(local).nodes()) {
            let message = "a value stored in a local of another type";
            return Err((StatusCode::STLOC_TYPE_MISMATCH_ERROR, message));
        }
        self.stack.drop_top();
        Ok(())
    }

    pub(super) fn borrow_local(&mut self, local: LocalIndex, reference: TypeNode) -> Result<(), Fault> {
        let nodes = self.body.local_type(local).nodes();
        if nodes[0].is_reference() {
            return Err((StatusCode::BORROWLOC_REFERENCE_ERROR, "a reference to a reference"));
        }
        self.stack.push_wrapped(reference, nodes);
        Ok(())
    }

    pub(super) fn freeze(&mut self) -> Result<(), Fault> {
        if self.stack.top()?[0] != TypeNode::MutableReference {
            let message = "a freeze of what is no mutable reference";
            return Err((StatusCode::FREEZEREF_TYPE_MISMATCH_ERROR, message));
        }
        self.stack.replace_top_root(TypeNode::Reference);
        Ok(())
    }

    pub(super) fn read_reference(&mut self) -> Result<(), Fault> {
        let nodes = self.stack.top()?;
        if !nodes[0].is_reference() {
            return Err((StatusCode::READREF_TYPE_MISMATCH_ERROR, "a read through what is no reference"));
        }
        if !self.abilities(&nodes[1..]).has_copy() {
            let message = "a read that copies what may not be copied";
            return Err((StatusCode::READREF_WITHOUT_COPY_ABILITY, message));
        }
        self.stack.dereference_top();
        Ok(())
    }

    pub(super) fn write_reference(&mut self) -> Result<(), Fault> {
        let reference = self.stack.top()?;
        if reference[0] != TypeNode::MutableReference {
            let message = "a write through what is no mutable reference";
            return Err((StatusCode::WRITEREF_NO_MUTABLE_REFERENCE_ERROR, message));
        }
        let target = &reference[1..];
        if !self.abilities(target).has_drop() {
            let message = "a write over what may not be dropped";
            return Err((StatusCode::WRITEREF_WITHOUT_DROP_ABILITY, message));
        }
        if !is_assignable(self.stack.below(1)?, target) {
            let message = "a value written over another type";
            return Err((StatusCode::WRITEREF_TYPE_MISMATCH_ERROR, message));
        }
        self.stack.drop_top();
        self.stack.drop_top();
        Ok(())
    }
}
