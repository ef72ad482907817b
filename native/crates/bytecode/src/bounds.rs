//! Indices are inside their tables.
