//! What natives keep from call to call within one session.

use ledger_crypto::ristretto255::Point;

/// State of natives; gone with the session.
#[derive(Debug, Default)]
pub struct NativeState {
    /// Elements of ristretto255 by handle.
    pub points: Vec<Point>,
    /// Random values drawn so far.
    pub random_draws: u64,
    /// Whether the entry function that runs may draw random values.
    pub unbiasable: bool,
}
