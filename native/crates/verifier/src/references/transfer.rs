//! What each instruction asks of the references it meets, and does to them.

use ledger_bytecode::{
    Body, Bytecode, FunctionHandleIndex, LocalIndex, SignatureIndex, StatusCode, StructDefIndex, Tables,
    TypeNode, children,
};

use super::graph::{Children, Label, NodeId};
use super::state::{Held, State};
use super::{Fault, INVARIANT};
use crate::acquires::AcquiresByHandle;
use crate::stack_effect::stack_effect;

/// What the instructions of a body refer to.
pub(super) struct Transfer<'a> {
    pub(super) tables: &'a Tables,
    pub(super) body: &'a Body<'a>,
    pub(super) acquires: &'a AcquiresByHandle<'a>,
}

/// What a result of a call is, as far as this pass cares.
#[derive(Clone, Copy)]
enum ResultKind {
    Value,
    Reference,
    MutableReference,
}

fn kind(root: TypeNode) -> ResultKind {
    match root {
        TypeNode::Reference => ResultKind::Reference,
        TypeNode::MutableReference => ResultKind::MutableReference,
        _ => ResultKind::Value,
    }
}

fn require(holds: bool, status: StatusCode, message: &'static str) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err((status, message)) }
}

impl Transfer<'_> {
    pub(super) fn instruction(&self, state: &mut State, instruction: &Bytecode) -> Result<(), Fault> {
        use Bytecode::*;
        let tables = self.tables;
        match *instruction {
            Pop => {
                let held = state.pop()?;
                state.release(held);
                Ok(())
            }
            CopyLoc(local) => self.copy_local(state, local),
            MoveLoc(local) => self.move_local(state, local),
            StLoc(local) => self.store_local(state, local),
            MutBorrowLoc(local) => {
                let node = state.new_reference(true);
                state.graph.add_strong(state.frame(), &[Label::Local(local)], node);
                state.push(Held::Reference(node));
                Ok(())
            }
            ImmBorrowLoc(local) => {
                let status = StatusCode::BORROWLOC_EXISTS_BORROW_ERROR;
                let message = "a local borrowed while it is borrowed mutably";
                require(!state.is_local_mutably_borrowed(local), status, message)?;
                let node = state.new_reference(false);
                state.graph.add_strong(state.frame(), &[Label::Local(local)], node);
                state.push(Held::Reference(node));
                Ok(())
            }
            FreezeRef => self.freeze(state),
            Eq | Neq => self.equality(state),
            ReadRef | TestVariant(_) | TestVariantGeneric(_) => self.read(state),
            WriteRef => {
                let node = state.pop_reference()?;
                state.pop()?;
                let message = "a write through a reference that is borrowed from";
                require(state.graph.is_writable(node), StatusCode::WRITEREF_EXISTS_BORROW_ERROR, message)?;
                state.graph.release(node);
                Ok(())
            }

            MutBorrowField(field) => self.borrow_field(state, tables[field].field, true),
            ImmBorrowField(field) => self.borrow_field(state, tables[field].field, false),
            MutBorrowFieldGeneric(field) => {
                self.borrow_field(state, tables[tables[field].target].field, true)
            }
            ImmBorrowFieldGeneric(field) => {
                self.borrow_field(state, tables[tables[field].target].field, false)
            }
            MutBorrowVariantField(field) => self.borrow_field(state, tables[field].field, true),
            ImmBorrowVariantField(field) => self.borrow_field(state, tables[field].field, false),
            MutBorrowVariantFieldGeneric(field) => {
                self.borrow_field(state, tables[tables[field].target].field, true)
            }
            ImmBorrowVariantFieldGeneric(field) => {
                self.borrow_field(state, tables[tables[field].target].field, false)
            }

            MutBorrowGlobal(resource) => self.borrow_global(state, resource, true),
            ImmBorrowGlobal(resource) => self.borrow_global(state, resource, false),
            MutBorrowGlobalGeneric(instance) => self.borrow_global(state, tables[instance].target, true),
            ImmBorrowGlobalGeneric(instance) => self.borrow_global(state, tables[instance].target, false),
            MoveFrom(resource) => self.move_from(state, resource),
            MoveFromGeneric(instance) => self.move_from(state, tables[instance].target),
            MoveTo(_) | MoveToGeneric(_) => {
                state.pop()?;
                let signer = state.pop_reference()?;
                state.graph.release(signer);
                Ok(())
            }

            VecLen(_) => {
                let node = state.pop_reference()?;
                state.graph.release(node);
                state.push(Held::Value);
                Ok(())
            }
            VecPushBack(_) => self.vector_update(state, 1, 0),
            VecPopBack(_) => self.vector_update(state, 0, 1),
            VecSwap(_) => self.vector_update(state, 2, 0),
            VecMutBorrow(_) => self.vector_borrow(state, true),
            VecImmBorrow(_) => self.vector_borrow(state, false),

            Call(target) => self.call(state, target),
            CallGeneric(instance) => self.call(state, tables[instance].target),
            CallClosure(signature) => self.call_closure(state, signature),
            Ret => self.leave(state),

            // The rest moves values only: what types and stack passes know of them is enough.
            _ => {
                let (pops, pushes) = stack_effect(tables, self.body, instruction);
                state.pop_many(pops)?;
                state.push_values(pushes);
                Ok(())
            }
        }
    }

    fn copy_local(&self, state: &mut State, local: LocalIndex) -> Result<(), Fault> {
        match state.local(local) {
            Held::Reference(node) => {
                let copy = state.new_reference(state.graph.is_mutable(node));
                state.graph.add_strong(node, &[], copy);
                state.push(Held::Reference(copy));
            }
            Held::Value => {
                let message = "a local copied while it is borrowed mutably";
                let status = StatusCode::COPYLOC_EXISTS_BORROW_ERROR;
                require(!state.is_local_mutably_borrowed(local), status, message)?;
                state.push(Held::Value);
            }
        }
        Ok(())
    }

    fn move_local(&self, state: &mut State, local: LocalIndex) -> Result<(), Fault> {
        let held = state.local(local);
        if held == Held::Value {
            let message = "a local moved while it is borrowed";
            require(!state.is_local_borrowed(local), StatusCode::MOVELOC_EXISTS_BORROW_ERROR, message)?;
        }
        state.set_local(local, Held::Value);
        state.push(held);
        Ok(())
    }

    fn store_local(&self, state: &mut State, local: LocalIndex) -> Result<(), Fault> {
        let held = state.pop()?;
        match state.local(local) {
            Held::Reference(node) => state.graph.release(node),
            Held::Value => {
                let message = "a local overwritten while it is borrowed";
                let status = StatusCode::STLOC_UNSAFE_TO_DESTROY_ERROR;
                require(!state.is_local_borrowed(local), status, message)?;
            }
        }
        state.set_local(local, held);
        Ok(())
    }

    fn freeze(&self, state: &mut State) -> Result<(), Fault> {
        let node = state.pop_reference()?;
        let message = "a reference frozen while something borrows mutably from it";
        let status = StatusCode::FREEZEREF_EXISTS_MUTABLE_BORROW_ERROR;
        require(state.graph.is_freezable(node, Children::All), status, message)?;
        let frozen = state.new_reference(false);
        state.graph.add_strong(node, &[], frozen);
        state.graph.release(node);
        state.push(Held::Reference(frozen));
        Ok(())
    }

    fn read(&self, state: &mut State) -> Result<(), Fault> {
        let node = state.pop_reference()?;
        self.require_readable(state, node)?;
        state.graph.release(node);
        state.push(Held::Value);
        Ok(())
    }

    fn require_readable(&self, state: &State, node: NodeId) -> Result<(), Fault> {
        let message = "a read through a reference something borrows mutably from";
        let status = StatusCode::READREF_EXISTS_MUTABLE_BORROW_ERROR;
        require(state.graph.is_readable(node, Children::All), status, message)
    }

    fn equality(&self, state: &mut State) -> Result<(), Fault> {
        let (right, left) = (state.pop()?, state.pop()?);
        for held in [left, right] {
            if let Held::Reference(node) = held {
                self.require_readable(state, node)?;
            }
        }
        state.release(left);
        state.release(right);
        state.push(Held::Value);
        Ok(())
    }

    fn borrow_field(&self, state: &mut State, field: u16, is_mutable: bool) -> Result<(), Fault> {
        let owner = state.pop_reference()?;
        let label = Label::Field(field);
        let holds = if is_mutable {
            !state.graph.has_child(owner, Children::Full, false)
        } else {
            state.graph.is_readable(owner, Children::AtLabel(label))
        };
        let message = "a field borrowed while something borrows mutably from it";
        require(holds, StatusCode::BORROWFIELD_EXISTS_MUTABLE_BORROW_ERROR, message)?;
        let node = state.new_reference(is_mutable);
        state.graph.add_strong(owner, &[label], node);
        state.graph.release(owner);
        state.push(Held::Reference(node));
        Ok(())
    }

    fn borrow_global(
        &self,
        state: &mut State,
        resource: StructDefIndex,
        is_mutable: bool,
    ) -> Result<(), Fault> {
        state.pop()?;
        let holds = if is_mutable {
            !state.is_global_borrowed(resource)
        } else {
            !state.is_global_mutably_borrowed(resource)
        };
        let message = "a resource borrowed while it may be borrowed already";
        require(holds, StatusCode::GLOBAL_REFERENCE_ERROR, message)?;
        let node = state.new_reference(is_mutable);
        state.graph.add_weak(state.frame(), &[Label::Global(resource.0)], node);
        state.push(Held::Reference(node));
        Ok(())
    }

    fn move_from(&self, state: &mut State, resource: StructDefIndex) -> Result<(), Fault> {
        state.pop()?;
        let message = "a resource taken while it may be borrowed";
        require(!state.is_global_borrowed(resource), StatusCode::GLOBAL_REFERENCE_ERROR, message)?;
        state.push(Held::Value);
        Ok(())
    }

    /// A change of a vector's length or order: `operands` values lie above the vector, `results` come.
    fn vector_update(&self, state: &mut State, operands: usize, results: usize) -> Result<(), Fault> {
        state.pop_many(operands)?;
        let vector = state.pop_reference()?;
        let message = "a vector changed while an element may be borrowed";
        let status = StatusCode::VEC_UPDATE_EXISTS_MUTABLE_BORROW_ERROR;
        require(state.graph.is_writable(vector), status, message)?;
        state.graph.release(vector);
        state.push_values(results);
        Ok(())
    }

    fn vector_borrow(&self, state: &mut State, is_mutable: bool) -> Result<(), Fault> {
        state.pop()?;
        let vector = state.pop_reference()?;
        if is_mutable {
            let message = "an element borrowed mutably while one may be borrowed";
            let status = StatusCode::VEC_BORROW_ELEMENT_EXISTS_MUTABLE_BORROW_ERROR;
            require(state.graph.is_writable(vector), status, message)?;
        }
        let node = state.new_reference(is_mutable);
        state.graph.add_weak(vector, &[], node);
        state.graph.release(vector);
        state.push(Held::Reference(node));
        Ok(())
    }

    fn call(&self, state: &mut State, target: FunctionHandleIndex) -> Result<(), Fault> {
        let handle = &self.tables[target];
        let acquired = self.acquires.get(&target).copied().unwrap_or(&[]);
        let arguments = state.pop_many(self.tables[handle.parameters].len())?;
        let results: Vec<ResultKind> =
            self.tables.types(handle.results).iter().map(|result| kind(result.root())).collect();
        self.invoke(state, &arguments, acquired, &results)
    }

    fn call_closure(&self, state: &mut State, signature: SignatureIndex) -> Result<(), Fault> {
        let nodes = self.tables.single_type(signature).ok_or(INVARIANT)?.nodes();
        let TypeNode::Function { parameters, .. } = nodes[0] else { return Err(INVARIANT) };
        let parameters = usize::from(parameters);
        state.pop()?;
        let arguments = state.pop_many(parameters)?;
        let results: Vec<ResultKind> = children(nodes).skip(parameters).map(|part| kind(part[0])).collect();
        self.invoke(state, &arguments, &[], &results)
    }

    /// A call: results may point into whatever was passed by reference.
    fn invoke(
        &self,
        state: &mut State,
        arguments: &[Held],
        acquired: &[StructDefIndex],
        results: &[ResultKind],
    ) -> Result<(), Fault> {
        for resource in acquired {
            let message = "a call that acquires a resource while it may be borrowed";
            require(!state.is_global_borrowed(*resource), StatusCode::GLOBAL_REFERENCE_ERROR, message)?;
        }
        let mut given: Vec<(NodeId, bool)> = Vec::new();
        for argument in arguments {
            if let Held::Reference(node) = argument {
                let is_mutable = state.graph.is_mutable(*node);
                let message = "a mutable reference passed on while something borrows from it";
                let status = StatusCode::CALL_BORROWED_MUTABLE_REFERENCE_ERROR;
                require(!is_mutable || state.graph.is_writable(*node), status, message)?;
                given.push((*node, is_mutable));
            }
        }
        for result in results {
            let must_be_mutable = match result {
                ResultKind::Value => {
                    state.push(Held::Value);
                    continue;
                }
                ResultKind::Reference => false,
                ResultKind::MutableReference => true,
            };
            let node = state.new_reference(must_be_mutable);
            for (parent, is_mutable) in &given {
                if *is_mutable || !must_be_mutable {
                    state.graph.add_weak(*parent, &[], node);
                }
            }
            state.push(Held::Reference(node));
        }
        for (node, _) in given {
            state.graph.release(node);
        }
        Ok(())
    }

    fn leave(&self, state: &mut State) -> Result<(), Fault> {
        for local in 0..state.local_count() {
            let held = std::mem::replace(&mut state.locals[local], Held::Value);
            state.release(held);
        }
        let is_borrowed = state.graph.has_child(state.frame(), Children::All, false);
        let message = "a return while a local or resource is borrowed";
        require(!is_borrowed, StatusCode::UNSAFE_RET_LOCAL_OR_RESOURCE_STILL_BORROWED, message)?;
        for held in state.pop_many(self.body.results.len())? {
            if let Held::Reference(node) = held {
                let holds = !state.graph.is_mutable(node) || state.graph.is_writable(node);
                let message = "a mutable reference returned while something borrows from it";
                require(holds, StatusCode::RET_BORROWED_MUTABLE_REFERENCE_ERROR, message)?;
                state.graph.release(node);
            }
        }
        Ok(())
    }
}
