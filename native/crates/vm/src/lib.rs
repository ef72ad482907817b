//! The Move virtual machine: links modules, lowers functions to register code, runs them over a
//! masked linear memory, and hands back what they changed.
//!
//! [`Engine`] holds what is shared by all workers: linked code, types, lowered functions, keyed by
//! content. [`Vm`] is one worker's machine with its memory. [`Session`] is one run over a
//! [`StateSource`]: calls, then [`Session::finish`].
//!
//! Code runs only after the verifier accepted it, or if its hash is among those the engine was made
//! with. Leaves to others: which transactions run and what happens to their outcome (executor), what
//! makes code sound (verifier), signatures (crypto).

mod admission;
mod api;
mod arithmetic;
mod attributes;
mod catalog;
mod context;
mod engine;
pub mod errors;
mod exec;
mod gas;
mod ins;
mod link;
mod listing;
mod lower;
mod memory;
mod natives;
mod script;
mod session;
mod slab;
mod state;
mod types;
mod values;
mod wide;

pub use api::{CallMode, FunctionSignature, FunctionVisibility, Parameter, Passing, ReturnValue, ScriptCode};
pub use context::{EntryFunctionPayload, MultisigPayload, SessionContext, UserTransactionContext};
pub use engine::Engine;
pub use errors::{Fault, Location, LocationModule, VmError, status};
pub use gas::{Costs, GasLimits, GasMeter, GasParameters};
pub use lower::Lowering;
pub use natives::has_native;
pub use session::{Made, Session, Vm};
pub use state::{
    ChangeSet, Overlay, PublishRequest, StateChange, StateError, StateSource, StateUsage, TableTypes,
    is_framework_code,
};
