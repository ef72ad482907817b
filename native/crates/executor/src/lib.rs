//! The executor: from a signed transaction or a block to write sets, events and root hashes.
//!
//! [`transaction`] runs one user transaction through its stages. [`state_view::StateView`] is how state
//! is lent. [`doors`] says what may not run yet.
//!
//! Promises: the same block on the same state gives the same bytes on every machine; whatever a
//! transaction does is an outcome, never an `Err` of the executor; a failure of the store stops the
//! call and changes nothing.
//!
//! Leaves to others: running Move (`ledger-vm`), signatures (`ledger-crypto`), keeping state (whoever
//! lends a view), JSON over HTTP and clocks (the processes around it).
#![forbid(unsafe_code)]

pub mod admission;
pub mod block;
mod chain;
mod changes;
mod checks;
mod code_rules;
pub mod doors;
mod facts;
mod features;
mod fee_statement;
pub mod framework;
mod gas_schedule;
pub mod genesis;
pub mod genesis_file;
pub mod json;
mod keep;
pub mod ledger;
pub mod machine;
mod prologue;
mod publish;
mod reasons;
pub mod refusal;
pub mod resources;
pub mod simulate;
pub mod state_view;
mod storage_fee;
pub mod transaction;
pub mod view;

pub use chain::ChainConfig;
pub use facts::TransactionFacts;
