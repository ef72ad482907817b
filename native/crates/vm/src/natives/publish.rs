//! `0x1::code`: asking for modules to be published. The request is only recorded; the executor acts
//! on it when the payload has ended.

use super::{NativeCx, by_length};
use crate::errors::Fault;
use crate::state::PublishRequest;

/// Abort code of a second request in one transaction.
const ALREADY_REQUESTED: u64 = 0x3_0000;

/// `code::request_publish`
pub fn request(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    record(cx, None, 2, 3)
}

/// `code::request_publish_with_allowed_deps`: each is an address and a module name.
pub fn request_with_dependencies(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let list = cx.slot(2)?;
    let mut allowed = Vec::new();
    // `AllowedDep { account: address, module_name: String }`
    for at in cx.elements_at(list, 5) {
        allowed.push((cx.address_at(at), text(cx.bytes_at(at + 4))?));
    }
    record(cx, Some(allowed), 3, 4)
}

fn text(bytes: Vec<u8>) -> Result<String, Fault> {
    String::from_utf8(bytes).map_err(|_| Fault::invariant("a string that is not UTF-8"))
}

fn record(
    cx: &mut NativeCx<'_, '_>,
    allowed_dependencies: Option<Vec<(ledger_types::Address, String)>>,
    modules: usize,
    policy: usize,
) -> Result<(), Fault> {
    let costs = cx.env.costs;
    cx.charge(costs.request_publish_base)?;
    let destination = cx.address(0)?;
    let mut expected_modules = Vec::new();
    for at in cx.elements_at(cx.slot(1)?, 1) {
        expected_modules.push(text(cx.bytes_at(at))?);
    }
    let mut blobs = Vec::new();
    for at in cx.elements_at(cx.slot(modules)?, 1) {
        let blob = cx.bytes_at(at);
        cx.charge(by_length(0, costs.request_publish_per_byte, blob.len()))?;
        blobs.push(blob);
    }
    let policy = cx.word(policy)? as u8;
    if cx.data.publish_request.is_some() {
        return Err(Fault::abort(ALREADY_REQUESTED));
    }
    cx.data.publish_request =
        Some(PublishRequest { destination, expected_modules, allowed_dependencies, modules: blobs, policy });
    Ok(())
}
