//! What all workers share: linked modules, types and lowered code, keyed by content.

use std::collections::HashSet;
use std::sync::Arc;

/// The shared part of the machine. Make one per process and keep it: everything in it is found
/// again by content, whatever view of the state asks.
pub struct Engine {
    trusted: HashSet<[u8; 32]>,
}

impl Engine {
    /// An engine that links only modules whose SHA3-256 is in `trusted`.
    pub fn new(trusted: impl IntoIterator<Item = [u8; 32]>) -> Arc<Self> {
        Arc::new(Self { trusted: trusted.into_iter().collect() })
    }

    /// Whether code with this SHA3-256 may run.
    pub fn is_trusted(&self, digest: &[u8; 32]) -> bool {
        self.trusted.contains(digest)
    }
}
