//! Borrowing, reading and writing through references.

use ledger_bytecode::{FieldHandle, SignatureIndex, VariantFieldHandleIndex};

use super::operands::{Entry, Place};
use super::{Lowerer, count8, slot16};
use crate::errors::Fault;
use crate::ins::{Ins, NO_FIELD};
use crate::types::{TypeId, TypeKey};

impl Lowerer<'_> {
    fn reference_to(&self, ty: TypeId, mutable: bool) -> Result<TypeId, Fault> {
        self.intern(if mutable { TypeKey::MutableReference(ty) } else { TypeKey::Reference(ty) })
    }

    pub(super) fn referent(&self, reference: TypeId) -> Result<TypeId, Fault> {
        self.ty(reference).referent().ok_or_else(|| Fault::invariant("not a reference"))
    }

    pub(super) fn borrow_local(&mut self, number: u8, mutable: bool) -> Result<(), Fault> {
        self.pay(if mutable { self.costs.mut_borrow_loc } else { self.costs.imm_borrow_loc });
        let local = self.locals[usize::from(number)];
        if mutable {
            self.flush(local.slot, self.ty(local.ty).slots)?;
        }
        let ty = self.reference_to(local.ty, mutable)?;
        self.push(ty, Place::Address(local.slot));
        Ok(())
    }

    pub(super) fn freeze(&mut self) -> Result<(), Fault> {
        let last = self.last;
        let entry = self.pop()?;
        let inner = self.referent(entry.ty)?;
        let ty = self.reference_to(inner, false)?;
        self.push(ty, entry.place);
        self.last = last;
        Ok(())
    }

    /// From a reference to a struct to one of a field.
    pub(super) fn borrow_field(
        &mut self,
        handle: FieldHandle,
        arguments: Option<SignatureIndex>,
        mutable: bool,
    ) -> Result<(), Fault> {
        let owner = self.structure(handle.owner, arguments)?;
        let field = *owner
            .fields()
            .get(usize::from(handle.field))
            .ok_or_else(|| Fault::invariant("field missing"))?;
        let ty = self.reference_to(field.ty, mutable)?;
        let mut entry = self.pop()?;
        if owner.is_boxed() {
            entry = self.open_box(entry)?;
        }
        let place = match entry.place {
            Place::Address(slot) => Place::Address(slot + field.offset),
            Place::Field { base, offset } => Place::Field { base, offset: offset + field.offset },
            Place::Slot(base) => Place::Field { base, offset: field.offset },
            _ => Place::Field { base: u32::from(self.operand(entry)?), offset: field.offset },
        };
        self.push(ty, place);
        Ok(())
    }

    /// A reference to a boxed value becomes one to its content, in its home.
    fn open_box(&mut self, entry: Entry) -> Result<Entry, Fault> {
        let r = self.operand(entry)?;
        self.emit(Ins::RefBox { d: slot16(entry.home)?, r });
        Ok(Entry { place: Place::Home, ..entry })
    }

    /// From a reference to an enum to one of a field that some variants share.
    pub(super) fn borrow_variant_field(
        &mut self,
        handle: VariantFieldHandleIndex,
        arguments: Option<SignatureIndex>,
        mutable: bool,
    ) -> Result<(), Fault> {
        let handle = &self.module.code[handle];
        let owner = self.structure(handle.owner, arguments)?;
        let mut slots = vec![NO_FIELD; owner.variants().len()];
        let mut field_type = None;
        for variant in &handle.variants {
            let variant = usize::from(*variant);
            let field = owner
                .variants()
                .get(variant)
                .and_then(|info| info.fields.get(usize::from(handle.field)))
                .ok_or_else(|| Fault::invariant("variant field missing"))?;
            slots[variant] = field.offset;
            field_type = Some(field.ty);
        }
        let field_type = field_type.ok_or_else(|| Fault::invariant("no variant has the field"))?;
        let v = u16::try_from(self.variant_fields.len())
            .map_err(|_| Fault::invariant("too many variant fields in a function"))?;
        self.variant_fields.push(slots.into());
        let ty = self.reference_to(field_type, mutable)?;
        let mut entry = self.pop()?;
        if owner.is_boxed() {
            entry = self.open_box(entry)?;
        }
        let r = self.operand(entry)?;
        let narrow = u8::from(self.ty(field_type).narrow != 0);
        self.define(ty, |d| Ins::RefVariant { narrow, d, r, v })
    }

    pub(super) fn read_ref(&mut self) -> Result<(), Fault> {
        self.pay(self.costs.read_ref_base);
        let entry = self.pop()?;
        let ty = self.referent(entry.ty)?;
        let info = self.ty(ty);
        let per_unit = self.costs.read_ref_per_unit;
        if !info.words_are_value {
            let (r, o) = self.word_reference(entry)?;
            let d = slot16(entry.home)?;
            let a = self.type_number(ty)?;
            self.emit(Ins::CloneBehind { d, r, o });
            self.emit(Ins::Arg { a, b: per_unit.min(u64::from(u32::MAX)) as u32 });
            self.push(ty, Place::Home);
            return Ok(());
        }
        self.pay(per_unit * self.costs.abs_struct * u64::from(info.fixed_nodes));
        match entry.place {
            // Read already, where the reference would be.
            Place::Address(slot) if slot == entry.home => {
                let last = self.last;
                self.push(ty, Place::Home);
                self.last = last;
                return Ok(());
            }
            Place::Address(slot) => {
                self.push(ty, Place::Slot(slot));
                return Ok(());
            }
            Place::Home if self.read_element(entry, ty)? => return Ok(()),
            _ => {}
        }
        if info.narrow != 0 && !matches!(entry.place, Place::Field { .. }) {
            let (r, w) = (self.operand(entry)?, count8(info.narrow)?);
            return self.define(ty, |d| Ins::LdNarrow { w, d, r });
        }
        let (r, o) = self.word_reference(entry)?;
        let n = count8(info.slots)?;
        self.define(ty, |d| if n == 1 { Ins::Ld { d, r, o } } else { Ins::LdN { n, d, r, o } })
    }

    /// `*vector::borrow(v, i)` at once, if the reference was made by the last instruction.
    fn read_element(&mut self, entry: Entry, ty: TypeId) -> Result<bool, Fault> {
        let Some(at) = self.last.filter(|at| self.how.fuse && at + 1 == self.ins.len()) else {
            return Ok(false);
        };
        let home = slot16(entry.home)?;
        let read = match self.ins[at] {
            Ins::VecRef { n, d, r, i } if d == home => Ins::VecLd { n, d, r, i },
            Ins::VecRefNarrow { w, d, r, i } if d == home => Ins::VecLdNarrow { w, d, r, i },
            _ => return Ok(false),
        };
        self.ins[at] = read;
        self.push(ty, Place::Home);
        self.last = Some(at);
        Ok(true)
    }

    /// Slot and offset of a word reference.
    pub(super) fn word_reference(&mut self, entry: Entry) -> Result<(u16, u16), Fault> {
        match entry.place {
            Place::Field { base, offset } => Ok((slot16(base)?, slot16(offset)?)),
            _ => Ok((self.operand(entry)?, 0)),
        }
    }

    pub(super) fn write_ref(&mut self) -> Result<(), Fault> {
        self.pay(self.costs.write_ref);
        let made_last = self.last;
        let (reference, value) = (self.pop()?, self.pop()?);
        let info = self.ty(value.ty);
        if let Place::Address(slot) = reference.place {
            if !info.flat {
                let (s, ty) = (slot16(slot)?, self.type_number(value.ty)?);
                self.emit(Ins::Drop { s, ty });
            } else if value.place == Place::Home
                && let Some(at) = made_last.filter(|at| self.how.fuse && at + 1 == self.ins.len())
            {
                let (home, slot) = (slot16(value.home)?, slot16(slot)?);
                if let Some(sent) = super::destination::redirect(self.ins[at], home, slot) {
                    self.ins[at] = sent;
                    self.last = None;
                    return Ok(());
                }
            }
            self.place(value, slot)?;
            self.last = None;
            return Ok(());
        }
        if info.narrow != 0 && !matches!(reference.place, Place::Field { .. }) {
            let w = count8(info.narrow)?;
            let (r, s) = (self.operand(reference)?, self.operand(value)?);
            self.emit(Ins::StNarrow { w, r, s });
            return Ok(());
        }
        let s = self.operand(value)?;
        let (r, o) = self.word_reference(reference)?;
        if !info.flat {
            let ty = self.type_number(value.ty)?;
            self.emit(Ins::DropBehind { r, o, ty });
        }
        let n = count8(info.slots)?;
        self.emit(if n == 1 { Ins::St { r, o, s } } else { Ins::StN { n, r, o, s } });
        Ok(())
    }
}
