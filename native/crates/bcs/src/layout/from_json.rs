//! JSON text to BCS, by layout.
//!
//! Accepted forms: small integers as numbers, 64 bits and more as decimal strings; addresses and
//! `vector<u8>` as hex strings with an optional `0x` (bytes also as an array of numbers); structs as
//! objects with exactly their fields; enums as `{"Name":{…}}` or with `__variant__` beside the
//! fields; options as `{"vec":[]}` and `{"vec":[x]}`, and where the option is the whole value also as
//! `null` and the bare value; objects as `{"inner":"0x…"}` or the address.

use std::fmt;
use std::ops::Range;

use super::json_tape::{At, JSON_DEPTH_MAX, Kind, Tape, TapeError};
use super::{Layout, Leaf, Node, NodeId, decimal};
use crate::Writer;

/// Where JSON text is not a value of the layout, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// Path to the place, such as `arguments[1].vec[0]`.
    pub path: String,
    /// What was expected.
    pub expected: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.path, self.expected)
    }
}

impl std::error::Error for JsonError {}

/// Containers that are being written.
enum Frame {
    /// Items of an array.
    Items { item: NodeId, values: Vec<At>, done: usize, in_option: bool },
    /// Fields of a struct or variant, found by name in an object.
    Fields { object: At, next: u32, end: u32 },
}

/// Returns the BCS of `json`, the text of one value of `layout`.
///
/// `root` names the value in errors, such as `arguments[1]`. Text is limited to
/// [`super::JSON_DEPTH_MAX`] levels; memory to a small multiple of its length.
///
/// # Errors
/// The first place, in the order of the layout, where the text is not what the layout wants.
pub fn encode_json(layout: &Layout, json: &str, root: &str) -> Result<Vec<u8>, JsonError> {
    let tape = Tape::scan(json).map_err(|error| JsonError {
        path: root.to_owned(),
        expected: match error {
            TapeError::Syntax { offset } => format!("JSON (syntax error at byte {offset})"),
            TapeError::TooDeep => format!("JSON of at most {JSON_DEPTH_MAX} levels"),
            TapeError::TooLong => "JSON below 4 gigabytes".to_owned(),
        },
    })?;
    let mut encoder = Encoder { layout, tape, out: Writer::with_capacity(json.len() / 2), stack: Vec::new() };
    match encoder.run() {
        Ok(()) => Ok(encoder.out.into_bytes()),
        Err(expected) => Err(JsonError { path: encoder.path(root), expected }),
    }
}

struct Encoder<'a> {
    layout: &'a Layout,
    tape: Tape<'a>,
    out: Writer,
    stack: Vec<Frame>,
}

impl Encoder<'_> {
    fn run(&mut self) -> Result<(), String> {
        let mut pending = Some((self.layout.root, self.tape.root()));
        loop {
            if let Some((node, value)) = pending.take() {
                self.value(node, value)?;
            }
            let Some(frame) = self.stack.last_mut() else { return Ok(()) };
            match frame {
                Frame::Items { item, values, done, .. } => match values.get(*done) {
                    Some(value) => {
                        *done += 1;
                        pending = Some((*item, *value));
                    }
                    None => drop(self.stack.pop()),
                },
                Frame::Fields { next, end, .. } if next == end => drop(self.stack.pop()),
                Frame::Fields { object, next, .. } => {
                    let field = self.layout.field(*next);
                    *next += 1;
                    let value = self.tape.member(*object, &field.name).ok_or("this field")?;
                    pending = Some((field.node, value));
                }
            }
        }
    }

    /// The path to the value being written, from the frames around it.
    fn path(&self, root: &str) -> String {
        use fmt::Write as _;
        let mut path = root.to_owned();
        for frame in &self.stack {
            match frame {
                Frame::Items { done, in_option, .. } => {
                    if *in_option {
                        path.push_str(".vec");
                    }
                    if *done > 0 {
                        let _ = write!(path, "[{}]", done - 1);
                    }
                }
                Frame::Fields { next, .. } if *next > 0 => {
                    path.push('.');
                    path.push_str(&self.layout.field(next - 1).name);
                }
                Frame::Fields { .. } => {}
            }
        }
        path
    }

    fn value(&mut self, node: NodeId, at: At) -> Result<(), String> {
        match self.layout.node(node).clone() {
            Node::Leaf(leaf) => self.leaf(leaf, at),
            Node::Vector(item) => {
                if self.tape.kind(at) != Kind::Array {
                    return Err("array".to_owned());
                }
                let values: Vec<At> = self.tape.items(at).collect();
                self.out.length(values.len());
                self.stack.push(Frame::Items { item, values, done: 0, in_option: false });
                Ok(())
            }
            Node::Option(item) => self.option(item, at),
            Node::Struct(fields) => {
                self.expect_members(at, fields.len(), &fields)?;
                self.stack.push(Frame::Fields { object: at, next: fields.start, end: fields.end });
                Ok(())
            }
            Node::Enum(variants) => self.enumeration(&variants, at),
        }
    }

    /// Checks that `at` is an object of `count` members, of which `fields` tells the names to the
    /// reader of the error.
    fn expect_members(&self, at: At, count: usize, fields: &Range<u32>) -> Result<(), String> {
        if self.tape.kind(at) == Kind::Object && self.tape.members(at).count() == count {
            return Ok(());
        }
        let names: Vec<&str> = fields.clone().map(|index| &*self.layout.field(index).name).collect();
        Err(format!("object with the fields {{{}}}", names.join(", ")))
    }

    fn option(&mut self, item: NodeId, at: At) -> Result<(), String> {
        let is_whole = self.stack.is_empty();
        let listed = match self.tape.kind(at) {
            Kind::Object if self.tape.members(at).count() == 1 => self.tape.member(at, "vec"),
            _ => None,
        };
        let values = match listed {
            Some(list) if self.tape.kind(list) == Kind::Array => self.tape.items(list).take(2).collect(),
            _ if is_whole && self.tape.kind(at) == Kind::Null => Vec::new(),
            _ if is_whole => vec![at],
            _ => return Err("option: {\"vec\":[]} or {\"vec\":[value]}".to_owned()),
        };
        if values.len() > 1 {
            return Err("option of at most one value".to_owned());
        }
        self.out.length(values.len());
        self.stack.push(Frame::Items { item, values, done: 0, in_option: listed.is_some() });
        Ok(())
    }

    fn enumeration(&mut self, range: &Range<u32>, at: At) -> Result<(), String> {
        let variants = self.layout.variants(range);
        let unknown = || {
            let names: Vec<&str> = variants.iter().map(|variant| &*variant.name).collect();
            format!("enum with one of the variants {{{}}}", names.join(", "))
        };
        if self.tape.kind(at) != Kind::Object {
            return Err(unknown());
        }
        let (name, object, extra) = match self.tape.member(at, "__variant__") {
            Some(name) if self.tape.kind(name) == Kind::String => (self.tape.string(name), at, 1),
            Some(_) => return Err(unknown()),
            None => {
                let mut members = self.tape.members(at);
                let (Some((key, fields)), None) = (members.next(), members.next()) else {
                    return Err(unknown());
                };
                (self.tape.string(key), fields, 0)
            }
        };
        let index = variants.iter().position(|variant| *variant.name == *name).ok_or_else(unknown)?;
        let fields = variants[index].fields.clone();
        self.expect_members(object, fields.len() + extra, &fields)?;
        self.out.variant(index as u32);
        self.stack.push(Frame::Fields { object, next: fields.start, end: fields.end });
        Ok(())
    }

    fn leaf(&mut self, leaf: Leaf, at: At) -> Result<(), String> {
        let width = leaf.integer_width();
        let (kind, raw) = (self.tape.kind(at), self.tape.raw(at));
        let integer = match leaf {
            Leaf::U8 | Leaf::U16 | Leaf::U32 if kind == Kind::Number => {
                decimal::parse_unsigned(raw.as_bytes(), width)
            }
            Leaf::I8 | Leaf::I16 | Leaf::I32 if kind == Kind::Number => {
                decimal::parse_signed(raw.as_bytes(), width)
            }
            Leaf::U64 | Leaf::U128 | Leaf::U256 if kind == Kind::String => {
                decimal::parse_unsigned(raw.as_bytes(), width)
            }
            Leaf::I64 | Leaf::I128 | Leaf::I256 if kind == Kind::String => {
                decimal::parse_signed(raw.as_bytes(), width)
            }
            _ => None,
        };
        if let Some(bytes) = integer {
            self.out.raw(&bytes[..width]);
            return Ok(());
        }
        let written = match leaf {
            Leaf::Bool if matches!(kind, Kind::True | Kind::False) => {
                self.out.bool(kind == Kind::True);
                true
            }
            Leaf::Address => self.address(at),
            Leaf::Object => match kind {
                Kind::Object if self.tape.members(at).count() == 1 => {
                    self.tape.member(at, "inner").is_some_and(|inner| self.address(inner))
                }
                _ => self.address(at),
            },
            Leaf::String if kind == Kind::String => {
                self.out.string(&self.tape.string(at));
                true
            }
            Leaf::Bytes => self.bytes(at),
            _ => false,
        };
        if written { Ok(()) } else { Err(expected_leaf(leaf).to_owned()) }
    }

    fn address(&mut self, at: At) -> bool {
        if self.tape.kind(at) != Kind::String {
            return false;
        }
        let raw = self.tape.raw(at);
        let digits = raw.strip_prefix("0x").unwrap_or(raw).as_bytes();
        if digits.is_empty() || digits.len() > 64 {
            return false;
        }
        let mut bytes = [0; 32];
        for (place, digit) in digits.iter().rev().enumerate() {
            let Some(value) = hex_digit(*digit) else { return false };
            bytes[31 - place / 2] |= value << (4 * (place % 2));
        }
        self.out.raw(&bytes);
        true
    }

    fn bytes(&mut self, at: At) -> bool {
        let bytes: Option<Vec<u8>> = match self.tape.kind(at) {
            Kind::String => {
                let raw = self.tape.raw(at);
                let digits = raw.strip_prefix("0x").unwrap_or(raw).as_bytes();
                let (pairs, rest) = digits.as_chunks::<2>();
                let pair = |pair: &[u8; 2]| Some(hex_digit(pair[0])? << 4 | hex_digit(pair[1])?);
                if rest.is_empty() { pairs.iter().map(pair).collect() } else { None }
            }
            Kind::Array => self
                .tape
                .items(at)
                .map(|item| match self.tape.kind(item) {
                    Kind::Number => decimal::parse_unsigned(self.tape.raw(item).as_bytes(), 1).map(|n| n[0]),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        match bytes {
            Some(bytes) => {
                self.out.bytes(&bytes);
                true
            }
            None => false,
        }
    }
}

fn hex_digit(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}

fn expected_leaf(leaf: Leaf) -> &'static str {
    match leaf {
        Leaf::Bool => "bool",
        Leaf::U8 => "integer<u8>",
        Leaf::U16 => "integer<u16>",
        Leaf::U32 => "integer<u32>",
        Leaf::U64 => "string<u64>",
        Leaf::U128 => "string<u128>",
        Leaf::U256 => "string<u256>",
        Leaf::I8 => "integer<i8>",
        Leaf::I16 => "integer<i16>",
        Leaf::I32 => "integer<i32>",
        Leaf::I64 => "string<i64>",
        Leaf::I128 => "string<i128>",
        Leaf::I256 => "string<i256>",
        Leaf::Address => "string<address>",
        Leaf::Signer => "no signer: it cannot be given as JSON",
        Leaf::Bytes => "string<hex>",
        Leaf::String => "string",
        Leaf::Object => "string<address> or {\"inner\": string<address>}",
    }
}
