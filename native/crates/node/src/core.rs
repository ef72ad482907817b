//! The stateful face: one core per process or worker thread.

use std::thread;

use ledger_bcs::{Decode, Encode};
use ledger_executor::admission;
use ledger_executor::block::{BlockExecutor, ExecutedBlock};
use ledger_executor::doors::{self, Door};
use ledger_executor::framework::Framework;
use ledger_executor::genesis::make_genesis;
use ledger_executor::genesis_file::read_genesis_file;
use ledger_executor::json::request::{signed_from_json, signing_message_from_json};
use ledger_executor::json::{write_committed, write_pending};
use ledger_executor::ledger::Ledger;
use ledger_executor::machine::Machine;
use ledger_executor::refusal::{QueryError, Refusal};
use ledger_executor::resources;
use ledger_executor::simulate::{SimulationOptions, signed_from_bcs, simulate};
use ledger_executor::state_view::StateView;
use ledger_executor::view::{Form, view};
use ledger_types::{HashValue, SignedTransaction, StateKey, StateValue};
use napi::bindgen_prelude::{BufferSlice, Either, Function};
use napi::{Env, Status};
use napi_derive::napi;

use crate::block_output::{AddonBlockOutput, pack};
use crate::failure::{Failure, answer};
use crate::functions::address_of;
use crate::guard::guard;
use crate::js_bytes::JsBytes;
use crate::packed::{unpack, unpack_pairs};
use crate::shapes::{
    AddonBlockInput, AddonGenesisOptions, AddonMetered, AddonResourceLocation, AddonSimulateOptions,
    AddonStoredTransaction, block_input, committed, genesis_options, natural,
};
use crate::state_bridge::StateBridge;

/// Most threads that hash the state tree.
const HASHING_THREADS_MAX: usize = 8;

type Answer<T> = napi::Result<Either<T, Failure>>;

/// One core with its own memory, bound to the thread that made it.
#[napi]
pub struct AddonCore {
    bridge: StateBridge,
    chain_id: u8,
    machine: Machine,
    executor: BlockExecutor,
    ledger: Ledger,
}

#[napi]
impl AddonCore {
    /// Makes a core whose state reads go through the given request buffer and callbacks.
    #[napi(constructor)]
    pub fn new(
        env: Env,
        chain_id: u8,
        request: BufferSlice,
        read_state: Function<u32>,
        read_long_state: Function<BufferSlice>,
    ) -> napi::Result<AddonCore> {
        Ok(AddonCore {
            bridge: StateBridge::new(&env, request, &read_state, &read_long_state)?,
            chain_id,
            machine: Machine::new(),
            executor: BlockExecutor::new(),
            ledger: Ledger::new(),
        })
    }

    /// Makes version 0 of a chain of our own. Replaces whatever ledger the core held.
    #[napi]
    pub fn genesis(&mut self, options: AddonGenesisOptions) -> Either<AddonBlockOutput, Failure> {
        answer(guard(|| {
            let options = genesis_options(&options)?;
            let change_set = make_genesis(Framework::built_in(), &options)
                .map_err(|error| Failure::internal(error.to_string()))?;
            self.ledger = Ledger::new();
            self.executor.forget_state();
            self.seal(ExecutedBlock::genesis(change_set), 0)
        }))
    }

    /// Makes version 0 from a public network's genesis file. Replaces whatever ledger the core held.
    #[napi]
    pub fn genesis_from_file(&mut self, file: BufferSlice) -> Either<AddonBlockOutput, Failure> {
        answer(guard(|| {
            let refused = |message: String| Failure::new("config_invalid", message);
            doors::pass(Door::GenesisFile).map_err(|shut| refused(shut.to_string()))?;
            let genesis = read_genesis_file(&file).map_err(|error| refused(format!("{error}.")))?;
            if genesis.chain_id != self.chain_id {
                let id = genesis.chain_id;
                return Err(refused(format!(
                    "The genesis file is of chain {id}: start with --chain-id {id}."
                )));
            }
            self.ledger = Ledger::new();
            self.executor.forget_state();
            self.seal(ExecutedBlock::genesis(genesis.change_set), 0)
        }))
    }

    /// The waypoint that pins the state after a genesis file.
    #[napi]
    pub fn genesis_waypoint(&self, file: BufferSlice) -> Either<String, Failure> {
        answer(guard(|| {
            let genesis = read_genesis_file(&file)
                .map_err(|error| Failure::new("config_invalid", format!("{error}.")))?;
            Ok(genesis.waypoint.to_string())
        }))
    }

    /// Starts handing over a stored ledger.
    #[napi]
    pub fn begin_load(&mut self) -> Option<Failure> {
        guard(|| {
            self.ledger = Ledger::new();
            self.executor.forget_state();
            Ok(())
        })
        .err()
    }

    /// Takes live state items: packed pairs of storage-encoded key and BCS `StateValue`.
    #[napi]
    pub fn load_entries(&mut self, packed: BufferSlice) -> Option<Failure> {
        guard(|| {
            let mut items = Vec::new();
            for [key, value] in unpack_pairs(&packed)? {
                let broken = |error| Failure::internal(format!("a stored state item is broken: {error}"));
                let key = StateKey::from_storage(key).map_err(broken)?;
                let value = StateValue::from_bytes(value).map_err(broken)?;
                items.push((key, value));
            }
            self.ledger.load(&items, hashing_threads());
            Ok(())
        })
        .err()
    }

    /// Ends the hand-over with the accumulator's peaks, 32 bytes each.
    #[napi]
    pub fn finish_load(&mut self, accumulator_peaks: BufferSlice, versions: i64) -> Option<Failure> {
        guard(|| {
            let (peaks, rest) = accumulator_peaks.as_chunks::<32>();
            if !rest.is_empty() {
                return Err(Failure::internal("accumulator peaks have 32 bytes each"));
            }
            let peaks = peaks.iter().map(|peak| HashValue(*peak)).collect();
            let versions = natural(versions, "versions")?;
            self.ledger.resume(versions, peaks).map_err(|error| Failure::internal(error.to_string()))
        })
        .err()
    }

    /// Executes one block.
    #[napi]
    pub fn execute_block(&mut self, env: Env, block: AddonBlockInput) -> Answer<AddonBlockOutput> {
        let open = self.bridge.open(&env)?;
        let result = guard(|| {
            let block_input = block_input(&block)?;
            let first_version = natural(block.first_version, "firstVersion")?;
            if first_version != self.ledger.versions() {
                let held = self.ledger.versions();
                let message = format!("the block begins at version {first_version}, the core holds {held}");
                return Err(Failure::internal(message));
            }
            let executed = self
                .executor
                .execute(&mut self.machine, &block_input, &open, self.ledger.usage())
                .map_err(|error| Failure::internal(error.to_string()))?;
            Ok((executed, block_input.epoch))
        });
        if open.rethrow() {
            return Err(pending_exception());
        }
        let packed = result.and_then(|(executed, epoch)| guard(|| seal(&mut self.ledger, executed, epoch)));
        Ok(answer(packed))
    }

    /// How many of the packed storage-encoded keys exist: reads each through the view once. What a state
    /// read costs is measured with it.
    #[napi]
    pub fn count_existing(&mut self, env: Env, packed: BufferSlice) -> Answer<u32> {
        self.ask(&env, |_, view| {
            let mut existing = 0;
            for key in unpack(&packed).map_err(internal)? {
                let key = StateKey::from_storage(key)
                    .map_err(|error| QueryError::from(refusal(&format!("not a state key: {error}"))))?;
                existing += u32::from(view.get(&key)?.is_some());
            }
            Ok(existing)
        })
    }

    /// Admission check: 0, or the status code.
    #[napi]
    pub fn validate(&mut self, env: Env, signed: BufferSlice, now_secs: i64) -> Answer<f64> {
        self.ask(&env, |machine, view| {
            let signed = signed_from_bcs(&signed)?;
            let now_secs = u64::try_from(now_secs).unwrap_or(0);
            let outcome = admission::validate(machine, view, &signed, now_secs)?;
            Ok(outcome.map_or_else(|status| status.0 as f64, |()| 0.0))
        })
    }

    /// Runs a view function.
    #[napi]
    pub fn view(
        &mut self,
        env: Env,
        request: BufferSlice,
        is_json: bool,
        json_answer: bool,
        gas_units_max: i64,
    ) -> Answer<AddonMetered> {
        self.ask(&env, |machine, state| {
            let gas_units_max = u64::try_from(gas_units_max).unwrap_or(0);
            let (request_form, answer_form) = (form(is_json), form(json_answer));
            let metered = view(machine, state, &request, request_form, answer_form, gas_units_max)?;
            Ok(AddonMetered { gas_units: metered.gas_units as f64, body: metered.body.into() })
        })
    }

    /// Simulates a transaction.
    #[napi]
    pub fn simulate(
        &mut self,
        env: Env,
        signed: BufferSlice,
        options: AddonSimulateOptions,
    ) -> Answer<AddonMetered> {
        self.ask(&env, |machine, state| {
            let (_, price, _) = options.gas_unit_price_estimate.get_u64();
            let options = SimulationOptions {
                form: form(options.json),
                gas_unit_price: options.estimate_gas_unit_price.then_some(price),
                estimate_max_gas: options.estimate_max_gas_amount,
                version: u64::try_from(options.version).unwrap_or(0),
                timestamp_usecs: u64::try_from(options.timestamp_usecs).unwrap_or(0),
            };
            let metered = simulate(machine, state, signed_from_bcs(&signed)?, &options)?;
            Ok(AddonMetered { gas_units: metered.gas_units as f64, body: metered.body.into() })
        })
    }

    /// JSON submit request to BCS `SignedTransaction`.
    #[napi]
    pub fn signed_from_json(&mut self, env: Env, json: BufferSlice) -> Answer<JsBytes> {
        let chain_id = self.chain_id;
        self.ask(&env, |machine, state| {
            machine.ask(state, |types, _| Ok(signed_from_json(&json, chain_id, types)?.to_bytes().into()))
        })
    }

    /// JSON request without signature to the bytes to sign.
    #[napi]
    pub fn encode_submission(&mut self, env: Env, json: BufferSlice) -> Answer<JsBytes> {
        let chain_id = self.chain_id;
        self.ask(&env, |machine, state| {
            machine.ask(state, |types, _| Ok(signing_message_from_json(&json, chain_id, types)?.into()))
        })
    }

    /// Where a resource is kept.
    #[napi]
    pub fn locate_resource(
        &mut self,
        env: Env,
        address: BufferSlice,
        type_text: String,
    ) -> Answer<AddonResourceLocation> {
        let address = address_of(&address)?;
        self.ask(&env, |machine, state| {
            let tag = resources::parse_struct(&type_text)?;
            let location = machine.ask(state, |types, _| Ok(resources::locate(&address, tag, types)))?;
            Ok(AddonResourceLocation {
                key: location.key.to_storage().into(),
                r#type: location.tag.to_string(),
                member_tag: location.member_tag.map(JsBytes::from),
            })
        })
    }

    /// Resource bytes to the JSON of its data.
    #[napi]
    pub fn render_resource(&mut self, env: Env, type_text: String, bytes: BufferSlice) -> Answer<JsBytes> {
        self.render_value(env, type_text, bytes)
    }

    /// Packed pairs of key and value to a JSON array of `{type,data}`.
    #[napi]
    pub fn render_resources(&mut self, env: Env, packed: BufferSlice) -> Answer<JsBytes> {
        self.ask(&env, |machine, state| {
            let pairs = unpack_pairs(&packed).map_err(internal)?;
            let items = pairs.into_iter().map(|[key, value]| (key, value));
            machine.ask(state, |types, _| Ok(resources::write_resources(items, types)?.into()))
        })
    }

    /// Module bytecode to JSON.
    #[napi]
    pub fn render_module(&self, bytes: BufferSlice) -> Either<JsBytes, Failure> {
        answer(guard(|| Ok(resources::write_module(&bytes).into())))
    }

    /// A stored transaction to JSON.
    #[napi]
    pub fn render_transaction(&mut self, env: Env, stored: AddonStoredTransaction) -> Answer<JsBytes> {
        self.ask(&env, |machine, state| {
            let committed = committed(&stored).map_err(internal)?;
            machine.ask(state, |types, _| {
                let mut out = Vec::new();
                write_committed(&committed, types, &mut out);
                Ok(out.into())
            })
        })
    }

    /// A waiting transaction to JSON.
    #[napi]
    pub fn render_pending(&mut self, env: Env, signed: BufferSlice) -> Answer<JsBytes> {
        self.ask(&env, |machine, state| {
            let signed: SignedTransaction = signed_from_bcs(&signed)?;
            machine.ask(state, |types, _| {
                let mut out = Vec::new();
                write_pending(&signed, types, &mut out);
                Ok(out.into())
            })
        })
    }

    /// JSON text of a value to BCS.
    #[napi]
    pub fn encode_value(&mut self, env: Env, type_text: String, json: BufferSlice) -> Answer<JsBytes> {
        self.ask(&env, |machine, state| {
            let tag = resources::parse_type(&type_text)?;
            let text = std::str::from_utf8(&json)
                .map_err(|_| QueryError::from(refusal("the value is not UTF-8")))?;
            machine.ask(state, |types, _| Ok(types.encode(&tag, text, "key")?.into()))
        })
    }

    /// BCS of a value to JSON text.
    #[napi]
    pub fn render_value(&mut self, env: Env, type_text: String, bytes: BufferSlice) -> Answer<JsBytes> {
        self.ask(&env, |machine, state| {
            let tag = resources::parse_type(&type_text)?;
            machine.ask(state, |types, _| Ok(resources::write_data(&tag, &bytes, types)?.into()))
        })
    }
}

impl AddonCore {
    /// Runs a question with the bridge open; what the reader threw is thrown again.
    fn ask<T>(
        &mut self,
        env: &Env,
        question: impl FnOnce(&mut Machine, &dyn StateView) -> Result<T, QueryError>,
    ) -> Answer<T> {
        let open = self.bridge.open(env)?;
        let result = guard(|| question(&mut self.machine, &open).map_err(Failure::from));
        if open.rethrow() {
            return Err(pending_exception());
        }
        Ok(answer(result))
    }

    fn seal(&mut self, executed: ExecutedBlock, epoch: u64) -> Result<AddonBlockOutput, Failure> {
        seal(&mut self.ledger, executed, epoch)
    }
}

/// Seals a block; `epoch` is the one in force unless the block changed it.
fn seal(ledger: &mut Ledger, executed: ExecutedBlock, epoch: u64) -> Result<AddonBlockOutput, Failure> {
    let epoch = executed.new_epoch().unwrap_or(epoch);
    let discarded = executed.discarded.iter().map(|(index, status)| (*index, status.0)).collect();
    let retried = executed.retried.clone();
    let sealed = ledger.seal(executed, hashing_threads());
    pack(&sealed, discarded, retried, ledger, epoch)
}

fn form(is_json: bool) -> Form {
    if is_json { Form::Json } else { Form::Bcs }
}

fn hashing_threads() -> usize {
    thread::available_parallelism().map_or(1, |threads| threads.get().min(HASHING_THREADS_MAX))
}

/// A failure inside a question.
fn internal(failure: Failure) -> QueryError {
    QueryError::Refused(Refusal { code: "internal_error", message: failure.message, vm_status: None })
}

fn refusal(message: &str) -> Refusal {
    Refusal::invalid_input(message)
}

/// Tells napi that an exception is already thrown.
fn pending_exception() -> napi::Error {
    napi::Error::new(Status::PendingException, String::new())
}
