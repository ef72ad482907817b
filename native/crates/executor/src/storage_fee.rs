//! What a finished payload pays for what it leaves behind: input and output by bytes, deposits for
//! state, and the refund for state it gave back.
//!
//! After this nothing may change the fee: the epilogue's own writes are free.

use ledger_bcs::Encode;
use ledger_bytecode::StatusCode;
use ledger_types::{ContractEvent, StateKey};
use ledger_vm::{GasMeter, VmError};

use crate::changes::{Change, TransactionChanges, key_bytes};
use crate::features::{Feature, Features};
use crate::gas_schedule::TransactionGas;

/// Octas charged and given back for state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StorageFee {
    /// Deposits taken.
    pub charged: u64,
    /// Deposits given back for deleted items.
    pub refunded: u64,
}

/// Charges for `changes` on `meter` and writes the deposits into their metadata.
///
/// # Errors
/// `STORAGE_WRITE_LIMIT_REACHED`, `IO_LIMIT_REACHED`, `STORAGE_LIMIT_REACHED`, `OUT_OF_GAS`.
pub fn charge_change_set(
    changes: &mut TransactionChanges,
    transaction_bytes: u64,
    gas_unit_price: u64,
    gas: &TransactionGas,
    features: &Features,
    meter: &mut GasMeter,
) -> Result<StorageFee, VmError> {
    check_limits(changes, gas)?;
    charge_io(changes, transaction_bytes, gas, meter)?;
    let mut fee = StorageFee::default();
    for (key, change) in changes.items_mut() {
        let change_fee = deposit(key, change, gas, features);
        fee.charged = fee.charged.saturating_add(change_fee.charged);
        fee.refunded = fee.refunded.saturating_add(change_fee.refunded);
    }
    if fee.charged > gas.max_storage_fee {
        return Err(VmError::new(StatusCode::STORAGE_LIMIT_REACHED.0));
    }
    if gas_unit_price > 0 {
        let internal = u128::from(fee.charged) * u128::from(gas.scaling_factor);
        let internal = internal.div_ceil(u128::from(gas_unit_price));
        meter.charge_other(u64::try_from(internal).unwrap_or(u64::MAX))?;
    }
    Ok(fee)
}

/// Bytes of an event that are paid for.
fn event_bytes(event: &ContractEvent) -> u64 {
    let header = match event {
        ContractEvent::V1 { .. } => 48,
        ContractEvent::V2 { .. } => 0,
    };
    header + (event.type_tag().to_bytes().len() + event.data().len()) as u64
}

fn item_bytes(key: &StateKey, change: &Change) -> u64 {
    key_bytes(key) + change.new.as_ref().map_or(0, |data| data.len() as u64)
}

fn check_limits(changes: &TransactionChanges, gas: &TransactionGas) -> Result<(), VmError> {
    let mut write_bytes = 0;
    let mut event_bytes_all = 0;
    let mut is_within = changes.len() as u64 <= gas.max_write_ops;
    for (key, change) in changes.items().filter(|(_, change)| change.new.is_some()) {
        let bytes = item_bytes(key, change);
        is_within &= bytes <= gas.max_bytes_per_write_op;
        write_bytes += bytes;
    }
    for event in changes.events() {
        let bytes = event.data().len() as u64;
        is_within &= bytes <= gas.max_bytes_per_event;
        event_bytes_all += bytes;
    }
    is_within &= write_bytes <= gas.max_bytes_all_write_ops && event_bytes_all <= gas.max_bytes_all_events;
    if is_within { Ok(()) } else { Err(VmError::new(StatusCode::STORAGE_WRITE_LIMIT_REACHED.0)) }
}

fn charge_io(
    changes: &TransactionChanges,
    transaction_bytes: u64,
    gas: &TransactionGas,
    meter: &mut GasMeter,
) -> Result<(), VmError> {
    meter.charge_io(transaction_bytes.saturating_mul(gas.io_per_transaction_byte))?;
    for event in changes.events() {
        meter.charge_io(event_bytes(event).saturating_mul(gas.io_per_event_byte))?;
    }
    for (key, change) in changes.items() {
        let bytes = item_bytes(key, change).saturating_mul(gas.io_per_byte_write);
        meter.charge_io(gas.io_per_slot_write.saturating_add(bytes))?;
    }
    Ok(())
}

/// Settles the deposit of one item.
fn deposit(key: &StateKey, change: &mut Change, gas: &TransactionGas, features: &Features) -> StorageFee {
    let bytes = item_bytes(key, change);
    let mut fee = StorageFee::default();
    match (&change.new, change.existed) {
        (Some(_), false) => {
            let bytes_deposit = bytes.saturating_mul(gas.storage_fee_per_byte);
            fee.charged = gas.storage_fee_per_slot.saturating_add(bytes_deposit);
            if let Some(metadata) = &mut change.metadata {
                metadata.slot_deposit = gas.storage_fee_per_slot;
                metadata.bytes_deposit = bytes_deposit;
            }
        }
        (Some(data), true) => {
            let grown = (data.len() as u64).saturating_sub(change.old_size);
            let target = bytes.saturating_mul(gas.storage_fee_per_byte);
            let stored = change.metadata.map_or(0, |metadata| metadata.bytes_deposit);
            if grown > 0 && target > stored {
                fee.charged = grown.saturating_mul(gas.storage_fee_per_byte).min(target - stored);
                if let Some(metadata) = &mut change.metadata {
                    metadata.bytes_deposit += fee.charged;
                }
            }
        }
        (None, _) => {
            if let (Some(metadata), true) = (change.metadata, features.is_on(Feature::StorageDeletionRefund))
            {
                fee.refunded = metadata.slot_deposit.saturating_add(metadata.bytes_deposit);
            }
        }
    }
    fee
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use ledger_types::StateValueMetadata;

    use super::*;
    use crate::gas_schedule::GasSchedule;

    fn settle(new: Option<usize>, existed: bool, old_size: u64, stored: Option<u64>) -> (StorageFee, Change) {
        let gas = TransactionGas::from_schedule(&GasSchedule::default());
        let features = Features::from_resource(Some(&[4, 0, 0, 0, 1 << 4])).unwrap();
        let metadata = stored.map(|bytes_deposit| StateValueMetadata {
            slot_deposit: 400_000,
            bytes_deposit,
            creation_time_usecs: 1,
        });
        let new = new.map(|length| Bytes::from(vec![0; length]));
        let mut change = Change { new, existed, old_size, metadata };
        let fee = deposit(&StateKey::raw(vec![0; 10]), &mut change, &gas, &features);
        (fee, change)
    }

    #[test]
    fn deposits_follow_the_table() {
        // (new bytes, existed, old bytes, stored bytes deposit) -> (charged, refunded, bytes deposit after)
        let rows = [
            ((Some(90), false, 0, Some(0)), (440_000, 0, Some(40_000))),
            ((Some(90), true, 90, Some(40_000)), (0, 0, Some(40_000))),
            ((Some(50), true, 90, Some(40_000)), (0, 0, Some(40_000))),
            ((Some(100), true, 90, Some(40_000)), (4_000, 0, Some(44_000))),
            ((Some(100), true, 50, Some(40_000)), (4_000, 0, Some(44_000))),
            ((Some(100), true, 90, None), (4_000, 0, None)),
            ((None, true, 90, Some(40_000)), (0, 440_000, Some(40_000))),
            ((None, true, 90, None), (0, 0, None)),
        ];
        for ((new, existed, old, stored), expected) in rows {
            let (fee, change) = settle(new, existed, old, stored);
            let after = change.metadata.map(|metadata| metadata.bytes_deposit);
            assert_eq!((fee.charged, fee.refunded, after), expected, "{new:?} {existed} {old} {stored:?}");
        }
    }
}
