//! The dispatch loop: one match over the instructions, in safe code.

use std::cell::Cell;

use super::vectors::{self, EMPTY, INDEX, LENGTH};
use super::{Frame, Machine};
use crate::arithmetic::{self, Words};
use crate::errors::{Fault, VmError, status};
use crate::ins::{BinOp, Code, Ins, NO_FIELD, NOT_IMPLEMENTED};
use crate::memory::{MASK, ORIGIN_SHIFT, Window};
use crate::types::Int;
use crate::wide;

/// Longest message of an abort, in bytes.
const ABORT_MESSAGE_BYTES_MAX: usize = 1024;

/// Word index in a reference. Narrow references are byte indices.
#[inline(always)]
fn target(reference: u64) -> usize {
    (reference & 0xffff_ffff) as usize
}

/// The part of a reference that says where it was borrowed from.
#[inline(always)]
fn origin(reference: u64) -> u64 {
    reference & (u64::MAX << ORIGIN_SHIFT)
}

#[inline(always)]
fn get(window: &Window, slot: u16) -> u64 {
    window[usize::from(slot)].get()
}

#[inline(always)]
fn set(window: &Window, slot: u16, value: u64) {
    window[usize::from(slot)].set(value);
}

#[inline(always)]
fn get128(window: &Window, slot: u16) -> u128 {
    let slot = usize::from(slot);
    let high = window.get(slot + 1).map_or(0, Cell::get);
    u128::from(window[slot].get()) | u128::from(high) << 64
}

#[inline(always)]
fn set128(window: &Window, slot: u16, value: u128) {
    set(window, slot, value as u64);
    set(window, slot.wrapping_add(1), (value >> 64) as u64);
}

#[inline(always)]
fn get256(window: &Window, slot: u16) -> Words {
    let at = |i: u16| get(window, slot.wrapping_add(i));
    [at(0), at(1), at(2), at(3)]
}

#[inline(always)]
fn set256(window: &Window, slot: u16, words: Words) {
    set(window, slot, words[0]);
    set(window, slot.wrapping_add(1), words[1]);
    set(window, slot.wrapping_add(2), words[2]);
    set(window, slot.wrapping_add(3), words[3]);
}

/// The bytecodes that the charge at `first` pays for, in the order they run.
fn order_of(code: &Code, first: u16) -> Vec<u16> {
    let Some(segment) = code.segments.iter().find(|segment| segment.first == first) else {
        return Vec::new();
    };
    let mut order: Vec<u16> = (segment.first..=segment.last).collect();
    if let Some(head) = segment.head {
        // The head runs up to where the next segment starts.
        let end = code.segments.iter().find(|other| other.first == head).map_or(head, |other| other.last);
        order.extend(head..=end);
    }
    order
}

impl<'a> Machine<'a, '_> {
    /// Runs `code` from its first instruction until its frame returns.
    pub(super) fn dispatch(&mut self, code: &'a Code, base: usize) -> Result<(), VmError> {
        if let Err(fault) = self.check_frame(code, base, 0) {
            return Err(fault.at(self.place(code, 0)).into());
        }
        let fuel = self.grant();
        self.dispatch_from::<false>(Frame { code, pc: 0, base, height: 0 }, fuel, usize::MAX)
    }

    /// Runs from a frame's instruction. `DRY`: the charge of the segment could not be paid; nothing is
    /// charged, and the run stops before instruction `dry` at the latest. Control does not branch on the
    /// way there.
    fn dispatch_from<const DRY: bool>(
        &mut self,
        start: Frame<'a>,
        mut fuel: i64,
        dry: usize,
    ) -> Result<(), VmError> {
        let memory = self.env.memory;
        let outermost = self.frames.len();
        let Frame { mut code, mut pc, mut base, mut height } = start;
        let mut window = memory.window(base);

        let fault: Fault = 'run: {
            macro_rules! fail {
                ($fault:expr) => {
                    break 'run $fault
                };
            }
            macro_rules! check {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(fault) => break 'run fault,
                    }
                };
            }
            macro_rules! checked {
                ($value:expr) => {
                    match $value {
                        Some(value) => value,
                        None => break 'run arithmetic::error(),
                    }
                };
            }
            macro_rules! jump {
                ($o:expr) => {{
                    pc = pc.wrapping_add_signed($o as isize);
                    continue;
                }};
            }
            macro_rules! arg {
                () => {
                    match code.ins.get(pc + 1) {
                        Some(Ins::Arg { a, b }) => {
                            pc += 1;
                            (*a, *b)
                        }
                        _ => break 'run Fault::invariant("operand word missing"),
                    }
                };
            }
            // Something that settles with the meter, and may fail.
            macro_rules! outside {
                ($body:expr) => {{
                    let left = fuel;
                    fuel = 0;
                    check!(self.settle(left));
                    let value = check!($body);
                    fuel = self.grant();
                    value
                }};
            }
            macro_rules! pay {
                ($cost:expr) => {{
                    let cost: u64 = $cost;
                    let left = fuel.saturating_sub_unsigned(cost);
                    if left < 0 {
                        let fault = self.exhausted(fuel, cost);
                        fuel = 0;
                        fail!(fault)
                    }
                    fuel = left;
                }};
            }
            loop {
                if DRY && pc == dry {
                    fail!(Fault::new(status::OUT_OF_GAS));
                }
                let Some(ins) = code.ins.get(pc) else { fail!(Fault::invariant("control left the code")) };
                match *ins {
                    Ins::Charge(cost) => {
                        fuel -= i64::from(cost);
                        if fuel < 0 {
                            let left = fuel + i64::from(cost);
                            let frame = Frame { code, pc, base, height };
                            return Err(self.run_dry(frame, left, outermost));
                        }
                    }
                    Ins::ChargeK(k) => {
                        let left = fuel.saturating_sub_unsigned(code.words[k as usize]);
                        if left < 0 {
                            let frame = Frame { code, pc, base, height };
                            return Err(self.run_dry(frame, fuel, outermost));
                        }
                        fuel = left;
                    }
                    Ins::Mov { d, s } => set(window, d, get(window, s)),
                    Ins::MovN { n, d, s } => {
                        memory.copy_words(base + usize::from(s), base + usize::from(d), usize::from(n));
                    }
                    Ins::LdI { d, v } => set(window, d, u64::from(v)),
                    Ins::LdK { d, k } => set(window, d, code.words[k as usize]),
                    Ins::LdKN { n, d, k } => {
                        let words = code.words.get(usize::from(k)..).unwrap_or(&[]);
                        for (i, word) in words.iter().take(usize::from(n)).enumerate() {
                            set(window, d.wrapping_add(i as u16), *word);
                        }
                    }
                    Ins::LdConst { d, c } => {
                        let (ty, bytes) = &code.constants[c as usize];
                        let ty = self.env.ty(*ty);
                        let decoded = self.env.values().decode(ty, bytes, base + usize::from(d));
                        check!(
                            decoded
                                .map_err(|error| error.or_status(status::UNKNOWN_INVARIANT_VIOLATION_ERROR))
                        );
                    }
                    Ins::Zero { d, n } => memory.zero_words(base + usize::from(d), usize::from(n)),

                    Ins::Add { d, a, b } => {
                        set(window, d, checked!(get(window, a).checked_add(get(window, b))));
                    }
                    Ins::Sub { d, a, b } => {
                        set(window, d, checked!(get(window, a).checked_sub(get(window, b))));
                    }
                    Ins::Mul { d, a, b } => {
                        set(window, d, checked!(get(window, a).checked_mul(get(window, b))));
                    }
                    Ins::Div { d, a, b } => {
                        set(window, d, checked!(get(window, a).checked_div(get(window, b))));
                    }
                    Ins::Mod { d, a, b } => {
                        set(window, d, checked!(get(window, a).checked_rem(get(window, b))));
                    }
                    Ins::AddK { d, a, k } => {
                        set(window, d, checked!(get(window, a).checked_add(code.words[usize::from(k)])));
                    }
                    Ins::SubK { d, a, k } => {
                        set(window, d, checked!(get(window, a).checked_sub(code.words[usize::from(k)])));
                    }
                    Ins::MulK { d, a, k } => {
                        set(window, d, checked!(get(window, a).checked_mul(code.words[usize::from(k)])));
                    }
                    Ins::DivK { d, a, k } => {
                        set(window, d, checked!(get(window, a).checked_div(code.words[usize::from(k)])));
                    }
                    Ins::ModK { d, a, k } => {
                        set(window, d, checked!(get(window, a).checked_rem(code.words[usize::from(k)])));
                    }
                    Ins::Shl { d, a, b } => {
                        let by = get(window, b);
                        if by >= 64 {
                            fail!(arithmetic::error());
                        }
                        set(window, d, get(window, a) << by);
                    }
                    Ins::Shr { d, a, b } => {
                        let by = get(window, b);
                        if by >= 64 {
                            fail!(arithmetic::error());
                        }
                        set(window, d, get(window, a) >> by);
                    }
                    Ins::ShlI { i, d, a } => set(window, d, get(window, a) << (i & 63)),
                    Ins::ShrI { i, d, a } => set(window, d, get(window, a) >> (i & 63)),
                    Ins::And { d, a, b } => set(window, d, get(window, a) & get(window, b)),
                    Ins::Or { d, a, b } => set(window, d, get(window, a) | get(window, b)),
                    Ins::Xor { d, a, b } => set(window, d, get(window, a) ^ get(window, b)),
                    Ins::AndK { d, a, k } => set(window, d, get(window, a) & code.words[usize::from(k)]),
                    Ins::Not { d, a } => set(window, d, get(window, a) ^ 1),
                    Ins::Lt { d, a, b } => set(window, d, u64::from(get(window, a) < get(window, b))),
                    Ins::Le { d, a, b } => set(window, d, u64::from(get(window, a) <= get(window, b))),
                    Ins::Eq { d, a, b } => set(window, d, u64::from(get(window, a) == get(window, b))),
                    Ins::Ne { d, a, b } => set(window, d, u64::from(get(window, a) != get(window, b))),
                    Ins::LtI { d, a, i } => set(window, d, u64::from(get(window, a) < u64::from(i))),
                    Ins::GeI { d, a, i } => set(window, d, u64::from(get(window, a) >= u64::from(i))),
                    Ins::LeI { d, a, i } => set(window, d, u64::from(get(window, a) <= u64::from(i))),
                    Ins::GtI { d, a, i } => set(window, d, u64::from(get(window, a) > u64::from(i))),
                    Ins::EqI { d, a, i } => set(window, d, u64::from(get(window, a) == u64::from(i))),
                    Ins::NeI { d, a, i } => set(window, d, u64::from(get(window, a) != u64::from(i))),

                    Ins::Bin { op, d, a, b } => {
                        let (op, int) = BinOp::unpack(op);
                        let result = arithmetic::binary(op, int, get256(window, a), get256(window, b));
                        let words = check!(result);
                        let slots = if matches!(op, BinOp::Lt | BinOp::Le) { 1 } else { int.slots() };
                        for (i, word) in words.iter().enumerate().take(slots as usize) {
                            set(window, d.wrapping_add(i as u16), *word);
                        }
                    }
                    Ins::Add128 { d, a, b } => {
                        set128(window, d, checked!(get128(window, a).checked_add(get128(window, b))));
                    }
                    Ins::Sub128 { d, a, b } => {
                        set128(window, d, checked!(get128(window, a).checked_sub(get128(window, b))));
                    }
                    Ins::Mul128 { d, a, b } => {
                        set128(window, d, checked!(get128(window, a).checked_mul(get128(window, b))));
                    }
                    Ins::Div128 { d, a, b } => {
                        set128(window, d, checked!(get128(window, a).checked_div(get128(window, b))));
                    }
                    Ins::Mod128 { d, a, b } => {
                        set128(window, d, checked!(get128(window, a).checked_rem(get128(window, b))));
                    }
                    Ins::Lt128 { d, a, b } => {
                        set(window, d, u64::from(get128(window, a) < get128(window, b)));
                    }
                    Ins::Le128 { d, a, b } => {
                        set(window, d, u64::from(get128(window, a) <= get128(window, b)));
                    }
                    Ins::Add256 { d, a, b } => {
                        set256(window, d, checked!(wide::add(get256(window, a), get256(window, b))));
                    }
                    Ins::Sub256 { d, a, b } => {
                        set256(window, d, checked!(wide::sub(get256(window, a), get256(window, b))));
                    }
                    Ins::Mul256 { d, a, b } => {
                        set256(window, d, checked!(wide::mul(get256(window, a), get256(window, b))));
                    }
                    Ins::Div256 { d, a, b } => {
                        set256(window, d, checked!(wide::div_rem(get256(window, a), get256(window, b))).0);
                    }
                    Ins::Mod256 { d, a, b } => {
                        set256(window, d, checked!(wide::div_rem(get256(window, a), get256(window, b))).1);
                    }
                    Ins::Cast { code: pair, d, a } => {
                        let count = Int::ALL.len() as u8;
                        let (from, to) =
                            (Int::ALL[usize::from(pair / count)], Int::ALL[usize::from(pair % count)]);
                        let words = check!(arithmetic::cast(from, to, get256(window, a)));
                        for (i, word) in words.iter().enumerate().take(to.slots() as usize) {
                            set(window, d.wrapping_add(i as u16), *word);
                        }
                    }
                    Ins::Negate { int, d, a } => {
                        let int = Int::ALL[usize::from(int)];
                        let words = check!(arithmetic::negate(int, get256(window, a)));
                        for (i, word) in words.iter().enumerate().take(int.slots() as usize) {
                            set(window, d.wrapping_add(i as u16), *word);
                        }
                    }
                    Ins::EqWords { n, d, a, b } => {
                        let equal = (0..u16::from(n))
                            .all(|i| get(window, a.wrapping_add(i)) == get(window, b.wrapping_add(i)));
                        set(window, d, u64::from(equal));
                    }
                    Ins::NeWords { n, d, a, b } => {
                        let equal = (0..u16::from(n))
                            .all(|i| get(window, a.wrapping_add(i)) == get(window, b.wrapping_add(i)));
                        set(window, d, u64::from(!equal));
                    }
                    Ins::EqValue { negate, d, a, b } => {
                        let (ty, per_unit) = arg!();
                        let ty = self.env.ty(code.types[usize::from(ty)]);
                        let (a, b) = (base + usize::from(a), base + usize::from(b));
                        if per_unit != 0 {
                            pay!(check!(self.sizes(ty, a, b)).saturating_mul(u64::from(per_unit)));
                        }
                        let values = self.env.values();
                        let equal = check!(values.equal(ty, a, b));
                        check!(values.release(ty, a));
                        check!(values.release(ty, b));
                        set(window, d, u64::from(equal != (negate != 0)));
                    }
                    Ins::EqBehind { negate, d, a, b } => {
                        let (ty, per_unit) = arg!();
                        let ty = self.env.ty(code.types[usize::from(ty)]);
                        let (a, b) = (target(get(window, a)), target(get(window, b)));
                        let equal = if ty.narrow != 0 {
                            let width = ty.narrow as usize;
                            memory.narrow(a, width) == memory.narrow(b, width)
                        } else {
                            if per_unit != 0 {
                                pay!(check!(self.sizes(ty, a, b)).saturating_mul(u64::from(per_unit)));
                            }
                            check!(self.env.values().equal(ty, a, b))
                        };
                        set(window, d, u64::from(equal != (negate != 0)));
                    }

                    Ins::Jmp { o } => jump!(o),
                    Ins::BrT { a, o } => {
                        if get(window, a) != 0 {
                            jump!(o)
                        }
                    }
                    Ins::BrF { a, o } => {
                        if get(window, a) == 0 {
                            jump!(o)
                        }
                    }
                    Ins::BrLt { a, b, o } => {
                        if get(window, a) < get(window, b) {
                            jump!(o)
                        }
                    }
                    Ins::BrLe { a, b, o } => {
                        if get(window, a) <= get(window, b) {
                            jump!(o)
                        }
                    }
                    Ins::BrEq { a, b, o } => {
                        if get(window, a) == get(window, b) {
                            jump!(o)
                        }
                    }
                    Ins::BrNe { a, b, o } => {
                        if get(window, a) != get(window, b) {
                            jump!(o)
                        }
                    }
                    Ins::BrLtI { a, i, o } => {
                        if get(window, a) < u64::from(i) {
                            jump!(o)
                        }
                    }
                    Ins::BrGeI { a, i, o } => {
                        if get(window, a) >= u64::from(i) {
                            jump!(o)
                        }
                    }
                    Ins::BrLeI { a, i, o } => {
                        if get(window, a) <= u64::from(i) {
                            jump!(o)
                        }
                    }
                    Ins::BrGtI { a, i, o } => {
                        if get(window, a) > u64::from(i) {
                            jump!(o)
                        }
                    }
                    Ins::BrEqI { a, i, o } => {
                        if get(window, a) == u64::from(i) {
                            jump!(o)
                        }
                    }
                    Ins::BrNeI { a, i, o } => {
                        if get(window, a) != u64::from(i) {
                            jump!(o)
                        }
                    }
                    Ins::IncLt { d, b, o } => {
                        let next = checked!(get(window, d).checked_add(1));
                        set(window, d, next);
                        if next < get(window, b) {
                            jump!(o)
                        }
                    }
                    Ins::Call { base: at, height: below, f } => {
                        let number = code.callees[usize::from(f)];
                        if !self.data.has_entered(number) {
                            check!(self.data.enter(self.env.catalog, number));
                        }
                        let mut callee = check!(self.catalog().code(number, self.env.costs));
                        let start = base + usize::from(at);
                        if callee.native.is_some() {
                            let Some(target) = outside!(self.native(callee, start)) else {
                                pc += 1;
                                continue;
                            };
                            callee = target;
                        }
                        if self.dispatched && callee.module != code.module {
                            check!(self.check_reentry(callee));
                        }
                        let inner = height + u32::from(below);
                        check!(self.check_frame(callee, start, inner));
                        self.frames.push(Frame { code, pc, base, height });
                        code = callee;
                        pc = 0;
                        base = start;
                        height = inner;
                        window = memory.window(base);
                        continue;
                    }
                    Ins::Ret { n, s } => {
                        memory.copy_words(base + usize::from(s), base, usize::from(n));
                        if self.frames.len() == outermost {
                            return self.settle(fuel).map_err(VmError::from);
                        }
                        let Some(frame) = self.frames.pop() else {
                            fail!(Fault::invariant("return without caller"))
                        };
                        code = frame.code;
                        pc = frame.pc;
                        base = frame.base;
                        height = frame.height;
                        window = memory.window(base);
                    }
                    Ins::Abort { s } => fail!(Fault::abort(get(window, s))),
                    Ins::AbortMsg { s, m } => {
                        let block = get(window, m) as usize;
                        let length = memory.length(block);
                        pay!(self.env.costs.abort_msg_per_byte.saturating_mul(length as u64));
                        fail!(self.abort_message(get(window, s), block, length))
                    }

                    Ins::Lea { d, s } => set(window, d, (base + usize::from(s)) as u64),
                    Ins::LeaNarrow { d, s } => set(window, d, (base + usize::from(s)) as u64 * 8),
                    Ins::RefOff { d, r, o } => set(window, d, get(window, r) + u64::from(o)),
                    Ins::RefOffNarrow { d, r, o } => {
                        let reference = get(window, r);
                        let bytes = (target(reference) as u64 + u64::from(o)) * 8;
                        set(window, d, origin(reference) | (bytes & 0xffff_ffff));
                    }
                    Ins::RefBox { d, r } => {
                        let reference = get(window, r);
                        let block = memory.word(target(reference)) & MASK as u64;
                        set(window, d, origin(reference) | (block + 1));
                    }
                    Ins::RefVariant { narrow, d, r, v } => {
                        let reference = get(window, r);
                        let slots = &code.variant_fields[usize::from(v)];
                        let tag = memory.word(target(reference)) as usize;
                        let Some(slot) = slots.get(tag).copied().filter(|slot| *slot != NO_FIELD) else {
                            fail!(Fault::new(status::STRUCT_VARIANT_MISMATCH))
                        };
                        let word = target(reference) as u64 + u64::from(slot);
                        let word = if narrow != 0 { word * 8 } else { word };
                        set(window, d, origin(reference) | (word & 0xffff_ffff));
                    }
                    Ins::Ld { d, r, o } => {
                        set(window, d, memory.word(target(get(window, r)) + usize::from(o)));
                    }
                    Ins::LdNarrow { w, d, r } => {
                        set(window, d, memory.narrow(target(get(window, r)), usize::from(w)));
                    }
                    Ins::LdN { n, d, r, o } => {
                        let from = target(get(window, r)) + usize::from(o);
                        memory.copy_words(from, base + usize::from(d), usize::from(n));
                    }
                    Ins::St { r, o, s } => {
                        let reference = get(window, r);
                        memory.touch(reference);
                        memory.set_word(target(reference) + usize::from(o), get(window, s));
                    }
                    Ins::StNarrow { w, r, s } => {
                        let reference = get(window, r);
                        memory.touch(reference);
                        memory.set_narrow(target(reference), usize::from(w), get(window, s));
                    }
                    Ins::StN { n, r, o, s } => {
                        let reference = get(window, r);
                        memory.touch(reference);
                        let to = target(reference) + usize::from(o);
                        memory.copy_words(base + usize::from(s), to, usize::from(n));
                    }
                    Ins::Clone { d, s } => {
                        let (ty, per_unit) = arg!();
                        let ty = self.env.ty(code.types[usize::from(ty)]);
                        let from = base + usize::from(s);
                        let size = check!(self.env.values().abstract_size(ty, from, self.env.costs));
                        pay!(size.saturating_mul(u64::from(per_unit)));
                        check!(self.env.values().copy(ty, from, base + usize::from(d)));
                    }
                    Ins::CloneBehind { d, r, o } => {
                        let (ty, per_unit) = arg!();
                        let ty = self.env.ty(code.types[usize::from(ty)]);
                        let from = target(get(window, r)) + usize::from(o);
                        let size = check!(self.env.values().abstract_size(ty, from, self.env.costs));
                        pay!(size.saturating_mul(u64::from(per_unit)));
                        check!(self.env.values().copy(ty, from, base + usize::from(d)));
                    }
                    Ins::Drop { s, ty } => {
                        let ty = self.env.ty(code.types[usize::from(ty)]);
                        check!(self.env.values().release(ty, base + usize::from(s)));
                    }
                    Ins::DropBehind { r, o, ty } => {
                        let ty = self.env.ty(code.types[usize::from(ty)]);
                        let at = target(get(window, r)) + usize::from(o);
                        check!(self.env.values().release(ty, at));
                    }
                    Ins::BoxNew { d, s, n } => {
                        let block = check!(memory.allocate(usize::from(n) * 8));
                        memory.copy_words(base + usize::from(s), block + 1, usize::from(n));
                        set(window, d, block as u64);
                    }
                    Ins::BoxOpen { d, s, n } => {
                        let block = get(window, s) as usize;
                        memory.copy_words(block + 1, base + usize::from(d), usize::from(n));
                        memory.release(block);
                    }

                    Ins::PackVariant { s, n, tag } => {
                        let at = base + usize::from(s);
                        memory.copy_words(at, at + 1, usize::from(n));
                        set(window, s, u64::from(tag));
                    }
                    Ins::UnpackVariant { tag, d, s, n } => {
                        if get(window, s) != u64::from(tag) {
                            fail!(Fault::new(status::STRUCT_VARIANT_MISMATCH));
                        }
                        let from = base + usize::from(s) + 1;
                        memory.copy_words(from, base + usize::from(d), usize::from(n));
                    }
                    Ins::TestVariant { d, r, tag } => {
                        let found = memory.word(target(get(window, r)));
                        set(window, d, u64::from(found == u64::from(tag)));
                    }

                    Ins::VecLen { d, r } => {
                        let block = memory.word(target(get(window, r))) as usize;
                        set(window, d, memory.length(block) as u64);
                    }
                    Ins::VecLenLocal { d, v } => {
                        set(window, d, memory.length(get(window, v) as usize) as u64);
                    }
                    Ins::VecRef { n, d, r, i } => {
                        let reference = get(window, r);
                        let block = memory.word(target(reference)) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        let at = block as u64 + 1 + index * u64::from(n);
                        set(window, d, origin(reference) | at);
                    }
                    Ins::VecRefNarrow { w, d, r, i } => {
                        let reference = get(window, r);
                        let block = memory.word(target(reference)) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        let at = (block as u64 + 1) * 8 + index * u64::from(w);
                        set(window, d, origin(reference) | at);
                    }
                    Ins::VecLd { n, d, r, i } => {
                        let block = memory.word(target(get(window, r))) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        let at = block + 1 + index as usize * usize::from(n);
                        if n == 1 {
                            set(window, d, memory.word(at));
                        } else {
                            memory.copy_words(at, base + usize::from(d), usize::from(n));
                        }
                    }
                    Ins::VecLdNarrow { w, d, r, i } => {
                        let block = memory.word(target(get(window, r))) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        let at = (block + 1) * 8 + index as usize * usize::from(w);
                        set(window, d, memory.narrow(at, usize::from(w)));
                    }
                    Ins::VecLdLocal { n, d, v, i } => {
                        let block = get(window, v) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        let at = block + 1 + index as usize * usize::from(n);
                        if n == 1 {
                            set(window, d, memory.word(at));
                        } else {
                            memory.copy_words(at, base + usize::from(d), usize::from(n));
                        }
                    }
                    Ins::VecLdNarrowLocal { w, d, v, i } => {
                        let block = get(window, v) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        let at = (block + 1) * 8 + index as usize * usize::from(w);
                        set(window, d, memory.narrow(at, usize::from(w)));
                    }
                    Ins::VecSt { n, r, i, s } => {
                        let reference = get(window, r);
                        let block = memory.word(target(reference)) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        memory.touch(reference);
                        let at = block + 1 + index as usize * usize::from(n);
                        memory.copy_words(base + usize::from(s), at, usize::from(n));
                    }
                    Ins::VecStNarrow { w, r, i, s } => {
                        let reference = get(window, r);
                        let block = memory.word(target(reference)) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        memory.touch(reference);
                        let at = (block + 1) * 8 + index as usize * usize::from(w);
                        memory.set_narrow(at, usize::from(w), get(window, s));
                    }
                    Ins::VecStLocal { n, v, i, s } => {
                        let block = get(window, v) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        let at = block + 1 + index as usize * usize::from(n);
                        memory.copy_words(base + usize::from(s), at, usize::from(n));
                    }
                    Ins::VecStNarrowLocal { w, v, i, s } => {
                        let block = get(window, v) as usize;
                        let index = get(window, i);
                        if index >= memory.length(block) as u64 {
                            fail!(vectors::error(INDEX));
                        }
                        let at = (block + 1) * 8 + index as usize * usize::from(w);
                        memory.set_narrow(at, usize::from(w), get(window, s));
                    }
                    Ins::VecPush { n, r, s } => {
                        let reference = get(window, r);
                        memory.touch(reference);
                        let n = usize::from(n);
                        let (block, at) = check!(vectors::reserve(memory, target(reference), n * 8));
                        memory.copy_words(base + usize::from(s), block + 1 + at * n, n);
                    }
                    Ins::VecPushNarrow { w, r, s } => {
                        let reference = get(window, r);
                        memory.touch(reference);
                        let w = usize::from(w);
                        let (block, at) = check!(vectors::reserve(memory, target(reference), w));
                        memory.set_narrow((block + 1) * 8 + at * w, w, get(window, s));
                    }
                    Ins::VecPushLocal { n, v, s } => {
                        let n = usize::from(n);
                        let (block, at) = check!(vectors::reserve(memory, base + usize::from(v), n * 8));
                        if n == 1 {
                            memory.set_word(block + 1 + at, get(window, s));
                        } else {
                            memory.copy_words(base + usize::from(s), block + 1 + at * n, n);
                        }
                    }
                    Ins::VecPushNarrowLocal { w, v, s } => {
                        let w = usize::from(w);
                        let (block, at) = check!(vectors::reserve(memory, base + usize::from(v), w));
                        memory.set_narrow((block + 1) * 8 + at * w, w, get(window, s));
                    }
                    Ins::VecPop { n, d, r } => {
                        let reference = get(window, r);
                        memory.touch(reference);
                        let block = memory.word(target(reference)) as usize;
                        let Some(last) = memory.length(block).checked_sub(1) else {
                            fail!(vectors::error(EMPTY))
                        };
                        memory.set_length(block, last);
                        let n = usize::from(n);
                        memory.copy_words(block + 1 + last * n, base + usize::from(d), n);
                    }
                    Ins::VecPopNarrow { w, d, r } => {
                        let reference = get(window, r);
                        memory.touch(reference);
                        let block = memory.word(target(reference)) as usize;
                        let Some(last) = memory.length(block).checked_sub(1) else {
                            fail!(vectors::error(EMPTY))
                        };
                        memory.set_length(block, last);
                        let w = usize::from(w);
                        set(window, d, memory.narrow((block + 1) * 8 + last * w, w));
                    }
                    Ins::VecSwap { r, i, j } => {
                        let (n, w) = arg!();
                        let reference = get(window, r);
                        memory.touch(reference);
                        let block = memory.word(target(reference)) as usize;
                        let (i, j) = (get(window, i), get(window, j));
                        check!(vectors::swap(memory, block, i, j, usize::from(n), w as usize));
                    }
                    Ins::VecPack { n, d, s, count } => {
                        let words = usize::from(n) * usize::from(count);
                        let block = check!(vectors::make(memory, usize::from(count), usize::from(n) * 8));
                        memory.copy_words(base + usize::from(s), block + 1, words);
                        set(window, d, block as u64);
                    }
                    Ins::VecPackNarrow { w, d, s, count } => {
                        let w = usize::from(w);
                        let block = check!(vectors::make(memory, usize::from(count), w));
                        for i in 0..usize::from(count) {
                            let value = memory.word(base + usize::from(s) + i);
                            memory.set_narrow((block + 1) * 8 + i * w, w, value);
                        }
                        set(window, d, block as u64);
                    }
                    Ins::VecUnpack { n, d, s, count } => {
                        let block = get(window, s) as usize;
                        if memory.length(block) != usize::from(count) {
                            fail!(vectors::error(LENGTH));
                        }
                        let words = usize::from(n) * usize::from(count);
                        memory.copy_words(block + 1, base + usize::from(d), words);
                        memory.release(block);
                    }
                    Ins::VecUnpackNarrow { w, d, s, count } => {
                        let block = get(window, s) as usize;
                        if memory.length(block) != usize::from(count) {
                            fail!(vectors::error(LENGTH));
                        }
                        let w = usize::from(w);
                        for i in 0..usize::from(count) {
                            let value = memory.narrow((block + 1) * 8 + i * w, w);
                            memory.set_word(base + usize::from(d) + i, value);
                        }
                        memory.release(block);
                    }

                    Ins::Borrow { d, a, ty, .. } => {
                        let ty = code.types[usize::from(ty)];
                        let address = get256(window, a);
                        if let Some(reference) = self.data.recent(address, ty) {
                            set(window, d, reference);
                            pc += 1;
                            continue;
                        }
                        let found = outside!(self.borrow_global(address, ty));
                        match found {
                            Some(reference) => set(window, d, reference),
                            None => fail!(Fault::new(status::MISSING_DATA)),
                        }
                    }
                    Ins::Exists { d, a, ty } => {
                        let ty = code.types[usize::from(ty)];
                        let address = get256(window, a);
                        let exists = outside!(self.exists_global(address, ty));
                        set(window, d, u64::from(exists));
                    }
                    Ins::MoveFrom { d, a, ty } => {
                        let ty = code.types[usize::from(ty)];
                        let address = get256(window, a);
                        let moved = outside!(self.move_from(address, ty, base + usize::from(d)));
                        if !moved {
                            fail!(Fault::new(status::MISSING_DATA));
                        }
                    }
                    Ins::MoveTo { r, s, ty } => {
                        let ty = code.types[usize::from(ty)];
                        let at = target(get(window, r));
                        let address =
                            [memory.word(at), memory.word(at + 1), memory.word(at + 2), memory.word(at + 3)];
                        let moved = outside!(self.move_to(address, ty, base + usize::from(s)));
                        if !moved {
                            fail!(Fault::new(status::RESOURCE_ALREADY_EXISTS));
                        }
                    }
                    Ins::Arg { .. } => fail!(Fault::invariant("operand word executed")),
                    Ins::NotImplemented { what } => {
                        let what = NOT_IMPLEMENTED.get(what as usize).copied().unwrap_or("an instruction");
                        fail!(Fault::not_implemented(what))
                    }
                }
                pc += 1;
            }
        };
        if DRY {
            return Err(fault.at(self.place(code, code.offsets.get(pc).copied().unwrap_or(0))).into());
        }
        Err(self.failed(fault, code, pc, fuel, outermost))
    }

    /// Ends a call whose next segment cannot be paid from a slice with `left` in it: runs it as far as
    /// that reaches, so that the outcome is the one of paying each bytecode as it comes. Something may
    /// fail before the gas is gone.
    #[cold]
    fn run_dry(&mut self, frame: Frame<'a>, left: i64, outermost: usize) -> VmError {
        self.frames.truncate(outermost);
        if let Err(fault) = self.settle(left) {
            return fault.at(self.place(frame.code, 0)).into();
        }
        let code = frame.code;
        let first = code.offsets.get(frame.pc).copied().unwrap_or(0);
        let order = order_of(code, first);
        let mut paid = 0u64;
        let position = order.iter().position(|offset| {
            paid = paid.saturating_add(code.cost[usize::from(*offset)]);
            paid > left as u64
        });
        let Some(position) = position else {
            return self.exhausted(0, u64::MAX).at(self.place(code, first)).into();
        };
        // The first instruction that belongs to the bytecode that cannot be paid, or to one after it.
        let place_of =
            |pc: usize| code.offsets.get(pc).and_then(|at| order.iter().position(|offset| offset == at));
        let dry = (frame.pc + 1..code.ins.len())
            .find(|pc| place_of(*pc).is_none_or(|place| place >= position))
            .unwrap_or(code.ins.len());
        let offset = order[position];
        let start = Frame { pc: frame.pc + 1, ..frame };
        match self.dispatch_from::<true>(start, i64::MAX, dry) {
            Err(error) if error.status != status::OUT_OF_GAS => {
                // What ran is paid: everything up to the bytecode that failed.
                let failed = error.location.as_ref().map_or(offset, |location| location.code_offset);
                let upto = order.iter().position(|offset| *offset == failed).unwrap_or(position);
                let spent = order[..=upto].iter().map(|offset| code.cost[usize::from(*offset)]).sum();
                match self.meter.charge_execution(spent) {
                    Ok(()) => error,
                    Err(fault) => fault.at(self.place(code, offset)).into(),
                }
            }
            _ => self.exhausted(0, u64::MAX).at(self.place(code, offset)).into(),
        }
    }

    /// Gives a failure its place, settles, and gives back what was charged ahead for code after it.
    #[cold]
    fn failed(&mut self, fault: Fault, code: &Code, pc: usize, fuel: i64, outermost: usize) -> VmError {
        self.frames.truncate(outermost);
        let settled = self.granted == 0 || self.settle(fuel).is_ok();
        let offset = code.offsets.get(pc).copied().unwrap_or(0);
        if settled && !matches!(fault.status(), status::OUT_OF_GAS | status::EXECUTION_LIMIT_REACHED) {
            let rest = code.rest_cost.get(usize::from(offset)).copied().unwrap_or(0);
            self.meter.refund_execution(rest);
        }
        fault.at(self.place(code, offset)).into()
    }

    /// Abstract sizes of two values together.
    fn sizes(&self, ty: &'a crate::types::TypeInfo, a: usize, b: usize) -> Result<u64, Fault> {
        let values = self.env.values();
        let costs = self.env.costs;
        Ok(values.abstract_size(ty, a, costs)?.saturating_add(values.abstract_size(ty, b, costs)?))
    }

    #[cold]
    fn abort_message(&self, code: u64, block: usize, length: usize) -> Fault {
        if length > ABORT_MESSAGE_BYTES_MAX {
            return Fault::new(status::ABORT_MESSAGE_LIMIT_EXCEEDED);
        }
        let mut bytes = Vec::new();
        self.env.memory.read_bytes((block + 1) * 8, length, &mut bytes);
        match String::from_utf8(bytes) {
            Ok(message) => Fault::abort(code).saying(message),
            Err(_) => Fault::new(status::INVALID_ABORT_MESSAGE),
        }
    }
}
