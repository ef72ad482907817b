//! Gas: what things cost, and the meter that pays for them.
//!
//! All amounts are *internal gas*; `txn.gas_unit_scaling_factor` of them make one gas unit. What a
//! transaction pays besides running (intrinsic gas, storage fees) is the executor's business and is
//! charged on the same meter.

mod meter;
mod schedule;

pub use meter::{GasLimits, GasMeter};
pub use schedule::{Costs, GasParameters};
