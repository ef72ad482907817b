//! What a session reads from below and hands back above: state source, overlay, change set.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use ledger_types::{Address, ContractEvent, Path, StateKey, StateValue, StateValueMetadata, TypeTag};

/// The state source could not answer; the text is for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateError(pub String);

impl std::fmt::Display for StateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "state source: {}", self.0)
    }
}

impl std::error::Error for StateError {}

/// Number of items and bytes in state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateUsage {
    /// State items.
    pub items: u64,
    /// Bytes of keys and values.
    pub bytes: u64,
}

/// The state beneath a session. One view never changes its answers while it is in use.
pub trait StateSource {
    /// The value under `key`, `None` if there is none.
    ///
    /// # Errors
    /// When the store cannot answer. The session then fails with `STORAGE_ERROR`.
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError>;

    /// Names the set of modules at `0x1` in this view: two views of equal version hold equal code there.
    /// `None` if the view cannot tell; those modules are then looked up and hashed anew for each session,
    /// as all others always are. Change it whenever a module at `0x1` is written.
    fn code_version(&self) -> Option<u64> {
        None
    }

    /// Size of the state at the start of the epoch, for `0x1::state_storage`.
    fn usage(&self) -> StateUsage {
        StateUsage::default()
    }
}

/// Whether a key is that of a module at `0x1`, of which [`StateSource::code_version`] speaks.
pub fn is_framework_code(key: &StateKey) -> bool {
    matches!(key, StateKey::AccessPath { address, .. } if *address == Address::ONE)
        && matches!(key.path(), Ok(Some(Path::Code(_))))
}

/// One item a session changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateChange {
    /// Which item.
    pub key: StateKey,
    /// Bytes after the session; `None` deletes the item.
    pub new: Option<Bytes>,
    /// Whether the item existed beneath the session.
    pub existed: bool,
    /// Bytes of the value beneath the session, 0 if there was none.
    pub old_size: u64,
    /// Metadata of the value beneath the session.
    pub old_metadata: Option<StateValueMetadata>,
}

/// Modules that the program asked to publish; the executor decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishRequest {
    /// Where the modules shall live.
    pub destination: Address,
    /// Names the modules must have, exactly these.
    pub expected_modules: Vec<String>,
    /// Modules that may be depended on; `None` if the program did not say. An empty name stands for
    /// every module of the address.
    pub allowed_dependencies: Option<Vec<(Address, String)>>,
    /// Serialised modules.
    pub modules: Vec<Vec<u8>>,
    /// Upgrade policy number.
    pub policy: u8,
}

/// A table that was made, with its types, for readers that show raw items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableTypes {
    /// Handle of the table.
    pub handle: Address,
    /// Type of the keys.
    pub key: TypeTag,
    /// Type of the values.
    pub value: TypeTag,
}

/// Everything a session did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    /// Changed items, in ascending order of their keys.
    pub writes: Vec<StateChange>,
    /// Events in order of emission.
    pub events: Vec<ContractEvent>,
    /// At most one request a session.
    pub publish_request: Option<PublishRequest>,
    /// Tables made by the session, in order.
    pub table_types: Vec<TableTypes>,
}

/// A state source with changes laid over it: what the next session of a transaction, or the next
/// transaction of a block, reads.
pub struct Overlay<'a> {
    base: &'a dyn StateSource,
    changes_framework: bool,
    writes: HashMap<StateKey, Option<StateValue>, foldhash::fast::RandomState>,
}

impl<'a> Overlay<'a> {
    /// An overlay without changes.
    pub fn new(base: &'a dyn StateSource) -> Self {
        Self { base, changes_framework: false, writes: HashMap::default() }
    }

    /// Lays `changes` over what is there. Metadata of existing items is kept, new items have none.
    pub fn apply(&mut self, changes: &ChangeSet) {
        for change in &changes.writes {
            let value = change
                .new
                .as_ref()
                .map(|bytes| StateValue { data: bytes.clone(), metadata: change.old_metadata });
            self.set(change.key.clone(), value);
        }
    }

    /// Sets one item; `None` hides it.
    pub fn set(&mut self, key: StateKey, value: Option<StateValue>) {
        self.changes_framework |= is_framework_code(&key);
        self.writes.insert(key, value);
    }

    /// Folds `later` into `earlier`, both taken over the same base: the result's `existed`,
    /// `old_size` and metadata are those of the base. A created item that was deleted again
    /// disappears.
    pub fn squash(earlier: ChangeSet, later: ChangeSet) -> ChangeSet {
        let mut writes: BTreeMap<StateKey, StateChange> =
            earlier.writes.into_iter().map(|change| (change.key.clone(), change)).collect();
        for mut change in later.writes {
            if let Some(first) = writes.remove(&change.key) {
                change.existed = first.existed;
                change.old_size = first.old_size;
                change.old_metadata = first.old_metadata;
                if !change.existed && change.new.is_none() {
                    continue;
                }
            }
            writes.insert(change.key.clone(), change);
        }
        let mut events = earlier.events;
        events.extend(later.events);
        let mut table_types = earlier.table_types;
        table_types.extend(later.table_types);
        ChangeSet {
            writes: writes.into_values().collect(),
            events,
            publish_request: earlier.publish_request.or(later.publish_request),
            table_types,
        }
    }
}

impl StateSource for Overlay<'_> {
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError> {
        match self.writes.get(key) {
            Some(value) => Ok(value.clone()),
            None => self.base.get(key),
        }
    }

    fn code_version(&self) -> Option<u64> {
        if self.changes_framework { None } else { self.base.code_version() }
    }

    fn usage(&self) -> StateUsage {
        self.base.usage()
    }
}
