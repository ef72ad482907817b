//! Words of a call: how it is made, what it returns, what a function looks like from outside.

use ledger_bytecode::ReadLimits;
use ledger_types::{Address, TypeTag};
use ledger_verifier::Limits;

/// Who calls, and so what is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallMode<'a> {
    /// The system: any function, any argument type; arguments hold every parameter, signers as
    /// their 32-byte address. `&T` and `&mut T` take the BCS of `T`.
    Bypass,
    /// A transaction: the function must be an entry function, argument types are restricted, and
    /// leading `signer` and `&signer` parameters are filled from these addresses; arguments hold
    /// the rest.
    Entry {
        /// Sender first, then secondary signers.
        signers: &'a [Address],
    },
    /// A query: the function must be marked as view and return something; argument types are
    /// restricted, a `signer` parameter takes its bytes from the arguments.
    View,
}

/// One value that a call returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnValue {
    /// Its type.
    pub tag: TypeTag,
    /// Its BCS.
    pub bytes: Vec<u8>,
}

/// How a parameter takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// By value.
    Value,
    /// `&T`.
    Reference,
    /// `&mut T`.
    MutableReference,
}

/// One parameter or result of a function with its type arguments filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// By value or by reference.
    pub passing: Passing,
    /// The type of the value (without `&`); `None` if it has a function type inside.
    pub tag: Option<TypeTag>,
}

/// Who may call a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionVisibility {
    /// Its module.
    Private,
    /// Everybody.
    Public,
    /// Its module and that module's friends.
    Friend,
}

/// What a function looks like from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSignature {
    /// Who may call it.
    pub visibility: FunctionVisibility,
    /// Whether a transaction may name it.
    pub is_entry: bool,
    /// Whether it is marked as a view.
    pub is_view: bool,
    /// Whether it has no bytecode.
    pub is_native: bool,
    /// Parameters in order, leading signers included.
    pub parameters: Vec<Parameter>,
    /// Results in order.
    pub results: Vec<Parameter>,
}

/// A script that a transaction brings along.
#[derive(Clone, Copy, Debug)]
pub struct ScriptCode<'a> {
    /// Its bytecode.
    pub bytes: &'a [u8],
    /// Versions and names that the chain takes.
    pub read_limits: &'a ReadLimits,
    /// What it is verified against.
    pub limits: &'a Limits,
}
