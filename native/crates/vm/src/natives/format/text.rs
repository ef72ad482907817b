//! One value as text.

use ledger_bytecode::StructLayout;
use ledger_types::{Address, TypeTag};

use crate::errors::{Fault, status};
use crate::natives::NativeCx;
use crate::session::Env;
use crate::types::{FieldSlot, Int, Kind, TypeInfo, TypeKey};

/// Values nested deeper are refused; the machine makes none.
const DEPTH_MAX: usize = 256;

/// What a text shows beside values.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Structs under their full type, not their name alone.
    pub type_tags: bool,
    /// Addresses with all their zeros.
    pub full_addresses: bool,
    /// No line breaks.
    pub single_line: bool,
    /// Integers with their type.
    pub integer_types: bool,
}

/// Where a value lies.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// From this word on.
    Slot(usize),
    /// At this byte, as an element of a packed vector.
    Packed(usize),
}

impl Place {
    /// What a reference to a value of type `ty` points to.
    pub fn behind(ty: &TypeInfo, target: usize) -> Self {
        if ty.narrow != 0 { Self::Packed(target) } else { Self::Slot(target) }
    }

    /// First word of a value that lies in words.
    fn word(self) -> usize {
        match self {
            Self::Slot(at) => at,
            Self::Packed(byte) => byte / 8,
        }
    }

    /// First word of what a struct or enum holds, wherever it is kept.
    pub fn content(self, env: Env<'_>, ty: &TypeInfo) -> usize {
        if ty.is_boxed() { env.memory.word(self.word()) as usize + 1 } else { self.word() }
    }
}

/// Whether the type is this struct of the framework.
pub fn is_framework_struct(env: Env<'_>, ty: &TypeInfo, module: &str, name: &str) -> bool {
    let TypeKey::Struct { module: owner, definition, .. } = &ty.key else { return false };
    let owner = env.catalog.module(*owner);
    owner.id.address == Address::ONE
        && owner.id.name.as_str() == module
        && owner.struct_name(*definition).as_str() == name
}

/// Name of an integer type, and its value in decimal.
fn integer(int: Int, words: [u64; 4]) -> (&'static str, String) {
    let wide = u128::from(words[0]) | u128::from(words[1]) << 64;
    let signed = |bits: u32| (((words[0] << (64 - bits)) as i64) >> (64 - bits)).to_string();
    match int {
        Int::U8 => ("u8", words[0].to_string()),
        Int::U16 => ("u16", words[0].to_string()),
        Int::U32 => ("u32", words[0].to_string()),
        Int::U64 => ("u64", words[0].to_string()),
        Int::U128 => ("u128", wide.to_string()),
        Int::U256 => ("u256", decimal(words)),
        Int::I8 => ("i8", signed(8)),
        Int::I16 => ("i16", signed(16)),
        Int::I32 => ("i32", signed(32)),
        Int::I64 => ("i64", signed(64)),
        Int::I128 => ("i128", (wide as i128).to_string()),
        Int::I256 if words[3] >> 63 == 0 => ("i256", decimal(words)),
        Int::I256 => ("i256", format!("-{}", decimal(negated(words)))),
    }
}

fn negated(words: [u64; 4]) -> [u64; 4] {
    let mut carry = true;
    words.map(|word| {
        let (sum, overflow) = (!word).overflowing_add(u64::from(carry));
        carry = overflow;
        sum
    })
}

/// Decimal digits of an unsigned number, least word first.
fn decimal(mut words: [u64; 4]) -> String {
    /// Greatest power of ten in a word, and its digits.
    const CHUNK: u128 = 10_000_000_000_000_000_000;
    let mut chunks = Vec::new();
    loop {
        let mut rest = 0u128;
        for word in words.iter_mut().rev() {
            let part = rest << 64 | u128::from(*word);
            *word = (part / CHUNK) as u64;
            rest = part % CHUNK;
        }
        if words == [0; 4] {
            let mut text = rest.to_string();
            chunks.iter().rev().for_each(|chunk: &u128| text.push_str(&format!("{chunk:019}")));
            return text;
        }
        chunks.push(rest);
    }
}

/// A text in the making. Every value in it is paid when it is reached, and it never grows past what a
/// value of the machine may take.
pub struct Text<'c, 'a, 's> {
    cx: &'c mut NativeCx<'a, 's>,
    style: Style,
    out: String,
}

impl<'c, 'a, 's> Text<'c, 'a, 's> {
    /// Nothing yet.
    pub fn new(cx: &'c mut NativeCx<'a, 's>, style: Style) -> Self {
        Self { cx, style, out: String::new() }
    }

    /// The text.
    pub fn finish(self) -> String {
        self.out
    }

    /// Appends as it is.
    pub fn push(&mut self, part: &str) -> Result<(), Fault> {
        self.out.push_str(part);
        if self.out.len() as u64 > self.cx.env.costs.memory_quota {
            return Err(Fault::new(status::MEMORY_LIMIT_EXCEEDED));
        }
        Ok(())
    }

    /// Appends a value. Recursion is as deep as the value's type, which is limited, and is counted.
    pub fn value(&mut self, ty: &'a TypeInfo, place: Place, depth: usize) -> Result<(), Fault> {
        if depth > DEPTH_MAX {
            return Err(Fault::new(status::VM_MAX_VALUE_DEPTH_REACHED));
        }
        self.cx.charge(self.cx.env.costs.format_base)?;
        match &ty.kind {
            Kind::Bool => {
                let value = self.word(ty, place) != 0;
                self.push(if value { "true" } else { "false" })
            }
            Kind::Int(int) => self.integer(ty, *int, place),
            Kind::Address => self.address(place),
            Kind::Signer => {
                self.push("signer(")?;
                self.address(place)?;
                self.push(")")
            }
            Kind::Vector(element) => self.vector(self.cx.env.ty(*element), place, depth),
            Kind::Struct(fields) => self.structure(ty, fields, place, depth),
            Kind::Enum(_) => self.variant(ty, place, depth),
            Kind::Reference(_) | Kind::MutableReference(_) => Err(Fault::invariant("a reference in a value")),
            Kind::Function => Err(Fault::not_implemented("text of function values")),
        }
    }

    fn word(&self, ty: &TypeInfo, place: Place) -> u64 {
        match place {
            Place::Slot(at) => self.cx.env.memory.word(at),
            Place::Packed(byte) => self.cx.env.memory.narrow(byte, ty.narrow as usize),
        }
    }

    fn integer(&mut self, ty: &TypeInfo, int: Int, place: Place) -> Result<(), Fault> {
        let mut words = [self.word(ty, place), 0, 0, 0];
        for (i, word) in words.iter_mut().enumerate().take(int.slots() as usize).skip(1) {
            *word = self.cx.env.memory.word(place.word() + i);
        }
        let (name, digits) = integer(int, words);
        self.push(&digits)?;
        if self.style.integer_types { self.push(name) } else { Ok(()) }
    }

    fn address(&mut self, place: Place) -> Result<(), Fault> {
        let address = self.cx.address_at(place.word());
        let digits: String = address.0.iter().map(|byte| format!("{byte:02x}")).collect();
        self.push("@")?;
        if self.style.full_addresses {
            return self.push(&digits);
        }
        let short = digits.trim_start_matches('0');
        self.push("0x")?;
        self.push(if short.is_empty() { "0" } else { short })
    }

    fn bytes(&mut self, at: usize) -> Result<Vec<u8>, Fault> {
        let block = self.cx.env.memory.word(at) as usize;
        let length = self.cx.env.memory.length(block) as u64;
        self.cx.charge(self.cx.env.costs.format_per_byte.saturating_mul(length))?;
        Ok(self.cx.bytes_at(at))
    }

    fn vector(&mut self, element: &'a TypeInfo, place: Place, depth: usize) -> Result<(), Fault> {
        if element.int() == Some(Int::U8) {
            let digits: String = self.bytes(place.word())?.iter().map(|byte| format!("{byte:02x}")).collect();
            self.push("0x")?;
            return self.push(&digits);
        }
        let memory = self.cx.env.memory;
        let block = memory.word(place.word()) as usize;
        let length = memory.length(block);
        let lines = matches!(element.kind, Kind::Vector(_) | Kind::Struct(_) | Kind::Enum(_));
        self.push("[")?;
        for i in 0..length {
            self.separate(i, lines, depth + 1)?;
            let place = if element.narrow != 0 {
                Place::Packed((block + 1) * 8 + i * element.narrow as usize)
            } else {
                Place::Slot(block + 1 + i * element.slots as usize)
            };
            self.value(element, place, depth + 1)?;
        }
        if length > 0 {
            self.gap(lines, depth)?;
        }
        self.push("]")
    }

    /// Before part number `i`.
    fn separate(&mut self, i: usize, lines: bool, depth: usize) -> Result<(), Fault> {
        if i > 0 {
            self.push(",")?;
        }
        self.gap(lines, depth)
    }

    /// A line break and two spaces for each level, or one space.
    fn gap(&mut self, lines: bool, depth: usize) -> Result<(), Fault> {
        if self.style.single_line || !lines {
            return self.push(" ");
        }
        self.push("\n")?;
        self.push(&"  ".repeat(depth))
    }

    fn structure(
        &mut self,
        ty: &'a TypeInfo,
        fields: &'a [FieldSlot],
        place: Place,
        depth: usize,
    ) -> Result<(), Fault> {
        let env = self.cx.env;
        let start = place.content(env, ty);
        if is_framework_struct(env, ty, "string", "String") {
            let bytes = self.bytes(start)?;
            let text = String::from_utf8(bytes);
            let text = text.map_err(|_| Fault::invariant("a string that is not UTF-8"))?;
            self.push("\"")?;
            self.push(&text)?;
            return self.push("\"");
        }
        if is_framework_struct(env, ty, "option", "Option")
            && let [list] = fields
            && let Kind::Vector(element) = env.ty(list.ty).kind
        {
            return self.option(env.ty(element), start, depth);
        }
        self.type_name(ty)?;
        let names = self.field_names(ty, None)?;
        self.fields(&names, fields, start, depth)
    }

    /// An option that is a vector of at most one element.
    fn option(&mut self, element: &'a TypeInfo, at: usize, depth: usize) -> Result<(), Fault> {
        let block = self.cx.env.memory.word(at) as usize;
        if self.cx.env.memory.length(block) == 0 {
            return self.push("None");
        }
        let place = Place::behind(element, if element.narrow != 0 { (block + 1) * 8 } else { block + 1 });
        self.push("Some(")?;
        self.value(element, place, depth + 1)?;
        self.push(")")
    }

    fn variant(&mut self, ty: &'a TypeInfo, place: Place, depth: usize) -> Result<(), Fault> {
        let env = self.cx.env;
        let start = place.content(env, ty);
        let tag = env.memory.word(start) as usize;
        let variant = ty.variants().get(tag).ok_or_else(|| Fault::invariant("a variant that is none"))?;
        if is_framework_struct(env, ty, "option", "Option") {
            let Some(field) = variant.fields.first() else { return self.push("None") };
            self.push("Some(")?;
            self.value(env.ty(field.ty), Place::Slot(start + field.offset as usize), depth + 1)?;
            return self.push(")");
        }
        self.type_name(ty)?;
        let names = self.field_names(ty, Some(tag))?;
        self.fields(&names, &variant.fields, start, depth)
    }

    fn type_name(&mut self, ty: &TypeInfo) -> Result<(), Fault> {
        if self.style.type_tags {
            let tag: TypeTag = self.cx.data.tag(self.cx.env.catalog, ty.id)?;
            return self.push(&tag.to_string());
        }
        let TypeKey::Struct { module, definition, .. } = &ty.key else {
            return Err(Fault::invariant("fields of something that is no struct"));
        };
        self.push(self.cx.env.catalog.module(*module).struct_name(*definition).as_str())
    }

    /// Names of the fields of a struct, or of one variant, whose name is appended.
    fn field_names(&mut self, ty: &TypeInfo, variant: Option<usize>) -> Result<Vec<&'a str>, Fault> {
        let TypeKey::Struct { module, definition, .. } = &ty.key else {
            return Err(Fault::invariant("fields of something that is no struct"));
        };
        let code = &self.cx.env.catalog.module(*module).code;
        let fields = match (&code.struct_defs[usize::from(*definition)].layout, variant) {
            (StructLayout::Struct(fields), None) => fields,
            (StructLayout::Enum(variants), Some(tag)) if tag < variants.len() => {
                self.push("::")?;
                self.push(code[variants[tag].name].as_str())?;
                &variants[tag].fields
            }
            _ => return Err(Fault::invariant("a struct of another form than its type")),
        };
        Ok(fields.iter().map(|field| code[field.name].as_str()).collect())
    }

    fn fields(
        &mut self,
        names: &[&str],
        fields: &'a [FieldSlot],
        start: usize,
        depth: usize,
    ) -> Result<(), Fault> {
        self.push(" {")?;
        for (i, (name, field)) in names.iter().zip(fields).enumerate() {
            self.separate(i, true, depth + 1)?;
            self.push(name)?;
            self.push(": ")?;
            self.value(self.cx.env.ty(field.ty), Place::Slot(start + field.offset as usize), depth + 1)?;
        }
        if !fields.is_empty() {
            self.gap(true, depth)?;
        }
        self.push("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_width_are_decimal() {
        let max = [u64::MAX; 4];
        let rows = [
            (Int::U64, max, "18446744073709551615"),
            (Int::U128, max, "340282366920938463463374607431768211455"),
            (
                Int::U256,
                max,
                "115792089237316195423570985008687907853269984665640564039457584007913129639935",
            ),
            (Int::U256, [0; 4], "0"),
            (Int::U256, [10_000_000_000_000_000_000, 0, 0, 0], "10000000000000000000"),
            (Int::I8, [0xff, 0, 0, 0], "-1"),
            (Int::I64, [1 << 63, 0, 0, 0], "-9223372036854775808"),
            (Int::I128, [0, 1 << 63, 0, 0], "-170141183460469231731687303715884105728"),
            (
                Int::I256,
                [0, 0, 0, 1 << 63],
                "-57896044618658097711785492504343953926634992332820282019728792003956564819968",
            ),
            (Int::I256, [7, 0, 0, 0], "7"),
        ];
        for (int, words, text) in rows {
            assert_eq!(integer(int, words).1, text, "{int:?}");
        }
    }
}
