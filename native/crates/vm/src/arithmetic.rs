//! Integer operations that have no instruction of their own: narrow, signed and wide ones.
//!
//! Operands and results are little-endian words as slots hold them: narrow values zero-extended,
//! signed ones as two's complement of their width.

use ruint::aliases::U256;

use crate::errors::{Fault, status};
use crate::ins::BinOp;
use crate::types::Int;

/// Words of the widest integer.
pub type Words = [u64; 4];

/// An arithmetic error.
#[cold]
pub fn error() -> Fault {
    Fault::new(status::ARITHMETIC_ERROR)
}

/// Applies a binary operation; comparisons answer 0 or 1.
///
/// # Errors
/// `ARITHMETIC_ERROR` on overflow, division by zero and oversized shifts.
pub fn binary(op: BinOp, int: Int, a: Words, b: Words) -> Result<Words, Fault> {
    if matches!(op, BinOp::Shl | BinOp::Shr) {
        return shift(op, int, a, b[0]);
    }
    match int {
        Int::U256 => wide(op, U256::from_limbs(a), U256::from_limbs(b)),
        Int::I256 => signed_wide(op, a, b),
        Int::U128 => unsigned(op, low(a), low(b)),
        _ => {
            let (a, b) = (extend(int, a), extend(int, b));
            if op == BinOp::Lt || op == BinOp::Le {
                let holds = if op == BinOp::Lt { a < b } else { a <= b };
                return Ok([u64::from(holds), 0, 0, 0]);
            }
            let value = match op {
                BinOp::Add => a.checked_add(b),
                BinOp::Sub => a.checked_sub(b),
                BinOp::Mul => a.checked_mul(b),
                BinOp::Div => a.checked_div(b),
                // The least value modulo -1 is an error at every width.
                BinOp::Mod if b == -1 && a == least(int) => None,
                BinOp::Mod => a.checked_rem(b),
                BinOp::Or => Some(a | b),
                BinOp::And => Some(a & b),
                BinOp::Xor => Some(a ^ b),
                _ => None,
            };
            narrow(int, value.ok_or_else(error)?)
        }
    }
}

/// Converts between integer types, keeping the value.
///
/// # Errors
/// `ARITHMETIC_ERROR` when the value does not fit.
pub fn cast(from: Int, to: Int, a: Words) -> Result<Words, Fault> {
    let negative = is_negative(from, a);
    let magnitude = magnitude(from, a);
    from_magnitude(to, negative, magnitude)
}

/// Changes the sign.
///
/// # Errors
/// `ARITHMETIC_ERROR` for the least value.
pub fn negate(int: Int, a: Words) -> Result<Words, Fault> {
    from_magnitude(int, !is_negative(int, a), magnitude(int, a))
}

fn low(words: Words) -> u128 {
    u128::from(words[0]) | u128::from(words[1]) << 64
}

fn split(value: u128) -> Words {
    [value as u64, (value >> 64) as u64, 0, 0]
}

fn flag(holds: bool) -> Words {
    [u64::from(holds), 0, 0, 0]
}

/// The value of a type of at most 64 bits, or of `i128`.
fn extend(int: Int, a: Words) -> i128 {
    match int {
        Int::I8 => i128::from(a[0] as u8 as i8),
        Int::I16 => i128::from(a[0] as u16 as i16),
        Int::I32 => i128::from(a[0] as u32 as i32),
        Int::I64 => i128::from(a[0] as i64),
        Int::I128 => low(a) as i128,
        _ => i128::from(a[0]),
    }
}

fn least(int: Int) -> i128 {
    i128::MIN >> (128 - 8 * int.width().min(16))
}

/// Puts a value into the slots of such a type, if it fits.
fn narrow(int: Int, value: i128) -> Result<Words, Fault> {
    if int == Int::I128 {
        return Ok(split(value as u128));
    }
    let bits = 8 * int.width();
    let fits = if int.is_signed() {
        let most = (1i128 << (bits - 1)) - 1;
        (-most - 1..=most).contains(&value)
    } else {
        (0..=(1i128 << bits) - 1).contains(&value)
    };
    if !fits {
        return Err(error());
    }
    let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    Ok([value as u64 & mask, 0, 0, 0])
}

fn unsigned(op: BinOp, a: u128, b: u128) -> Result<Words, Fault> {
    let value = match op {
        BinOp::Lt => return Ok(flag(a < b)),
        BinOp::Le => return Ok(flag(a <= b)),
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => a.checked_div(b),
        BinOp::Mod => a.checked_rem(b),
        BinOp::Or => Some(a | b),
        BinOp::And => Some(a & b),
        _ => Some(a ^ b),
    };
    value.map(split).ok_or_else(error)
}

fn wide(op: BinOp, a: U256, b: U256) -> Result<Words, Fault> {
    let value = match op {
        BinOp::Lt => return Ok(flag(a < b)),
        BinOp::Le => return Ok(flag(a <= b)),
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => a.checked_div(b),
        BinOp::Mod => a.checked_rem(b),
        BinOp::Or => Some(a | b),
        BinOp::And => Some(a & b),
        _ => Some(a ^ b),
    };
    value.map(U256::into_limbs).ok_or_else(error)
}

fn signed_wide(op: BinOp, a: Words, b: Words) -> Result<Words, Fault> {
    let int = Int::I256;
    let (minus_a, minus_b) = (is_negative(int, a), is_negative(int, b));
    let (x, y) = (magnitude(int, a), magnitude(int, b));
    match op {
        BinOp::Lt | BinOp::Le => {
            let less = match (minus_a, minus_b) {
                (true, false) => true,
                (false, true) => false,
                (false, false) => x < y,
                (true, true) => x > y,
            };
            Ok(flag(less || (op == BinOp::Le && a == b)))
        }
        BinOp::Add | BinOp::Sub => {
            let minus_b = minus_b != (op == BinOp::Sub);
            if minus_a == minus_b {
                from_magnitude(int, minus_a, x.checked_add(y).ok_or_else(error)?)
            } else if x >= y {
                from_magnitude(int, minus_a, x - y)
            } else {
                from_magnitude(int, minus_b, y - x)
            }
        }
        BinOp::Mul => from_magnitude(int, minus_a != minus_b, x.checked_mul(y).ok_or_else(error)?),
        BinOp::Div => from_magnitude(int, minus_a != minus_b, x.checked_div(y).ok_or_else(error)?),
        BinOp::Mod => {
            let least = U256::from(1) << 255;
            if minus_a && x == least && minus_b && y == U256::from(1) {
                return Err(error());
            }
            from_magnitude(int, minus_a, x.checked_rem(y).ok_or_else(error)?)
        }
        _ => Err(Fault::invariant("bit operation on a signed integer")),
    }
}

fn is_negative(int: Int, a: Words) -> bool {
    match int {
        Int::I256 => a[3] >> 63 != 0,
        _ => int.is_signed() && extend(int, a) < 0,
    }
}

/// The absolute value.
fn magnitude(int: Int, a: Words) -> U256 {
    match int {
        Int::U256 => U256::from_limbs(a),
        Int::I256 => {
            let value = U256::from_limbs(a);
            if is_negative(int, a) { value.wrapping_neg() } else { value }
        }
        Int::U128 => U256::from(low(a)),
        _ => U256::from(extend(int, a).unsigned_abs()),
    }
}

/// The value of this sign and magnitude, if the type has it.
fn from_magnitude(int: Int, negative: bool, magnitude: U256) -> Result<Words, Fault> {
    let bits = 8 * int.width() as usize;
    let negative = negative && !magnitude.is_zero();
    let limit = if int.is_signed() {
        let half = U256::from(1) << (bits - 1);
        if negative { half } else { half - U256::from(1) }
    } else if negative {
        return Err(error());
    } else {
        U256::MAX >> (256 - bits)
    };
    if magnitude > limit {
        return Err(error());
    }
    let value = if negative { magnitude.wrapping_neg() } else { magnitude };
    Ok((value & (U256::MAX >> (256 - bits))).into_limbs())
}

fn shift(op: BinOp, int: Int, a: Words, by: u64) -> Result<Words, Fault> {
    let bits = u64::from(8 * int.width());
    if by >= bits {
        return Err(error());
    }
    let value = U256::from_limbs(match int.slots() {
        1 => [a[0], 0, 0, 0],
        2 => [a[0], a[1], 0, 0],
        _ => a,
    });
    let by = by as usize;
    let shifted = if op == BinOp::Shl { value << by } else { value >> by };
    Ok((shifted & (U256::MAX >> (256 - bits as usize))).into_limbs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn w(value: i128) -> Words {
        split(value as u128)
    }

    #[test]
    fn narrow_results_are_checked_at_their_own_width() {
        let rows = [
            (BinOp::Add, Int::U8, 200, 55, Some(255)),
            (BinOp::Add, Int::U8, 200, 56, None),
            (BinOp::Sub, Int::U16, 1, 2, None),
            (BinOp::Mul, Int::U32, 65536, 65535, Some(4_294_901_760)),
            (BinOp::Mul, Int::U32, 65536, 65536, None),
            (BinOp::Div, Int::U8, 7, 0, None),
            (BinOp::Mod, Int::U8, 7, 4, Some(3)),
        ];
        for (op, int, a, b, expected) in rows {
            assert_eq!(binary(op, int, w(a), w(b)).ok(), expected.map(w), "{op:?} {int:?} {a} {b}");
        }
    }

    #[test]
    fn signed_division_truncates_and_its_one_overflow_is_an_error() {
        let i8 = |value: i128| [value as u8 as u64, 0, 0, 0];
        assert_eq!(binary(BinOp::Div, Int::I8, i8(-7), i8(2)).ok(), Some(i8(-3)));
        assert_eq!(binary(BinOp::Mod, Int::I8, i8(-7), i8(2)).ok(), Some(i8(-1)));
        assert!(binary(BinOp::Div, Int::I8, i8(-128), i8(-1)).is_err());
        assert!(binary(BinOp::Mod, Int::I8, i8(-128), i8(-1)).is_err());
        assert!(negate(Int::I8, i8(-128)).is_err());
    }

    #[test]
    fn casts_keep_the_value_or_fail() {
        assert_eq!(cast(Int::I8, Int::I256, [0xff, 0, 0, 0]).ok(), Some([u64::MAX; 4]));
        assert!(cast(Int::I8, Int::U8, [0xff, 0, 0, 0]).is_err());
        assert_eq!(cast(Int::U128, Int::U64, w(5)).ok(), Some(w(5)));
        assert!(cast(Int::U64, Int::I64, [1 << 63, 0, 0, 0]).is_err());
    }

    #[test]
    fn a_shift_by_the_width_or_more_is_an_error() {
        assert_eq!(binary(BinOp::Shl, Int::U8, w(0x81), w(1)).ok(), Some(w(2)));
        assert!(binary(BinOp::Shl, Int::U8, w(1), w(8)).is_err());
        assert_eq!(binary(BinOp::Shr, Int::U256, [0, 0, 0, 8], w(195)).ok(), Some(w(1)));
    }
}
