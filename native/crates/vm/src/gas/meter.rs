//! The meter of one transaction: a balance, and what was spent on execution and on IO.

use crate::errors::{Fault, status};

/// What a meter may spend, in internal gas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GasLimits {
    /// Everything together.
    pub balance: u64,
    /// Cap on execution alone.
    pub execution_max: u64,
    /// Cap on IO alone.
    pub io_max: u64,
}

/// Pays for one transaction.
///
/// Unmetered: every charge succeeds and nothing is counted.
#[derive(Clone, Debug)]
pub struct GasMeter {
    limits: GasLimits,
    balance: u64,
    execution_used: u64,
    io_used: u64,
    metered: bool,
}

impl GasMeter {
    /// A meter that starts with `limits.balance`.
    pub fn new(limits: GasLimits) -> Self {
        Self { limits, balance: limits.balance, execution_used: 0, io_used: 0, metered: true }
    }

    /// A meter for prologues, epilogues and genesis.
    pub fn unmetered() -> Self {
        let all = GasLimits { balance: u64::MAX, execution_max: u64::MAX, io_max: u64::MAX };
        Self { metered: false, ..Self::new(all) }
    }

    /// Whether charges count.
    pub fn is_metered(&self) -> bool {
        self.metered
    }

    /// Internal gas left.
    pub fn balance(&self) -> u64 {
        self.balance
    }

    /// Internal gas spent on execution.
    pub fn execution_used(&self) -> u64 {
        self.execution_used
    }

    /// Internal gas spent on IO.
    pub fn io_used(&self) -> u64 {
        self.io_used
    }

    /// Pays for computing.
    ///
    /// # Errors
    /// `OUT_OF_GAS` (the balance is then 0) or `EXECUTION_LIMIT_REACHED`.
    pub fn charge_execution(&mut self, amount: u64) -> Result<(), Fault> {
        if !self.metered {
            return Ok(());
        }
        self.execution_used = self.execution_used.saturating_add(amount.min(self.balance));
        self.pay(amount)?;
        if self.execution_used > self.limits.execution_max {
            return Err(Fault::new(status::EXECUTION_LIMIT_REACHED));
        }
        Ok(())
    }

    /// Pays for reading or writing state.
    ///
    /// # Errors
    /// `OUT_OF_GAS` (the balance is then 0) or `IO_LIMIT_REACHED`.
    pub fn charge_io(&mut self, amount: u64) -> Result<(), Fault> {
        if !self.metered {
            return Ok(());
        }
        self.io_used = self.io_used.saturating_add(amount.min(self.balance));
        self.pay(amount)?;
        if self.io_used > self.limits.io_max {
            return Err(Fault::new(status::IO_LIMIT_REACHED));
        }
        Ok(())
    }

    /// Pays for anything that has no cap of its own here, such as storage fees turned into gas.
    ///
    /// # Errors
    /// `OUT_OF_GAS`; the balance is then 0.
    pub fn charge_other(&mut self, amount: u64) -> Result<(), Fault> {
        if self.metered { self.pay(amount) } else { Ok(()) }
    }

    /// Adds to the balance what was held back before authentication.
    pub fn inject(&mut self, amount: u64) {
        self.balance = self.balance.saturating_add(amount);
    }

    /// Gives back execution gas that was charged ahead for code that did not run.
    pub(crate) fn refund_execution(&mut self, amount: u64) {
        if self.metered {
            let amount = amount.min(self.execution_used);
            self.execution_used -= amount;
            self.balance += amount;
        }
    }

    /// How much execution can be paid before some limit is hit; never above `i64::MAX`.
    pub(crate) fn execution_headroom(&self) -> u64 {
        let cap = self.limits.execution_max.saturating_sub(self.execution_used);
        if self.metered { self.balance.min(cap).min(i64::MAX as u64) } else { i64::MAX as u64 }
    }

    fn pay(&mut self, amount: u64) -> Result<(), Fault> {
        match self.balance.checked_sub(amount) {
            Some(left) => {
                self.balance = left;
                Ok(())
            }
            None => {
                self.balance = 0;
                Err(Fault::new(status::OUT_OF_GAS))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meter(balance: u64) -> GasMeter {
        GasMeter::new(GasLimits { balance, execution_max: 100, io_max: 50 })
    }

    #[test]
    fn the_last_unit_can_be_spent_and_not_one_more() {
        let mut gas = meter(10);
        assert!(gas.charge_execution(10).is_ok());
        assert_eq!(gas.charge_execution(1).unwrap_err().status(), status::OUT_OF_GAS);
    }

    #[test]
    fn each_part_has_its_own_cap() {
        let mut gas = meter(1000);
        assert!(gas.charge_execution(100).is_ok());
        assert_eq!(gas.charge_execution(1).unwrap_err().status(), status::EXECUTION_LIMIT_REACHED);
        assert_eq!(gas.charge_io(51).unwrap_err().status(), status::IO_LIMIT_REACHED);
    }

    #[test]
    fn an_unmetered_meter_counts_nothing() {
        let mut gas = GasMeter::unmetered();
        assert!(gas.charge_execution(u64::MAX).is_ok() && gas.charge_io(u64::MAX).is_ok());
        assert_eq!((gas.execution_used(), gas.io_used()), (0, 0));
    }
}
