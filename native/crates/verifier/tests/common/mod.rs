//! Rows of module text and what the verifier must say to them.

use ledger_bytecode::{CompiledModule, StatusCode};
use ledger_testkit::assemble;
use ledger_verifier::{Limits, verify_module};

/// A name that says why the row exists, what is expected (`None`: accepted), and declarations.
pub type Row<'a> = (&'a str, Option<StatusCode>, &'a str);

/// Declarations that rows share.
pub const PRELUDE: &str = "
    struct R has key { x: u64 }
    struct C has copy+drop+store { x: u64, y: u64 }
    struct N { x: u64 }
    struct Cs has copy+drop { v: vector<C>, c: C }
    struct Box<T0: store> has copy+drop+store { t: T0 }
    struct Res<T0> has key { t: u64 }
    enum E has copy+drop { A { x: u64, y: bool }, B { x: u64 }, D { z: bool } }
";

/// A module of the newest version with the shared declarations.
pub fn module(declarations: &str) -> CompiledModule {
    assemble(&format!("module 0x42::m version 10 {PRELUDE} {declarations}"))
}

/// Runs rows over [`module`]. Every module must survive writing and reading first, so that a row
/// tests the verifier and not the assembler.
pub fn run(rows: &[Row<'_>]) {
    run_with(rows, module, &Limits::default());
}

/// Runs rows with another way to make the module, or other limits.
pub fn run_with(rows: &[Row<'_>], make: impl Fn(&str) -> CompiledModule, limits: &Limits) {
    let mut wrong = Vec::new();
    for (name, expected, text) in rows {
        let module = make(text);
        let given = verify_module(&module, limits);
        if given.as_ref().err().map(|error| error.status) != *expected {
            wrong.push(format!("{name}: expected {expected:?}, got {given:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
