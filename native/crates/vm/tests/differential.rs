//! Another Move machine agrees: every program of `tests/differential` ends here as it ended in the
//! compiler's own machine, with the same result bytes, or the same abort code or status at the same
//! instruction. `node native/crates/vm/tests/differential/record.mjs` remakes the record, and says
//! what a line of it means.

mod common;

use std::ops::RangeInclusive;

use common::{context, gas, machine_with, module_id, modules};
use ledger_bytecode::CompiledModule;
use ledger_types::{Address, ModuleId};
use ledger_vm::{CallMode, GasLimits, GasMeter, Location, LocationModule, Lowering, VmError, status};

const VERDICTS: &str = include_str!("differential/verdicts.txt");

/// Where the programs' signer lives.
const SIGNER: &str = "0x5";

fn home() -> Address {
    "0xd1ff".parse().unwrap()
}

/// What the record says of one program.
enum Verdict<'a> {
    /// Bytes of each result in hex.
    Returned(Vec<&'a str>),
    /// `status`, `sub-status`, abort code, function, and the instructions it may be at.
    Ended {
        status: u64,
        sub_status: Option<u64>,
        abort_code: Option<u64>,
        function: &'a str,
        at: Vec<RangeInclusive<u16>>,
    },
}

/// A line: the program's module and name, and its verdict.
fn parse(line: &str) -> (&str, &str, Verdict<'_>) {
    let mut words = line.split(' ');
    let (module, program) = words.next().unwrap().split_once("::").unwrap();
    let (kind, rest) = (words.next().unwrap(), words.collect::<Vec<_>>());
    let verdict = match (kind, &rest[..]) {
        ("returned", results) => Verdict::Returned(results.to_vec()),
        ("aborted" | "failed", [code, "in", function, "at", runs]) => {
            let (first, second) = code.split_once('/').map_or((*code, None), |(a, b)| (a, b.parse().ok()));
            let number: u64 = first.parse().unwrap();
            let is_abort = kind == "aborted";
            Verdict::Ended {
                status: if is_abort { status::ABORTED } else { number },
                sub_status: second,
                abort_code: is_abort.then_some(number),
                function,
                at: runs.split(',').map(run).collect(),
            }
        }
        _ => panic!("not a verdict: {line}"),
    };
    (module, program, verdict)
}

/// `3-5`, or `3-` up to the end of the code.
fn run(text: &str) -> RangeInclusive<u16> {
    let (first, last) = text.split_once('-').unwrap();
    first.parse().unwrap()..=last.parse().unwrap_or(u16::MAX)
}

/// `module::function`, by its definition's index.
fn function_name(code: &[CompiledModule], location: &Location) -> String {
    let LocationModule::Module(id) = &location.module else { panic!("a place in a script") };
    let module = code.iter().find(|module| module.id() == *id).expect("a module of the test");
    let (index, _) = module.function_defs().nth(usize::from(location.function)).expect("a function");
    format!("{}::{}", id.name.as_str(), module[module.handle_of(index).name].as_str())
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".to_owned();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Says how the outcome differs from the verdict, if it does.
fn difference(
    code: &[CompiledModule],
    verdict: &Verdict<'_>,
    outcome: &Result<Vec<String>, VmError>,
) -> Option<String> {
    match (verdict, outcome) {
        (Verdict::Returned(expected), Ok(found)) if expected == found => None,
        (Verdict::Ended { status, sub_status, abort_code, function, at }, Err(error)) => {
            let Some(location) = &error.location else {
                return Some(format!("no place: {error:?}"));
            };
            let place = function_name(code, location);
            let is_same = error.status == *status
                && error.sub_status == *sub_status
                && error.abort_code == *abort_code
                && place == *function
                && at.iter().any(|run| run.contains(&location.code_offset));
            (!is_same).then(|| {
                format!(
                    "expected {status}/{sub_status:?}/{abort_code:?} in {function} at {at:?}, \
                     found {error:?} in {place}"
                )
            })
        }
        (Verdict::Returned(expected), found) => Some(format!("expected {expected:?}, found {found:?}")),
        (Verdict::Ended { status, .. }, Ok(found)) => Some(format!("expected {status}, found {found:?}")),
    }
}

fn compare(lowering: Lowering) {
    let bytes = modules("tests/differential/modules");
    let code: Vec<_> = bytes.iter().map(|bytes| CompiledModule::deserialize(bytes).unwrap()).collect();
    let (state, mut vm) = machine_with(&bytes, lowering);
    let gas = gas();
    let signer: Address = SIGNER.parse().unwrap();
    let mut wrong = Vec::new();
    let (mut returned, mut ended) = (0, 0);
    for line in VERDICTS.lines() {
        let (module, program, verdict) = parse(line);
        match verdict {
            Verdict::Returned(_) => returned += 1,
            Verdict::Ended { .. } => ended += 1,
        }
        let id: ModuleId = module_id(home(), module);
        let mut session = vm.session(&state, &gas, context());
        let takes_signer = !session.function_signature(&id, program, &[]).unwrap().parameters.is_empty();
        let arguments: &[&[u8]] = if takes_signer { &[&signer.0] } else { &[] };
        let mut meter =
            GasMeter::new(GasLimits { balance: 1 << 60, execution_max: 1 << 60, io_max: 1 << 60 });
        let outcome = session
            .call(&id, program, &[], arguments, CallMode::Bypass, &mut meter)
            .map(|values| values.iter().map(|value| hex(&value.bytes)).collect());
        if let Some(text) = difference(&code, &verdict, &outcome) {
            wrong.push(format!("{module}::{program}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{} programs differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(returned >= 60 && ended >= 60, "{returned} returned, {ended} ended otherwise");
    println!("{returned} programs returned and {ended} ended otherwise, as in the other machine");
}

#[test]
fn plainly_lowered_programs_end_as_in_the_other_machine() {
    compare(Lowering { forward: false, fuse: false, copy_heads: false, far: true });
}

#[test]
fn programs_end_as_in_the_other_machine() {
    compare(Lowering::default());
}
