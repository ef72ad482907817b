//! Structs and enums: packing, unpacking, testing, and as resources.

use ledger_bytecode::{Bytecode, SignatureIndex, StructDefIndex, StructVariantHandle};

use super::operands::{Entry, Place};
use super::{Lowerer, slot16};
use crate::errors::Fault;
use crate::ins::Ins;
use crate::types::{FieldSlot, TypeInfo, TypeKey, VariantInfo};

impl<'e> Lowerer<'e> {
    pub(super) fn pack(
        &mut self,
        definition: StructDefIndex,
        arguments: Option<SignatureIndex>,
    ) -> Result<(), Fault> {
        let info = self.structure(definition, arguments)?;
        let count = info.fields().len();
        let costs = self.costs;
        let (base, per_field) = match arguments {
            None => (costs.pack_base, costs.pack_per_field),
            Some(_) => (costs.pack_generic_base, costs.pack_generic_per_field),
        };
        self.pay(base + per_field * count as u64);
        // Homes of consecutive operands are laid out as the fields of a struct are.
        let home = self.settle_top(count)?;
        self.stack.truncate(self.stack.len() - count);
        self.box_up(info, home)?;
        self.push(info.id, Place::Home);
        Ok(())
    }

    /// Moves a content that lies at `home` into a block, where values of the type are boxed.
    fn box_up(&mut self, info: &TypeInfo, home: u32) -> Result<(), Fault> {
        self.frame_slots = self.frame_slots.max(home + info.content_slots);
        if info.is_boxed() {
            let (slot, n) = (slot16(home)?, slot16(info.content_slots)?);
            self.emit(Ins::BoxNew { d: slot, s: slot, n });
        }
        Ok(())
    }

    /// The inverse: the operand's content, in its home if it was boxed.
    fn unbox(&mut self, info: &TypeInfo, entry: Entry) -> Result<Entry, Fault> {
        self.frame_slots = self.frame_slots.max(entry.home + info.content_slots);
        if !info.is_boxed() {
            return Ok(entry);
        }
        let (s, n) = (self.operand(entry)?, slot16(info.content_slots)?);
        self.emit(Ins::BoxOpen { d: slot16(entry.home)?, s, n });
        Ok(Entry { place: Place::Home, ..entry })
    }

    pub(super) fn unpack(
        &mut self,
        definition: StructDefIndex,
        arguments: Option<SignatureIndex>,
    ) -> Result<(), Fault> {
        let info = self.structure(definition, arguments)?;
        let costs = self.costs;
        let (base, per_field) = match arguments {
            None => (costs.unpack_base, costs.unpack_per_field),
            Some(_) => (costs.unpack_generic_base, costs.unpack_generic_per_field),
        };
        self.pay(base + per_field * info.fields().len() as u64);
        let entry = self.pop()?;
        let entry = self.unbox(info, entry)?;
        for field in info.fields() {
            let place = match entry.place {
                Place::Slot(slot) => Place::Slot(slot + field.offset),
                _ => Place::Home,
            };
            self.push(field.ty, place);
        }
        Ok(())
    }

    fn variant_of(
        &self,
        handle: StructVariantHandle,
        arguments: Option<SignatureIndex>,
    ) -> Result<(&'e TypeInfo, &'e VariantInfo), Fault> {
        let info = self.structure(handle.owner, arguments)?;
        let variant = info
            .variants()
            .get(usize::from(handle.variant))
            .ok_or_else(|| Fault::invariant("variant missing"))?;
        Ok((info, variant))
    }

    fn field_slots(&self, fields: &[FieldSlot]) -> u32 {
        fields.iter().map(|field| self.ty(field.ty).slots).sum()
    }

    pub(super) fn pack_variant(
        &mut self,
        handle: StructVariantHandle,
        arguments: Option<SignatureIndex>,
    ) -> Result<(), Fault> {
        let (info, variant) = self.variant_of(handle, arguments)?;
        let count = variant.fields.len();
        let costs = self.costs;
        self.pay(match arguments {
            None => costs.pack_base + costs.pack_per_field * count as u64,
            Some(_) => costs.pack_generic_base + costs.pack_generic_per_field * count as u64,
        });
        let home = self.settle_top(count)?;
        self.stack.truncate(self.stack.len() - count);
        self.frame_slots = self.frame_slots.max(home + info.content_slots);
        let n = slot16(self.field_slots(&variant.fields))?;
        self.emit(Ins::PackVariant { s: slot16(home)?, n, tag: handle.variant });
        self.box_up(info, home)?;
        self.push(info.id, Place::Home);
        Ok(())
    }

    pub(super) fn unpack_variant(
        &mut self,
        handle: StructVariantHandle,
        arguments: Option<SignatureIndex>,
    ) -> Result<(), Fault> {
        let (info, variant) = self.variant_of(handle, arguments)?;
        let costs = self.costs;
        self.pay(match arguments {
            None => costs.unpack_base + costs.unpack_per_field * variant.fields.len() as u64,
            Some(_) => {
                costs.unpack_generic_base + costs.unpack_generic_per_field * variant.fields.len() as u64
            }
        });
        let entry = self.pop()?;
        let entry = self.unbox(info, entry)?;
        let (s, d) = (self.operand(entry)?, slot16(entry.home)?);
        let n = slot16(self.field_slots(&variant.fields))?;
        let tag = u8::try_from(handle.variant).map_err(|_| Fault::invariant("variant number"))?;
        self.emit(Ins::UnpackVariant { tag, d, s, n });
        for field in &variant.fields {
            self.push(field.ty, Place::Home);
        }
        Ok(())
    }

    pub(super) fn test_variant(
        &mut self,
        handle: StructVariantHandle,
        arguments: Option<SignatureIndex>,
    ) -> Result<(), Fault> {
        let info = self.structure(handle.owner, arguments)?;
        let mut entry = self.pop()?;
        if info.is_boxed() {
            let r = self.operand(entry)?;
            self.emit(Ins::RefBox { d: slot16(entry.home)?, r });
            entry.place = Place::Home;
        }
        let r = self.operand(entry)?;
        let boolean = self.intern(TypeKey::Bool)?;
        self.define(boolean, |d| Ins::TestVariant { d, r, tag: handle.variant })
    }

    /// Every instruction over resources.
    pub(super) fn global(&mut self, instruction: Bytecode) -> Result<(), Fault> {
        use Bytecode as B;
        let costs = self.costs;
        let instance = |index: ledger_bytecode::StructInstIndex| {
            let instance = self.module.code[index];
            (instance.target, Some(instance.type_arguments))
        };
        let ((definition, arguments), cost) = match instruction {
            B::Exists(definition) => ((definition, None), costs.exists),
            B::ExistsGeneric(index) => (instance(index), costs.exists_generic),
            B::MutBorrowGlobal(definition) => ((definition, None), costs.mut_borrow_global),
            B::MutBorrowGlobalGeneric(index) => (instance(index), costs.mut_borrow_global_generic),
            B::ImmBorrowGlobal(definition) => ((definition, None), costs.imm_borrow_global),
            B::ImmBorrowGlobalGeneric(index) => (instance(index), costs.imm_borrow_global_generic),
            B::MoveFrom(definition) => ((definition, None), costs.move_from),
            B::MoveFromGeneric(index) => (instance(index), costs.move_from_generic),
            B::MoveTo(definition) => ((definition, None), costs.move_to),
            B::MoveToGeneric(index) => (instance(index), costs.move_to_generic),
            _ => return Err(Fault::invariant("not a global operation")),
        };
        self.pay(cost);
        let info = self.structure(definition, arguments)?;
        let ty = self.type_number(info.id)?;
        match instruction {
            B::MoveTo(_) | B::MoveToGeneric(_) => {
                let (value, signer) = (self.pop()?, self.pop()?);
                let (s, r) = (self.operand(value)?, self.operand(signer)?);
                self.emit(Ins::MoveTo { r, s, ty });
                Ok(())
            }
            B::Exists(_) | B::ExistsGeneric(_) => {
                let boolean = self.intern(TypeKey::Bool)?;
                let address = self.pop()?;
                let a = self.operand(address)?;
                self.define(boolean, |d| Ins::Exists { d, a, ty })
            }
            B::MoveFrom(_) | B::MoveFromGeneric(_) => {
                let address = self.pop()?;
                let a = self.operand(address)?;
                self.define(info.id, |d| Ins::MoveFrom { d, a, ty })
            }
            _ => {
                let mutable = matches!(instruction, B::MutBorrowGlobal(_) | B::MutBorrowGlobalGeneric(_));
                let key =
                    if mutable { TypeKey::MutableReference(info.id) } else { TypeKey::Reference(info.id) };
                let reference = self.intern(key)?;
                let address = self.pop()?;
                let a = self.operand(address)?;
                self.define(reference, |d| Ins::Borrow { mutable: u8::from(mutable), d, a, ty })
            }
        }
    }
}
