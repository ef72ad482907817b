//! Numbers, booleans and comparisons.

use ledger_bytecode::{StatusCode, TypeNode};

use super::{Checker, Fault};

const INTEGER: Fault =
    (StatusCode::INTEGER_OP_TYPE_MISMATCH_ERROR, "operands that are not the integers needed");
const BOOLEAN: Fault = (StatusCode::BOOLEAN_OP_TYPE_MISMATCH_ERROR, "an operand that is no boolean");

impl Checker<'_> {
    /// Two integers of one type that satisfy `suits`; both are popped and the type returned.
    fn two_integers(&mut self, suits: fn(TypeNode) -> bool) -> Result<TypeNode, Fault> {
        let [node] = *self.stack.top()? else { return Err(INTEGER) };
        if self.stack.below(1)? != [node] || !suits(node) {
            return Err(INTEGER);
        }
        self.stack.drop_top();
        self.stack.drop_top();
        Ok(node)
    }

    pub(super) fn arithmetic(&mut self) -> Result<(), Fault> {
        let node = self.two_integers(TypeNode::is_integer)?;
        self.push_leaf(node)
    }

    pub(super) fn bitwise(&mut self) -> Result<(), Fault> {
        let node = self.two_integers(TypeNode::is_unsigned)?;
        self.push_leaf(node)
    }

    pub(super) fn comparison(&mut self) -> Result<(), Fault> {
        self.two_integers(TypeNode::is_integer)?;
        self.push_leaf(TypeNode::Bool)
    }

    pub(super) fn shift(&mut self) -> Result<(), Fault> {
        self.pop_leaf(TypeNode::U8, INTEGER)?;
        match *self.stack.top()? {
            [node] if node.is_unsigned() => Ok(()),
            _ => Err(INTEGER),
        }
    }

    pub(super) fn negate(&mut self) -> Result<(), Fault> {
        match *self.stack.top()? {
            [node] if node.is_signed() => Ok(()),
            _ => Err(INTEGER),
        }
    }

    pub(super) fn cast(&mut self, to: TypeNode) -> Result<(), Fault> {
        match *self.stack.top()? {
            [node] if node.is_integer() => {}
            _ => return Err(INTEGER),
        }
        self.stack.drop_top();
        self.push_leaf(to)
    }

    pub(super) fn logic(&mut self, operands: usize) -> Result<(), Fault> {
        for _ in 0..operands {
            self.pop_leaf(TypeNode::Bool, BOOLEAN)?;
        }
        self.push_leaf(TypeNode::Bool)
    }

    pub(super) fn equality(&mut self) -> Result<(), Fault> {
        let (right, left) = (self.stack.top()?, self.stack.below(1)?);
        if right != left || !self.abilities(right).has_drop() {
            let message = "a comparison of different types, or of one that may not be dropped";
            return Err((StatusCode::EQUALITY_OP_TYPE_MISMATCH_ERROR, message));
        }
        self.stack.drop_top();
        self.stack.drop_top();
        self.push_leaf(TypeNode::Bool)
    }
}
