//! Text to module or script, for tests that need code no compiler would write.
//!
//! Reads what [`ledger_bytecode::disassemble_module`] prints, and some shorthand: own structs and
//! functions without their module, labels with names, `_` in numbers. Types are written as
//! `vector<u8>`, `&mut S<T0>`, `|u64|(bool) has copy+drop`. One line of grammar each:
//!
//! ```text
//! module 0x42::m                                  or: script
//! version 8                                       left out: 7
//! friend 0x42::n
//! metadata 0x6b6579 0x76616c7565                  key and value
//! import struct 0x1::string::String has copy+drop+store
//! import fun 0x1::vector::empty<T0>(u64): vector<T0> attributes [persistent]
//! struct S<T0: store, phantom T1> has copy { x: u64, y: vector<T0> }
//! native struct N
//! enum E has drop { A { x: u64 }, B {} }
//! public entry fun f<T0: copy>(u64, &mut T0): u64 acquires S attributes [persistent] {
//!   locals u64
//!   top: LdU64 1
//!   BrTrue top
//! }
//! native friend fun g(&signer)
//! ```
//! A script has exactly one `fun main`. Nothing is checked but what is needed to find the tables'
//! entries: bad modules are what verifier tests are made of. Comments run from `//` to the line's end.
//!
//! ```
//! let module = ledger_testkit::assemble("module 0x42::m  fun f(): u64 { LdU64 7 Ret }");
//! assert_eq!(module.name().as_str(), "m");
//! ```

mod build;
mod lexer;
mod operand;
mod parse;
mod syntax;

use ledger_bytecode::{CompiledModule, CompiledScript};

/// Assembles a module.
///
/// # Panics
/// On any mistake in the text, naming the line: tests want to stop there.
pub fn assemble(source: &str) -> CompiledModule {
    match parse::unit(source).and_then(|unit| build::module(&unit)) {
        Ok(module) => module,
        Err(error) => panic!("{error}"),
    }
}

/// Assembles a script.
///
/// # Panics
/// As [`assemble`].
pub fn assemble_script(source: &str) -> CompiledScript {
    match parse::unit(source).and_then(|unit| build::script(&unit)) {
        Ok(script) => script,
        Err(error) => panic!("{error}"),
    }
}
