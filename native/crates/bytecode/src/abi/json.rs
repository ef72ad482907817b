//! The JSON text of ABIs, written straight to bytes.

use super::{Abi, AbiFunction, AbiStruct};
use crate::model::{AbilitySet, Visibility};

/// What has an ABI object.
pub(super) trait WriteJson {
    fn write_json(&self, out: &mut Vec<u8>);
}

pub(super) fn code<T: WriteJson>(bytes: &[u8], abi: Option<T>, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.reserve(2 * bytes.len());
    out.extend_from_slice(b"{\"bytecode\":\"0x");
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
    out.extend_from_slice(b"\",\"abi\":");
    match abi {
        Some(abi) => abi.write_json(out),
        None => out.extend_from_slice(b"null"),
    }
    out.push(b'}');
}

impl WriteJson for Abi {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"address\":");
        string(&self.address.to_string(), out);
        out.extend_from_slice(b",\"name\":");
        string(&self.name, out);
        out.extend_from_slice(b",\"friends\":");
        list(&self.friends, out, |friend, out| string(&friend.to_string(), out));
        out.extend_from_slice(b",\"exposed_functions\":");
        list(&self.exposed_functions, out, WriteJson::write_json);
        out.extend_from_slice(b",\"structs\":");
        list(&self.structs, out, WriteJson::write_json);
        out.push(b'}');
    }
}

impl WriteJson for AbiFunction {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"name\":");
        string(&self.name, out);
        out.extend_from_slice(b",\"visibility\":");
        string(
            match self.visibility {
                Visibility::Private => "private",
                Visibility::Friend => "friend",
                Visibility::Public => "public",
            },
            out,
        );
        out.extend_from_slice(b",\"is_entry\":");
        boolean(self.is_entry, out);
        out.extend_from_slice(b",\"is_view\":");
        boolean(self.is_view, out);
        out.extend_from_slice(b",\"generic_type_params\":");
        list(&self.type_parameters, out, type_parameter);
        out.extend_from_slice(b",\"params\":");
        list(&self.parameters, out, |text, out| string(text, out));
        out.extend_from_slice(b",\"return\":");
        list(&self.results, out, |text, out| string(text, out));
        out.push(b'}');
    }
}

impl WriteJson for AbiStruct {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"name\":");
        string(&self.name, out);
        out.extend_from_slice(b",\"is_native\":");
        boolean(self.is_native, out);
        out.extend_from_slice(b",\"is_event\":");
        boolean(self.is_event, out);
        out.extend_from_slice(b",\"is_enum\":");
        boolean(self.is_enum, out);
        out.extend_from_slice(b",\"abilities\":");
        abilities(self.abilities, out);
        out.extend_from_slice(b",\"generic_type_params\":");
        list(&self.type_parameters, out, type_parameter);
        out.extend_from_slice(b",\"fields\":");
        list(&self.fields, out, |(name, text), out| {
            out.extend_from_slice(b"{\"name\":");
            string(name, out);
            out.extend_from_slice(b",\"type\":");
            string(text, out);
            out.push(b'}');
        });
        out.push(b'}');
    }
}

fn type_parameter(constraints: &AbilitySet, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"constraints\":");
    abilities(*constraints, out);
    out.push(b'}');
}

fn abilities(set: AbilitySet, out: &mut Vec<u8>) {
    let names: Vec<&str> = set.iter().map(|ability| ability.name()).collect();
    list(&names, out, |name, out| string(name, out));
}

fn list<T>(items: &[T], out: &mut Vec<u8>, mut write: impl FnMut(&T, &mut Vec<u8>)) {
    out.push(b'[');
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(b']');
}

fn boolean(value: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

/// Names and types consist of characters that need no escape; the two that would are escaped anyway,
/// so that no input can break the text.
fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text.bytes() {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b'"');
}
