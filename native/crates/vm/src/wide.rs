//! Unsigned 256-bit arithmetic over four little-endian words, checked.
//!
//! Most 256-bit numbers that programs handle are short, so every operation looks at the lengths first.
//! Division is the classical long division (Knuth, The Art of Computer Programming, volume 2, 4.3.1,
//! algorithm D) in base 2^64, with quotient words found by multiplication with a reciprocal (Möller and
//! Granlund, Improved division by invariant integers, 2011), since the machine's own division of two
//! words by one is many times slower.

use crate::arithmetic::Words;

/// Words up to and including the highest that is not zero.
#[inline(always)]
fn length(a: &Words) -> usize {
    if a[3] != 0 {
        4
    } else if a[2] != 0 {
        3
    } else if a[1] != 0 {
        2
    } else {
        1
    }
}

#[inline(always)]
fn low(a: &Words) -> u128 {
    u128::from(a[0]) | u128::from(a[1]) << 64
}

#[inline(always)]
fn high(a: &Words) -> u128 {
    u128::from(a[2]) | u128::from(a[3]) << 64
}

#[inline(always)]
fn join(low: u128, high: u128) -> Words {
    [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
}

/// `a + b`, if it fits.
#[inline(always)]
pub fn add(a: Words, b: Words) -> Option<Words> {
    let (bottom, carry) = low(&a).overflowing_add(low(&b));
    let (top, over) = high(&a).overflowing_add(high(&b));
    let (top, more) = top.overflowing_add(u128::from(carry));
    (!over && !more).then(|| join(bottom, top))
}

/// `a - b`, if it is not negative.
#[inline(always)]
pub fn sub(a: Words, b: Words) -> Option<Words> {
    let (bottom, borrow) = low(&a).overflowing_sub(low(&b));
    let (top, under) = high(&a).overflowing_sub(high(&b));
    let (top, more) = top.overflowing_sub(u128::from(borrow));
    (!under && !more).then(|| join(bottom, top))
}

/// `a * b`, if it fits.
#[inline(always)]
pub fn mul(a: Words, b: Words) -> Option<Words> {
    if high(&a) == 0 && high(&b) == 0 {
        return Some(mul_halves(&a, &b));
    }
    mul_long(&a, &b)
}

/// The product of two numbers of two words, which always fits.
#[inline(always)]
fn mul_halves(a: &Words, b: &Words) -> Words {
    let wide = |x: u64, y: u64| u128::from(x) * u128::from(y);
    let p0 = wide(a[0], b[0]);
    let p1 = wide(a[0], b[1]);
    let p2 = wide(a[1], b[0]);
    let p3 = wide(a[1], b[1]);
    let middle = (p0 >> 64) + u128::from(p1 as u64) + u128::from(p2 as u64);
    let top = p3 + (p1 >> 64) + (p2 >> 64) + (middle >> 64);
    [p0 as u64, middle as u64, top as u64, (top >> 64) as u64]
}

#[inline(never)]
fn mul_long(a: &Words, b: &Words) -> Option<Words> {
    let (m, n) = (length(a), length(b));
    if m + n > 5 {
        return None;
    }
    let mut out = [0u64; 6];
    for i in 0..m {
        let mut carry = 0u128;
        for j in 0..n {
            let t = u128::from(a[i]) * u128::from(b[j]) + u128::from(out[i + j]) + carry;
            out[i + j] = t as u64;
            carry = t >> 64;
        }
        out[i + n] = carry as u64;
    }
    (out[4] == 0 && out[5] == 0).then(|| [out[0], out[1], out[2], out[3]])
}

/// Quotient and remainder, if `b` is not zero.
#[inline(never)]
pub fn div_rem(a: Words, b: Words) -> Option<(Words, Words)> {
    let n = length(&b);
    if n == 1 {
        return (b[0] != 0).then(|| by_word(&a, b[0]));
    }
    if high(&a) == 0 && (low(&a) < low(&b) || high(&b) != 0) {
        return Some(([0; 4], a));
    }
    if n == 2 {
        return Some(by_two_words(&a, low(&b)));
    }
    Some(long_division(&a, &b, n))
}

/// `floor((2^128 - 1) / d) - 2^64`, for `d` with its top bit set.
#[inline(always)]
fn reciprocal(d: u64) -> u64 {
    let (d0, d40) = (d & 1, (d >> 24) + 1);
    let d63 = (d >> 1) + d0;
    // Eleven bits from a small division, doubled by each Newton step.
    let v0 = u64::from((0x7fd00u32) / (d >> 55) as u32);
    let v1 = (v0 << 11) - ((v0 * v0).wrapping_mul(d40) >> 40) - 1;
    let v2 = (v1 << 13) + (v1.wrapping_mul((1u64 << 60).wrapping_sub(v1.wrapping_mul(d40))) >> 47);
    let e = ((v2 >> 1) & 0u64.wrapping_sub(d0)).wrapping_sub(v2.wrapping_mul(d63));
    let v3 = (v2 << 31).wrapping_add(((u128::from(v2) * u128::from(e)) >> 65) as u64);
    let product = (u128::from(v3) * u128::from(d)).wrapping_add(u128::from(d));
    v3.wrapping_sub((product >> 64) as u64).wrapping_sub(d)
}

/// Quotient and remainder of two words by one, for `high < d` and `d` with its top bit set.
#[inline(always)]
fn two_by_one(high: u64, low: u64, d: u64, reciprocal: u64) -> (u64, u64) {
    let estimate = u128::from(reciprocal) * u128::from(high) + (u128::from(high) << 64 | u128::from(low));
    let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let mut rest = low.wrapping_sub(quotient.wrapping_mul(d));
    if rest > estimate as u64 {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(d);
    }
    if rest >= d {
        quotient += 1;
        rest -= d;
    }
    (quotient, rest)
}

fn by_word(a: &Words, b: u64) -> (Words, Words) {
    let shift = b.leading_zeros();
    let (d, numerator) = (b << shift, shifted(a, shift));
    let reciprocal = reciprocal(d);
    let mut quotient = [0; 4];
    let mut rest = if shift == 0 { 0 } else { a[3] >> (64 - shift) };
    for i in (0..4).rev() {
        (quotient[i], rest) = two_by_one(rest, numerator[i], d, reciprocal);
    }
    (quotient, [rest >> shift, 0, 0, 0])
}

/// The reciprocal for dividing three words by two, for `d` with its top bit set.
#[inline(always)]
fn reciprocal_of_two(d: u128) -> u64 {
    let (d1, d0) = ((d >> 64) as u64, d as u64);
    let mut v = reciprocal(d1);
    let (mut p, carry) = d1.wrapping_mul(v).overflowing_add(d0);
    if carry {
        v -= 1;
        if p >= d1 {
            v -= 1;
            p = p.wrapping_sub(d1);
        }
        p = p.wrapping_sub(d1);
    }
    let t = u128::from(v) * u128::from(d0);
    let (p, carry) = p.overflowing_add((t >> 64) as u64);
    if carry {
        v -= 1;
        if u128::from(p) << 64 | u128::from(t as u64) >= d {
            v -= 1;
        }
    }
    v
}

/// Quotient and remainder of three words by two, for `high < d` and `d` with its top bit set.
#[inline(always)]
fn three_by_two(high: u128, low: u64, d: u128, reciprocal: u64) -> (u64, u128) {
    let (u2, u1) = ((high >> 64) as u64, high as u64);
    let estimate = (u128::from(reciprocal) * u128::from(u2)).wrapping_add(high);
    let mut quotient = (estimate >> 64) as u64;
    let top = u1.wrapping_sub(quotient.wrapping_mul((d >> 64) as u64));
    let product = u128::from(quotient) * u128::from(d as u64);
    let mut rest = (u128::from(top) << 64 | u128::from(low)).wrapping_sub(product).wrapping_sub(d);
    quotient = quotient.wrapping_add(1);
    if (rest >> 64) as u64 >= estimate as u64 {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(d);
    }
    if rest >= d {
        quotient = quotient.wrapping_add(1);
        rest -= d;
    }
    (quotient, rest)
}

/// Division by a divisor of exactly two words.
fn by_two_words(a: &Words, b: u128) -> (Words, Words) {
    let shift = (b >> 64).leading_zeros() - 64;
    let d = b << shift;
    let reciprocal = reciprocal_of_two(d);
    let [u0, u1, u2, u3] = shifted(a, shift);
    let u4 = if shift == 0 { 0 } else { a[3] >> (64 - shift) };
    let (q2, rest) = three_by_two(u128::from(u4) << 64 | u128::from(u3), u2, d, reciprocal);
    let (q1, rest) = three_by_two(rest, u1, d, reciprocal);
    let (q0, rest) = three_by_two(rest, u0, d, reciprocal);
    ([q0, q1, q2, 0], join(rest >> shift, 0))
}

/// Algorithm D for a divisor of `n` words, 3 or 4.
fn long_division(a: &Words, b: &Words, n: usize) -> (Words, Words) {
    let m = length(a);
    if m < n {
        return ([0; 4], *a);
    }
    let shift = b[n - 1].leading_zeros();
    let v = shifted(b, shift);
    let [u0, u1, u2, u3] = shifted(a, shift);
    // What the shift pushes out of the highest word.
    let u4 = if shift == 0 { 0 } else { a[3] >> (64 - shift) };
    let mut u = [u0, u1, u2, u3, u4];
    let (top, reciprocal) = (u128::from(v[n - 1]), reciprocal(v[n - 1]));
    let mut quotient = [0; 4];
    for j in (0..=m - n).rev() {
        if u[j + n] == 0 && u[j + n - 1] < v[n - 1] {
            continue;
        }
        let (mut guess, mut rest) = if u[j + n] >= v[n - 1] {
            let numerator = u128::from(u[j + n]) << 64 | u128::from(u[j + n - 1]);
            (u128::from(u64::MAX), numerator - u128::from(u64::MAX) * top)
        } else {
            let (guess, rest) = two_by_one(u[j + n], u[j + n - 1], v[n - 1], reciprocal);
            (u128::from(guess), u128::from(rest))
        };
        while rest >> 64 == 0 && guess * u128::from(v[n - 2]) > (rest << 64 | u128::from(u[j + n - 2])) {
            guess -= 1;
            rest += top;
        }
        if take(&mut u, &v, j, n, guess as u64) {
            guess -= 1;
            give_back(&mut u, &v, j, n);
        }
        quotient[j] = guess as u64;
    }
    let mut rest = [0; 4];
    for i in 0..n {
        rest[i] = if shift == 0 { u[i] } else { u[i] >> shift | u[i + 1] << (64 - shift) };
    }
    (quotient, rest)
}

/// Subtracts `guess * v` from `u` at word `j`; whether that went below zero.
fn take(u: &mut [u64; 5], v: &Words, j: usize, n: usize, guess: u64) -> bool {
    let mut carry = 0u128;
    let mut borrow = false;
    for i in 0..n {
        let product = u128::from(guess) * u128::from(v[i]) + carry;
        carry = product >> 64;
        let (value, first) = u[i + j].overflowing_sub(product as u64);
        let (value, second) = value.overflowing_sub(u64::from(borrow));
        u[i + j] = value;
        borrow = first || second;
    }
    let (value, first) = u[j + n].overflowing_sub(carry as u64);
    let (value, second) = value.overflowing_sub(u64::from(borrow));
    u[j + n] = value;
    first || second
}

/// Adds `v` back to `u` at word `j`.
#[cold]
fn give_back(u: &mut [u64; 5], v: &Words, j: usize, n: usize) {
    let mut carry = 0u128;
    for i in 0..n {
        let sum = u128::from(u[i + j]) + u128::from(v[i]) + carry;
        u[i + j] = sum as u64;
        carry = sum >> 64;
    }
    u[j + n] = u[j + n].wrapping_add(carry as u64);
}

/// The four low words of `a << by`, `by` below 64.
#[inline(always)]
fn shifted(a: &Words, by: u32) -> Words {
    if by == 0 {
        return *a;
    }
    let back = 64 - by;
    [a[0] << by, a[1] << by | a[0] >> back, a[2] << by | a[1] >> back, a[3] << by | a[2] >> back]
}

#[cfg(test)]
mod tests {
    use ruint::aliases::U256;

    use super::*;

    /// Words that are often zero, all ones, or close to either: where carries go wrong.
    fn awkward(state: &mut u64) -> Words {
        std::array::from_fn(|_| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            match (*state >> 60) % 8 {
                0 | 1 => 0,
                2 => u64::MAX,
                3 => 1,
                4 => 1 << 63,
                5 => *state >> 40,
                _ => *state ^ (*state >> 31),
            }
        })
    }

    #[test]
    fn every_operation_agrees_with_another_implementation() {
        let mut state = 7;
        for _ in 0..200_000 {
            let (a, b) = (awkward(&mut state), awkward(&mut state));
            let (x, y) = (U256::from_limbs(a), U256::from_limbs(b));
            assert_eq!(add(a, b), x.checked_add(y).map(U256::into_limbs), "{a:x?} + {b:x?}");
            assert_eq!(sub(a, b), x.checked_sub(y).map(U256::into_limbs), "{a:x?} - {b:x?}");
            assert_eq!(mul(a, b), x.checked_mul(y).map(U256::into_limbs), "{a:x?} * {b:x?}");
            let expected = (!y.is_zero()).then(|| ((x / y).into_limbs(), (x % y).into_limbs()));
            assert_eq!(div_rem(a, b), expected, "{a:x?} / {b:x?}");
        }
    }
}
