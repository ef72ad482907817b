//! The assembler reads what the disassembler prints, and covers the whole instruction set.

use std::collections::BTreeSet;

use ledger_bytecode::{Bytecode, CompiledModule, CompiledScript, disassemble_module, disassemble_script};
use ledger_testkit::{assemble, assemble_script, fixtures};

#[test]
fn disassembled_modules_assemble_to_the_same_text() {
    for fixture in fixtures::ALL {
        let module = CompiledModule::deserialize(fixture.bytes).expect(fixture.name);
        let text = disassemble_module(&module);
        let again = assemble(&text);
        assert_eq!(disassemble_module(&again), text, "{}", fixture.name);
        let bytes = again.serialize();
        assert_eq!(CompiledModule::deserialize(&bytes), Ok(again), "{}", fixture.name);
    }
}

const EVERYTHING: &str = include_str!("everything.masm");

#[test]
fn every_instruction_can_be_written() {
    let module = assemble(EVERYTHING);
    let seen: BTreeSet<u8> = module
        .function_defs
        .iter()
        .flat_map(|def| &def.code.as_ref().expect("no natives here").code)
        .map(Bytecode::opcode)
        .collect();
    let missing: Vec<u8> = (1..=Bytecode::COUNT as u8).filter(|code| !seen.contains(code)).collect();
    assert_eq!(missing, Vec::<u8>::new());
    assert_eq!(Bytecode::COUNT, 104);

    assert_eq!(CompiledModule::deserialize(&module.serialize()), Ok(module.clone()));
    let text = disassemble_module(&module);
    assert_eq!(disassemble_module(&assemble(&text)), text);
}

#[test]
fn scripts_assemble_and_are_read_back() {
    let source = "script
        import fun 0x1::m::f<T0: drop>(T0, u64): bool
        fun main<T0: drop>(T0, &signer) {
          locals u64
          MoveLoc 0 LdU64 1_000 CallGeneric 0x1::m::f<T0>
          BrTrue done
          Nop
          done: Ret
        }";
    let script = assemble_script(source);
    assert_eq!(CompiledScript::deserialize(&script.serialize()), Ok(script.clone()));
    let text = disassemble_script(&script);
    assert_eq!(disassemble_script(&assemble_script(&text)), text);
    assert_eq!(script.code.code[3], Bytecode::BrTrue(5));
}
