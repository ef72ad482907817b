//! Every instruction finds operands of the types it needs.
//!
//! Blocks are checked one by one with a stack of types, reachable or not: the stack is empty between
//! them, so their order does not matter. Families of instructions have their files.

mod arithmetic;
mod calls;
mod globals;
mod locals;
mod stack;
mod structs;
mod vectors;

use ledger_bytecode::{AbilitySet, Body, Bytecode, SignatureIndex, StatusCode, Tables, TypeNode};

use crate::blocks::Blocks;
use crate::error::{Verdict, VerificationError};
use crate::meter::Meter;
use crate::types::type_abilities;
use stack::TypeStack;

const UNITS_PER_TYPE_NODE: u64 = 30;

/// Why an instruction is refused.
type Fault = (StatusCode, &'static str);

/// Checks one body whose stack heights are good.
pub(crate) fn verify_body(tables: &Tables, body: &Body<'_>, blocks: &Blocks, meter: &mut Meter) -> Verdict {
    let mut checker = Checker { tables, body, stack: TypeStack::default() };
    for block in &blocks.blocks {
        for offset in block.start..block.end {
            let before = checker.stack.nodes_pushed();
            let instruction = &body.code.code[offset];
            checker.instruction(instruction).map_err(|(status, message)| {
                VerificationError::instruction(status, body.function, offset, message)
            })?;
            let named = type_arguments(tables, instruction).map_or(&[][..], |index| tables.types(index));
            let named: usize = named.iter().map(|entry| entry.nodes().len()).sum();
            meter.charge_each(UNITS_PER_TYPE_NODE, 1 + named + checker.stack.nodes_pushed() - before)?;
        }
        checker.stack.clear();
    }
    Ok(())
}

/// The signature an instruction names, if any: its types are copied and walked.
fn type_arguments(tables: &Tables, instruction: &Bytecode) -> Option<SignatureIndex> {
    use Bytecode::*;
    Some(match *instruction {
        CallGeneric(instance) | PackClosureGeneric(instance, _) => tables[instance].type_arguments,
        PackGeneric(instance)
        | UnpackGeneric(instance)
        | ExistsGeneric(instance)
        | MutBorrowGlobalGeneric(instance)
        | ImmBorrowGlobalGeneric(instance)
        | MoveFromGeneric(instance)
        | MoveToGeneric(instance) => tables[instance].type_arguments,
        MutBorrowFieldGeneric(field) | ImmBorrowFieldGeneric(field) => tables[field].type_arguments,
        MutBorrowVariantFieldGeneric(field) | ImmBorrowVariantFieldGeneric(field) => {
            tables[field].type_arguments
        }
        PackVariantGeneric(variant) | UnpackVariantGeneric(variant) | TestVariantGeneric(variant) => {
            tables[variant].type_arguments
        }
        CallClosure(signature) => signature,
        _ => return None,
    })
}

struct Checker<'a> {
    tables: &'a Tables,
    body: &'a Body<'a>,
    stack: TypeStack,
}

impl Checker<'_> {
    fn abilities(&self, nodes: &[TypeNode]) -> AbilitySet {
        type_abilities(self.tables, self.body.type_parameters, nodes)
    }

    /// Pops a value that must be exactly of a one-node type.
    fn pop_leaf(&mut self, node: TypeNode, fault: Fault) -> Result<(), Fault> {
        if self.stack.top()? != [node] {
            return Err(fault);
        }
        self.stack.drop_top();
        Ok(())
    }

    fn instruction(&mut self, instruction: &Bytecode) -> Result<(), Fault> {
        use Bytecode::*;
        match *instruction {
            Nop | Branch(_) => Ok(()),
            Pop => {
                if !self.abilities(self.stack.top()?).has_drop() {
                    let message = "a value popped that may not be dropped";
                    return Err((StatusCode::POP_WITHOUT_DROP_ABILITY, message));
                }
                self.stack.drop_top();
                Ok(())
            }
            BrTrue(_) | BrFalse(_) => {
                let fault = (StatusCode::BR_TYPE_MISMATCH_ERROR, "a branch on what is no boolean");
                self.pop_leaf(TypeNode::Bool, fault)
            }
            Ret => self.results(),
            Abort => self.abort_code(),
            AbortMsg => self.abort_message(),

            LdU8(_) => self.push_leaf(TypeNode::U8),
            LdU16(_) => self.push_leaf(TypeNode::U16),
            LdU32(_) => self.push_leaf(TypeNode::U32),
            LdU64(_) => self.push_leaf(TypeNode::U64),
            LdU128(_) => self.push_leaf(TypeNode::U128),
            LdU256(_) => self.push_leaf(TypeNode::U256),
            LdI8(_) => self.push_leaf(TypeNode::I8),
            LdI16(_) => self.push_leaf(TypeNode::I16),
            LdI32(_) => self.push_leaf(TypeNode::I32),
            LdI64(_) => self.push_leaf(TypeNode::I64),
            LdI128(_) => self.push_leaf(TypeNode::I128),
            LdI256(_) => self.push_leaf(TypeNode::I256),
            LdTrue | LdFalse => self.push_leaf(TypeNode::Bool),
            LdConst(constant) => {
                self.stack.push(self.tables.constants[constant.index()].value_type.nodes());
                Ok(())
            }

            CopyLoc(local) => self.copy_local(local),
            MoveLoc(local) => {
                self.stack.push(self.body.local_type(local).nodes());
                Ok(())
            }
            StLoc(local) => self.store_local(local),
            MutBorrowLoc(local) => self.borrow_local(local, TypeNode::MutableReference),
            ImmBorrowLoc(local) => self.borrow_local(local, TypeNode::Reference),
            FreezeRef => self.freeze(),
            ReadRef => self.read_reference(),
            WriteRef => self.write_reference(),

            Add | Sub | Mul | Mod | Div => self.arithmetic(),
            BitOr | BitAnd | Xor => self.bitwise(),
            Shl | Shr => self.shift(),
            Negate => self.negate(),
            CastU8 => self.cast(TypeNode::U8),
            CastU16 => self.cast(TypeNode::U16),
            CastU32 => self.cast(TypeNode::U32),
            CastU64 => self.cast(TypeNode::U64),
            CastU128 => self.cast(TypeNode::U128),
            CastU256 => self.cast(TypeNode::U256),
            CastI8 => self.cast(TypeNode::I8),
            CastI16 => self.cast(TypeNode::I16),
            CastI32 => self.cast(TypeNode::I32),
            CastI64 => self.cast(TypeNode::I64),
            CastI128 => self.cast(TypeNode::I128),
            CastI256 => self.cast(TypeNode::I256),
            Or | And => self.logic(2),
            Not => self.logic(1),
            Eq | Neq => self.equality(),
            Lt | Gt | Le | Ge => self.comparison(),

            Call(target) => self.call(target, &[]),
            CallGeneric(instance) => {
                let entry = self.tables[instance];
                self.call(entry.target, self.tables.types(entry.type_arguments))
            }
            PackClosure(target, mask) => self.pack_closure(target, &[], mask),
            PackClosureGeneric(instance, mask) => {
                let entry = self.tables[instance];
                self.pack_closure(entry.target, self.tables.types(entry.type_arguments), mask)
            }
            CallClosure(signature) => self.call_closure(signature),

            Pack(def) => self.pack(def, None, &[]),
            PackGeneric(instance) => {
                let entry = self.tables[instance];
                self.pack(entry.target, None, self.tables.types(entry.type_arguments))
            }
            PackVariant(variant) => {
                let handle = self.tables[variant];
                self.pack(handle.owner, Some(handle.variant), &[])
            }
            PackVariantGeneric(instance) => {
                let entry = self.tables[instance];
                let handle = self.tables[entry.target];
                self.pack(handle.owner, Some(handle.variant), self.tables.types(entry.type_arguments))
            }
            Unpack(def) => self.unpack(def, None, &[]),
            UnpackGeneric(instance) => {
                let entry = self.tables[instance];
                self.unpack(entry.target, None, self.tables.types(entry.type_arguments))
            }
            UnpackVariant(variant) => {
                let handle = self.tables[variant];
                self.unpack(handle.owner, Some(handle.variant), &[])
            }
            UnpackVariantGeneric(instance) => {
                let entry = self.tables[instance];
                let handle = self.tables[entry.target];
                self.unpack(handle.owner, Some(handle.variant), self.tables.types(entry.type_arguments))
            }
            TestVariant(variant) => self.test_variant(self.tables[variant].owner, &[]),
            TestVariantGeneric(instance) => {
                let entry = self.tables[instance];
                let owner = self.tables[entry.target].owner;
                self.test_variant(owner, self.tables.types(entry.type_arguments))
            }
            MutBorrowField(field) => self.borrow_field(field, &[], true),
            ImmBorrowField(field) => self.borrow_field(field, &[], false),
            MutBorrowFieldGeneric(instance) => {
                let entry = self.tables[instance];
                self.borrow_field(entry.target, self.tables.types(entry.type_arguments), true)
            }
            ImmBorrowFieldGeneric(instance) => {
                let entry = self.tables[instance];
                self.borrow_field(entry.target, self.tables.types(entry.type_arguments), false)
            }
            MutBorrowVariantField(field) => self.borrow_variant_field(field, &[], true),
            ImmBorrowVariantField(field) => self.borrow_variant_field(field, &[], false),
            MutBorrowVariantFieldGeneric(instance) => {
                let entry = self.tables[instance];
                self.borrow_variant_field(entry.target, self.tables.types(entry.type_arguments), true)
            }
            ImmBorrowVariantFieldGeneric(instance) => {
                let entry = self.tables[instance];
                self.borrow_variant_field(entry.target, self.tables.types(entry.type_arguments), false)
            }

            Exists(def) => self.exists(def, &[]),
            ExistsGeneric(instance) => {
                let entry = self.tables[instance];
                self.exists(entry.target, self.tables.types(entry.type_arguments))
            }
            MutBorrowGlobal(def) => self.borrow_global(def, &[], TypeNode::MutableReference),
            ImmBorrowGlobal(def) => self.borrow_global(def, &[], TypeNode::Reference),
            MutBorrowGlobalGeneric(instance) => {
                let entry = self.tables[instance];
                let arguments = self.tables.types(entry.type_arguments);
                self.borrow_global(entry.target, arguments, TypeNode::MutableReference)
            }
            ImmBorrowGlobalGeneric(instance) => {
                let entry = self.tables[instance];
                let arguments = self.tables.types(entry.type_arguments);
                self.borrow_global(entry.target, arguments, TypeNode::Reference)
            }
            MoveFrom(def) => self.move_from(def, &[]),
            MoveFromGeneric(instance) => {
                let entry = self.tables[instance];
                self.move_from(entry.target, self.tables.types(entry.type_arguments))
            }
            MoveTo(def) => self.move_to(def, &[]),
            MoveToGeneric(instance) => {
                let entry = self.tables[instance];
                self.move_to(entry.target, self.tables.types(entry.type_arguments))
            }

            VecPack(signature, count) => self.vector_pack(signature, count),
            VecLen(signature) => self.vector_length(signature),
            VecImmBorrow(signature) => self.vector_borrow(signature, false),
            VecMutBorrow(signature) => self.vector_borrow(signature, true),
            VecPushBack(signature) => self.vector_push(signature),
            VecPopBack(signature) => self.vector_pop(signature),
            VecUnpack(signature, count) => self.vector_unpack(signature, count),
            VecSwap(signature) => self.vector_swap(signature),
        }
    }

    fn push_leaf(&mut self, node: TypeNode) -> Result<(), Fault> {
        self.stack.push(&[node]);
        Ok(())
    }
}
