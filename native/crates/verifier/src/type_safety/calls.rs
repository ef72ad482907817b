//! Calls, closures, returns and aborts.

use ledger_bytecode::{
    AbilitySet, FunctionAttribute, FunctionHandleIndex, SignatureIndex, StatusCode, Type, TypeNode, children,
};

use super::{Checker, Fault};
use crate::types::{instantiate, is_assignable};

const CALL: Fault = (StatusCode::CALL_TYPE_MISMATCH_ERROR, "an argument of another type than the parameter");

impl Checker<'_> {
    pub(super) fn call(&mut self, target: FunctionHandleIndex, arguments: &[Type]) -> Result<(), Fault> {
        let handle = &self.tables[target];
        for parameter in instantiate(&self.tables[handle.parameters], arguments).iter().rev() {
            if !is_assignable(self.stack.top()?, parameter) {
                return Err(CALL);
            }
            self.stack.drop_top();
        }
        for result in instantiate(&self.tables[handle.results], arguments) {
            self.stack.push(&result);
        }
        Ok(())
    }

    /// Pops the captured arguments and pushes a function type over the parameters that remain.
    pub(super) fn pack_closure(
        &mut self,
        target: FunctionHandleIndex,
        arguments: &[Type],
        mask: u64,
    ) -> Result<(), Fault> {
        let handle = &self.tables[target];
        let parameters = instantiate(&self.tables[handle.parameters], arguments);
        let results = instantiate(&self.tables[handle.results], arguments);
        let is_captured = |position: usize| position < 64 && mask >> position & 1 == 1;

        let mut abilities = if handle.attributes.contains(&FunctionAttribute::Persistent) {
            AbilitySet::FUNCTIONS
        } else {
            AbilitySet::PRIVATE_FUNCTIONS
        };
        for (_, parameter) in parameters.iter().enumerate().rev().filter(|(i, _)| is_captured(*i)) {
            let argument = self.stack.top()?;
            if parameter[0].is_reference() || !is_assignable(argument, parameter) {
                let message = "a captured argument that is a reference or of another type";
                return Err((StatusCode::PACK_TYPE_MISMATCH_ERROR, message));
            }
            abilities = abilities & self.abilities(argument);
            self.stack.drop_top();
        }

        let left: Vec<&Vec<TypeNode>> =
            parameters.iter().enumerate().filter(|(i, _)| !is_captured(*i)).map(|(_, p)| p).collect();
        // Both counts are at most 128: the limits pass.
        let mut nodes = vec![TypeNode::Function {
            abilities,
            parameters: left.len() as u8,
            results: results.len() as u8,
        }];
        for part in left.into_iter().chain(&results) {
            nodes.extend_from_slice(part);
        }
        self.stack.push(&nodes);
        Ok(())
    }

    pub(super) fn call_closure(&mut self, signature: SignatureIndex) -> Result<(), Fault> {
        let named = self.tables.types(signature).first().map(Type::nodes);
        let Some(nodes @ [TypeNode::Function { parameters, .. }, ..]) = named else {
            let message = "a closure call that names no function type";
            return Err((StatusCode::CLOSURE_CALL_REQUIRES_FUNCTION, message));
        };
        if !is_assignable(self.stack.top()?, nodes) {
            return Err(CALL);
        }
        self.stack.drop_top();
        let parts: Vec<&[TypeNode]> = children(nodes).collect();
        let (parameters, results) = parts.split_at(usize::from(*parameters));
        for parameter in parameters.iter().rev() {
            if !is_assignable(self.stack.top()?, parameter) {
                return Err(CALL);
            }
            self.stack.drop_top();
        }
        for result in results {
            self.stack.push(result);
        }
        Ok(())
    }

    pub(super) fn results(&mut self) -> Result<(), Fault> {
        for result in self.body.results.0.iter().rev() {
            if !is_assignable(self.stack.top()?, result.nodes()) {
                let message = "a value returned of another type than declared";
                return Err((StatusCode::RET_TYPE_MISMATCH_ERROR, message));
            }
            self.stack.drop_top();
        }
        Ok(())
    }

    pub(super) fn abort_code(&mut self) -> Result<(), Fault> {
        self.pop_leaf(TypeNode::U64, (StatusCode::ABORT_TYPE_MISMATCH_ERROR, "an abort code that is no u64"))
    }

    pub(super) fn abort_message(&mut self) -> Result<(), Fault> {
        if self.stack.top()? != [TypeNode::Vector, TypeNode::U8] {
            let message = "an abort message that is no vector of bytes";
            return Err((StatusCode::ABORT_TYPE_MISMATCH_ERROR, message));
        }
        self.stack.drop_top();
        self.abort_code()
    }
}
