//! The bytecode verifier: accepts a module or says what is wrong and where.
//!
//! [`verify_module`] looks at one module alone, pass by pass, and stops at the first fault. What
//! survives keeps these promises: types agree at every instruction, nothing is used before it is set,
//! values without `drop` are never lost and those without `copy` never doubled, references never
//! outlive or alias what they must not, and control flow is made of loops that can be bounded.
//! [`verify_dependencies`] holds a module to the modules it names, [`check_compatibility`] an upgrade
//! to what it replaces, [`publish`] a module to the rules of publishing.
//!
//! The machine may rely on all of this for meaning; it does not rely on it for the safety of its own
//! memory. Work is metered and bounded whatever the module. Gas and storage are nobody's business here.
//!
//! The status codes are the protocol's. Passes, in order: `bounds` (in `ledger-bytecode`),
//! `features`, `limits`, `duplicates`, `signatures`, `consistency`, `constants`,
//! `friends`, `recursion`, `instantiation_loops`; then per function `control_flow`,
//! `stack_usage`, `type_safety`, `locals`, `references`, `acquires`; last `struct_api`.
#![forbid(unsafe_code)]

mod abilities;
mod acquires;
mod blocks;
mod compatibility;
mod consistency;
mod constants;
mod control_flow;
mod cycles;
mod dataflow;
mod dependencies;
mod duplicates;
mod error;
mod features;
mod friends;
mod instantiation_loops;
mod limits;
mod locals;
mod meter;
mod names;
pub mod publish;
mod recursion;
mod references;
mod signatures;
mod stack_effect;
mod stack_usage;
mod strong_components;
mod struct_api;
mod type_safety;
mod types;
mod verify;

pub use compatibility::{CompatibilityRules, check_compatibility};
pub use cycles::verify_acyclic;
pub use dependencies::{ModuleSource, verify_dependencies, verify_script_dependencies};
pub use error::{Verdict, VerificationError};
pub use limits::{FeatureSwitches, Limits};
pub use types::type_abilities;
pub use verify::{verify_module, verify_script};
