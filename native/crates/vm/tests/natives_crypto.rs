//! Hashes and signatures by their Move names, against published values; and what is left to do says so.

#[path = "common/calls.rs"]
mod calls;
mod common;

use calls::{assembled, bcs, call, call_paid};
use common::{context, gas};
use ledger_vm::status;

const HASHES: &str = "module 0x1::aptos_hash
native fun blake2b_256_internal(vector<u8>): vector<u8>
native fun keccak256(vector<u8>): vector<u8>
native fun ripemd160_internal(vector<u8>): vector<u8>
native fun sha2_512_internal(vector<u8>): vector<u8>
native fun sha3_512_internal(vector<u8>): vector<u8>
native fun sip_hash(vector<u8>): u64";

const STD_HASHES: &str = "module 0x1::hash
native fun sha2_256(vector<u8>): vector<u8>
native fun sha3_256(vector<u8>): vector<u8>";

const ED25519: &str = "module 0x1::ed25519
native fun public_key_validate_internal(vector<u8>): bool
native fun signature_verify_strict_internal(vector<u8>, vector<u8>, vector<u8>): bool";

const MULTI_ED25519: &str = "module 0x1::multi_ed25519
native fun public_key_validate_internal(vector<u8>): bool
native fun public_key_validate_v2_internal(vector<u8>): bool
native fun signature_verify_strict_internal(vector<u8>, vector<u8>, vector<u8>): bool";

const SECP256K1: &str = "module 0x1::secp256k1
native fun ecdsa_recover_internal(vector<u8>, u8, vector<u8>): vector<u8>, bool";

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

const YES: &[u8] = &[1];
const NO: &[u8] = &[0];

/// `abc` under each function, from the standards that define them.
#[test]
fn hashes_have_their_own_names() {
    let (state, mut vm) = assembled(&[HASHES, STD_HASHES]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    for (module, function, digest) in [
        ("hash", "sha2_256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("hash", "sha3_256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        ("aptos_hash", "keccak256", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
        ("aptos_hash", "ripemd160_internal", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        (
            "aptos_hash",
            "blake2b_256_internal",
            "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
        ),
        (
            "aptos_hash",
            "sha2_512_internal",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
        (
            "aptos_hash",
            "sha3_512_internal",
            "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e\
             10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
        ),
    ] {
        let result = call(&mut session, module, function, &[bcs(b"abc")]);
        assert_eq!(result, [bcs(&hex(digest))], "{function}");
    }
    let sip = call(&mut session, "aptos_hash", "sip_hash", &[bcs(b"")]);
    assert_eq!(sip, [0x1e92_4b9d_7377_00d7u64.to_le_bytes()]);
}

/// The first two tests of RFC 8032, section 7.1: messages of no byte and of one.
const KEYS: [&str; 2] = [
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
];
const SIGNATURES: [&str; 2] = [
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
];
const MESSAGES: [&[u8]; 2] = [b"", b"\x72"];

#[test]
fn ed25519_signatures_are_those_of_the_standard() {
    let (state, mut vm) = assembled(&[ED25519]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    for i in 0..2 {
        for (j, message) in MESSAGES.iter().enumerate() {
            let arguments = [bcs(&hex(SIGNATURES[i])), bcs(&hex(KEYS[i])), bcs(message)];
            let verdict = call(&mut session, "ed25519", "signature_verify_strict_internal", &arguments);
            assert_eq!(verdict, [[u8::from(i == j)]]);
        }
        let valid = call(&mut session, "ed25519", "public_key_validate_internal", &[bcs(&hex(KEYS[i]))]);
        assert_eq!(valid, [YES]);
    }
    // Points of order 1, 2, 4 and 8, and another length.
    for key in [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        &KEYS[0][..62],
    ] {
        let valid = call(&mut session, "ed25519", "public_key_validate_internal", &[bcs(&hex(key))]);
        assert_eq!(valid, [NO], "{key}");
    }
    let short = [bcs(&[0; 63]), bcs(&hex(KEYS[0])), bcs(b"")];
    let (refused, _) = call_paid(&mut session, "ed25519", "signature_verify_strict_internal", &[], &short);
    assert_eq!(refused.unwrap_err().abort_code, Some(0x1_0002));
    let short = [bcs(&[0; 64]), bcs(&[0; 33]), bcs(b"")];
    let (refused, _) = call_paid(&mut session, "ed25519", "signature_verify_strict_internal", &[], &short);
    assert_eq!(refused.unwrap_err().abort_code, Some(0x1_0001));
}

#[test]
fn some_of_several_keys_sign() {
    let (state, mut vm) = assembled(&[MULTI_ED25519]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let keys = |threshold: u8| [hex(KEYS[0]), hex(KEYS[1]), vec![threshold]].concat();
    let mut verify = |signature: Vec<u8>, key: Vec<u8>, message: &[u8]| {
        let arguments = [bcs(&signature), bcs(&key), bcs(message)];
        call(&mut session, "multi_ed25519", "signature_verify_strict_internal", &arguments).remove(0)
    };
    let signed = |i: usize, first: u8| [hex(SIGNATURES[i]), vec![first, 0, 0, 0]].concat();
    assert_eq!(verify(signed(0, 0x80), keys(1), MESSAGES[0]), YES);
    assert_eq!(verify(signed(1, 0x40), keys(1), MESSAGES[1]), YES);
    assert_eq!(verify(signed(0, 0x40), keys(1), MESSAGES[0]), NO, "another key");
    assert_eq!(verify(signed(0, 0x80), keys(1), MESSAGES[1]), NO, "another message");
    assert_eq!(verify(signed(0, 0x80), keys(2), MESSAGES[0]), NO, "one of two");
    assert_eq!(verify(signed(0, 0xc0), keys(1), MESSAGES[0]), NO, "a bit without signature");
    assert_eq!(verify(signed(0, 0x20), keys(1), MESSAGES[0]), NO, "a bit without key");
    assert_eq!(verify(vec![], keys(1), MESSAGES[0]), NO);
    assert_eq!(verify(signed(0, 0x80), vec![1], MESSAGES[0]), NO);
    for native in ["public_key_validate_internal", "public_key_validate_v2_internal"] {
        for (key, valid) in [(keys(1), YES), (keys(2), YES), (keys(3), NO), (keys(0), NO), (vec![0; 33], NO)]
        {
            assert_eq!(call(&mut session, "multi_ed25519", native, &[bcs(&key)]), [valid], "{native}");
        }
        let arguments = [bcs(b"")];
        assert_eq!(call_paid(&mut session, "multi_ed25519", native, &[], &arguments).0.unwrap(), [NO]);
    }
}

/// A signature made by hand: with private key 1 and nonce 1, `r` is the generator's x, `s` is the hash plus
/// `r`, and the public key is the generator.
#[test]
fn secp256k1_keys_are_recovered() {
    let (state, mut vm) = assembled(&[SECP256K1]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let x = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    let y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
    let mut hash = [0; 32];
    hash[31] = 1;
    let mut s = hex(x);
    s[31] += 1;
    let signature = [hex(x), s].concat();
    let arguments = [bcs(&hash), vec![0], bcs(&signature)];
    let result = call(&mut session, "secp256k1", "ecdsa_recover_internal", &arguments);
    assert_eq!(result, [bcs(&[hex(x), hex(y)].concat()), YES.to_vec()]);
    for arguments in [
        [bcs(&hash), vec![4], bcs(&signature)],
        [bcs(&hash), vec![0], bcs(&[0; 64])],
        [bcs(&hash), vec![0], bcs(&signature[..63])],
        [bcs(&hash[..31]), vec![0], bcs(&signature)],
    ] {
        let result = call(&mut session, "secp256k1", "ecdsa_recover_internal", &arguments);
        assert_eq!(result, [bcs(b""), NO.to_vec()]);
    }
}

#[test]
fn natives_that_are_not_done_say_so_by_name() {
    let (state, mut vm) = assembled(&[
        "module 0x1::crypto_algebra native fun zero_internal<T0>(): u64",
        "module 0x1::ristretto255_bulletproofs native fun verify_range_proof_internal(vector<u8>): bool",
        "module 0x1::reflect native fun native_resolve<T0>(address): u64",
    ]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let tags = ["u64".parse().unwrap()];
    for (module, function, tags, argument) in [
        ("crypto_algebra", "zero_internal", &tags[..], None),
        ("ristretto255_bulletproofs", "verify_range_proof_internal", &[], Some(bcs(b""))),
        ("reflect", "native_resolve", &tags, Some(vec![0; 32])),
    ] {
        let arguments: Vec<Vec<u8>> = argument.into_iter().collect();
        let error = call_paid(&mut session, module, function, tags, &arguments).0.unwrap_err();
        assert_eq!(error.status, status::UNIMPLEMENTED_FUNCTIONALITY);
        assert!(error.message.unwrap().contains(&format!("{module}::{function}")));
    }
}
