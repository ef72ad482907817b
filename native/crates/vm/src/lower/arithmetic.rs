//! Constants, integer and boolean operations, comparisons.

use ledger_bytecode::Bytecode;

use super::operands::{Entry, Place};
use super::{Lowerer, count8, slot16};
use crate::errors::Fault;
use crate::ins::{BinOp, Ins};
use crate::types::{Int, Kind, Op, TypeId, TypeKey};

impl Lowerer<'_> {
    /// Pushes a constant.
    pub(super) fn load(&mut self, instruction: Bytecode) -> Result<(), Fault> {
        use Bytecode as B;
        let costs = self.costs;
        let (cost, key, words): (u64, TypeKey, Vec<u64>) = match instruction {
            B::LdTrue => (costs.ld_true, TypeKey::Bool, vec![1]),
            B::LdFalse => (costs.ld_false, TypeKey::Bool, vec![0]),
            B::LdU8(v) => (costs.ld_u8, TypeKey::Int(Int::U8), vec![u64::from(v)]),
            B::LdU16(v) => (costs.ld_u16, TypeKey::Int(Int::U16), vec![u64::from(v)]),
            B::LdU32(v) => (costs.ld_u32, TypeKey::Int(Int::U32), vec![u64::from(v)]),
            B::LdU64(v) => (costs.ld_u64, TypeKey::Int(Int::U64), vec![v]),
            B::LdU128(v) => (costs.ld_u128, TypeKey::Int(Int::U128), words_of(&v.to_le_bytes())),
            B::LdU256(v) => (costs.ld_u256, TypeKey::Int(Int::U256), words_of(&v)),
            B::LdI8(v) => (costs.ld_i8, TypeKey::Int(Int::I8), vec![u64::from(v as u8)]),
            B::LdI16(v) => (costs.ld_i16, TypeKey::Int(Int::I16), vec![u64::from(v as u16)]),
            B::LdI32(v) => (costs.ld_i32, TypeKey::Int(Int::I32), vec![u64::from(v as u32)]),
            B::LdI64(v) => (costs.ld_i64, TypeKey::Int(Int::I64), vec![v as u64]),
            B::LdI128(v) => (costs.ld_i128, TypeKey::Int(Int::I128), words_of(&v.to_le_bytes())),
            B::LdI256(v) => (costs.ld_i256, TypeKey::Int(Int::I256), words_of(&v)),
            B::LdConst(index) => return self.load_constant(index),
            _ => return Err(Fault::invariant("not a load")),
        };
        self.pay(cost);
        let ty = self.intern(key)?;
        self.push_words(ty, &words);
        Ok(())
    }

    fn push_words(&mut self, ty: TypeId, words: &[u64]) {
        let place = match words {
            [word] => Place::Word(*word),
            _ => {
                let first = self.words.len() as u32;
                self.words.extend_from_slice(words);
                Place::Words(first)
            }
        };
        self.push(ty, place);
    }

    fn load_constant(&mut self, index: ledger_bytecode::ConstantIndex) -> Result<(), Fault> {
        let constant = &self.module.code[index];
        self.pay(self.costs.ld_const_base + self.costs.ld_const_per_byte * constant.bytes.len() as u64);
        let nodes = constant.value_type.nodes();
        let ty = self.catalog.types.resolve(&self.catalog.modules, self.module, nodes, &[])?;
        let info = self.ty(ty);
        let width = match info.program[..] {
            [Op::Words(count)] => count as usize * 8,
            [Op::Narrow(width)] => width as usize,
            [Op::Bool] => 1,
            _ => 0,
        };
        if width != 0 && width == constant.bytes.len() {
            self.push_words(ty, &words_of(&constant.bytes));
            return Ok(());
        }
        let c = self.constants.len() as u32;
        self.constants.push((ty, constant.bytes.clone().into()));
        self.define(ty, |d| Ins::LdConst { d, c })
    }

    /// Every instruction over integers and booleans.
    pub(super) fn arithmetic(&mut self, instruction: Bytecode) -> Result<(), Fault> {
        use Bytecode as B;
        let costs = self.costs;
        match instruction {
            B::Add => self.binary(BinOp::Add, costs.add),
            B::Sub => self.binary(BinOp::Sub, costs.sub),
            B::Mul => self.binary(BinOp::Mul, costs.mul),
            B::Div => self.binary(BinOp::Div, costs.div),
            B::Mod => self.binary(BinOp::Mod, costs.mod_),
            B::BitOr => self.binary(BinOp::Or, costs.bit_or),
            B::BitAnd => self.binary(BinOp::And, costs.bit_and),
            B::Xor => self.binary(BinOp::Xor, costs.xor),
            B::Or => self.binary(BinOp::Or, costs.or_),
            B::And => self.binary(BinOp::And, costs.and_),
            B::Shl => self.binary(BinOp::Shl, costs.shl),
            B::Shr => self.binary(BinOp::Shr, costs.shr),
            B::Not => {
                self.pay(costs.not);
                let entry = self.pop()?;
                let a = self.operand(entry)?;
                self.define(entry.ty, |d| Ins::Not { d, a })
            }
            B::Lt => self.order(false, false, costs.lt),
            B::Gt => self.order(false, true, costs.gt),
            B::Le => self.order(true, false, costs.le),
            B::Ge => self.order(true, true, costs.ge),
            B::Eq => self.equality(false, costs.eq_base, costs.eq_per_unit),
            B::Neq => self.equality(true, costs.neq_base, costs.neq_per_unit),
            B::CastU8 => self.cast(Int::U8, costs.cast_u8),
            B::CastU16 => self.cast(Int::U16, costs.cast_u16),
            B::CastU32 => self.cast(Int::U32, costs.cast_u32),
            B::CastU64 => self.cast(Int::U64, costs.cast_u64),
            B::CastU128 => self.cast(Int::U128, costs.cast_u128),
            B::CastU256 => self.cast(Int::U256, costs.cast_u256),
            B::CastI8 => self.cast(Int::I8, costs.cast_i8),
            B::CastI16 => self.cast(Int::I16, costs.cast_i16),
            B::CastI32 => self.cast(Int::I32, costs.cast_i32),
            B::CastI64 => self.cast(Int::I64, costs.cast_i64),
            B::CastI128 => self.cast(Int::I128, costs.cast_i128),
            B::CastI256 => self.cast(Int::I256, costs.cast_i256),
            B::Negate => {
                self.pay(costs.negate);
                let entry = self.pop()?;
                let int = self.int(entry.ty)? as u8;
                let a = self.operand(entry)?;
                self.define(entry.ty, |d| Ins::Negate { int, d, a })
            }
            other => Err(Fault::not_implemented(other.name())),
        }
    }

    fn int(&self, ty: TypeId) -> Result<Int, Fault> {
        self.ty(ty).int().ok_or_else(|| Fault::invariant("not an integer"))
    }

    fn binary(&mut self, op: BinOp, cost: u64) -> Result<(), Fault> {
        self.pay(cost);
        let (right, left) = (self.pop()?, self.pop()?);
        let ty = left.ty;
        let int = match self.ty(ty).kind {
            Kind::Bool => Int::U64,
            _ => self.int(ty)?,
        };
        if let Some(()) = self.binary_constant(op, int, left, right)? {
            return Ok(());
        }
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let word = !int.is_signed() && int.slots() == 1;
        self.define(ty, |d| match (op, int) {
            (BinOp::And, _) if word => Ins::And { d, a, b },
            (BinOp::Or, _) if word => Ins::Or { d, a, b },
            (BinOp::Xor, _) if word => Ins::Xor { d, a, b },
            (BinOp::Add, Int::U64) => Ins::Add { d, a, b },
            (BinOp::Sub, Int::U64) => Ins::Sub { d, a, b },
            (BinOp::Mul, Int::U64) => Ins::Mul { d, a, b },
            (BinOp::Div, Int::U64) => Ins::Div { d, a, b },
            (BinOp::Mod, Int::U64) => Ins::Mod { d, a, b },
            (BinOp::Shl, Int::U64) => Ins::Shl { d, a, b },
            (BinOp::Shr, Int::U64) => Ins::Shr { d, a, b },
            (BinOp::Add, Int::U128) => Ins::Add128 { d, a, b },
            (BinOp::Sub, Int::U128) => Ins::Sub128 { d, a, b },
            (BinOp::Mul, Int::U128) => Ins::Mul128 { d, a, b },
            (BinOp::Div, Int::U128) => Ins::Div128 { d, a, b },
            (BinOp::Mod, Int::U128) => Ins::Mod128 { d, a, b },
            (BinOp::Add, Int::U256) => Ins::Add256 { d, a, b },
            (BinOp::Sub, Int::U256) => Ins::Sub256 { d, a, b },
            (BinOp::Mul, Int::U256) => Ins::Mul256 { d, a, b },
            (BinOp::Div, Int::U256) => Ins::Div256 { d, a, b },
            (BinOp::Mod, Int::U256) => Ins::Mod256 { d, a, b },
            _ => Ins::Bin { op: op.pack(int), d, a, b },
        })
    }

    /// Operations on `u64` with a constant at the right, or at the left where the order is free.
    fn binary_constant(
        &mut self,
        op: BinOp,
        int: Int,
        left: Entry,
        right: Entry,
    ) -> Result<Option<()>, Fault> {
        if int != Int::U64 || !self.how.fuse {
            return Ok(None);
        }
        let commutes = matches!(op, BinOp::Add | BinOp::Mul | BinOp::And);
        let (value, other) = match (left.place, right.place) {
            (_, Place::Word(value)) => (value, left),
            (Place::Word(value), _) if commutes => (value, right),
            _ => return Ok(None),
        };
        if matches!(op, BinOp::Shl | BinOp::Shr) {
            if value >= 64 {
                return Ok(None);
            }
            let (a, i) = (self.operand(other)?, value as u8);
            self.define(left.ty, |d| {
                if op == BinOp::Shl { Ins::ShlI { i, d, a } } else { Ins::ShrI { i, d, a } }
            })?;
            return Ok(Some(()));
        }
        let divides = matches!(op, BinOp::Div | BinOp::Mod);
        let Ok(k) = u16::try_from(self.word(value)) else { return Ok(None) };
        if (divides && value == 0)
            || !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::And)
        {
            return Ok(None);
        }
        let a = self.operand(other)?;
        self.define(left.ty, |d| match op {
            BinOp::Add => Ins::AddK { d, a, k },
            BinOp::Sub => Ins::SubK { d, a, k },
            BinOp::Mul => Ins::MulK { d, a, k },
            BinOp::Div => Ins::DivK { d, a, k },
            BinOp::Mod => Ins::ModK { d, a, k },
            _ => Ins::AndK { d, a, k },
        })?;
        Ok(Some(()))
    }

    /// `<` and `<=`, with the operands swapped for `>` and `>=`.
    fn order(&mut self, or_equal: bool, swapped: bool, cost: u64) -> Result<(), Fault> {
        self.pay(cost);
        let (right, left) = (self.pop()?, self.pop()?);
        let int = self.int(left.ty)?;
        let boolean = self.intern(TypeKey::Bool)?;
        let word = !int.is_signed() && int.slots() == 1;
        if word
            && let Place::Word(value) = right.place
            && let Ok(i) = u16::try_from(value)
        {
            let a = self.operand(left)?;
            return self.define(boolean, |d| match (swapped, or_equal) {
                (false, false) => Ins::LtI { d, a, i },
                (false, true) => Ins::LeI { d, a, i },
                (true, false) => Ins::GtI { d, a, i },
                (true, true) => Ins::GeI { d, a, i },
            });
        }
        let (mut a, mut b) = (self.operand(left)?, self.operand(right)?);
        if swapped {
            (a, b) = (b, a);
        }
        // The result takes the left operand's home.
        self.define(boolean, |d| match (int, or_equal) {
            (_, false) if word => Ins::Lt { d, a, b },
            (_, true) if word => Ins::Le { d, a, b },
            (Int::U128, false) => Ins::Lt128 { d, a, b },
            (Int::U128, true) => Ins::Le128 { d, a, b },
            (_, false) => Ins::Bin { op: BinOp::Lt.pack(int), d, a, b },
            (_, true) => Ins::Bin { op: BinOp::Le.pack(int), d, a, b },
        })
    }

    fn equality(&mut self, negate: bool, base: u64, per_unit: u64) -> Result<(), Fault> {
        self.pay(base);
        let (right, left) = (self.pop()?, self.pop()?);
        let boolean = self.intern(TypeKey::Bool)?;
        let (behind, info) = match self.ty(left.ty).referent() {
            Some(inner) => (true, self.ty(inner)),
            None => (false, self.ty(left.ty)),
        };
        if info.words_are_value {
            self.pay(2 * per_unit * self.costs.abs_struct * u64::from(info.fixed_nodes));
        }
        if !behind && info.words_are_value {
            if let (1, Place::Word(value)) = (info.slots, right.place)
                && let Ok(i) = u16::try_from(value)
            {
                let a = self.operand(left)?;
                return self
                    .define(boolean, |d| if negate { Ins::NeI { d, a, i } } else { Ins::EqI { d, a, i } });
            }
            let (a, b, n) = (self.operand(left)?, self.operand(right)?, count8(info.slots)?);
            return self.define(boolean, |d| match (n, negate) {
                (1, false) => Ins::Eq { d, a, b },
                (1, true) => Ins::Ne { d, a, b },
                (_, false) => Ins::EqWords { n, d, a, b },
                (_, true) => Ins::NeWords { n, d, a, b },
            });
        }
        let (a, b, d) = (self.operand(left)?, self.operand(right)?, slot16(left.home)?);
        let (number, negate) = (self.type_number(info.id)?, u8::from(negate));
        self.emit(if behind { Ins::EqBehind { negate, d, a, b } } else { Ins::EqValue { negate, d, a, b } });
        let per_unit = if info.words_are_value { 0 } else { per_unit.min(u64::from(u32::MAX)) as u32 };
        self.emit(Ins::Arg { a: number, b: per_unit });
        self.push(boolean, Place::Home);
        Ok(())
    }

    fn cast(&mut self, to: Int, cost: u64) -> Result<(), Fault> {
        self.pay(cost);
        let entry = self.pop()?;
        let from = self.int(entry.ty)?;
        let ty = self.intern(TypeKey::Int(to))?;
        let unsigned = !from.is_signed() && !to.is_signed();
        if unsigned && to.slots() == 1 && to.width() >= from.width() {
            // The slot already holds the value, zero-extended; `last` stays, the home is the same.
            let last = self.last;
            self.push(ty, entry.place);
            self.last = last;
            return Ok(());
        }
        if from == to {
            self.push(ty, entry.place);
            return Ok(());
        }
        let a = self.operand(entry)?;
        let code = from as u8 * Int::ALL.len() as u8 + to as u8;
        self.define(ty, |d| Ins::Cast { code, d, a })
    }
}

/// Little-endian bytes as words, the last one zero-extended.
fn words_of(bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect()
}
