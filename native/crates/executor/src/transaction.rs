//! One user transaction from checks to receipt.
//!
//! ```text
//! checks → prologue → [ account creation → payload → charges ] → epilogue        kept, Success
//!    │        │                        │                             │
//!    └────────┴── discarded            └── failure path ── epilogue ─┘            kept, its status
//! ```
//!
//! Each stage is a session of its own over what the stages before it wrote. A failure between prologue
//! and epilogue drops what the payload did, keeps the prologue's writes and pays for the gas used.

use ledger_bytecode::StatusCode;
use ledger_types::{ContractEvent, ExecutionStatus, ScriptArgument, StateValueMetadata, WriteSet};
use ledger_verifier::publish::INITIALIZER;
use ledger_vm::{
    CallMode, EntryFunctionPayload, GasLimits, GasMeter, Made, MultisigPayload, Overlay, PublishRequest,
    ScriptCode, SessionContext, StateSource, UserTransactionContext, Vm, VmError,
};

use crate::chain::{ChainConfig, account_key, framework_module};
use crate::changes::{TransactionChanges, UsageDelta};
use crate::checks::{check_gas, check_statically};
use crate::code_rules;
use crate::doors::{self, Executable};
use crate::facts::{ReplayProtection, Stage, TransactionFacts};
use crate::features::Feature;
use crate::fee_statement::FeeStatement;
use crate::keep::{AbortReasons, Disposition, disposition};
use crate::prologue::{Settlement, call_system, is_payload_to_blame, run_epilogue, run_prologue};
use crate::publish;
use crate::storage_fee::{StorageFee, charge_change_set};

/// What a kept transaction leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionOutput {
    /// How it ended.
    pub status: ExecutionStatus,
    /// Gas units charged, storage fee included.
    pub gas_used: u64,
    /// Changes of state, in key order.
    pub write_set: WriteSet,
    /// Events in order of emission.
    pub events: Vec<ContractEvent>,
    /// By how much it grows the state.
    pub usage: UsageDelta,
    /// What the virtual machine had to say about a failure, for people.
    pub message: Option<String>,
}

impl TransactionOutput {
    /// A successful step of the block itself, which pays no gas.
    pub fn system(changes: TransactionChanges) -> TransactionOutput {
        let usage = changes.usage();
        let (write_set, events) = changes.into_output();
        let status = ExecutionStatus::Success;
        TransactionOutput { status, gas_used: 0, write_set, events, usage, message: None }
    }
}

/// Where and how transactions run.
pub struct TransactionEnvironment<'a> {
    /// Settings in force.
    pub chain: &'a ChainConfig,
    /// The state beneath the transaction.
    pub state: &'a dyn StateSource,
    /// Reasons of aborts.
    pub reasons: &'a dyn AbortReasons,
    /// Timestamp of the block, microseconds.
    pub timestamp_usecs: u64,
    /// Position in the block.
    pub transaction_index: u32,
    /// Nothing is signed and nothing will be committed.
    pub is_simulation: bool,
}

/// Runs one transaction.
///
/// # Errors
/// The status code with which it is discarded; nothing was changed then.
pub fn execute(
    vm: &mut Vm,
    environment: &TransactionEnvironment<'_>,
    facts: &TransactionFacts<'_>,
) -> Result<TransactionOutput, StatusCode> {
    let mut run = Run::start(vm, environment, facts)?;
    let outcome = run.payload();
    match outcome {
        Ok(fee) => run.settle_success(fee),
        Err(error) => run.settle_failure(&error),
    }
}

/// Runs checks and prologue only.
///
/// # Errors
/// The status code with which the transaction would be discarded.
pub fn validate(
    vm: &mut Vm,
    environment: &TransactionEnvironment<'_>,
    facts: &TransactionFacts<'_>,
) -> Result<(), StatusCode> {
    Run::start(vm, environment, facts).map(drop)
}

/// A transaction that passed its prologue.
struct Run<'a> {
    vm: &'a mut Vm,
    environment: &'a TransactionEnvironment<'a>,
    facts: &'a TransactionFacts<'a>,
    /// What the prologue wrote: kept whatever happens.
    prologue: TransactionChanges,
    /// Prologue and payload.
    changes: TransactionChanges,
    meter: GasMeter,
}

impl<'a> Run<'a> {
    fn start(
        vm: &'a mut Vm,
        environment: &'a TransactionEnvironment<'a>,
        facts: &'a TransactionFacts<'a>,
    ) -> Result<Run<'a>, StatusCode> {
        let chain = environment.chain;
        let is_created = creates_sender(environment, facts)?;
        check_statically(chain, facts)?;
        check_gas(chain, facts, is_created)?;
        let gas = &chain.transaction_gas;
        let mut run = Run {
            vm,
            environment,
            facts,
            prologue: TransactionChanges::default(),
            changes: TransactionChanges::default(),
            meter: GasMeter::new(GasLimits {
                balance: facts.max_gas_units.saturating_mul(gas.scaling_factor),
                execution_max: gas.max_execution_gas,
                io_max: gas.max_io_gas,
            }),
        };
        let context = run.context(Stage::Prologue);
        let mut session = run.vm.session(environment.state, &chain.gas, context);
        run_prologue(&mut session, chain, facts, environment.is_simulation)?;
        let changes = session.finish().map_err(unexpected)?;
        run.prologue.add(changes, run.new_slot());
        run.changes = run.prologue.clone();
        Ok(run)
    }

    /// Account creation, payload, charges. From its success on the fee is fixed.
    fn payload(&mut self) -> Result<StorageFee, VmError> {
        let (chain, facts) = (self.environment.chain, self.facts);
        let context = self.context(Stage::Payload);
        let mut overlay = Overlay::new(self.environment.state);
        self.prologue.lay_over(&mut overlay);
        let mut session = self.vm.session(&overlay, &chain.gas, context);
        if creates_sender(self.environment, facts).map_err(|status| VmError::new(status.0))? {
            let sender = facts.sender.0;
            session.call(
                &framework_module("account"),
                "create_account_if_does_not_exist",
                &[],
                &[&sender],
                CallMode::Bypass,
                &mut self.meter,
            )?;
        }
        self.meter.charge_execution(chain.transaction_gas.intrinsic(facts.raw_bytes))?;
        let signers = facts.payload_signers();
        match doors::executable(facts.payload)? {
            Executable::EntryFunction(entry) => {
                let arguments: Vec<&[u8]> = entry.args.iter().map(AsRef::as_ref).collect();
                session.call(
                    &entry.module,
                    entry.function.as_str(),
                    &entry.type_args,
                    &arguments,
                    CallMode::Entry { signers: &signers },
                    &mut self.meter,
                )?;
            }
            Executable::Script(script) => {
                let values: Vec<Vec<u8>> = script.args.iter().map(ScriptArgument::value_bytes).collect();
                let arguments: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
                let code = ScriptCode {
                    bytes: &script.code,
                    read_limits: &code_rules::read_limits(&chain.features),
                    limits: &code_rules::limits(&chain.features),
                };
                session.call_script(&code, &script.type_args, &arguments, &signers, &mut self.meter)?;
            }
        }
        let made = session.made();
        let mut changes = session.finish()?;
        let request = changes.publish_request.take();
        self.changes.add(changes, self.new_slot());
        if let Some(request) = request {
            self.publish(request, made)?;
        }
        charge_change_set(
            &mut self.changes,
            facts.raw_bytes,
            facts.gas_unit_price,
            &chain.transaction_gas,
            &chain.features,
            &mut self.meter,
        )
    }

    /// Puts modules into the changes and runs the initialisers of the new ones, in the bundle's order, as
    /// the account that they are published to. `made` is what the payload numbered.
    fn publish(&mut self, request: PublishRequest, made: Made) -> Result<(), VmError> {
        let chain = self.environment.chain;
        let destination = request.destination;
        let mut overlay = Overlay::new(self.environment.state);
        self.changes.lay_over(&mut overlay);
        let publication = publish::stage(request, chain, &overlay)?;
        self.changes.add(publication.changes, self.new_slot());
        if publication.initializers.is_empty() {
            return Ok(());
        }
        let mut overlay = Overlay::new(self.environment.state);
        self.changes.lay_over(&mut overlay);
        let context = self.context(Stage::Payload);
        let mut session = self.vm.session(&overlay, &chain.gas, context);
        session.go_on(made);
        for id in &publication.initializers {
            session.call(id, INITIALIZER, &[], &[&destination.0], CallMode::Bypass, &mut self.meter)?;
        }
        let changes = session.finish()?;
        if changes.publish_request.is_some() {
            let message = "an initialiser that publishes modules";
            return Err(VmError::with_message(StatusCode::INVALID_INIT_MODULE.0, message));
        }
        self.changes.add(changes, self.new_slot());
        Ok(())
    }

    fn settle_success(mut self, fee: StorageFee) -> Result<TransactionOutput, StatusCode> {
        match self.epilogue(&self.changes.clone(), fee) {
            Ok(changes) => Ok(self.output(ExecutionStatus::Success, changes, None)),
            Err(error) if is_payload_to_blame(&error) => self.settle_failure(&error),
            Err(error) => Err(unexpected(error)),
        }
    }

    /// Keeps or discards a transaction whose payload failed.
    fn settle_failure(mut self, error: &VmError) -> Result<TransactionOutput, StatusCode> {
        let features = &self.environment.chain.features;
        let status = match disposition(error, features, self.environment.reasons) {
            Disposition::Keep(status) => status,
            Disposition::Discard(status) => return Err(status),
        };
        let fee = self.create_sender_after_failure()?;
        let changes = self.epilogue(&self.prologue.clone(), fee).map_err(unexpected)?;
        Ok(self.output(status, changes, error.message.clone()))
    }

    /// The account that the dropped payload session would have made is made again, since the epilogue
    /// counts its sequence number.
    fn create_sender_after_failure(&mut self) -> Result<StorageFee, StatusCode> {
        if !creates_sender(self.environment, self.facts)? {
            return Ok(StorageFee::default());
        }
        let metered = self.create_sender_metered(self.meter.clone());
        let (changes, fee, meter) = match metered {
            Ok(done) => done,
            Err(error) if error.status == StatusCode::OUT_OF_GAS.0 => {
                let (changes, fee, _) =
                    self.create_sender_metered(GasMeter::unmetered()).map_err(unexpected)?;
                let mut spent = self.meter.clone();
                let _ = spent.charge_other(u64::MAX);
                (changes, fee, spent)
            }
            Err(error) => return Err(unexpected(error)),
        };
        self.prologue = changes;
        self.meter = meter;
        Ok(fee)
    }

    fn create_sender_metered(
        &mut self,
        mut meter: GasMeter,
    ) -> Result<(TransactionChanges, StorageFee, GasMeter), VmError> {
        let (chain, facts) = (self.environment.chain, self.facts);
        let context = self.context(Stage::RunOnAbort);
        let mut overlay = Overlay::new(self.environment.state);
        self.prologue.lay_over(&mut overlay);
        let mut session = self.vm.session(&overlay, &chain.gas, context);
        let sender = facts.sender.0;
        session.call(
            &framework_module("account"),
            "create_account_if_does_not_exist",
            &[],
            &[&sender],
            CallMode::Bypass,
            &mut meter,
        )?;
        let mut changes = self.prologue.clone();
        changes.add(session.finish()?, self.new_slot());
        let price = facts.gas_unit_price;
        let fee =
            charge_change_set(&mut changes, 0, price, &chain.transaction_gas, &chain.features, &mut meter)?;
        Ok((changes, fee, meter))
    }

    /// Runs the epilogue over `changes` and returns them with its own.
    fn epilogue(
        &mut self,
        changes: &TransactionChanges,
        fee: StorageFee,
    ) -> Result<TransactionChanges, VmError> {
        let chain = self.environment.chain;
        let context = self.context(Stage::Epilogue);
        let mut overlay = Overlay::new(self.environment.state);
        changes.lay_over(&mut overlay);
        let settlement = Settlement {
            storage_refund: fee.refunded,
            gas_units_remaining: self.meter.balance() / chain.transaction_gas.scaling_factor,
        };
        let statement = self.fee_statement(fee);
        let mut session = self.vm.session(&overlay, &chain.gas, context);
        run_epilogue(&mut session, chain, self.facts, settlement, self.environment.is_simulation)?;
        if chain.features.is_on(Feature::EmitFeeStatement) {
            let module = framework_module("transaction_fee");
            call_system(&mut session, &module, "emit_fee_statement", &[statement.to_bytes()])?;
        }
        let mut settled = changes.clone();
        settled.add(session.finish()?, self.new_slot());
        Ok(settled)
    }

    fn output(
        &self,
        status: ExecutionStatus,
        changes: TransactionChanges,
        message: Option<String>,
    ) -> TransactionOutput {
        let usage = changes.usage();
        let (write_set, events) = changes.into_output();
        TransactionOutput { status, gas_used: self.gas_used(), write_set, events, usage, message }
    }

    fn gas_used(&self) -> u64 {
        let remaining = self.meter.balance() / self.environment.chain.transaction_gas.scaling_factor;
        self.facts.max_gas_units - remaining.min(self.facts.max_gas_units)
    }

    fn fee_statement(&self, fee: StorageFee) -> FeeStatement {
        let scaling = self.environment.chain.transaction_gas.scaling_factor;
        FeeStatement {
            total_charge_gas_units: self.gas_used(),
            execution_gas_units: self.meter.execution_used().div_ceil(scaling),
            io_gas_units: self.meter.io_used().div_ceil(scaling),
            storage_fee_octas: fee.charged,
            storage_fee_refund_octas: fee.refunded,
        }
    }

    /// Metadata of items created now, where the chain keeps any.
    fn new_slot(&self) -> Option<StateValueMetadata> {
        self.environment.chain.features.is_on(Feature::StorageSlotMetadata).then_some(StateValueMetadata {
            slot_deposit: 0,
            bytes_deposit: 0,
            creation_time_usecs: self.environment.timestamp_usecs,
        })
    }

    fn context(&self, stage: Stage) -> SessionContext {
        let facts = self.facts;
        let entry_function = match doors::executable(facts.payload) {
            Ok(Executable::EntryFunction(entry)) => Some(EntryFunctionPayload {
                module: entry.module.clone(),
                function: entry.function.to_string(),
                type_arguments: entry.type_args.clone(),
                arguments: entry.args.iter().map(|argument| argument.to_vec()).collect(),
            }),
            Ok(Executable::Script(_)) | Err(_) => None,
        };
        SessionContext {
            session_id: facts.session_id(stage),
            chain_id: self.environment.chain.chain_id,
            script_hash: facts.script_hash.clone(),
            timestamp_usecs: self.environment.timestamp_usecs,
            user: Some(UserTransactionContext {
                sender: facts.sender,
                secondary_signers: facts.secondary_signers.clone(),
                gas_payer: facts.gas_payer(),
                max_gas_amount: facts.max_gas_units,
                gas_unit_price: facts.gas_unit_price,
                entry_function,
                multisig: None::<MultisigPayload>,
                transaction_index: self.environment.transaction_index,
            }),
        }
    }
}

/// Whether the sender's account does not exist yet and this transaction makes it.
fn creates_sender(
    environment: &TransactionEnvironment<'_>,
    facts: &TransactionFacts<'_>,
) -> Result<bool, StatusCode> {
    let features = &environment.chain.features;
    let may = features.is_on(Feature::DefaultAccountResource)
        || (features.is_on(Feature::SponsoredAutomaticAccountCreation) && facts.fee_payer.is_some());
    if !may || facts.replay != ReplayProtection::SequenceNumber(0) {
        return Ok(false);
    }
    match environment.state.get(&account_key(&facts.sender)) {
        Ok(account) => Ok(account.is_none()),
        Err(_) => Err(StatusCode::STORAGE_ERROR),
    }
}

/// A failure where none can be the transaction's fault. Errors of the store keep their own status.
fn unexpected(error: VmError) -> StatusCode {
    match StatusCode(error.status) {
        StatusCode::STORAGE_ERROR => StatusCode::STORAGE_ERROR,
        _ => StatusCode::UNEXPECTED_ERROR_FROM_KNOWN_MOVE_FUNCTION,
    }
}
