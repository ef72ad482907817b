//! Values as text, as the public framework's own tests want them.

#[path = "common/calls.rs"]
mod calls;
mod common;

use calls::{bcs, call_paid, string};
use common::{context, framework, gas, machine};
use ledger_types::{Address, TypeTag};

/// How the flags `type_tag, canonicalize, single_line, include_int_types` stand.
type Flags = [bool; 4];
const LINE: Flags = [false, false, true, false];
const TYPED: Flags = [false, true, true, true];
const DEBUG: Flags = [true, false, false, false];

#[test]
fn values_become_text() {
    let framework = framework();
    let (state, mut vm) = machine(&framework.modules);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let mut text = |ty: &str, value: &[u8], flags: Flags| {
        let mut arguments = vec![value.to_vec()];
        arguments.extend(flags.map(|flag| vec![u8::from(flag)]));
        let tags = [ty.parse().unwrap()];
        let (outcome, paid) = call_paid(&mut session, "string_utils", "native_format", &tags, &arguments);
        assert!(paid >= 11_020, "{ty}");
        String::from_utf8(outcome.unwrap_or_else(|error| panic!("{ty}: {error}")).remove(0)[1..].to_vec())
            .unwrap()
    };
    let one = 1u64.to_le_bytes();
    let numbers: Vec<u8> = [&[3][..], &one, &2u64.to_le_bytes(), &3u64.to_le_bytes()].concat();
    let address: Address = "0x1234".parse().unwrap();
    let list = [string("My string"), 2u64.to_le_bytes().to_vec()].concat();
    let cons = "0x1::string_utils::Cons<0x1::string::String, u64>";
    let nested = [&[2][..], &[1], &one, &[0]].concat();
    for (ty, value, flags, expected) in [
        ("u64", &one[..], LINE, "1"),
        ("u64", &one, TYPED, "1u64"),
        ("u8", &[255], TYPED, "255u8"),
        ("bool", &[0], LINE, "false"),
        ("bool", &[1], DEBUG, "true"),
        ("u256", &[&[1][..], &[0; 31]].concat(), LINE, "1"),
        ("u128", &[255; 16], LINE, "340282366920938463463374607431768211455"),
        ("vector<u64>", &numbers, LINE, "[ 1, 2, 3 ]"),
        ("vector<u64>", &numbers, DEBUG, "[ 1, 2, 3 ]"),
        ("vector<u16>", &[2, 16, 0, 17, 1], LINE, "[ 16, 273 ]"),
        ("vector<bool>", &[2, 1, 0], LINE, "[ true, false ]"),
        ("vector<u64>", &[0], LINE, "[]"),
        ("vector<u8>", b"\x03ABC", LINE, "0x414243"),
        ("vector<vector<u64>>", &nested, LINE, "[ [ 1 ], [] ]"),
        ("vector<vector<u64>>", &nested, DEBUG, "[\n  [ 1 ],\n  []\n]"),
        ("address", &address.0, LINE, "@0x1234"),
        ("address", &Address::default().0, LINE, "@0x0"),
        ("address", &address.0, TYPED, "@0000000000000000000000000000000000000000000000000000000000001234"),
        ("0x1::string::String", &string("a\"b"), LINE, "\"a\"b\""),
        ("0x1::option::Option<u64>", &[0], LINE, "None"),
        ("0x1::option::Option<u64>", &[&[1][..], &one].concat(), LINE, "Some(1)"),
        ("0x1::option::Option<u8>", &[1, 9], LINE, "Some(9)"),
        (cons, &list, LINE, "Cons { car: \"My string\", cdr: 2 }"),
        (
            cons,
            &list,
            DEBUG,
            "0x1::string_utils::Cons<0x1::string::String, u64> {\n  car: \"My string\",\n  cdr: 2\n}",
        ),
    ] {
        assert_eq!(text(ty, value, flags), expected, "{ty}");
    }
}

#[test]
fn formats_take_as_many_values_as_they_have_places() {
    let framework = framework();
    let (state, mut vm) = machine(&framework.modules);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let text = "0x1::string::String";
    let values = [1u64.to_le_bytes().to_vec(), 2u64.to_le_bytes().to_vec(), string("My string")];
    let mut fill = |format: &str| {
        let tags: Vec<TypeTag> = ["u64", "u64", text].iter().map(|tag| tag.parse().unwrap()).collect();
        let mut arguments = vec![bcs(format.as_bytes())];
        arguments.extend(values.clone());
        let (outcome, _) = call_paid(&mut session, "string_utils", "format3", &tags, &arguments);
        outcome
            .map(|mut values| String::from_utf8(values.remove(0)[1..].to_vec()).unwrap())
            .map_err(|error| error.abort_code)
    };
    assert_eq!(fill("a = {} b = {} c = {}").unwrap(), "a = 1 b = 2 c = \"My string\"");
    assert_eq!(fill("{{{}}} {}{} é").unwrap(), "{1} 2\"My string\" é");
    for (format, code) in [
        ("{} {}", 1),
        ("{} {} {} {}", 1),
        ("{} {} {", 2),
        ("{} {} }", 2),
        ("{a} {} {}", 2),
        ("}{ {} {} {}", 2),
    ] {
        assert_eq!(fill(format), Err(Some(code)), "{format}");
    }
}
