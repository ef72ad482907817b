//! Modules depend on each other without cycles.

use std::collections::BTreeMap;

use ledger_bytecode::{CompiledModule, StatusCode};
use ledger_types::ModuleId;

use crate::dependencies::ModuleSource;
use crate::error::{Verdict, VerificationError};

/// Checks that no way along dependencies leads from `module` back to a module on that way.
///
/// Looks at everything reachable, `module` standing for itself whatever `source` has under its name.
/// Modules that are not there are left to [`crate::verify_dependencies`].
///
/// # Errors
/// `CYCLIC_MODULE_DEPENDENCY`.
pub fn verify_acyclic(module: &CompiledModule, source: &dyn ModuleSource) -> Verdict {
    let own = module.id();
    // Modules seen; true while they are on the way being looked at.
    let mut seen: BTreeMap<ModuleId, bool> = BTreeMap::from([(own.clone(), true)]);
    let mut path: Vec<(ModuleId, Vec<ModuleId>)> = vec![(own, module.dependencies().collect())];
    while let Some((id, ahead)) = path.last_mut() {
        let Some(next) = ahead.pop() else {
            seen.insert(id.clone(), false);
            path.pop();
            continue;
        };
        match seen.get(&next) {
            Some(true) => {
                let status = StatusCode::CYCLIC_MODULE_DEPENDENCY;
                return Err(VerificationError::whole(
                    status,
                    "modules that depend on each other in a circle",
                ));
            }
            Some(false) => {}
            None => {
                let ahead = source.module(&next).map(|found| found.dependencies().collect());
                seen.insert(next.clone(), true);
                path.push((next, ahead.unwrap_or_default()));
            }
        }
    }
    Ok(())
}
