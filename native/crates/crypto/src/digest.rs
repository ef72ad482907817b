//! Hash functions under the names by which Move knows them.

use std::hash::Hasher as _;

use blake2::Blake2b;
use blake2::digest::consts::U32;
use ripemd::Ripemd160;
use sha2::{Sha256, Sha512};
use sha3::{Digest, Keccak256, Sha3_256, Sha3_512};
use siphasher::sip::SipHasher24;

/// SHA-256.
#[must_use]
pub fn sha2_256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// SHA-512.
#[must_use]
pub fn sha2_512(bytes: &[u8]) -> [u8; 64] {
    Sha512::digest(bytes).into()
}

/// SHA3-256 of FIPS 202.
#[must_use]
pub fn sha3_256(bytes: &[u8]) -> [u8; 32] {
    Sha3_256::digest(bytes).into()
}

/// SHA3-512 of FIPS 202.
#[must_use]
pub fn sha3_512(bytes: &[u8]) -> [u8; 64] {
    Sha3_512::digest(bytes).into()
}

/// Keccak-256 with the padding from before FIPS 202.
#[must_use]
pub fn keccak256(bytes: &[u8]) -> [u8; 32] {
    Keccak256::digest(bytes).into()
}

/// BLAKE2b with 32 bytes of output.
#[must_use]
pub fn blake2b_256(bytes: &[u8]) -> [u8; 32] {
    Blake2b::<U32>::digest(bytes).into()
}

/// RIPEMD-160.
#[must_use]
pub fn ripemd160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(bytes).into()
}

/// SipHash-2-4 with a zero key. Not a cryptographic hash.
#[must_use]
pub fn sip_hash(bytes: &[u8]) -> u64 {
    let mut hasher = SipHasher24::new();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Published digests of the empty input and of `abc`.
    #[test]
    fn digests_are_the_published_ones() {
        let rows: [(&str, String, &str); 10] = [
            (
                "sha2_256 empty",
                hex(&sha2_256(b"")),
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                "sha2_256 abc",
                hex(&sha2_256(b"abc")),
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "sha2_512 abc",
                hex(&sha2_512(b"abc"))[..64].to_owned(),
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a",
            ),
            (
                "sha3_256 empty",
                hex(&sha3_256(b"")),
                "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
            ),
            (
                "sha3_256 abc",
                hex(&sha3_256(b"abc")),
                "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
            ),
            ("sha3_512 empty", hex(&sha3_512(b""))[..32].to_owned(), "a69f73cca23a9ac5c8b567dc185a756e"),
            (
                "keccak256 empty",
                hex(&keccak256(b"")),
                "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
            ),
            (
                "blake2b_256 empty",
                hex(&blake2b_256(b"")),
                "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8",
            ),
            ("ripemd160 empty", hex(&ripemd160(b"")), "9c1185a5c5e9fc54612808977ee8f548b2258d31"),
            ("ripemd160 abc", hex(&ripemd160(b"abc")), "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        ];
        for (name, actual, expected) in rows {
            assert_eq!(actual, expected, "{name}");
        }
    }

    #[test]
    fn sip_hash_uses_a_zero_key_and_two_four_rounds() {
        assert_eq!(sip_hash(b""), 0x1e92_4b9d_7377_00d7);
        assert_ne!(sip_hash(b"a"), sip_hash(b"b"));
    }
}
