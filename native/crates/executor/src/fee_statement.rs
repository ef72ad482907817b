//! The receipt of a fee, as the framework's last event of every kept transaction shows it.

use ledger_bcs::{Encode, Writer};

/// BCS twin of `0x1::transaction_fee::FeeStatement`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeeStatement {
    /// Everything, storage fee included, in gas units.
    pub total_charge_gas_units: u64,
    /// Running, rounded up on its own.
    pub execution_gas_units: u64,
    /// Reading and writing, rounded up on its own.
    pub io_gas_units: u64,
    /// Deposits taken, octas.
    pub storage_fee_octas: u64,
    /// Deposits given back, octas.
    pub storage_fee_refund_octas: u64,
}

impl Encode for FeeStatement {
    fn encode(&self, writer: &mut Writer) {
        writer.u64(self.total_charge_gas_units);
        writer.u64(self.execution_gas_units);
        writer.u64(self.io_gas_units);
        writer.u64(self.storage_fee_octas);
        writer.u64(self.storage_fee_refund_octas);
    }
}

impl FeeStatement {
    /// Its BCS.
    pub fn to_bytes(self) -> Vec<u8> {
        Encode::to_bytes(&self)
    }
}
