//! Vector instructions. Element access that is read or written at once needs no reference, and a
//! vector in a local needs none either.

use ledger_bytecode::Bytecode;

use super::operands::{Entry, Place};
use super::{Lowerer, count8, slot16};
use crate::errors::Fault;
use crate::ins::Ins;
use crate::types::{Int, TypeId, TypeInfo, TypeKey};

impl<'e> Lowerer<'e> {
    /// Every vector instruction; answers how many bytecodes it covered.
    pub(super) fn vector(&mut self, instruction: Bytecode) -> Result<usize, Fault> {
        use Bytecode as B;
        let costs = self.costs;
        match instruction {
            B::VecImmBorrow(signature) => {
                self.pay(costs.vec_imm_borrow);
                let element = self.single(signature)?;
                self.vec_borrow(element, false)
            }
            B::VecMutBorrow(signature) => {
                self.pay(costs.vec_mut_borrow);
                let element = self.single(signature)?;
                self.vec_borrow(element, true)
            }
            other => self.vector_whole(other).map(|()| 1),
        }
    }

    /// Every vector instruction but element borrows.
    fn vector_whole(&mut self, instruction: Bytecode) -> Result<(), Fault> {
        use Bytecode as B;
        let costs = self.costs;
        match instruction {
            B::VecPack(signature, count) => self.vec_pack(self.single(signature)?, count),
            B::VecUnpack(signature, count) => self.vec_unpack(self.single(signature)?, count),
            B::VecLen(_) => {
                self.pay(costs.vec_len);
                let entry = self.pop()?;
                let integer = self.intern(TypeKey::Int(Int::U64))?;
                if let Place::Address(slot) = entry.place {
                    let v = slot16(slot)?;
                    return self.define(integer, |d| Ins::VecLenLocal { d, v });
                }
                let r = self.vector_reference(entry)?;
                self.define(integer, |d| Ins::VecLen { d, r })
            }
            B::VecPushBack(signature) => {
                self.pay(costs.vec_push_back);
                let info = self.ty(self.single(signature)?);
                let (value, vector) = (self.pop()?, self.pop()?);
                let s = self.operand(value)?;
                let (w, n) = widths(info)?;
                let ins = if let Place::Address(slot) = vector.place {
                    let v = slot16(slot)?;
                    if w != 0 { Ins::VecPushNarrowLocal { w, v, s } } else { Ins::VecPushLocal { n, v, s } }
                } else {
                    let r = self.vector_reference(vector)?;
                    if w != 0 { Ins::VecPushNarrow { w, r, s } } else { Ins::VecPush { n, r, s } }
                };
                self.emit(ins);
                Ok(())
            }
            B::VecPopBack(signature) => {
                self.pay(costs.vec_pop_back);
                let element = self.single(signature)?;
                let vector = self.pop()?;
                let r = self.vector_reference(vector)?;
                let (w, n) = widths(self.ty(element))?;
                self.define(element, |d| {
                    if w != 0 { Ins::VecPopNarrow { w, d, r } } else { Ins::VecPop { n, d, r } }
                })
            }
            B::VecSwap(signature) => {
                self.pay(costs.vec_swap);
                let (w, n) = widths(self.ty(self.single(signature)?))?;
                let (second, first, vector) = (self.pop()?, self.pop()?, self.pop()?);
                let (i, j) = (self.operand(first)?, self.operand(second)?);
                let r = self.vector_reference(vector)?;
                self.emit(Ins::VecSwap { r, i, j });
                self.emit(Ins::Arg { a: u16::from(n), b: u32::from(w) });
                Ok(())
            }
            _ => Err(Fault::invariant("not a vector instruction")),
        }
    }

    /// A slot that holds the reference to a vector.
    fn vector_reference(&mut self, entry: Entry) -> Result<u16, Fault> {
        match entry.place {
            Place::Field { base, offset: 0 } => slot16(base),
            _ => self.operand(entry),
        }
    }

    fn vec_pack(&mut self, element: TypeId, count: u64) -> Result<(), Fault> {
        let costs = self.costs;
        self.pay(costs.vec_pack_base + costs.vec_pack_per_element.saturating_mul(count));
        let ty = self.intern(TypeKey::Vector(element))?;
        if count == 0 {
            self.push(ty, Place::Word(0));
            return Ok(());
        }
        let many = usize::try_from(count).map_err(|_| Fault::invariant("vector too long"))?;
        let s = slot16(self.settle_top(many)?)?;
        self.stack.truncate(self.stack.len() - many);
        let count = u16::try_from(count).map_err(|_| Fault::invariant("vector too long"))?;
        let (w, n) = widths(self.ty(element))?;
        self.define(ty, |d| {
            if w != 0 { Ins::VecPackNarrow { w, d, s, count } } else { Ins::VecPack { n, d, s, count } }
        })
    }

    fn vec_unpack(&mut self, element: TypeId, count: u64) -> Result<(), Fault> {
        let costs = self.costs;
        self.pay(costs.vec_unpack_base + costs.vec_unpack_per_element.saturating_mul(count));
        let entry = self.pop()?;
        let (s, d) = (self.operand(entry)?, slot16(entry.home)?);
        let many = u16::try_from(count).map_err(|_| Fault::invariant("vector too long"))?;
        let (w, n) = widths(self.ty(element))?;
        self.emit(if w != 0 {
            Ins::VecUnpackNarrow { w, d, s, count: many }
        } else {
            Ins::VecUnpack { n, d, s, count: many }
        });
        for _ in 0..many {
            self.push(element, Place::Home);
        }
        Ok(())
    }

    /// An element borrow, together with the write through it where that follows at once.
    fn vec_borrow(&mut self, element: TypeId, mutable: bool) -> Result<usize, Fault> {
        let next = usize::from(self.offset) + 1;
        let follower = self.bytecode.get(next).filter(|_| self.how.fuse && !self.flow.leader[next]).copied();
        if mutable && follower == Some(Bytecode::WriteRef) && self.ty(element).flat {
            self.write_element(element)?;
            self.pay_at(next, self.costs.write_ref);
            return Ok(2);
        }
        let (index, vector) = (self.pop()?, self.pop()?);
        let key = if mutable { TypeKey::MutableReference(element) } else { TypeKey::Reference(element) };
        let ty = self.intern(key)?;
        let (w, n) = widths(self.ty(element))?;
        let i = self.operand(index)?;
        let read = follower == Some(Bytecode::ReadRef);
        if let (Place::Address(slot), true, true) = (vector.place, read, self.ty(element).words_are_value) {
            // The read of the element is lowered next; it finds its value in place of the reference.
            let v = slot16(slot)?;
            let at = self.emit(if w != 0 {
                Ins::VecLdNarrowLocal { w, d: slot16(vector.home)?, v, i }
            } else {
                Ins::VecLdLocal { n, d: slot16(vector.home)?, v, i }
            });
            self.push_read_element(ty, element);
            self.last = Some(at);
            return Ok(1);
        }
        let r = self.vector_reference(vector)?;
        self.define(
            ty,
            |d| {
                if w != 0 { Ins::VecRefNarrow { w, d, r, i } } else { Ins::VecRef { n, d, r, i } }
            },
        )?;
        Ok(1)
    }

    /// `*vector::borrow_mut(v, i) = x` for elements without blocks.
    fn write_element(&mut self, element: TypeId) -> Result<(), Fault> {
        let (index, vector, value) = (self.pop()?, self.pop()?, self.pop()?);
        let (w, n) = widths(self.ty(element))?;
        let (s, i) = (self.operand(value)?, self.operand(index)?);
        let ins = if let Place::Address(slot) = vector.place {
            let v = slot16(slot)?;
            if w != 0 { Ins::VecStNarrowLocal { w, v, i, s } } else { Ins::VecStLocal { n, v, i, s } }
        } else {
            let r = self.vector_reference(vector)?;
            if w != 0 { Ins::VecStNarrow { w, r, i, s } } else { Ins::VecSt { n, r, i, s } }
        };
        self.emit(ins);
        Ok(())
    }

    /// Stands for a reference whose value was already read into its home. The home is as wide as the
    /// value.
    fn push_read_element(&mut self, reference: TypeId, element: TypeId) {
        let home = self.next_home();
        self.frame_slots = self.frame_slots.max(home + self.ty(element).slots);
        self.push(reference, Place::Slot(home));
        if let Some(top) = self.stack.last_mut() {
            top.place = Place::Address(home);
        }
    }
}

/// Byte width of packed elements (0 if they take slots) and slots.
fn widths(info: &TypeInfo) -> Result<(u8, u8), Fault> {
    Ok((count8(info.narrow)?, count8(info.slots)?))
}
