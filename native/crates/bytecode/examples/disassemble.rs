//! Prints the text of a module file: `cargo run -p ledger-bytecode --example disassemble -- m.mv`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: disassemble FILE");
        return ExitCode::from(2);
    };
    let read = std::fs::read(&path).map_err(|error| error.to_string());
    let module = read.and_then(|bytes| {
        ledger_bytecode::CompiledModule::deserialize(&bytes).map_err(|error| error.to_string())
    });
    match module {
        Ok(module) => {
            print!("{}", ledger_bytecode::disassemble_module(&module));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}
