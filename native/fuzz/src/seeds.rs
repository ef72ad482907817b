//! What the mutations start from.

use std::path::Path;

use ledger_executor::framework::Framework;

/// The modules of the framework, then those of the differential test.
pub fn modules() -> Vec<Vec<u8>> {
    let mut modules: Vec<_> =
        Framework::built_in().modules.iter().map(|module| module.code.to_vec()).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/vm/tests/differential/modules");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("part of the checkout").map(|entry| entry.unwrap().path()).collect();
    files.sort();
    // The framework has its own standard library.
    let is_program =
        |path: &Path| !["bcs.mv", "signer.mv", "vector.mv"].iter().any(|name| path.ends_with(name));
    modules.extend(files.iter().filter(|path| is_program(path)).map(|path| std::fs::read(path).unwrap()));
    modules
}
