//! BCS to JSON text, in one pass over the bytes.

use std::fmt;

use super::{Layout, Leaf, Node, NodeId, decimal};
use crate::{Error, Reader};

/// Why a value has no JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderError {
    /// The bytes are not a value of the layout.
    Bcs {
        /// What is wrong.
        error: Error,
        /// Byte offset by which it was found.
        offset: usize,
    },
    /// The text would be longer than the caller's limit.
    OutputTooLarge,
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bcs { error, offset } => write!(f, "{error} (at byte {offset})"),
            Self::OutputTooLarge => f.write_str("JSON text is over the size limit"),
        }
    }
}

impl std::error::Error for RenderError {}

/// What remains to be written of the containers around the current value.
enum Frame {
    /// Items of a vector.
    Items { item: NodeId, left: usize, is_first: bool },
    /// The one value of an option.
    OptionValue { item: NodeId },
    /// Fields of a struct or variant.
    Fields { next: u32, end: u32, is_first: bool },
    /// The close of an option that holds a value.
    OptionEnd,
}

/// Appends the JSON text of `bytes`, one value of `layout`, to `out`.
///
/// Integers of 64 bits and more are decimal strings, addresses short, `vector<u8>` hex; structs are
/// objects with fields in declaration order; enums carry their variant's name as `__variant__`. A
/// string that is not UTF-8 becomes the text `Unparsable utf-8 0x…`, since such values can exist in
/// state and must not hide the rest.
///
/// At most about `output_max` bytes are written (a single leaf may pass it before it is noticed):
/// field names repeat for every item, so text can be far longer than the bytes.
///
/// # Errors
/// `Bcs` unless `bytes` is exactly one canonical value of the layout; `OutputTooLarge`. `out` is
/// left as it was.
pub fn render_json(
    layout: &Layout,
    bytes: &[u8],
    output_max: usize,
    out: &mut Vec<u8>,
) -> Result<(), RenderError> {
    let start = out.len();
    let mut reader = Reader::new(bytes);
    let result = render(layout, &mut reader, start.saturating_add(output_max), out);
    if result.is_err() {
        out.truncate(start);
    }
    result
}

fn render(
    layout: &Layout,
    reader: &mut Reader<'_>,
    end_max: usize,
    out: &mut Vec<u8>,
) -> Result<(), RenderError> {
    let mut stack: Vec<Frame> = Vec::new();
    let mut pending = Some(layout.root);
    loop {
        if out.len() > end_max {
            return Err(RenderError::OutputTooLarge);
        }
        if let Some(node) = pending.take() {
            let opened = open(layout, node, reader, out);
            stack.extend(opened.map_err(|error| RenderError::Bcs { error, offset: reader.position() })?);
        }
        let Some(frame) = stack.last_mut() else { break };
        match frame {
            Frame::Items { left: 0, .. } => {
                out.push(b']');
                stack.pop();
            }
            Frame::Items { item, left, is_first } => {
                separate(out, is_first);
                *left -= 1;
                pending = Some(*item);
            }
            Frame::Fields { next, end, .. } if next == end => {
                out.push(b'}');
                stack.pop();
            }
            Frame::Fields { next, is_first, .. } => {
                separate(out, is_first);
                let field = layout.field(*next);
                push_string(out, &field.name);
                out.push(b':');
                *next += 1;
                pending = Some(field.node);
            }
            Frame::OptionValue { item } => {
                pending = Some(*item);
                *frame = Frame::OptionEnd;
            }
            Frame::OptionEnd => {
                out.extend_from_slice(b"]}");
                stack.pop();
            }
        }
    }
    match reader.remaining() {
        0 => Ok(()),
        count => Err(RenderError::Bcs { error: Error::RemainingInput(count), offset: reader.position() }),
    }
}

fn separate(out: &mut Vec<u8>, is_first: &mut bool) {
    if !std::mem::take(is_first) {
        out.push(b',');
    }
}

/// Writes a leaf whole, or the opening of a container whose frame it returns.
fn open(
    layout: &Layout,
    node: NodeId,
    reader: &mut Reader<'_>,
    out: &mut Vec<u8>,
) -> Result<Option<Frame>, Error> {
    match layout.node(node) {
        Node::Leaf(leaf) => {
            push_leaf(*leaf, reader, out)?;
            Ok(None)
        }
        Node::Vector(item) => {
            let left = reader.length()?;
            // Every item takes at least one byte, so a longer count cannot be honest.
            if left > reader.remaining() {
                return Err(Error::UnexpectedEnd);
            }
            out.push(b'[');
            Ok(Some(Frame::Items { item: *item, left, is_first: true }))
        }
        Node::Option(item) => match reader.length()? {
            0 => {
                out.extend_from_slice(b"{\"vec\":[]}");
                Ok(None)
            }
            1 => {
                out.extend_from_slice(b"{\"vec\":[");
                Ok(Some(Frame::OptionValue { item: *item }))
            }
            _ => Err(Error::Invalid("an option holds at most one value")),
        },
        Node::Struct(fields) => {
            out.push(b'{');
            Ok(Some(Frame::Fields { next: fields.start, end: fields.end, is_first: true }))
        }
        Node::Enum(variants) => {
            let index = reader.variant()?;
            let variant = layout
                .variants(variants)
                .get(index as usize)
                .ok_or(Error::UnknownVariant { of: "the Move enum", index })?;
            out.extend_from_slice(b"{\"__variant__\":");
            push_string(out, &variant.name);
            Ok(Some(Frame::Fields { next: variant.fields.start, end: variant.fields.end, is_first: false }))
        }
    }
}

fn push_leaf(leaf: Leaf, reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut quoted = |write: &dyn Fn(&mut Vec<u8>)| {
        out.push(b'"');
        write(out);
        out.push(b'"');
    };
    match leaf {
        Leaf::Bool => out.extend_from_slice(if reader.bool()? { b"true" } else { b"false" }),
        Leaf::U8 => decimal::push_unsigned(out, reader.take(1)?),
        Leaf::U16 => decimal::push_unsigned(out, reader.take(2)?),
        Leaf::U32 => decimal::push_unsigned(out, reader.take(4)?),
        Leaf::U64 | Leaf::U128 | Leaf::U256 => {
            let bytes = reader.take(leaf.integer_width())?;
            quoted(&|out| decimal::push_unsigned(out, bytes));
        }
        Leaf::I8 => decimal::push_signed(out, reader.take(1)?),
        Leaf::I16 => decimal::push_signed(out, reader.take(2)?),
        Leaf::I32 => decimal::push_signed(out, reader.take(4)?),
        Leaf::I64 | Leaf::I128 | Leaf::I256 => {
            let bytes = reader.take(leaf.integer_width())?;
            quoted(&|out| decimal::push_signed(out, bytes));
        }
        Leaf::Address | Leaf::Signer => {
            let bytes = reader.take(32)?;
            quoted(&|out| push_address(out, bytes));
        }
        Leaf::Object => {
            let bytes = reader.take(32)?;
            out.extend_from_slice(b"{\"inner\":\"");
            push_address(out, bytes);
            out.extend_from_slice(b"\"}");
        }
        Leaf::Bytes => {
            let bytes = reader.bytes()?;
            quoted(&|out| push_hex(out, bytes));
        }
        Leaf::String => {
            let bytes = reader.bytes()?;
            match std::str::from_utf8(bytes) {
                Ok(text) => push_string(out, text),
                Err(_) => {
                    out.extend_from_slice(b"\"Unparsable utf-8 ");
                    push_hex(out, bytes);
                    out.push(b'"');
                }
            }
        }
    }
    Ok(())
}

impl Leaf {
    /// Bytes of an integer; 0 for what is not one.
    pub(super) fn integer_width(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 => 4,
            Self::U64 | Self::I64 => 8,
            Self::U128 | Self::I128 => 16,
            Self::U256 | Self::I256 => 32,
            _ => 0,
        }
    }
}

fn push_hex_digits(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.reserve(bytes.len() * 2);
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
}

fn push_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(b"0x");
    push_hex_digits(out, bytes);
}

/// `0x` and hex digits without leading zeros; zero keeps one digit.
fn push_address(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut digits = Vec::with_capacity(64);
    push_hex_digits(&mut digits, bytes);
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count().min(digits.len() - 1);
    out.extend_from_slice(b"0x");
    out.extend_from_slice(&digits[zeros..]);
}

/// Appends a JSON string, escaping what JSON demands and nothing else.
fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut copied = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        let escape: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0x08 => b"\\b",
            0x0c => b"\\f",
            0..=0x1f => b"",
            _ => continue,
        };
        out.extend_from_slice(&bytes[copied..index]);
        copied = index + 1;
        if escape.is_empty() {
            out.extend_from_slice(b"\\u00");
            push_hex_digits(out, &[byte]);
        } else {
            out.extend_from_slice(escape);
        }
    }
    out.extend_from_slice(&bytes[copied..]);
    out.push(b'"');
}
