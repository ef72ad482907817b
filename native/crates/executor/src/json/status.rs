//! `vm_status`: how a transaction ended, as clients read and compare it.

use ledger_bytecode::CompiledModule;
use ledger_types::{AbortLocation, ExecutionStatus, ModuleId};

use crate::refusal::status_name;

/// Finds modules, to name the function in which execution failed.
pub trait Modules {
    /// The module, if it is there and readable.
    fn module(&self, id: &ModuleId) -> Option<CompiledModule>;
}

/// The text of a kept status.
pub fn status_text(status: &ExecutionStatus, modules: &dyn Modules) -> String {
    match status {
        ExecutionStatus::Success => "Executed successfully".to_owned(),
        ExecutionStatus::OutOfGas => "Out of gas".to_owned(),
        ExecutionStatus::MoveAbort { location: AbortLocation::Script, code, .. } => {
            format!("Move abort: code {code:#x}")
        }
        ExecutionStatus::MoveAbort { location: AbortLocation::Module(module), code, info } => match info {
            Some(info) => {
                let (reason, description) = (&info.reason_name, &info.description);
                format!("Move abort in {module}: {reason}({code:#x}): {description}")
            }
            None => format!("Move abort in {module}: {code:#x}"),
        },
        ExecutionStatus::ExecutionFailure { location: AbortLocation::Script, code_offset, .. } => {
            format!("Execution failed in script at code offset {code_offset}")
        }
        ExecutionStatus::ExecutionFailure {
            location: AbortLocation::Module(module),
            function,
            code_offset,
        } => {
            let name = modules.module(module).and_then(|code| function_name(&code, *function));
            let name = name.unwrap_or_else(|| format!("<#{function} function>"));
            format!("Execution failed in {module}::{name} at code offset {code_offset}")
        }
        ExecutionStatus::MiscellaneousError(Some(code)) => status_name(*code).to_owned(),
        ExecutionStatus::MiscellaneousError(None) => {
            "Execution failed with miscellaneous error and no status code".to_owned()
        }
    }
}

fn function_name(module: &CompiledModule, index: u16) -> Option<String> {
    let (_, definition) = module.function_defs().nth(usize::from(index))?;
    Some(module[module[definition.handle].name].as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use ledger_types::AbortInfo;

    use super::*;
    use crate::chain::framework_module;

    struct NoModules;

    impl Modules for NoModules {
        fn module(&self, _: &ModuleId) -> Option<CompiledModule> {
            None
        }
    }

    #[test]
    fn each_status_has_its_public_text() {
        let in_coin = || AbortLocation::Module(framework_module("coin"));
        let info = AbortInfo { reason_name: "EX".into(), description: "why".into() };
        let abort = |location, info| ExecutionStatus::MoveAbort { location, code: 0x1_0006, info };
        let failure = |location| ExecutionStatus::ExecutionFailure { location, function: 5, code_offset: 14 };
        let rows = [
            (ExecutionStatus::Success, "Executed successfully"),
            (ExecutionStatus::OutOfGas, "Out of gas"),
            (abort(in_coin(), Some(info)), "Move abort in 0x1::coin: EX(0x10006): why"),
            (abort(in_coin(), None), "Move abort in 0x1::coin: 0x10006"),
            (abort(AbortLocation::Script, None), "Move abort: code 0x10006"),
            (failure(in_coin()), "Execution failed in 0x1::coin::<#5 function> at code offset 14"),
            (failure(AbortLocation::Script), "Execution failed in script at code offset 14"),
            (ExecutionStatus::MiscellaneousError(Some(1081)), "LINKER_ERROR"),
            (
                ExecutionStatus::MiscellaneousError(None),
                "Execution failed with miscellaneous error and no status code",
            ),
        ];
        for (status, expected) in rows {
            assert_eq!(status_text(&status, &NoModules), expected);
        }
    }
}
