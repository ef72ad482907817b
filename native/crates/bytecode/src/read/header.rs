//! Magic, version and the list of tables.

use crate::error::BinaryError;
use crate::format::{FLAVOUR_MASK, MAGIC, TABLE_COUNT_MAX, Table, VERSION_MIN};
use crate::status::StatusCode;
use crate::wire::Cursor;

/// Where one table lies in the file.
pub(super) struct Section {
    pub(super) kind: Table,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What stands before the tables.
pub(super) struct Header {
    pub(super) version: u32,
    /// By offset: they lie end to end.
    pub(super) sections: Vec<Section>,
    pub(super) tail_start: usize,
}

pub(super) fn read(bytes: &[u8], version_max: u32) -> Result<Header, BinaryError> {
    let mut cursor = Cursor::new(bytes, 0);
    if cursor.fixed::<4>(StatusCode::BAD_MAGIC)? != MAGIC {
        return Err(Cursor::new(bytes, 0).error(StatusCode::BAD_MAGIC, "not the magic of this format"));
    }
    let version_at = cursor.clone();
    let word = u32::from_le_bytes(cursor.fixed(StatusCode::MALFORMED)?);
    let version = word & !FLAVOUR_MASK;
    if !(VERSION_MIN..=version_max).contains(&version) {
        return Err(version_at.error(StatusCode::UNKNOWN_VERSION, "a version that is not enabled"));
    }

    let count = cursor.uleb(TABLE_COUNT_MAX)?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let at = cursor.clone();
        let byte = cursor.byte()?;
        let offset = cursor.uleb(u64::from(u32::MAX))?;
        let length = cursor.uleb(u64::from(u32::MAX))?;
        let kind = Table::from_byte(byte)
            .ok_or_else(|| at.error(StatusCode::UNKNOWN_TABLE_TYPE, "a byte that is no table kind"))?;
        entries.push((offset, length, kind));
    }
    entries.sort_by_key(|(offset, ..)| *offset);

    let base = cursor.offset();
    let mut end = 0u64;
    let mut sections: Vec<Section> = Vec::with_capacity(entries.len());
    for (offset, length, kind) in entries {
        let next = end + length;
        if offset != end || length == 0 || next > u64::from(u32::MAX) || next > bytes.len() as u64 {
            return Err(cursor.error(StatusCode::BAD_HEADER_TABLE, "tables that do not lie end to end"));
        }
        if sections.iter().any(|section| section.kind == kind) {
            return Err(cursor.error(StatusCode::DUPLICATE_TABLE, "a table listed twice"));
        }
        sections.push(Section { kind, start: base + end as usize, end: base + next as usize });
        end = next;
    }
    let tail_start = base + end as usize;
    if tail_start > bytes.len() {
        return Err(cursor.malformed("tables that reach beyond the end"));
    }
    Ok(Header { version, sections, tail_start })
}
