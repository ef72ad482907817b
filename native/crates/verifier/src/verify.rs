//! The passes in order.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ledger_bytecode::{Body, CompiledModule, CompiledScript, StatusCode, Tables, bounds};

use crate::acquires::{self, AcquiresByHandle};
use crate::error::{Verdict, VerificationError};
use crate::limits::Limits;
use crate::meter::Meter;
use crate::{
    consistency, constants, control_flow, duplicates, features, friends, instantiation_loops, limits, locals,
    recursion, references, signatures, stack_usage, struct_api, type_safety,
};

/// Verifies a module by itself. What it imports is looked at by [`crate::verify_dependencies`].
///
/// # Errors
/// The first fault in pass order, with the protocol's status code and its place.
/// `PROGRAM_TOO_COMPLEX` when the work budget is used up; `VERIFIER_INVARIANT_VIOLATION` if a pass
/// breaks a promise of its own, which is a bug here and no property of the module.
pub fn verify_module(module: &CompiledModule, limits: &Limits) -> Verdict {
    guarded(|| module_passes(module, limits))
}

/// Verifies a script by itself.
///
/// # Errors
/// As [`verify_module`].
pub fn verify_script(script: &CompiledScript, limits: &Limits) -> Verdict {
    guarded(|| script_passes(script, limits))
}

/// A panic in a pass is an answer about the verifier, not the end of the process.
fn guarded(passes: impl FnOnce() -> Verdict) -> Verdict {
    catch_unwind(AssertUnwindSafe(passes)).unwrap_or_else(|_| {
        let status = StatusCode::VERIFIER_INVARIANT_VIOLATION;
        Err(VerificationError::whole(status, "a pass stopped at a broken promise of its own"))
    })
}

fn module_passes(module: &CompiledModule, limits: &Limits) -> Verdict {
    let tables = &module.tables;
    bounds::check_module(module)?;
    features::verify(tables, None, None, limits.features)?;
    limits::verify(tables, limits)?;
    duplicates::verify_module(module)?;
    signatures::verify_module(module)?;
    for body in bodies(module) {
        consistency::verify_body(tables, &body)?;
    }
    constants::verify(tables)?;
    friends::verify(module)?;
    recursion::verify(module)?;
    instantiation_loops::verify(module)?;
    control_flow::verify_back_edges(bodies(module), limits)?;

    let acquires = acquires::by_handle(module);
    let mut meter = Meter::new(limits.function_units_max, limits.module_units_max);
    for (function, _) in module.function_defs() {
        if let Some(body) = module.body(function) {
            body_passes(tables, &body, module.version, &acquires, limits, &mut meter)?;
        }
        acquires::verify_function(module, function, &acquires)?;
    }
    struct_api::verify_module(module)
}

fn script_passes(script: &CompiledScript, limits: &Limits) -> Verdict {
    let tables = &script.tables;
    let body = script.body();
    bounds::check_script(script)?;
    features::verify(tables, script.access.as_deref(), Some(&script.code), limits.features)?;
    limits::verify(tables, limits)?;
    limits::verify_script(script, limits)?;
    duplicates::verify_tables(tables)?;
    struct_api::verify_script(script)?;
    signatures::verify_tables(tables)?;
    signatures::verify_script(script)?;
    consistency::verify_body(tables, &body)?;
    constants::verify(tables)?;
    control_flow::verify_back_edges(std::iter::once(body), limits)?;
    let mut meter = Meter::new(limits.function_units_max, limits.module_units_max);
    body_passes(tables, &body, script.version, &AcquiresByHandle::new(), limits, &mut meter)
}

fn bodies(module: &CompiledModule) -> impl Iterator<Item = Body<'_>> {
    module.function_defs().filter_map(|(function, _)| module.body(function))
}

fn body_passes(
    tables: &Tables,
    body: &Body<'_>,
    version: u32,
    acquires: &AcquiresByHandle<'_>,
    limits: &Limits,
    meter: &mut Meter,
) -> Verdict {
    meter.enter(body.function);
    let blocks = control_flow::verify_body(body, version, limits)?;
    stack_usage::verify_body(tables, body, &blocks, limits)?;
    type_safety::verify_body(tables, body, &blocks, meter)?;
    locals::verify_body(tables, body, &blocks, meter)?;
    references::verify_body(tables, body, &blocks, acquires, meter)
}
