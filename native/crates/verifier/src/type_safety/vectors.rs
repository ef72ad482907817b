//! Vector instructions. Each names its element type.

use ledger_bytecode::{SignatureIndex, StatusCode, TypeNode};

use super::{Checker, Fault};
use crate::types::is_assignable;

const VECTOR: Fault = (StatusCode::TYPE_MISMATCH, "operands that do not fit the vector instruction");

impl<'a> Checker<'a> {
    /// The element type; the signature pass has seen that there is exactly one.
    fn element(&self, signature: SignatureIndex) -> Result<&'a [TypeNode], Fault> {
        match self.tables.types(signature) {
            [only] => Ok(only.nodes()),
            _ => Err(VECTOR),
        }
    }

    /// Pops a reference to a vector of exactly `element`.
    fn pop_vector(&mut self, element: &[TypeNode], must_be_mutable: bool) -> Result<(), Fault> {
        let nodes = self.stack.top()?;
        let suits =
            if must_be_mutable { nodes[0] == TypeNode::MutableReference } else { nodes[0].is_reference() };
        let fits = suits && nodes.get(1) == Some(&TypeNode::Vector) && nodes[2..] == *element;
        if !fits {
            return Err(VECTOR);
        }
        self.stack.drop_top();
        Ok(())
    }

    fn pop_assignable(&mut self, element: &[TypeNode]) -> Result<(), Fault> {
        if !is_assignable(self.stack.top()?, element) {
            return Err(VECTOR);
        }
        self.stack.drop_top();
        Ok(())
    }

    pub(super) fn vector_pack(&mut self, signature: SignatureIndex, count: u64) -> Result<(), Fault> {
        let element = self.element(signature)?;
        for _ in 0..count {
            self.pop_assignable(element)?;
        }
        self.stack.push_wrapped(TypeNode::Vector, element);
        Ok(())
    }

    pub(super) fn vector_length(&mut self, signature: SignatureIndex) -> Result<(), Fault> {
        self.pop_vector(self.element(signature)?, false)?;
        self.push_leaf(TypeNode::U64)
    }

    pub(super) fn vector_borrow(&mut self, signature: SignatureIndex, is_mutable: bool) -> Result<(), Fault> {
        let element = self.element(signature)?;
        self.pop_leaf(TypeNode::U64, VECTOR)?;
        self.pop_vector(element, is_mutable)?;
        let outer = if is_mutable { TypeNode::MutableReference } else { TypeNode::Reference };
        self.stack.push_wrapped(outer, element);
        Ok(())
    }

    pub(super) fn vector_push(&mut self, signature: SignatureIndex) -> Result<(), Fault> {
        let element = self.element(signature)?;
        self.pop_assignable(element)?;
        self.pop_vector(element, true)
    }

    pub(super) fn vector_pop(&mut self, signature: SignatureIndex) -> Result<(), Fault> {
        let element = self.element(signature)?;
        self.pop_vector(element, true)?;
        self.stack.push(element);
        Ok(())
    }

    pub(super) fn vector_unpack(&mut self, signature: SignatureIndex, count: u64) -> Result<(), Fault> {
        let element = self.element(signature)?;
        let nodes = self.stack.top()?;
        if nodes[0] != TypeNode::Vector || nodes[1..] != *element {
            return Err(VECTOR);
        }
        self.stack.drop_top();
        for _ in 0..count {
            self.stack.push(element);
        }
        Ok(())
    }

    pub(super) fn vector_swap(&mut self, signature: SignatureIndex) -> Result<(), Fault> {
        let element = self.element(signature)?;
        self.pop_leaf(TypeNode::U64, VECTOR)?;
        self.pop_leaf(TypeNode::U64, VECTOR)?;
        self.pop_vector(element, true)
    }
}
