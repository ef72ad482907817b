//! JSON as the REST interface speaks it: state and transactions to text, requests to bytes.
//!
//! Move values become JSON in one place only, by the machine's own layouts. Text is written straight to
//! bytes; no tree of values is built.

mod authenticator;
mod changes;
mod payload;
pub mod request;
mod request_payload;
mod request_script;
mod request_signature;
pub mod status;
mod transaction;
pub mod types;
pub mod write;

pub use transaction::{
    CommittedTransaction, SimulatedTransaction, write_committed, write_pending, write_simulated,
};
pub use types::{LayoutCache, Types};
