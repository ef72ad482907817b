//! The state as the executor is lent it, and the memory of what was read.
//!
//! [`StateView`] is the door to whatever keeps the state: the store's snapshot, an old version of it, a
//! map in a test. A read crosses into another language there, so every key is asked once: [`BlockState`]
//! remembers answers, takes the writes of finished transactions, and is what the virtual machine reads.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use ledger_types::{StateKey, StateValue};
use ledger_vm::{StateError, StateSource, StateUsage, is_framework_code};

/// Read-only state at one ledger version. Its answers never change while it is in use.
pub trait StateView {
    /// The value under `key`, `None` if there is none.
    ///
    /// # Errors
    /// When the store cannot answer.
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError>;

    /// Values of many keys, in the order asked. Keys come sorted, so that a store walks its pages once.
    ///
    /// # Errors
    /// When the store cannot answer one of them.
    fn get_many(&self, keys: &[StateKey]) -> Result<Vec<Option<StateValue>>, StateError> {
        keys.iter().map(|key| self.get(key)).collect()
    }
}

/// Most items remembered; above it everything is forgotten and read again when asked for.
const CACHED_ITEMS_MAX: usize = 400_000;

/// Most bytes of values remembered.
const CACHED_BYTES_MAX: usize = 256 << 20;

/// Answers of one state, absent items included. Follows the writes it is told of, so that the one
/// process that writes may keep it from block to block.
#[derive(Debug, Default)]
pub struct StateCache {
    items: HashMap<StateKey, Option<StateValue>>,
    value_bytes: usize,
}

impl StateCache {
    fn get(&self, key: &StateKey) -> Option<&Option<StateValue>> {
        self.items.get(key)
    }

    fn insert(&mut self, key: StateKey, value: Option<StateValue>) {
        let bytes = |value: &Option<StateValue>| value.as_ref().map_or(0, |value| value.data.len());
        self.value_bytes += bytes(&value);
        if let Some(earlier) = self.items.insert(key, value) {
            self.value_bytes -= bytes(&earlier);
        }
    }

    /// Forgets everything if it grew too large. Only between blocks: what a block wrote is nowhere else
    /// until it is committed.
    pub fn trim(&mut self) {
        if self.items.len() > CACHED_ITEMS_MAX || self.value_bytes > CACHED_BYTES_MAX {
            *self = StateCache::default();
        }
    }
}

/// The state during a block, a view or a simulation: the lent view, what was read from it, and what
/// finished transactions wrote.
pub struct BlockState<'a> {
    view: &'a dyn StateView,
    cache: RefCell<&'a mut StateCache>,
    code_version: Cell<Option<u64>>,
    usage: StateUsage,
    /// First failure of the view: the machine folds it into its own errors, which must not count as a
    /// transaction's fault.
    failure: RefCell<Option<StateError>>,
}

impl<'a> BlockState<'a> {
    /// A state over `view` that remembers in `cache`, which must hold answers of the same state.
    pub fn new(view: &'a dyn StateView, cache: &'a mut StateCache) -> Self {
        let usage = StateUsage::default();
        let (code_version, failure) = (Cell::new(None), RefCell::new(None));
        Self { view, cache: RefCell::new(cache), code_version, usage, failure }
    }

    /// Reads all of `keys` that are not known yet, in one sorted pass.
    ///
    /// # Errors
    /// When the view cannot answer.
    pub fn prefetch(&self, mut keys: Vec<StateKey>) -> Result<(), StateError> {
        keys.retain(|key| self.cache.borrow().get(key).is_none());
        keys.sort_unstable();
        keys.dedup();
        let values = self.view.get_many(&keys)?;
        let mut cache = self.cache.borrow_mut();
        for (key, value) in keys.into_iter().zip(values) {
            cache.insert(key, value);
        }
        Ok(())
    }

    /// Takes over what a finished transaction wrote.
    pub fn write(&self, key: StateKey, value: Option<StateValue>) {
        if is_framework_code(&key) {
            self.code_version.set(None);
        }
        self.cache.borrow_mut().insert(key, value);
    }

    /// Names the set of modules in this state; see [`StateSource::code_version`].
    pub fn set_code_version(&self, version: Option<u64>) {
        self.code_version.set(version);
    }

    /// What the view failed with, if it did.
    pub fn failure(&self) -> Option<StateError> {
        self.failure.borrow().clone()
    }

    /// Tells the size of the state, for the first block of an epoch.
    pub fn set_usage(&mut self, usage: StateUsage) {
        self.usage = usage;
    }
}

impl StateSource for BlockState<'_> {
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError> {
        if let Some(known) = self.cache.borrow().get(key) {
            return Ok(known.clone());
        }
        let value = self.view.get(key).inspect_err(|error| {
            self.failure.borrow_mut().get_or_insert_with(|| error.clone());
        })?;
        self.cache.borrow_mut().insert(key.clone(), value.clone());
        Ok(value)
    }

    fn code_version(&self) -> Option<u64> {
        self.code_version.get()
    }

    fn usage(&self) -> StateUsage {
        self.usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often each key is asked for.
    struct CountingView(RefCell<Vec<StateKey>>);

    impl StateView for CountingView {
        fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError> {
            self.0.borrow_mut().push(key.clone());
            Ok(matches!(key, StateKey::Raw(bytes) if bytes[0] == 1).then(|| StateValue::new(vec![7])))
        }
    }

    #[test]
    fn a_key_is_asked_once_and_absence_is_remembered() {
        let view = CountingView(RefCell::default());
        let mut cache = StateCache::default();
        let state = BlockState::new(&view, &mut cache);
        let keys = [2, 1, 2].map(|byte: u8| StateKey::raw(vec![byte]));
        state.prefetch(keys.to_vec()).unwrap();
        for key in &keys {
            state.get(key).unwrap();
        }
        assert_eq!(*view.0.borrow(), [keys[1].clone(), keys[0].clone()]);
    }

    #[test]
    fn a_write_hides_what_was_read() {
        let view = CountingView(RefCell::default());
        let mut cache = StateCache::default();
        let state = BlockState::new(&view, &mut cache);
        let key = StateKey::raw(vec![1]);
        assert_eq!(state.get(&key).unwrap(), Some(StateValue::new(vec![7])));
        state.write(key.clone(), None);
        assert_eq!(state.get(&key).unwrap(), None);
    }
}
