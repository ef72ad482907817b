//! Names reserved for struct wrappers, taken apart.
//!
//! `pack$S`, `pack$S$V`, `unpack$S`, `unpack$S$V`, `test_variant$S$V`, `borrow$S$offset`,
//! `borrow_mut$S$offset`, and for enums `borrow$S$offset$order`. A name is reserved only if `S` is a
//! struct of the module. Since `S` and `V` may hold `$` themselves, an attribute about a variant asks
//! for the shortest `S`, any other reading for the longest.

use ledger_bytecode::{CompiledModule, FunctionAttribute, StructDefIndex};

use crate::names::Names;

/// What a reserved name promises.
pub(super) struct Reserved {
    pub(super) owner: StructDefIndex,
    /// The attribute that must stand beside it.
    pub(super) attribute: FunctionAttribute,
    /// Which of an enum's distinct fields.
    pub(super) order: Option<u16>,
}

/// Takes `name` apart; `None` if it is an ordinary one.
pub(super) fn parse(
    module: &CompiledModule,
    names: &Names<'_>,
    name: &str,
    attribute: Option<FunctionAttribute>,
) -> Result<Option<Reserved>, &'static str> {
    let Some((purpose, rest)) = name.split_once('$') else { return Ok(None) };
    if !matches!(purpose, "pack" | "unpack" | "test_variant" | "borrow" | "borrow_mut") {
        return Ok(None);
    }
    let wants_variant = matches!(
        attribute,
        Some(
            FunctionAttribute::PackVariant(_)
                | FunctionAttribute::UnpackVariant(_)
                | FunctionAttribute::TestVariant(_)
        )
    );
    // Every way to cut `rest` at a `$`, shortest struct name first, the whole last.
    let cuts = rest.match_indices('$').map(|(at, _)| (&rest[..at], Some(&rest[at + 1..])));
    let mut readings = cuts
        .chain([(rest, None)])
        .filter_map(|(structure, tail)| names.structure(structure).map(|owner| (owner, tail)));
    let chosen = if wants_variant { readings.find(|(_, tail)| tail.is_some()) } else { readings.next_back() };
    let Some((owner, tail)) = chosen else { return Ok(None) };

    let malformed = "a name reserved for struct wrappers that is none";
    let variant = |name: &str| {
        let variants = module[owner].variants().iter();
        let found = variants.map(|variant| module[variant.name].as_str()).position(|known| known == name);
        // At most 127 variants: the reader.
        found.map(|index| index as u16).ok_or("a struct wrapper of a variant that is not there")
    };
    let mut order = None;
    let attribute = match (purpose, tail) {
        ("pack", None) => FunctionAttribute::Pack,
        ("pack", Some(tail)) => FunctionAttribute::PackVariant(variant(tail)?),
        ("unpack", None) => FunctionAttribute::Unpack,
        ("unpack", Some(tail)) => FunctionAttribute::UnpackVariant(variant(tail)?),
        ("test_variant", Some(tail)) => FunctionAttribute::TestVariant(variant(tail)?),
        ("borrow" | "borrow_mut", Some(tail)) => {
            let (offset, later) = match tail.split_once('$') {
                Some((offset, later)) => (offset, Some(later)),
                None => (tail, None),
            };
            let offset = decimal(offset).ok_or(malformed)?;
            if let Some(later) = later {
                order = Some(decimal(later).ok_or(malformed)?);
            }
            if purpose == "borrow" {
                FunctionAttribute::BorrowField(offset)
            } else {
                FunctionAttribute::BorrowFieldMut(offset)
            }
        }
        _ => return Err(malformed),
    };
    Ok(Some(Reserved { owner, attribute, order }))
}

/// A number in its only decimal form.
fn decimal(text: &str) -> Option<u16> {
    let number: u16 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
