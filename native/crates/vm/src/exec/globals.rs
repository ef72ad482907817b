//! Resources as instructions see them: by four words of address and a type.

use ledger_types::Address;

use super::Machine;
use crate::arithmetic::Words;
use crate::errors::Fault;
use crate::types::TypeId;

/// The address in four words.
pub fn address(words: Words) -> Address {
    let mut bytes = [0; 32];
    for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    Address(bytes)
}

/// The words of an address.
pub fn address_words(address: &Address) -> Words {
    let mut words = [0; 4];
    for (word, chunk) in words.iter_mut().zip(address.0.chunks_exact(8)) {
        *word = u64::from_le_bytes(chunk.try_into().expect("chunks of eight"));
    }
    words
}

impl Machine<'_, '_> {
    fn item(&mut self, words: Words, ty: TypeId) -> Result<usize, Fault> {
        self.data.resource(self.env, self.meter, address(words), ty)
    }

    /// A reference to the resource, if it is there.
    pub(super) fn borrow_global(&mut self, words: Words, ty: TypeId) -> Result<Option<u64>, Fault> {
        let item = self.item(words, ty)?;
        let reference = self.data.borrow(self.env, item)?;
        if let Some(reference) = reference {
            self.data.remember(words, ty, reference);
        }
        Ok(reference)
    }

    /// Whether the resource is there.
    pub(super) fn exists_global(&mut self, words: Words, ty: TypeId) -> Result<bool, Fault> {
        let item = self.item(words, ty)?;
        Ok(self.data.exists(item))
    }

    /// Moves the resource to the words from `to`; false if it is not there.
    pub(super) fn move_from(&mut self, words: Words, ty: TypeId, to: usize) -> Result<bool, Fault> {
        let item = self.item(words, ty)?;
        self.data.take(self.env, item, to)
    }

    /// Publishes the resource at the words from `from`; false if there is one.
    pub(super) fn move_to(&mut self, words: Words, ty: TypeId, from: usize) -> Result<bool, Fault> {
        let item = self.item(words, ty)?;
        self.data.put(self.env, item, from)
    }
}
