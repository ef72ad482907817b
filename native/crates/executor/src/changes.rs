//! What a transaction has changed so far, folded over its sessions, with the metadata that its values
//! will have.
//!
//! A session reports changes against the state beneath it; here they become changes against the state
//! beneath the *transaction*: existence and deposits of the base, bytes of the last session.

use std::collections::BTreeMap;

use bytes::Bytes;
use ledger_types::{ContractEvent, StateKey, StateValue, StateValueMetadata, WriteOp, WriteSet};
use ledger_vm::{ChangeSet, Overlay};

/// Growth of the state; negative where it shrinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageDelta {
    /// State items.
    pub items: i64,
    /// Bytes of keys and values.
    pub bytes: i64,
}

/// Bytes of a state key that are counted and paid for: address or handle, and what follows.
pub fn key_bytes(key: &StateKey) -> u64 {
    let length = match key {
        StateKey::AccessPath { path, .. } => 32 + path.len(),
        StateKey::TableItem { key, .. } => 32 + key.len(),
        StateKey::Raw(bytes) => bytes.len(),
    };
    length as u64
}

/// One changed item of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Bytes after the transaction; `None` deletes the item.
    pub new: Option<Bytes>,
    /// Whether the item existed beneath the transaction.
    pub existed: bool,
    /// Bytes of the value beneath the transaction.
    pub old_size: u64,
    /// Metadata of the value: what it had, what a creation gives it, with deposits as charged.
    pub metadata: Option<StateValueMetadata>,
}

impl Change {
    /// The write op that turns the base into what this change wants.
    fn to_write_op(&self) -> WriteOp {
        match (&self.new, self.existed) {
            (Some(data), true) => WriteOp::Modification { data: data.clone(), metadata: self.metadata },
            (Some(data), false) => WriteOp::Creation { data: data.clone(), metadata: self.metadata },
            (None, _) => WriteOp::Deletion { metadata: self.metadata },
        }
    }

    /// The state value after the transaction.
    pub fn state_value(&self) -> Option<StateValue> {
        self.new.as_ref().map(|data| StateValue { data: data.clone(), metadata: self.metadata })
    }
}

/// All changes of a transaction, and its events.
#[derive(Clone, Debug, Default)]
pub struct TransactionChanges {
    items: BTreeMap<StateKey, Change>,
    events: Vec<ContractEvent>,
}

impl TransactionChanges {
    /// Folds in what the next session did. `new_slot` is the metadata of items it created, if the
    /// chain gives them any.
    pub fn add(&mut self, session: ChangeSet, new_slot: Option<StateValueMetadata>) {
        self.events.extend(session.events);
        for change in session.writes {
            let new = change.new;
            match self.items.get_mut(&change.key) {
                Some(earlier) => {
                    if earlier.new.is_none() {
                        earlier.metadata = new_slot;
                    }
                    earlier.new = new;
                    if !earlier.existed && earlier.new.is_none() {
                        self.items.remove(&change.key);
                    }
                }
                None => {
                    let metadata = if change.existed { change.old_metadata } else { new_slot };
                    let (existed, old_size) = (change.existed, change.old_size);
                    self.items.insert(change.key, Change { new, existed, old_size, metadata });
                }
            }
        }
    }

    /// Lays the changes over a source, for the next session of the same transaction.
    pub fn lay_over(&self, overlay: &mut Overlay<'_>) {
        for (key, change) in &self.items {
            overlay.set(key.clone(), change.state_value());
        }
    }

    /// Changed items in key order.
    pub fn items(&self) -> impl Iterator<Item = (&StateKey, &Change)> {
        self.items.iter()
    }

    /// Changed items in key order, to settle their deposits.
    pub fn items_mut(&mut self) -> impl Iterator<Item = (&StateKey, &mut Change)> {
        self.items.iter_mut()
    }

    /// Number of changed items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Events so far, in order of emission.
    pub fn events(&self) -> &[ContractEvent] {
        &self.events
    }

    /// By how much the transaction grows the state.
    pub fn usage(&self) -> UsageDelta {
        let mut delta = UsageDelta::default();
        for (key, change) in &self.items {
            let key_bytes = key_bytes(key);
            if change.existed {
                delta.items -= 1;
                delta.bytes -= (key_bytes + change.old_size) as i64;
            }
            if let Some(data) = &change.new {
                delta.items += 1;
                delta.bytes += (key_bytes + data.len() as u64) as i64;
            }
        }
        delta
    }

    /// The public form.
    pub fn into_output(self) -> (WriteSet, Vec<ContractEvent>) {
        let write_set = self.items.into_iter().map(|(key, change)| (key, change.to_write_op())).collect();
        (write_set, self.events)
    }
}

#[cfg(test)]
mod tests {
    use ledger_vm::StateChange;

    use super::*;

    fn change(name: &'static [u8], new: Option<&[u8]>, existed: bool) -> StateChange {
        StateChange {
            key: StateKey::raw(name),
            new: new.map(Bytes::copy_from_slice),
            existed,
            old_size: 0,
            old_metadata: None,
        }
    }

    fn session(writes: Vec<StateChange>) -> ChangeSet {
        ChangeSet { writes, ..ChangeSet::default() }
    }

    const DEPOSIT: StateValueMetadata =
        StateValueMetadata { slot_deposit: 5, bytes_deposit: 1, creation_time_usecs: 9 };

    #[test]
    fn an_item_created_and_deleted_by_one_transaction_leaves_no_write() {
        let mut changes = TransactionChanges::default();
        changes.add(session(vec![change(b"a", Some(b"1"), false)]), None);
        changes.add(session(vec![change(b"a", None, true)]), None);
        assert!(changes.into_output().0.is_empty());
    }

    #[test]
    fn a_later_session_keeps_the_deposit_an_earlier_one_was_charged() {
        let mut changes = TransactionChanges::default();
        changes.add(session(vec![change(b"a", Some(b"1"), false)]), Some(DEPOSIT));
        changes.add(session(vec![change(b"a", Some(b"2"), true)]), None);
        let (write_set, _) = changes.into_output();
        let expected = WriteOp::Creation { data: Bytes::from_static(b"2"), metadata: Some(DEPOSIT) };
        assert_eq!(write_set.get(&StateKey::raw(&b"a"[..])), Some(&expected));
    }

    #[test]
    fn usage_counts_keys_and_values_of_what_came_and_went() {
        let mut changes = TransactionChanges::default();
        let mut grown = change(b"bb", Some(b"12345"), true);
        grown.old_size = 3;
        let mut gone = change(b"ccc", None, true);
        gone.old_size = 7;
        changes.add(session(vec![change(b"a", Some(b"1"), false), grown, gone]), None);
        assert_eq!(changes.usage(), UsageDelta { items: 0, bytes: 2 + 2 - 10 });
    }

    #[test]
    fn deleting_what_was_there_and_writing_it_again_modifies() {
        let mut changes = TransactionChanges::default();
        changes.add(session(vec![change(b"a", None, true)]), None);
        changes.add(session(vec![change(b"a", Some(b"2"), false)]), Some(DEPOSIT));
        let (write_set, _) = changes.into_output();
        let expected = WriteOp::Modification { data: Bytes::from_static(b"2"), metadata: Some(DEPOSIT) };
        assert_eq!(write_set.get(&StateKey::raw(&b"a"[..])), Some(&expected));
    }
}
