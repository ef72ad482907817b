//! The end of a session: what it changed, sorted by key.

use bytes::Bytes;

use super::data::{Env, SessionData};
use crate::errors::Fault;
use crate::state::{ChangeSet, StateChange};

impl SessionData<'_> {
    /// Everything the session did. An item counts as changed if it was created, removed, put back,
    /// or written through a mutable reference, even with equal bytes; borrowing alone changes
    /// nothing.
    ///
    /// # Errors
    /// Values that cannot be encoded.
    pub fn finish(mut self, env: Env<'_>) -> Result<ChangeSet, Fault> {
        let mut writes = Vec::new();
        for (number, item) in std::mem::take(&mut self.items).into_iter().enumerate() {
            let touched = env.memory.take_touched(number as u16 + 1);
            if !(item.changed || touched && item.exists) {
                continue;
            }
            let new = if item.exists {
                let mut bytes = Vec::new();
                env.values().encode(env.ty(item.ty), item.block + 1, &mut bytes)?;
                Some(Bytes::from(bytes))
            } else {
                None
            };
            if !item.origin.existed && new.is_none() {
                continue;
            }
            match (item.key, item.member) {
                (Some(key), _) => writes.push(StateChange {
                    key,
                    new,
                    existed: item.origin.existed,
                    old_size: item.origin.size,
                    old_metadata: item.origin.metadata,
                }),
                (None, Some((group, tag))) => self.groups.set(group, tag, new),
                (None, None) => return Err(Fault::invariant("an item without a key")),
            }
        }
        for group in self.groups.changed() {
            let new = group.encode();
            if group.origin.existed || new.is_some() {
                writes.push(StateChange {
                    key: group.key,
                    new,
                    existed: group.origin.existed,
                    old_size: group.origin.size,
                    old_metadata: group.origin.metadata,
                });
            }
        }
        for aggregate in self.aggregates {
            if aggregate.changed && (aggregate.origin.existed || aggregate.value.is_some()) {
                writes.push(StateChange {
                    key: aggregate.key,
                    new: aggregate.value.map(|value| Bytes::copy_from_slice(&value.to_le_bytes())),
                    existed: aggregate.origin.existed,
                    old_size: aggregate.origin.size,
                    old_metadata: aggregate.origin.metadata,
                });
            }
        }
        writes.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(ChangeSet {
            writes,
            events: self.events,
            publish_request: self.publish_request,
            table_types: self.table_types,
        })
    }
}
