//! The one catch for panics. Everything that Node calls runs inside [`guard`].
//!
//! A panic is a bug, and what it left behind is unknown: the call answers a failure and the process is
//! marked, so that whoever owns it can replace it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static BROKEN: AtomicBool = AtomicBool::new(false);

/// True once a panic was caught in this process.
pub fn is_broken() -> bool {
    BROKEN.load(Ordering::Relaxed)
}

/// Runs `call`; a panic inside becomes an `internal_error` failure and marks the process.
pub fn guard<T>(call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        BROKEN.store(true, Ordering::Relaxed);
        Err(Failure::internal("the core stopped at a broken invariant"))
    })
}
