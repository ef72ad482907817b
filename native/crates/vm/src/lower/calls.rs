//! Calls, returns and branches.

use ledger_bytecode::{FunctionDefIndex, FunctionHandleIndex, SignatureIndex};
use ledger_types::Address;

use super::operands::Place;
use super::{Lowerer, destination, resolve, slot16};
use crate::catalog::InstanceKey;
use crate::errors::Fault;
use crate::ins::Ins;
use crate::types::{FieldSlot, TypeKey};

impl Lowerer<'_> {
    pub(super) fn call(
        &mut self,
        handle: FunctionHandleIndex,
        arguments: Option<SignatureIndex>,
    ) -> Result<(), Fault> {
        let (ix, function) = self.module.function_targets[handle.index()];
        let callee = self.catalog.module(ix);
        let definition = &callee.code.function_defs[usize::from(function)];
        let signature = callee.code.handle_of(FunctionDefIndex(function));
        let parameters = callee.code[signature.parameters].len();
        let type_arguments = match arguments {
            Some(signature) => self.signature(signature)?,
            None => Vec::new(),
        };
        let locals = definition.code.as_ref().map_or(0, |code| callee.code[code.locals].len()) as u64;
        let costs = self.costs;
        let count = parameters as u64;
        self.pay(match arguments {
            None => costs.call_base + costs.call_per_arg * count + costs.call_per_local * locals,
            Some(_) => {
                costs.call_generic_base
                    + costs.call_generic_per_ty_arg * type_arguments.len() as u64
                    + costs.call_generic_per_arg * count
                    + costs.call_generic_per_local * locals
            }
        });
        if callee.id.address == Address::ONE
            && callee.id.name.as_str() == "signer"
            && callee.function_name(function).as_str() == "borrow_address"
        {
            return self.borrow_signer_address();
        }
        let results = callee.code[signature.results]
            .0
            .iter()
            .map(|ty| resolve(self.catalog, callee, ty, &type_arguments, self.costs))
            .collect::<Result<Vec<_>, _>>()?;
        let number = self.catalog.instance(InstanceKey {
            module: ix,
            function,
            arguments: type_arguments.into(),
            schedule: self.key.schedule,
        })?;
        let next = u16::try_from(self.callees.len())
            .map_err(|_| Fault::invariant("too many callees in a function"))?;
        let f = *self.callee_numbers.entry(number).or_insert_with(|| {
            self.callees.push(number);
            next
        });
        let base = slot16(self.settle_top(parameters)?)?;
        self.stack.truncate(self.stack.len() - parameters);
        self.emit(Ins::Call { base, height: self.stack.len() as u16, f });
        for ty in results {
            self.push(ty, Place::Home);
        }
        Ok(())
    }

    /// A signer is its address, so a reference to one is a reference to the other.
    fn borrow_signer_address(&mut self) -> Result<(), Fault> {
        self.pay(self.costs.signer_borrow_address);
        let entry = self.pop()?;
        let address = self.intern(TypeKey::Address)?;
        let ty = self.intern(TypeKey::Reference(address))?;
        self.push(ty, entry.place);
        Ok(())
    }

    pub(super) fn ret(&mut self, results: &[FieldSlot]) -> Result<(), Fault> {
        self.pay(self.costs.ret);
        let count = results.len();
        let n = slot16(results.iter().map(|result| self.ty(result.ty).slots).sum())?;
        let s = match count {
            0 => 0,
            1 => {
                let entry = self.pop()?;
                self.operand(entry)?
            }
            _ => {
                let base = self.settle_top(count)?;
                self.stack.truncate(self.stack.len().saturating_sub(count));
                slot16(base)?
            }
        };
        for number in 0..self.locals.len() {
            let local = self.locals[number];
            if local.owns && (local.set || local.flagged) {
                let (s, ty) = (slot16(local.slot)?, self.type_number(local.ty)?);
                self.emit(Ins::Drop { s, ty });
            }
        }
        self.emit(Ins::Ret { n, s });
        Ok(())
    }

    pub(super) fn branch(&mut self, when: bool, target: u16) -> Result<(), Fault> {
        self.pay(if when { self.costs.br_true } else { self.costs.br_false });
        if self.copying {
            // At the end of a copied loop head the way on is the body: jump there if the loop goes on.
            let body = self.offset + 1;
            self.branch_to(!when, body)?;
            self.jump(Ins::Jmp { o: 0 }, target);
            return Ok(());
        }
        self.branch_to(when, target)
    }

    /// Pops a boolean and jumps to `target` if it is `when`.
    fn branch_to(&mut self, when: bool, target: u16) -> Result<(), Fault> {
        let last = self.last.filter(|at| self.how.fuse && at + 1 == self.ins.len());
        let entry = self.pop()?;
        if let (Place::Home, Some(at)) = (entry.place, last) {
            let home = slot16(entry.home)?;
            if let Ins::Not { d, a } = self.ins[at]
                && d == home
            {
                self.unmake();
                self.jump(if when { Ins::BrF { a, o: 0 } } else { Ins::BrT { a, o: 0 } }, target);
                return Ok(());
            }
            if !self.how.far
                && let Some(fused) = destination::fuse(self.ins[at], home, when)
            {
                self.unmake();
                self.compare_and_jump(fused, target);
                return Ok(());
            }
        }
        let a = self.operand(entry)?;
        self.jump(if when { Ins::BrT { a, o: 0 } } else { Ins::BrF { a, o: 0 } }, target);
        Ok(())
    }

    /// Takes back the last instruction.
    fn unmake(&mut self) {
        self.ins.pop();
        self.offsets.pop();
    }

    /// Emits a fused branch, and fuses it with an increment right before it.
    fn compare_and_jump(&mut self, branch: Ins, target: u16) {
        if let (Ins::BrLt { a, b, .. }, Some(&Ins::AddK { d, a: from, k })) = (branch, self.ins.last())
            && a == d
            && a == from
            && b != d
            && self.words[usize::from(k)] == 1
            && !self.is_block_start(self.ins.len())
        {
            // Only the increment can fail, so its place stands.
            let offset = self.offsets.last().copied().unwrap_or(self.offset);
            self.unmake();
            self.jump(Ins::IncLt { d, b, o: 0 }, target);
            if let Some(place) = self.offsets.last_mut() {
                *place = offset;
            }
            return;
        }
        self.jump(branch, target);
    }

    /// Whether the next instruction would be the first of the block that is being lowered.
    fn is_block_start(&self, next: usize) -> bool {
        matches!(self.ins.get(next.wrapping_sub(1)), Some(Ins::Charge(_) | Ins::ChargeK(_)))
    }
}
