//! The register code of the benchmark and edge modules, as committed in `tests/lowered`: a change of
//! lowering shows as a diff there. `LOWERED_REWRITE=1 cargo test -p ledger-vm --test lowered` writes
//! the files anew; look at the diff before committing it.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::{context, gas, machine, modules};
use ledger_bytecode::CompiledModule;

#[test]
fn lowered_code_is_what_was_looked_at() {
    let modules = modules("tests/fixtures");
    let (state, mut vm) = machine(&modules);
    let gas = gas();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowered");
    let mut compared = 0;
    for bytes in &modules {
        let module = CompiledModule::deserialize(bytes).unwrap();
        let name = module.name().as_str().to_owned();
        if !["compute", "locals"].contains(&name.as_str()) {
            continue;
        }
        let mut text = String::new();
        for (index, definition) in module.function_defs() {
            let handle = module.handle_of(index);
            let function = module[handle.name].as_str();
            if !handle.type_parameters.is_empty() || definition.is_native() {
                continue;
            }
            let mut session = vm.session(&state, &gas, context());
            let listing = session.lowered_text(&module.id(), function, &[]).unwrap();
            write!(text, "fun {function}\n{listing}\n").unwrap();
        }
        let path = folder.join(format!("{name}.txt"));
        if std::env::var_os("LOWERED_REWRITE").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        for (line, (expected, found)) in expected.lines().zip(text.lines()).enumerate() {
            assert_eq!(expected, found, "{name}.txt line {}", line + 1);
        }
        assert_eq!(expected.lines().count(), text.lines().count());
        compared += 1;
    }
    assert_eq!(compared, 2);
}
