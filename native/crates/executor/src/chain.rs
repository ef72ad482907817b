//! Settings of the chain that every transaction of a block obeys: features, gas, chain id, and the
//! names of the framework's resources that hold them.

use std::sync::Arc;

use bytes::Bytes;
use ledger_bcs::Reader;
use ledger_types::{Address, HashValue, Identifier, ModuleId, StateKey, StructTag, TypeTag};
use ledger_vm::{GasParameters, StateError, StateSource};

use crate::features::Features;
use crate::gas_schedule::{GasSchedule, TransactionGas};

/// A module of the framework at `0x1`.
pub fn framework_module(name: &str) -> ModuleId {
    ModuleId { address: Address::ONE, name: Identifier::new_unchecked(name) }
}

/// A struct of the framework without type arguments.
pub fn framework_struct(module: &str, name: &str) -> StructTag {
    StructTag {
        address: Address::ONE,
        module: Identifier::new_unchecked(module),
        name: Identifier::new_unchecked(name),
        type_args: Vec::new(),
    }
}

/// The native coin's type.
pub fn native_coin() -> TypeTag {
    TypeTag::from(framework_struct("aptos_coin", "AptosCoin"))
}

/// Key of an account's resource.
pub fn account_key(address: &Address) -> StateKey {
    StateKey::resource(address, &framework_struct("account", "Account"))
}

/// Key of an account's native coins.
pub fn coin_store_key(address: &Address) -> StateKey {
    let mut tag = framework_struct("coin", "CoinStore");
    tag.type_args.push(native_coin());
    StateKey::resource(address, &tag)
}

/// Bytes of a resource that the framework keeps at `0x1`.
///
/// # Errors
/// When the state cannot be read.
pub fn framework_resource(
    state: &dyn StateSource,
    module: &str,
    name: &str,
) -> Result<Option<Bytes>, StateError> {
    let key = StateKey::resource(&Address::ONE, &framework_struct(module, name));
    Ok(state.get(&key)?.map(|value| value.data))
}

/// What every transaction of a block obeys.
#[derive(Debug)]
pub struct ChainConfig {
    /// Signed into every transaction.
    pub chain_id: u8,
    /// Rules in force.
    pub features: Features,
    /// What the machine charges.
    pub gas: Arc<GasParameters>,
    /// What transactions pay besides running.
    pub transaction_gas: TransactionGas,
}

/// Remembers the settings by the bytes they were read from, since they rarely change.
#[derive(Debug, Default)]
pub struct ConfigCache {
    sources: [Option<Bytes>; 4],
    config: Option<Arc<ChainConfig>>,
    code_version: Option<u64>,
}

impl ConfigCache {
    /// The settings in force in `state`, and the version of its code.
    ///
    /// While nothing but the built-in framework can run, its package registry tells one set of modules
    /// from another: it changes with every upgrade. A state without a registry has no version.
    ///
    /// # Errors
    /// When the state cannot be read, or a setting in it is not what its type says.
    pub fn read(&mut self, state: &dyn StateSource) -> Result<(Arc<ChainConfig>, Option<u64>), StateError> {
        let sources = [
            framework_resource(state, "chain_id", "ChainId")?,
            framework_resource(state, "features", "Features")?,
            framework_resource(state, "gas_schedule", "GasScheduleV2")?,
            framework_resource(state, "code", "PackageRegistry")?,
        ];
        match &self.config {
            Some(config) if sources == self.sources => Ok((config.clone(), self.code_version)),
            _ => {
                let config = Arc::new(decode(&sources)?);
                self.code_version = sources[3].as_ref().map(|registry| {
                    let digest = HashValue::sha3_256(registry);
                    u64::from_le_bytes(digest.0[..8].try_into().expect("a digest has 32 bytes"))
                });
                self.sources = sources;
                self.config = Some(config.clone());
                Ok((config, self.code_version))
            }
        }
    }
}

fn decode(sources: &[Option<Bytes>; 4]) -> Result<ChainConfig, StateError> {
    let [chain_id, features, schedule, _] = sources;
    let broken = |name: &str| StateError(format!("{name} at 0x1 does not decode"));
    let chain_id = match chain_id {
        Some(bytes) => Reader::new(bytes).u8().map_err(|_| broken("ChainId"))?,
        None => 0,
    };
    let features = Features::from_resource(features.as_deref()).map_err(|_| broken("Features"))?;
    let schedule = match schedule {
        Some(bytes) => GasSchedule::from_resource(bytes).map_err(|_| broken("GasScheduleV2"))?,
        None => GasSchedule::default(),
    };
    Ok(ChainConfig {
        chain_id,
        features,
        transaction_gas: TransactionGas::from_schedule(&schedule),
        gas: Arc::new(GasParameters::from_entries(schedule.feature_version, &schedule.entries)),
    })
}
