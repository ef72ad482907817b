//! What all workers share.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use crate::catalog::Catalog;
use crate::lower::Lowering;

/// The shared part of the machine. Make one per process and keep it: everything it knows is found again
/// by content, whatever view of the state asks. Its memory is bounded: it starts afresh when strangers
/// have made it learn too much.
pub struct Engine {
    trusted: Arc<HashSet<[u8; 32]>>,
    lowering: Lowering,
    current: RwLock<Arc<Catalog>>,
}

impl Engine {
    /// An engine that verifies every module before it links it, but those whose SHA3-256 is in `trusted`.
    pub fn new(trusted: impl IntoIterator<Item = [u8; 32]>) -> Arc<Self> {
        Self::with_lowering(trusted, Lowering::default())
    }

    /// The same, with other shortcuts than all: for tests that hold them against each other.
    pub fn with_lowering(trusted: impl IntoIterator<Item = [u8; 32]>, lowering: Lowering) -> Arc<Self> {
        let trusted = Arc::new(trusted.into_iter().collect());
        let catalog = Arc::new(Catalog::new(Arc::clone(&trusted), lowering));
        Arc::new(Self { trusted, lowering, current: RwLock::new(catalog) })
    }

    /// Whether code with this SHA3-256 runs without being verified.
    pub fn is_trusted(&self, digest: &[u8; 32]) -> bool {
        self.trusted.contains(digest)
    }

    /// Functions, with their type arguments, that are kept: a measure of the memory in use.
    pub fn instance_count(&self) -> usize {
        self.current.read().unwrap_or_else(PoisonError::into_inner).instance_count()
    }

    /// The catalog for a session that starts now. A full one is left to the sessions that still use it.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        let current = Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner));
        if !current.is_full() {
            return current;
        }
        let mut place = self.current.write().unwrap_or_else(PoisonError::into_inner);
        if place.is_full() {
            *place = Arc::new(Catalog::new(Arc::clone(&self.trusted), self.lowering));
        }
        Arc::clone(&place)
    }
}
