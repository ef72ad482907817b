//! The symbolic operand stack of a block, and the locals it refers to.
//!
//! A pending copy of a local is good until the local changes. Locals change by `StLoc` and through
//! mutable references, and every mutable reference to a local starts with `MutBorrowLoc`; both make
//! pending reads of the local real first ([`Lowerer::flush`]). The verifier refuses copies of a
//! local while a mutable borrow of it lives, so nothing else is needed.

use super::{Lowerer, count8, slot16};
use crate::errors::Fault;
use crate::ins::Ins;
use crate::types::TypeId;

/// A local of the function.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Its type.
    pub ty: TypeId,
    /// Its first slot.
    pub slot: u32,
    /// Whether its values own blocks.
    pub owns: bool,
    /// Whether it owns and may or may not be set somewhere: it then holds zero while it is not.
    pub flagged: bool,
    /// Whether it certainly holds a value here.
    pub set: bool,
}

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In its home.
    Home,
    /// In the slots from here on, which belong to a local: copied (flat types) or moved.
    Slot(u32),
    /// A constant of one word.
    Word(u64),
    /// Constant words, by the number of the first.
    Words(u32),
    /// The address of this slot.
    Address(u32),
    /// The reference in slot `base`, moved on by `offset` words; a word reference to a field.
    Field {
        /// Slot of the reference; a local, or the operand's own home.
        base: u32,
        /// Words.
        offset: u32,
    },
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its type.
    pub ty: TypeId,
    /// First slot of its home.
    pub home: u32,
    /// Where it is.
    pub place: Place,
}

impl Lowerer<'_> {
    /// Home of the next operand.
    pub(super) fn next_home(&self) -> u32 {
        self.stack.last().map_or(self.homes, |top| top.home + self.ty(top.ty).slots)
    }

    /// Pushes an operand; answers its home.
    pub(super) fn push(&mut self, ty: TypeId, place: Place) -> u32 {
        let home = self.next_home();
        self.stack.push(Entry { ty, home, place });
        self.frame_slots = self.frame_slots.max(home + self.ty(ty).slots);
        self.height = self.height.max(self.stack.len());
        home
    }

    /// Emits an instruction that makes the next operand in its home, as the last thing it does.
    pub(super) fn define(&mut self, ty: TypeId, make: impl FnOnce(u16) -> Ins) -> Result<(), Fault> {
        let d = slot16(self.next_home())?;
        let at = self.emit(make(d));
        self.push(ty, Place::Home);
        self.last = Some(at);
        Ok(())
    }

    /// Takes the top operand.
    pub(super) fn pop(&mut self) -> Result<Entry, Fault> {
        self.stack.pop().ok_or_else(|| Fault::invariant("operand missing"))
    }

    /// A slot where the operand can be read.
    pub(super) fn operand(&mut self, entry: Entry) -> Result<u16, Fault> {
        match entry.place {
            Place::Slot(slot) => slot16(slot),
            Place::Home => slot16(entry.home),
            _ => {
                self.settle(entry)?;
                slot16(entry.home)
            }
        }
    }

    /// Puts the operand into its home.
    pub(super) fn settle(&mut self, entry: Entry) -> Result<(), Fault> {
        self.place(entry, entry.home)
    }

    /// Puts the operand into the slots from `target`, which the caller knows to be free.
    pub(super) fn place(&mut self, entry: Entry, target: u32) -> Result<(), Fault> {
        let d = slot16(target)?;
        let slots = self.ty(entry.ty).slots;
        match entry.place {
            Place::Home if entry.home == target => return Ok(()),
            Place::Home => self.copy_slots(target, entry.home, slots)?,
            Place::Slot(slot) => self.copy_slots(target, slot, slots)?,
            Place::Word(value) => {
                match u32::try_from(value) {
                    Ok(v) => self.emit(Ins::LdI { d, v }),
                    Err(_) => {
                        let k = self.word(value);
                        self.emit(Ins::LdK { d, k })
                    }
                };
            }
            Place::Words(first) => {
                let n = count8(slots)?;
                match u16::try_from(first) {
                    Ok(k) => {
                        self.emit(Ins::LdKN { n, d, k });
                    }
                    Err(_) => {
                        for i in 0..slots {
                            self.emit(Ins::LdK { d: slot16(target + i)?, k: first + i });
                        }
                    }
                }
            }
            Place::Address(slot) => {
                let s = slot16(slot)?;
                let narrow = self.narrow_referent(entry.ty);
                self.emit(if narrow { Ins::LeaNarrow { d, s } } else { Ins::Lea { d, s } });
            }
            Place::Field { base, offset } => {
                let (r, o) = (slot16(base)?, slot16(offset)?);
                let narrow = self.narrow_referent(entry.ty);
                self.emit(if narrow { Ins::RefOffNarrow { d, r, o } } else { Ins::RefOff { d, r, o } });
            }
        }
        Ok(())
    }

    /// Whether a reference of this type counts bytes.
    pub(super) fn narrow_referent(&self, reference: TypeId) -> bool {
        self.ty(reference).referent().is_some_and(|inner| self.ty(inner).narrow != 0)
    }

    /// Copies whole slots.
    pub(super) fn copy_slots(&mut self, d: u32, s: u32, slots: u32) -> Result<(), Fault> {
        if d == s || slots == 0 {
            return Ok(());
        }
        let (d, s) = (slot16(d)?, slot16(s)?);
        let ins = if slots == 1 { Ins::Mov { d, s } } else { Ins::MovN { n: count8(slots)?, d, s } };
        self.emit(ins);
        Ok(())
    }

    /// Settles the topmost `count` operands and answers the home of the first.
    pub(super) fn settle_top(&mut self, count: usize) -> Result<u32, Fault> {
        let first =
            self.stack.len().checked_sub(count).ok_or_else(|| Fault::invariant("operands missing"))?;
        let base = self.stack.get(first).map_or_else(|| self.next_home(), |entry| entry.home);
        for at in first..self.stack.len() {
            let entry = self.stack[at];
            if entry.place != Place::Home {
                self.settle(entry)?;
                self.stack[at].place = Place::Home;
            }
        }
        Ok(base)
    }

    /// Makes every pending read of these slots real, before they change.
    pub(super) fn flush(&mut self, slot: u32, slots: u32) -> Result<(), Fault> {
        let range = slot..slot + slots;
        for at in 0..self.stack.len() {
            let entry = self.stack[at];
            let (first, width) = match entry.place {
                Place::Slot(first) => (first, self.ty(entry.ty).slots),
                Place::Field { base, .. } => (base, 1),
                _ => continue,
            };
            if first < range.end && range.start < first + width {
                self.settle(entry)?;
                self.stack[at].place = Place::Home;
            }
        }
        Ok(())
    }

    /// Drops an operand that nobody uses.
    pub(super) fn discard(&mut self, entry: Entry) -> Result<(), Fault> {
        if self.ty(entry.ty).flat {
            return Ok(());
        }
        let s = self.operand(entry)?;
        let ty = self.type_number(entry.ty)?;
        self.emit(Ins::Drop { s, ty });
        Ok(())
    }

    pub(super) fn copy_local(&mut self, number: u8) -> Result<(), Fault> {
        let local = self.locals[usize::from(number)];
        let info = self.ty(local.ty);
        self.pay(self.costs.copy_loc_base);
        if info.words_are_value {
            self.pay(self.costs.copy_loc_per_unit * self.costs.abs_struct * u64::from(info.fixed_nodes));
            self.push(local.ty, Place::Slot(local.slot));
            return Ok(());
        }
        self.clone_from(local.ty, local.slot, self.costs.copy_loc_per_unit)
    }

    /// Copies a value with blocks or enums out of a slot, paying by its size.
    fn clone_from(&mut self, ty: TypeId, slot: u32, per_unit: u64) -> Result<(), Fault> {
        let (d, s) = (slot16(self.next_home())?, slot16(slot)?);
        let a = self.type_number(ty)?;
        self.emit(Ins::Clone { d, s });
        self.emit(Ins::Arg { a, b: per_unit.min(u64::from(u32::MAX)) as u32 });
        self.push(ty, Place::Home);
        Ok(())
    }

    pub(super) fn move_local(&mut self, number: u8) -> Result<(), Fault> {
        self.pay(self.costs.move_loc);
        let local = &mut self.locals[usize::from(number)];
        local.set = false;
        let local = *local;
        self.push(local.ty, Place::Slot(local.slot));
        if local.flagged {
            self.settle_top(1)?;
            // Parts that were copied before the move are still read from the local.
            self.flush(local.slot, self.ty(local.ty).slots)?;
            let n = slot16(self.ty(local.ty).slots)?;
            self.emit(Ins::Zero { d: slot16(local.slot)?, n });
        }
        Ok(())
    }

    pub(super) fn store_local(&mut self, number: u8) -> Result<(), Fault> {
        self.pay(self.costs.st_loc);
        let entry = self.pop()?;
        let local = self.locals[usize::from(number)];
        let slots = self.ty(local.ty).slots;
        // The value may be the local's own: `x = move x`, or a copy of it.
        let own = matches!(entry.place, Place::Slot(s) if s == local.slot);
        let drops = local.owns && (local.set || local.flagged);
        let producer = self.last;
        let before = self.ins.len();
        self.flush(local.slot, slots)?;
        let flushed = self.ins.len() != before;
        if drops && !own {
            let (s, ty) = (slot16(local.slot)?, self.type_number(local.ty)?);
            self.emit(Ins::Drop { s, ty });
        }
        let made_last = producer.is_some_and(|at| at + 1 == self.ins.len());
        if self.how.fuse && entry.place == Place::Home && made_last && !flushed {
            let at = before - 1;
            if let Some(sent) =
                super::destination::redirect(self.ins[at], slot16(entry.home)?, slot16(local.slot)?)
            {
                self.ins[at] = sent;
                self.last = None;
                self.locals[usize::from(number)].set = true;
                return Ok(());
            }
        }
        self.place(entry, local.slot)?;
        self.last = None;
        self.locals[usize::from(number)].set = true;
        Ok(())
    }

    /// `StLoc l; MoveLoc l`: the value stays on the stack, and what the local held is gone.
    pub(super) fn store_and_move(&mut self, number: u8) -> Result<usize, Fault> {
        self.pay(self.costs.st_loc);
        let last = self.last;
        let local = self.locals[usize::from(number)];
        if local.owns && (local.set || local.flagged) {
            let (s, ty) = (slot16(local.slot)?, self.type_number(local.ty)?);
            self.emit(Ins::Drop { s, ty });
            if local.flagged {
                self.flush(local.slot, self.ty(local.ty).slots)?;
                let n = slot16(self.ty(local.ty).slots)?;
                self.emit(Ins::Zero { d: slot16(local.slot)?, n });
            }
        } else {
            self.last = last;
        }
        self.locals[usize::from(number)].set = false;
        self.pay_at(usize::from(self.offset) + 1, self.costs.move_loc);
        Ok(2)
    }
}
