//! Resources in global storage.

use ledger_bytecode::{StatusCode, StructDefIndex, Type, TypeNode};

use super::{Checker, Fault};
use crate::types::struct_type;

impl Checker<'_> {
    /// The resource type, refused with `fault` if it has no `key`.
    fn resource(
        &self,
        def: StructDefIndex,
        arguments: &[Type],
        fault: Fault,
    ) -> Result<Vec<TypeNode>, Fault> {
        let nodes = struct_type(self.tables, def, arguments);
        if self.abilities(&nodes).has_key() { Ok(nodes) } else { Err(fault) }
    }

    pub(super) fn exists(&mut self, def: StructDefIndex, arguments: &[Type]) -> Result<(), Fault> {
        let fault = (
            StatusCode::EXISTS_WITHOUT_KEY_ABILITY_OR_BAD_ARGUMENT,
            "an existence test of what is no resource, or at what is no address",
        );
        self.resource(def, arguments, fault)?;
        self.pop_leaf(TypeNode::Address, fault)?;
        self.push_leaf(TypeNode::Bool)
    }

    pub(super) fn borrow_global(
        &mut self,
        def: StructDefIndex,
        arguments: &[Type],
        reference: TypeNode,
    ) -> Result<(), Fault> {
        let message = "a resource borrowed at what is no address";
        self.pop_leaf(TypeNode::Address, (StatusCode::BORROWGLOBAL_TYPE_MISMATCH_ERROR, message))?;
        let message = "a borrow of what is no resource";
        let nodes = self.resource(def, arguments, (StatusCode::BORROWGLOBAL_WITHOUT_KEY_ABILITY, message))?;
        self.stack.push_wrapped(reference, &nodes);
        Ok(())
    }

    pub(super) fn move_from(&mut self, def: StructDefIndex, arguments: &[Type]) -> Result<(), Fault> {
        let message = "a move of what is no resource";
        let nodes = self.resource(def, arguments, (StatusCode::MOVEFROM_WITHOUT_KEY_ABILITY, message))?;
        let message = "a resource moved from what is no address";
        self.pop_leaf(TypeNode::Address, (StatusCode::MOVEFROM_TYPE_MISMATCH_ERROR, message))?;
        self.stack.push(&nodes);
        Ok(())
    }

    pub(super) fn move_to(&mut self, def: StructDefIndex, arguments: &[Type]) -> Result<(), Fault> {
        let message = "a move of what is no resource";
        let nodes = self.resource(def, arguments, (StatusCode::MOVETO_WITHOUT_KEY_ABILITY, message))?;
        let signer = [TypeNode::Reference, TypeNode::Signer];
        if self.stack.top()? != nodes || self.stack.below(1)? != signer {
            let message = "a resource of another type, or moved to what is no &signer";
            return Err((StatusCode::MOVETO_TYPE_MISMATCH_ERROR, message));
        }
        self.stack.drop_top();
        self.stack.drop_top();
        Ok(())
    }
}
