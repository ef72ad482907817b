//! Bitmaps that say which keys of a list signed. Bits count from the left: key 0 is the highest bit
//! of the first byte.

use crate::SignatureError;

/// Indices of the set bits, in order, for `keys` keys and `signatures` signatures.
///
/// # Errors
/// `BadBitmap` unless at least one bit is set, every set bit names a key, and there are as many
/// set bits as signatures.
pub(crate) fn signer_indices(
    bitmap: &[u8],
    keys: usize,
    signatures: usize,
) -> Result<Vec<usize>, SignatureError> {
    let mut indices = Vec::with_capacity(signatures);
    for (place, byte) in bitmap.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        for bit in (0..8).filter(|bit| byte & (0x80 >> bit) != 0) {
            let index = place * 8 + bit;
            if index >= keys || indices.len() == signatures {
                return Err(SignatureError::BadBitmap);
            }
            indices.push(index);
        }
    }
    if indices.is_empty() || indices.len() != signatures {
        return Err(SignatureError::BadBitmap);
    }
    Ok(indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_count_from_the_left_of_each_byte() {
        type Row = (&'static [u8], usize, usize, Option<&'static [usize]>);
        let rows: [Row; 8] = [
            (&[0x80, 0, 0, 0], 1, 1, Some(&[0])),
            (&[0x40, 0, 0, 0], 2, 1, Some(&[1])),
            (&[0x40, 0, 0, 0], 1, 1, None),
            (&[0x00, 0x80], 9, 1, Some(&[8])),
            (&[0xa0], 3, 2, Some(&[0, 2])),
            (&[0xa0], 3, 1, None),
            (&[0xa0], 3, 3, None),
            (&[0, 0, 0, 0], 3, 0, None),
        ];
        for (bitmap, keys, signatures, expected) in rows {
            assert_eq!(signer_indices(bitmap, keys, signatures).ok().as_deref(), expected, "{bitmap:x?}");
        }
    }
}
