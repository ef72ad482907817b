//! Why bytes are not a module or script, and where.

use std::fmt;

use crate::format::Table;
use crate::status::StatusCode;

/// What was being looked at when a [`BinaryError`] was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A byte of the file, counted from its start.
    Byte(usize),
    /// An entry of a table.
    Entry {
        /// The table.
        table: Table,
        /// Position in it.
        index: usize,
    },
    /// An instruction of a function definition.
    Instruction {
        /// Position in the function definitions; `None` for a script's body.
        function: Option<u16>,
        /// Position in the code.
        offset: usize,
    },
    /// The module or script as a whole.
    Whole,
}

/// A module or script that cannot be read, or whose indices point nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryError {
    /// The protocol's number for this kind of fault.
    pub status: StatusCode,
    /// Where it was found.
    pub place: Place,
    /// What was wrong, for people.
    pub message: &'static str,
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ", self.status, self.message)?;
        match self.place {
            Place::Byte(offset) => write!(f, "at byte {offset}"),
            Place::Entry { table, index } => write!(f, "in entry {index} of {table:?}"),
            Place::Instruction { function: Some(function), offset } => {
                write!(f, "at instruction {offset} of function {function}")
            }
            Place::Instruction { function: None, offset } => write!(f, "at instruction {offset}"),
            Place::Whole => write!(f, "in the whole"),
        }
    }
}

impl std::error::Error for BinaryError {}
