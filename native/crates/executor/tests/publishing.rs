//! Packages from outside: published, called, upgraded, refused; with the status that clients see.

mod support;

use ledger_bcs::{Encode, Writer};
use ledger_bytecode::{CompiledModule, StatusCode};
use ledger_executor::view::{Form, view};
use ledger_testkit::assemble;
use ledger_types::{AbortLocation, Address, ExecutionStatus, SignedTransaction, StateKey};

use support::{Account, Chain, account};

/// A counter with an initialiser.
fn counter(at: &Address, step: u64) -> CompiledModule {
    assemble(&format!(
        "module {at}::counter version 6
        metadata 0x{} 0x{}
        import fun 0x1::signer::address_of(&signer): address
        struct Counter has key {{ n: u64 }}
        fun init_module(&signer) {{ MoveLoc 0 LdU64 100 Pack Counter MoveTo Counter Ret }}
        public entry fun bump(&signer) acquires Counter {{
            locals &mut u64
            MoveLoc 0 Call 0x1::signer::address_of MutBorrowGlobal Counter MutBorrowField Counter.n StLoc 1
            CopyLoc 1 ReadRef LdU64 1 Add MoveLoc 1 WriteRef Ret
        }}
        public fun step(): u64 {{ LdU64 {step} Ret }}
        public fun read(address): u64 acquires Counter {{
            MoveLoc 0 ImmBorrowGlobal Counter ImmBorrowField Counter.n ReadRef Ret
        }}",
        hex(b"aptos::metadata_v1"),
        hex(&views(&["read", "step"])),
    ))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Metadata that marks these functions as views.
fn views(names: &[&str]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.length(0);
    writer.length(0);
    writer.sequence(names, |writer, name| {
        writer.string(name);
        writer.length(1);
        writer.u8(1);
        writer.length(0);
    });
    writer.into_bytes()
}

/// BCS of the framework's `PackageMetadata`.
fn package(name: &str, policy: u8, modules: &[&CompiledModule], dependencies: &[&str]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.string(name);
    writer.u8(policy);
    writer.u64(0);
    writer.string("");
    writer.bytes(&[]);
    writer.sequence(modules, |writer, module| {
        writer.string(module.name().as_str());
        writer.bytes(&[]);
        writer.bytes(&[]);
        writer.u8(0);
    });
    writer.sequence(dependencies, |writer, name| {
        Address::ONE.encode(writer);
        writer.string(name);
    });
    writer.u8(0);
    writer.into_bytes()
}

fn publish(
    chain: &Chain,
    sender: Account,
    number: u64,
    policy: u8,
    modules: &[&CompiledModule],
) -> SignedTransaction {
    let metadata = package("Counter", policy, modules, &["LedgerFramework"]);
    publish_as(chain, sender, number, metadata, modules)
}

fn publish_as(
    chain: &Chain,
    sender: Account,
    number: u64,
    metadata: Vec<u8>,
    modules: &[&CompiledModule],
) -> SignedTransaction {
    let code: Vec<Vec<u8>> = modules.iter().map(|module| module.serialize()).collect();
    let arguments = vec![metadata.to_bytes(), code.to_bytes()];
    chain.call(sender, number, "0x1::code::publish_package_txn", arguments)
}

/// Runs one transaction in a block of its own and answers its status.
fn run(chain: &mut Chain, transaction: SignedTransaction) -> ExecutionStatus {
    let executed = chain.run(&[transaction]);
    assert_eq!(executed.discarded, []);
    let user = &executed.transactions[1];
    if let Some(message) = &user.output.message {
        println!("{:?}: {message}", user.output.status);
    }
    assert!(user.output.gas_used > 0);
    user.output.status.clone()
}

fn ask(chain: &mut Chain, function: &str, argument: &str) -> Result<String, String> {
    let at = account(0).address;
    let body =
        format!(r#"{{"function":"{at}::counter::{function}","type_arguments":[],"arguments":[{argument}]}}"#);
    match view(&mut chain.machine, &chain.state, body.as_bytes(), Form::Json, Form::Json, 1_000_000) {
        Ok(metered) => Ok(String::from_utf8(metered.body).unwrap()),
        Err(error) => Err(format!("{error:?}")),
    }
}

fn read(chain: &mut Chain) -> String {
    let owner = format!("\"{}\"", account(0).address);
    ask(chain, "read", &owner).unwrap()
}

const COMPATIBLE: u8 = 1;
const IMMUTABLE: u8 = 2;

fn failed(status: StatusCode) -> ExecutionStatus {
    ExecutionStatus::MiscellaneousError(Some(status.0))
}

#[test]
fn a_package_is_published_initialised_called_and_upgraded() {
    let (mut chain, owner) = (Chain::new(), account(0));
    let first = counter(&owner.address, 1);
    let publishing = publish(&chain, owner, 0, COMPATIBLE, &[&first]);
    assert_eq!(run(&mut chain, publishing), ExecutionStatus::Success);
    assert_eq!(chain.state.0[&StateKey::module(&first.id())].data, first.serialize());
    assert_eq!(read(&mut chain), "[\"100\"]", "the initialiser ran");
    assert_eq!(ask(&mut chain, "step", ""), Ok("[\"1\"]".to_owned()));

    let bump = format!("{}::counter::bump", owner.address);
    let calling = chain.call(owner, 1, &bump, Vec::new());
    assert_eq!(run(&mut chain, calling), ExecutionStatus::Success);
    assert_eq!(read(&mut chain), "[\"101\"]");

    let second = counter(&owner.address, 2);
    let upgrade = publish(&chain, owner, 2, COMPATIBLE, &[&second]);
    assert_eq!(run(&mut chain, upgrade), ExecutionStatus::Success);
    assert_eq!(read(&mut chain), "[\"101\"]", "an upgrade runs no initialiser");
    assert_eq!(ask(&mut chain, "step", ""), Ok("[\"2\"]".to_owned()));
}

#[test]
fn the_next_transaction_of_the_same_block_sees_the_code() {
    let (mut chain, owner) = (Chain::new(), account(0));
    let bump = format!("{}::counter::bump", owner.address);
    let module = counter(&owner.address, 1);
    let early = chain.call(account(1), 0, &bump, Vec::new());
    let publishing = publish(&chain, owner, 0, COMPATIBLE, &[&module]);
    let calling = chain.call(owner, 1, &bump, Vec::new());
    let executed = chain.run(&[early, publishing, calling]);
    let statuses: Vec<_> = executed.transactions[1..4].iter().map(|one| &one.output.status).collect();
    let success = ExecutionStatus::Success;
    assert_eq!(statuses, [&failed(StatusCode::LINKER_ERROR), &success, &success]);
    assert_eq!(read(&mut chain), "[\"101\"]");
}

#[test]
fn what_breaks_a_promise_is_refused_and_changes_nothing() {
    let (mut chain, owner) = (Chain::new(), account(0));
    let first = counter(&owner.address, 1);
    let publishing = publish(&chain, owner, 0, COMPATIBLE, &[&first]);
    assert_eq!(run(&mut chain, publishing), ExecutionStatus::Success);
    let mut changed = first.clone();
    let position = changed
        .function_defs()
        .position(|(index, _)| first.function_name(first[index].handle).as_str() == "step");
    changed.tables.function_defs[position.unwrap()].visibility = ledger_bytecode::Visibility::Private;
    let upgrade = publish(&chain, owner, 1, COMPATIBLE, &[&changed]);
    assert_eq!(run(&mut chain, upgrade), failed(StatusCode::BACKWARD_INCOMPATIBLE_MODULE_UPDATE));
    assert_eq!(chain.state.0[&StateKey::module(&first.id())].data, first.serialize());
    assert_eq!(ask(&mut chain, "step", ""), Ok("[\"1\"]".to_owned()));

    let freeze = publish(&chain, owner, 2, IMMUTABLE, &[&first]);
    assert_eq!(run(&mut chain, freeze), ExecutionStatus::Success);
    let thaw = publish(&chain, owner, 3, IMMUTABLE, &[&first]);
    let ExecutionStatus::MoveAbort { location, info, .. } = run(&mut chain, thaw) else { panic!("no abort") };
    assert!(matches!(location, AbortLocation::Module(module) if module.name == *"code"));
    assert!(info.unwrap().reason_name.contains("IMMUTABLE"));
}

#[test]
fn bundles_that_break_a_rule_are_refused_with_its_status() {
    let owner = account(0);
    let good = counter(&owner.address, 1);
    let elsewhere = counter(&account(1).address, 1);
    let module = |text: &str| assemble(&format!("module {}::counter version 6 {text}", owner.address));
    let unverified = module("fun f(): u64 { LdTrue Ret }");
    let native = module("native public fun f()");
    let initializer = module("public fun init_module(&signer) { Ret }");
    let missing = module("import fun 0x1::nowhere::f() fun g() { Call 0x1::nowhere::f Ret }");
    let rows: [(&str, &[&CompiledModule], StatusCode); 7] = [
        ("another address", &[&elsewhere], StatusCode::MODULE_ADDRESS_DOES_NOT_MATCH_SENDER),
        ("twice", &[&good, &good], StatusCode::DUPLICATE_MODULE_NAME),
        ("bad code", &[&unverified], StatusCode::RET_TYPE_MISMATCH_ERROR),
        ("a native", &[&native], StatusCode::USER_DEFINED_NATIVE_NOT_ALLOWED),
        ("a public initialiser", &[&initializer], StatusCode::INVALID_INIT_MODULE),
        ("a dependency that is not there", &[&missing], StatusCode::MISSING_DEPENDENCY),
        ("none of those announced", &[], StatusCode::CONSTRAINT_NOT_SATISFIED),
    ];
    for (name, modules, status) in rows {
        let mut chain = Chain::new();
        let metadata = package("Counter", COMPATIBLE, &[&good], &["LedgerFramework"]);
        let publishing = publish_as(&chain, owner, 0, metadata, modules);
        assert_eq!(run(&mut chain, publishing), failed(status), "{name}");
        assert!(!chain.state.0.contains_key(&StateKey::module(&good.id())), "{name}");
    }
}

#[test]
fn an_initialiser_that_aborts_takes_the_package_with_it() {
    let (mut chain, owner) = (Chain::new(), account(0));
    let text =
        format!("module {}::counter version 6 fun init_module(&signer) {{ LdU64 7 Abort }}", owner.address);
    let module = assemble(&text);
    let publishing = publish(&chain, owner, 0, COMPATIBLE, &[&module]);
    let status = run(&mut chain, publishing);
    assert!(matches!(status, ExecutionStatus::MoveAbort { code: 7, .. }), "{status:?}");
    assert!(!chain.state.0.contains_key(&StateKey::module(&module.id())));
    assert!(chain.resource(&owner.address, "0x1::code::PackageRegistry").is_none());
}
