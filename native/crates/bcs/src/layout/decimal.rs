//! Decimal text of integers up to 256 bits, both ways.

/// Digits that fit one 64-bit limb.
const LIMB_DIGITS: usize = 19;
const LIMB_BASE: u128 = 10_000_000_000_000_000_000;

/// Appends the decimal text of a little-endian unsigned integer of at most 32 bytes.
pub(super) fn push_unsigned(out: &mut Vec<u8>, little_endian: &[u8]) {
    let mut limbs = [0u64; 4];
    for (index, byte) in little_endian.iter().enumerate() {
        limbs[index / 8] |= u64::from(*byte) << (8 * (index % 8));
    }
    // Peel off 19 digits at a time; five groups hold any 256-bit number.
    let mut groups = [0u64; 5];
    let mut used = 0;
    while limbs != [0; 4] {
        let mut remainder = 0u128;
        for limb in limbs.iter_mut().rev() {
            let value = remainder << 64 | u128::from(*limb);
            *limb = (value / LIMB_BASE) as u64;
            remainder = value % LIMB_BASE;
        }
        groups[used] = remainder as u64;
        used += 1;
    }
    push_digits(out, groups[used.max(1) - 1], 0);
    for group in groups[..used.max(1) - 1].iter().rev() {
        push_digits(out, *group, LIMB_DIGITS);
    }
}

/// Appends the decimal text of a little-endian two's complement integer of at most 32 bytes.
pub(super) fn push_signed(out: &mut Vec<u8>, little_endian: &[u8]) {
    let is_negative = little_endian.last().is_some_and(|byte| byte & 0x80 != 0);
    if !is_negative {
        return push_unsigned(out, little_endian);
    }
    out.push(b'-');
    let mut magnitude = [0u8; 32];
    let magnitude = &mut magnitude[..little_endian.len()];
    magnitude.copy_from_slice(little_endian);
    negate(magnitude);
    push_unsigned(out, magnitude);
}

fn push_digits(out: &mut Vec<u8>, mut value: u64, width_min: usize) {
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    let start = start.min(digits.len() - width_min.max(1));
    out.extend_from_slice(&digits[start..]);
}

fn negate(little_endian: &mut [u8]) {
    let mut carry = true;
    for byte in little_endian {
        let (sum, overflow) = (!*byte).overflowing_add(u8::from(carry));
        *byte = sum;
        carry = overflow;
    }
}

/// Parses ASCII digits, leading zeros included, into `width` little-endian bytes (at most 32).
/// `None` for an empty or other text, or a number that does not fit.
pub(super) fn parse_unsigned(text: &[u8], width: usize) -> Option<[u8; 32]> {
    if text.is_empty() {
        return None;
    }
    let mut limbs = [0u64; 4];
    for digit in text {
        if !digit.is_ascii_digit() {
            return None;
        }
        let mut carry = u128::from(digit - b'0');
        for limb in &mut limbs {
            let value = u128::from(*limb) * 10 + carry;
            *limb = value as u64;
            carry = value >> 64;
        }
        if carry != 0 {
            return None;
        }
    }
    let mut out = [0; 32];
    for (chunk, limb) in out.chunks_exact_mut(8).zip(limbs) {
        chunk.copy_from_slice(&limb.to_le_bytes());
    }
    out[width..].iter().all(|&byte| byte == 0).then_some(out)
}

/// Parses an optional `-` and ASCII digits into `width` little-endian two's complement bytes.
pub(super) fn parse_signed(text: &[u8], width: usize) -> Option<[u8; 32]> {
    let (is_negative, digits) = match text.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let mut out = parse_unsigned(digits, width)?;
    let magnitude = &mut out[..width];
    let is_high = magnitude[width - 1] & 0x80 != 0;
    let is_lowest = magnitude[width - 1] == 0x80 && magnitude[..width - 1].iter().all(|&byte| byte == 0);
    if is_high && !(is_negative && is_lowest) {
        return None;
    }
    if is_negative {
        negate(magnitude);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsigned(little_endian: &[u8]) -> String {
        let mut out = Vec::new();
        push_unsigned(&mut out, little_endian);
        String::from_utf8(out).expect("digits are ASCII")
    }

    #[test]
    fn every_u128_prints_as_the_standard_library_prints_it() {
        let edges = [0, 1, 9, 10, u128::from(u64::MAX), LIMB_BASE - 1, LIMB_BASE, LIMB_BASE + 7, u128::MAX];
        for value in edges.into_iter().chain((0..128).map(|shift| 1u128 << shift)) {
            assert_eq!(unsigned(&value.to_le_bytes()), value.to_string());
        }
    }

    #[test]
    fn every_i128_prints_and_parses_as_the_standard_library_does() {
        for value in [0, 1, -1, 127, -128, i128::MAX, i128::MIN, i128::MIN + 1] {
            let mut out = Vec::new();
            push_signed(&mut out, &value.to_le_bytes());
            assert_eq!(out, value.to_string().as_bytes());
            let parsed = parse_signed(&out, 16).expect("its own text parses");
            assert_eq!(parsed[..16], value.to_le_bytes());
        }
    }

    #[test]
    fn largest_u256_has_its_78_digits() {
        let text = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(unsigned(&[0xff; 32]), text);
        assert_eq!(parse_unsigned(text.as_bytes(), 32), Some([0xff; 32]));
        let one_more = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
        assert_eq!(parse_unsigned(one_more.as_bytes(), 32), None);
    }

    #[test]
    fn numbers_outside_their_width_are_refused() {
        let unsigned_rows: [(&str, usize, bool); 7] = [
            ("255", 1, true),
            ("256", 1, false),
            ("007", 1, true),
            ("", 1, false),
            ("+1", 1, false),
            ("-1", 1, false),
            ("1 ", 1, false),
        ];
        for (text, width, accepted) in unsigned_rows {
            assert_eq!(parse_unsigned(text.as_bytes(), width).is_some(), accepted, "{text}");
        }
        for (text, width, accepted) in [
            ("127", 1, true),
            ("128", 1, false),
            ("-128", 1, true),
            ("-129", 1, false),
            ("-0", 1, true),
            ("--1", 1, false),
        ] {
            assert_eq!(parse_signed(text.as_bytes(), width).is_some(), accepted, "{text}");
        }
    }
}
