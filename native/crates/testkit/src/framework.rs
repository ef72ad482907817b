//! The modules the node boots from, read from the checkout's bundle.

use std::path::Path;

use ledger_bcs::{Reader, Result};

/// First bytes of the bundle.
const MAGIC: &[u8] = b"LNFRAME1";

/// The bytes of every module of `framework/build/framework.bundle`, each after those it depends on.
///
/// # Panics
/// If the bundle is not there or does not begin as `framework/README.md` says.
pub fn modules() -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../framework/build/framework.bundle");
    let bundle = std::fs::read(&path).expect("the framework bundle is part of the checkout");
    let body = bundle.strip_prefix(MAGIC).expect("the bundle begins with its magic");
    code(&mut Reader::new(body)).expect("the bundle lists modules after the compiler's name")
}

fn code(reader: &mut Reader<'_>) -> Result<Vec<Vec<u8>>> {
    reader.string()?;
    reader.sequence(|reader| {
        reader.array::<32>()?;
        reader.string()?;
        reader.bytes().map(<[u8]>::to_vec)
    })
}
