//! The chain's gas schedule as transactions outside of the interpreter need it: bounds on what a
//! transaction may ask for, prices of storage, limits of a change set.
//!
//! Read from `0x1::gas_schedule::GasScheduleV2`, by name and leniently: an absent entry takes the
//! value given here, so that an older or newer schedule still runs.

use std::collections::HashMap;

use ledger_bcs::Reader;

/// All entries of a schedule, under their prefixed public names.
#[derive(Clone, Debug, Default)]
pub struct GasSchedule {
    /// Tells which rules the numbers are meant for.
    pub feature_version: u64,
    /// `(name, value)` in chain order.
    pub entries: Vec<(String, u64)>,
}

impl GasSchedule {
    /// Reads the BCS bytes of the resource.
    ///
    /// # Errors
    /// When the bytes are not a schedule.
    pub fn from_resource(bytes: &[u8]) -> ledger_bcs::Result<GasSchedule> {
        let mut reader = Reader::new(bytes);
        let feature_version = reader.u64()?;
        let entries = reader.sequence(|reader| Ok((reader.string()?.to_owned(), reader.u64()?)))?;
        reader.finish()?;
        Ok(GasSchedule { feature_version, entries })
    }
}

/// Bounds, prices and limits that apply to whole transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionGas {
    /// Internal gas per gas unit; at least 1.
    pub scaling_factor: u64,
    /// Intrinsic cost, internal gas.
    pub min_transaction_gas: u64,
    /// Bytes that are part of the intrinsic cost.
    pub large_transaction_cutoff: u64,
    /// Internal gas per byte above the cutoff.
    pub intrinsic_gas_per_byte: u64,
    /// Most gas units a transaction may ask for.
    pub max_gas_units: u64,
    /// Octas per gas unit.
    pub min_gas_unit_price: u64,
    /// Octas per gas unit.
    pub max_gas_unit_price: u64,
    /// Bytes of a raw transaction.
    pub max_transaction_bytes: u64,
    /// Cap on execution, internal gas.
    pub max_execution_gas: u64,
    /// Cap on input and output, internal gas.
    pub max_io_gas: u64,
    /// Cap on storage fees, octas.
    pub max_storage_fee: u64,
    /// Internal gas per byte of a raw transaction.
    pub io_per_transaction_byte: u64,
    /// Internal gas per byte of an event.
    pub io_per_event_byte: u64,
    /// Internal gas per byte of key and value written.
    pub io_per_byte_write: u64,
    /// Internal gas per write op.
    pub io_per_slot_write: u64,
    /// Octas per new slot.
    pub storage_fee_per_slot: u64,
    /// Octas per byte of state.
    pub storage_fee_per_byte: u64,
    /// Write ops of one transaction.
    pub max_write_ops: u64,
    /// Key and value bytes of one write op.
    pub max_bytes_per_write_op: u64,
    /// Key and value bytes of all write ops.
    pub max_bytes_all_write_ops: u64,
    /// Bytes of one event.
    pub max_bytes_per_event: u64,
    /// Bytes of all events.
    pub max_bytes_all_events: u64,
}

impl TransactionGas {
    /// Picks the entries by name.
    pub fn from_schedule(schedule: &GasSchedule) -> TransactionGas {
        let by_name: HashMap<&str, u64> =
            schedule.entries.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let entry = |name: &str, absent: u64| by_name.get(name).copied().unwrap_or(absent);
        TransactionGas {
            scaling_factor: entry("txn.gas_unit_scaling_factor", 1_000_000).max(1),
            min_transaction_gas: entry("txn.min_transaction_gas_units", 27_600_000),
            large_transaction_cutoff: entry("txn.large_transaction_cutoff", 600),
            intrinsic_gas_per_byte: entry("txn.intrinsic_gas_per_byte", 11_580),
            max_gas_units: entry("txn.maximum_number_of_gas_units", 2_000_000),
            min_gas_unit_price: entry("txn.min_price_per_gas_unit", 100),
            max_gas_unit_price: entry("txn.max_price_per_gas_unit", 10_000_000_000),
            max_transaction_bytes: entry("txn.max_transaction_size_in_bytes", 65_536),
            max_execution_gas: entry("txn.max_execution_gas", 9_200_000_000),
            max_io_gas: entry("txn.max_io_gas", 10_000_000_000),
            max_storage_fee: entry("txn.max_storage_fee", 2_000_000_000),
            io_per_transaction_byte: entry("txn.storage_io_per_transaction_byte_write", 890),
            io_per_event_byte: entry("txn.storage_io_per_event_byte_write", 890),
            io_per_byte_write: entry("txn.storage_io_per_state_byte_write", 890),
            io_per_slot_write: entry("txn.storage_io_per_state_slot_write", 895_680),
            storage_fee_per_slot: entry("txn.storage_fee_per_state_slot", 400_000),
            storage_fee_per_byte: entry("txn.storage_fee_per_state_byte", 400),
            max_write_ops: entry("txn.max_write_ops_per_transaction", 8192),
            max_bytes_per_write_op: entry("txn.max_bytes_per_write_op", 1 << 20),
            max_bytes_all_write_ops: entry("txn.max_bytes_all_write_ops_per_transaction", 10 << 20),
            max_bytes_per_event: entry("txn.max_bytes_per_event", 1 << 20),
            max_bytes_all_events: entry("txn.max_bytes_all_events_per_transaction", 10 << 20),
        }
    }

    /// Intrinsic cost of a raw transaction of `bytes` bytes, in internal gas.
    pub fn intrinsic(&self, bytes: u64) -> u64 {
        let excess = bytes.saturating_sub(self.large_transaction_cutoff);
        self.min_transaction_gas.saturating_add(self.intrinsic_gas_per_byte.saturating_mul(excess))
    }

    /// Least gas units that pay the intrinsic cost.
    pub fn intrinsic_units(&self, bytes: u64) -> u64 {
        self.intrinsic(bytes).div_ceil(self.scaling_factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_entry_takes_its_default_and_a_zero_scaling_counts_as_one() {
        let entries =
            vec![("txn.gas_unit_scaling_factor".to_owned(), 0), ("txn.min_price_per_gas_unit".to_owned(), 7)];
        let gas = TransactionGas::from_schedule(&GasSchedule { feature_version: 1, entries });
        assert_eq!((gas.scaling_factor, gas.min_gas_unit_price, gas.max_write_ops), (1, 7, 8192));
    }

    #[test]
    fn only_bytes_above_the_cutoff_raise_the_intrinsic_cost() {
        let gas = TransactionGas::from_schedule(&GasSchedule::default());
        assert_eq!(gas.intrinsic(600), 27_600_000);
        assert_eq!(gas.intrinsic(601), 27_611_580);
        assert_eq!(gas.intrinsic_units(600), 28);
    }
}
