//! Good modules with an instruction or a byte changed: the verifier answers, never panics, and what
//! it refuses it refuses with a code of its own range.

use std::collections::BTreeSet;

use ledger_bytecode::{Bytecode, CompiledModule, StatusCode, StatusKind};
use ledger_testkit::fixtures;
use ledger_testkit::random::Random;
use ledger_verifier::{Limits, verify_module};

fn modules() -> Vec<CompiledModule> {
    fixtures::ALL.iter().map(|fixture| CompiledModule::deserialize(fixture.bytes).unwrap()).collect()
}

/// Swaps, drops and replaces instructions. Most changes break something; the codes seen show that
/// they do not all break the same thing.
#[test]
fn changed_instructions_are_refused_for_many_reasons() {
    let mut random = Random::new(3);
    let mut reasons = BTreeSet::new();
    let (mut accepted, mut refused) = (0, 0);
    let modules = modules();
    let pool: Vec<Bytecode> = modules
        .iter()
        .flat_map(|m| m.function_defs.iter())
        .filter_map(|d| d.code.as_ref())
        .flat_map(|u| u.code.clone())
        .collect();
    for module in &modules {
        for _ in 0..4_000 {
            let mut changed = module.clone();
            let function = random.below(changed.function_defs.len());
            let Some(unit) = &mut changed.tables.function_defs[function].code else { continue };
            let at = random.below(unit.code.len());
            match random.below(4) {
                0 => {
                    unit.code.remove(at);
                }
                1 => {
                    let other = random.below(unit.code.len());
                    unit.code.swap(at, other);
                }
                2 => unit.code[at] = unit.code[random.below(unit.code.len())],
                _ => unit.code[at] = pool[random.below(pool.len())],
            }
            match verify_module(&changed, &Limits::default()) {
                Ok(()) => accepted += 1,
                Err(error) => {
                    assert_eq!(error.status.kind(), StatusKind::Verification, "{error}");
                    reasons.insert(error.status);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 3 * accepted, "{refused} refused, {accepted} accepted");
    assert!(reasons.len() >= 25, "{reasons:?}");
}

#[test]
fn changed_bytes_never_break_the_verifier() {
    let mut random = Random::new(4);
    let mut verified = 0;
    for fixture in fixtures::ALL {
        for _ in 0..4_000 {
            let mut bytes = fixture.bytes.to_vec();
            for _ in 0..=random.below(2) {
                let at = random.below(bytes.len());
                bytes[at] =
                    if random.below(2) == 0 { random.byte() } else { bytes[at] ^ (1 << random.below(8)) };
            }
            let Ok(module) = CompiledModule::deserialize(&bytes) else { continue };
            verified += 1;
            if let Err(error) = verify_module(&module, &Limits::default()) {
                assert_ne!(error.status, StatusCode::VERIFIER_INVARIANT_VIOLATION, "{error}");
                assert_eq!(error.status.kind(), StatusKind::Verification, "{error}");
            }
        }
    }
    assert!(verified > 2_000, "{verified}");
}
