//! The shared BCS vectors: values encode to the given bytes and back, malformed bytes are refused for
//! the given reason. Type tags and identifiers are `ledger-types`' to test.

mod vector_file;

use ledger_bcs::layout::{Layout, Leaf, encode_json, render_json};
use ledger_bcs::{Error, Reader, Result, Writer};
use serde_json::{Value, json};
use vector_file::{bytes, cases, from_hex, text, to_hex};

/// The types that occur in the vectors.
enum Type {
    Leaf(Leaf),
    Uleb128,
    Vector(Box<Type>),
    Option(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Fields(Vec<Type>),
    Array(usize),
    Enum(Vec<Vec<Type>>),
}

fn parse_type(name: &str) -> Option<Type> {
    let leaf = |leaf| Some(Type::Leaf(leaf));
    let inner = |prefix: &str| name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix('>'));
    match name {
        "bool" => leaf(Leaf::Bool),
        "u8" => leaf(Leaf::U8),
        "u16" => leaf(Leaf::U16),
        "u32" => leaf(Leaf::U32),
        "u64" => leaf(Leaf::U64),
        "u128" => leaf(Leaf::U128),
        "u256" => leaf(Leaf::U256),
        "i8" => leaf(Leaf::I8),
        "i16" => leaf(Leaf::I16),
        "i32" => leaf(Leaf::I32),
        "i64" => leaf(Leaf::I64),
        "i128" => leaf(Leaf::I128),
        "i256" => leaf(Leaf::I256),
        "address" => leaf(Leaf::Address),
        "string" => leaf(Leaf::String),
        "vector<u8>" => leaf(Leaf::Bytes),
        "uleb128-u32" => Some(Type::Uleb128),
        "struct{}" => Some(Type::Fields(vec![])),
        "struct{u8,string,vector<u64>}" => fields(&["u8", "string", "vector<u64>"]),
        "tuple(u8,u16)" => fields(&["u8", "u16"]),
        "struct{[u8;4],vector<u16>,option<u32>,bool}" => {
            let rest = ["vector<u16>", "option<u32>", "bool"].iter().map(|name| parse_type(name));
            std::iter::once(Some(Type::Array(4))).chain(rest).collect::<Option<_>>().map(Type::Fields)
        }
        "enum{A,B(u8),C{u16,bool}}" => Some(Type::Enum(vec![
            vec![],
            vec![parse_type("u8")?],
            vec![parse_type("u16")?, parse_type("bool")?],
        ])),
        "enum with variant 128 (unit)" => Some(Type::Enum((0..129).map(|_| vec![]).collect())),
        _ => {
            if let Some(item) = inner("vector<") {
                Some(Type::Vector(Box::new(parse_type(item)?)))
            } else if let Some(item) = inner("option<") {
                Some(Type::Option(Box::new(parse_type(item)?)))
            } else {
                let (key, value) = inner("map<")?.split_once(',')?;
                Some(Type::Map(Box::new(parse_type(key)?), Box::new(parse_type(value)?)))
            }
        }
    }
}

fn fields(names: &[&str]) -> Option<Type> {
    names.iter().map(|name| parse_type(name)).collect::<Option<_>>().map(Type::Fields)
}

/// Vectors spell small signed integers as strings and bytes without `0x`; layouts do not.
fn leaf_json(leaf: Leaf, value: &Value) -> String {
    match (leaf, value) {
        (Leaf::I8 | Leaf::I16 | Leaf::I32 | Leaf::U8 | Leaf::U16 | Leaf::U32, Value::String(digits)) => {
            digits.clone()
        }
        _ => value.to_string(),
    }
}

fn encode(writer: &mut Writer, kind: &Type, value: &Value) {
    let list = |value: &Value| value.as_array().expect("an array").clone();
    match kind {
        Type::Leaf(leaf) => {
            let json = leaf_json(*leaf, value);
            writer.raw(&encode_json(&Layout::of_leaf(*leaf), &json, "value").expect("a legal value"));
        }
        Type::Uleb128 => writer.uleb128(value.as_u64().expect("a number") as u32),
        Type::Vector(item) => {
            writer.sequence(&list(value), |writer, value| encode(writer, item, value));
        }
        Type::Option(item) => match value {
            Value::Null => writer.option(None::<()>, |_, ()| {}),
            Value::String(text) if text == "some(none)" => {
                writer.option(Some(()), |writer, ()| encode(writer, item, &Value::Null));
            }
            value => writer.option(Some(value), |writer, value| encode(writer, item, value)),
        },
        Type::Map(key, item) => {
            let entries = list(value).into_iter().map(|entry| {
                let mut encoded = Writer::new();
                encode(&mut encoded, key, &entry[0]);
                (encoded.into_bytes(), entry[1].clone())
            });
            // Reversed, so that the writer has to sort.
            writer.map(entries.rev(), |writer, value| encode(writer, item, &value));
        }
        Type::Fields(kinds) => {
            kinds.iter().zip(list(value)).for_each(|(kind, value)| encode(writer, kind, &value));
        }
        Type::Array(length) => {
            let content = from_hex(value.as_str().expect("hex"));
            assert_eq!(content.len(), *length);
            writer.raw(&content);
        }
        Type::Enum(variants) => {
            let index = value["variant"].as_u64().expect("a number");
            writer.variant(index as u32);
            let values = value["fields"].as_array().cloned().unwrap_or_default();
            variants[index as usize]
                .iter()
                .zip(values)
                .for_each(|(kind, value)| encode(writer, kind, &value));
        }
    }
}

/// Decodes and returns the value as the vectors spell it.
fn decode(reader: &mut Reader<'_>, kind: &Type) -> Result<Value> {
    Ok(match kind {
        Type::Leaf(leaf) => decode_leaf(reader, *leaf)?,
        Type::Uleb128 => json!(reader.uleb128()?),
        Type::Vector(item) => reader.sequence(|reader| decode(reader, item))?.into(),
        Type::Option(item) => match reader.option(|reader| decode(reader, item))? {
            Some(Value::Null) => json!("some(none)"),
            value => value.unwrap_or(Value::Null),
        },
        Type::Map(key, value) => {
            let entries = reader.map(|reader| decode(reader, key), |reader| decode(reader, value))?;
            entries.into_iter().map(|(key, value)| json!([key, value])).collect::<Vec<_>>().into()
        }
        Type::Fields(kinds) => {
            kinds.iter().map(|kind| decode(reader, kind)).collect::<Result<Vec<_>>>()?.into()
        }
        Type::Array(length) => json!(to_hex(reader.take(*length)?)),
        Type::Enum(variants) => {
            let index = reader.variant()?;
            let kinds =
                variants.get(index as usize).ok_or(Error::UnknownVariant { of: "test enum", index })?;
            let values = kinds.iter().map(|kind| decode(reader, kind)).collect::<Result<Vec<_>>>()?;
            if values.is_empty() {
                json!({"variant": index})
            } else {
                json!({"variant": index, "fields": values})
            }
        }
    })
}

fn decode_leaf(reader: &mut Reader<'_>, leaf: Leaf) -> Result<Value> {
    Ok(match leaf {
        Leaf::Bool => json!(reader.bool()?),
        Leaf::U8 => json!(reader.u8()?),
        Leaf::U16 => json!(reader.u16()?),
        Leaf::U32 => json!(reader.u32()?),
        Leaf::U64 => json!(reader.u64()?.to_string()),
        Leaf::U128 => json!(reader.u128()?.to_string()),
        Leaf::I8 => json!(reader.i8()?.to_string()),
        Leaf::I16 => json!(reader.i16()?.to_string()),
        Leaf::I32 => json!(reader.i32()?.to_string()),
        Leaf::I64 => json!(reader.i64()?.to_string()),
        Leaf::I128 => json!(reader.i128()?.to_string()),
        Leaf::U256 | Leaf::I256 => {
            let mut text = Vec::new();
            render_json(&Layout::of_leaf(leaf), &reader.array::<32>()?, 100, &mut text)
                .expect("any 32 bytes");
            serde_json::from_slice(&text).expect("rendered JSON parses")
        }
        Leaf::Address | Leaf::Signer | Leaf::Object => json!(format!("0x{}", to_hex(reader.take(32)?))),
        Leaf::Bytes => json!(to_hex(reader.bytes()?)),
        Leaf::String => json!(reader.string()?),
    })
}

fn reason(error: Error) -> &'static str {
    match error {
        Error::UnexpectedEnd => "eof",
        Error::RemainingInput(_) => "trailing-bytes",
        Error::NonCanonicalUleb128 => "non-canonical-uleb128",
        Error::Uleb128Overflow => "uleb128-overflow",
        Error::LengthTooLarge(_) => "exceeded-max-length",
        Error::BadBool(_) => "bad-bool",
        Error::BadOptionTag(_) => "bad-option-tag",
        Error::BadUtf8 => "bad-utf8",
        Error::NonCanonicalMap => "non-canonical-map",
        Error::UnknownVariant { .. } => "unknown-variant",
        other => panic!("no vector expects {other}"),
    }
}

#[test]
fn every_case_encodes_decodes_or_is_refused_as_given() {
    let (mut accepted, mut refused, mut elsewhere) = (0, 0, 0);
    for case in cases("bcs.json", 156) {
        let (name, type_name) = (text(&case, "name"), text(&case, "type"));
        let Some(kind) = parse_type(type_name) else {
            assert!(matches!(type_name, "type_tag" | "identifier"), "{name}: unknown type {type_name}");
            elsewhere += 1;
            continue;
        };
        let encoded = bytes(&case, "bcs");
        let mut reader = Reader::new(&encoded);
        let decoded = decode(&mut reader, &kind).and_then(|value| reader.finish().map(|()| value));
        if case["valid"] == true {
            assert_eq!(decoded.as_ref(), Ok(&case["value"]), "{name}");
            let mut writer = Writer::new();
            encode(&mut writer, &kind, &case["value"]);
            assert_eq!(to_hex(writer.as_bytes()), to_hex(&encoded), "{name}");
            accepted += 1;
        } else {
            let error = decoded.err().unwrap_or_else(|| panic!("{name}: decoded"));
            assert_eq!(reason(error), text(&case, "reason"), "{name}");
            refused += 1;
        }
    }
    assert_eq!((accepted + refused, elsewhere), (145, 11), "cases tested here and elsewhere");
    assert!(accepted > 90 && refused > 30, "both kinds are tested: {accepted} and {refused}");
}
