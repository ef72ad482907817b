//! Settings of the chain that every transaction of a block obeys: features, gas, chain id, and the
//! names of the framework's resources that hold them.

use std::sync::{Arc, LazyLock};

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
    resource_at(state, &framework_key(module, name))
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

/// Remembers the settings, since they rarely change.
///
/// They take effect with a new epoch, so the epoch's record tells whether they are still in force. Code
/// changes at any time: the framework's package registry, which changes with every upgrade of it, is looked
/// at each time.
#[derive(Debug, Default)]
pub struct ConfigCache {
    epoch_record: Option<Bytes>,
    registry: Option<Bytes>,
    config: Option<Arc<ChainConfig>>,
    code_version: Option<u64>,
}

impl ConfigCache {
    /// The settings in force in `state`, and the version of the code at `0x1`. A state without a package
    /// registry has none.
    ///
    /// # Errors
    /// When the state cannot be read, or a setting in it is not what its type says.
    pub fn read(&mut self, state: &dyn StateSource) -> Result<(Arc<ChainConfig>, Option<u64>), StateError> {
        let epoch_record = resource_at(state, &EPOCH_RECORD)?;
        if let Some(config) = &self.config
            && epoch_record.is_some()
            && epoch_record == self.epoch_record
            && resource_at(state, &REGISTRY)? == self.registry
        {
            return Ok((config.clone(), self.code_version));
        }
        let config = Arc::new(decode(state)?);
        self.registry = resource_at(state, &REGISTRY)?;
        self.code_version = self.registry.as_ref().map(|registry| {
            let digest = HashValue::sha3_256(registry);
            u64::from_le_bytes(digest.0[..8].try_into().expect("a digest has 32 bytes"))
        });
        self.epoch_record = epoch_record;
        self.config = Some(config.clone());
        Ok((config, self.code_version))
    }
}

static EPOCH_RECORD: LazyLock<StateKey> = LazyLock::new(|| framework_key("reconfiguration", "Configuration"));
static REGISTRY: LazyLock<StateKey> = LazyLock::new(|| framework_key("code", "PackageRegistry"));

fn framework_key(module: &str, name: &str) -> StateKey {
    StateKey::resource(&Address::ONE, &framework_struct(module, name))
}

fn resource_at(state: &dyn StateSource, key: &StateKey) -> Result<Option<Bytes>, StateError> {
    Ok(state.get(key)?.map(|value| value.data))
}

fn decode(state: &dyn StateSource) -> Result<ChainConfig, StateError> {
    let chain_id = framework_resource(state, "chain_id", "ChainId")?;
    let features = framework_resource(state, "features", "Features")?;
    let schedule = framework_resource(state, "gas_schedule", "GasScheduleV2")?;
    let broken = |name: &str| StateError(format!("{name} at 0x1 does not decode"));
    let chain_id = match chain_id {
        Some(bytes) => Reader::new(&bytes).u8().map_err(|_| broken("ChainId"))?,
        None => 0,
    };
    let features = Features::from_resource(features.as_deref()).map_err(|_| broken("Features"))?;
    let schedule = match schedule {
        Some(bytes) => GasSchedule::from_resource(&bytes).map_err(|_| broken("GasScheduleV2"))?,
        None => GasSchedule::default(),
    };
    Ok(ChainConfig {
        chain_id,
        features,
        transaction_gas: TransactionGas::from_schedule(&schedule),
        gas: Arc::new(GasParameters::from_entries(schedule.feature_version, &schedule.entries)),
    })
}
