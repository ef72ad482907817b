//! Native functions: what the framework declares and the machine does.
//!
//! Every public name of the framework is known. One that is not done answers with
//! `UNIMPLEMENTED_FUNCTIONALITY` and its own name, so that modules which declare it still link.

mod aggregator;
mod aggregator_v2;
mod bls12381;
mod context;
mod crypto;
mod event;
mod format;
mod function_info;
mod memory;
mod publish;
mod randomness;
mod registry;
mod ristretto255;
mod serialize;
mod state;
mod string;
mod table;
mod types;
mod vector;

pub use registry::{find, has_native};
pub use state::NativeState;

use ledger_types::{Address, TypeTag};

use crate::errors::{Fault, status};
use crate::exec::globals::{address, address_words};
use crate::gas::GasMeter;
use crate::ins::Code;
use crate::session::{Env, SessionData};
use crate::types::TypeInfo;

/// A native. It charges before it works, and pushes its results in order.
pub type NativeFunction = fn(&mut NativeCx<'_, '_>) -> Result<(), Fault>;

/// What a native sees of the call. Arguments stay owned by the call and are released after it,
/// unless the native takes one ([`NativeCx::forget`]).
pub struct NativeCx<'a, 's> {
    /// Memory, types, costs.
    pub env: Env<'a>,
    /// The session.
    pub data: &'a mut SessionData<'s>,
    /// Who pays.
    pub meter: &'a mut GasMeter,
    /// The native's own instance.
    pub code: &'a Code,
    /// First slot of the arguments.
    pub base: usize,
    /// Words of the results so far.
    pub results: &'a mut Vec<u64>,
    /// Set by a native that leaves the call to another function: that instance runs in its place, on the
    /// same arguments but the last, which must be a reference.
    pub redirect: Option<u32>,
}

impl<'a> NativeCx<'a, '_> {
    /// Pays for execution.
    pub fn charge(&mut self, amount: u64) -> Result<(), Fault> {
        self.meter.charge_execution(amount)
    }

    /// A type argument.
    pub fn type_argument(&self, number: usize) -> Result<&'a TypeInfo, Fault> {
        let id = self.code.type_arguments.get(number);
        id.map(|id| self.env.ty(*id)).ok_or_else(|| Fault::invariant("a native misses a type argument"))
    }

    /// The tag of a type argument.
    pub fn type_tag(&mut self, number: usize) -> Result<TypeTag, Fault> {
        let id = self.type_argument(number)?.id;
        self.data.tag(self.env.catalog, id)
    }

    /// First word of an argument.
    pub fn slot(&self, number: usize) -> Result<usize, Fault> {
        let parameter = self.code.parameters.get(number);
        let offset = parameter.ok_or_else(|| Fault::invariant("a native misses an argument"))?.offset;
        Ok(self.base + offset as usize)
    }

    /// The type of an argument.
    pub fn parameter(&self, number: usize) -> Result<&'a TypeInfo, Fault> {
        let parameter = self.code.parameters.get(number);
        parameter
            .map(|parameter| self.env.ty(parameter.ty))
            .ok_or_else(|| Fault::invariant("a native misses an argument"))
    }

    /// The type of a result.
    pub fn result(&self, number: usize) -> Result<&'a TypeInfo, Fault> {
        let result = self.code.results.get(number);
        result
            .map(|result| self.env.ty(result.ty))
            .ok_or_else(|| Fault::invariant("a native has no such result"))
    }

    /// An argument of one word: an integer, a boolean.
    pub fn word(&self, number: usize) -> Result<u64, Fault> {
        Ok(self.env.memory.word(self.slot(number)?))
    }

    /// A `u128` argument.
    pub fn u128(&self, number: usize) -> Result<u128, Fault> {
        Ok(self.u128_at(self.slot(number)?))
    }

    /// A `u128` in memory.
    pub fn u128_at(&self, at: usize) -> u128 {
        u128::from(self.env.memory.word(at)) | u128::from(self.env.memory.word(at + 1)) << 64
    }

    /// An `address` argument.
    pub fn address(&self, number: usize) -> Result<Address, Fault> {
        Ok(self.address_at(self.slot(number)?))
    }

    /// An address in memory.
    pub fn address_at(&self, at: usize) -> Address {
        address(std::array::from_fn(|i| self.env.memory.word(at + i)))
    }

    /// A reference argument, whole.
    pub fn reference(&self, number: usize) -> Result<u64, Fault> {
        self.word(number)
    }

    /// What a reference argument points to: a word index, or a byte index for a narrow referent.
    pub fn target(&self, number: usize) -> Result<usize, Fault> {
        Ok((self.word(number)? & 0xffff_ffff) as usize)
    }

    /// A `vector<u8>` argument.
    pub fn bytes(&self, number: usize) -> Result<Vec<u8>, Fault> {
        Ok(self.bytes_at(self.slot(number)?))
    }

    /// A `&vector<u8>` argument.
    pub fn bytes_behind(&self, number: usize) -> Result<Vec<u8>, Fault> {
        Ok(self.bytes_at(self.target(number)?))
    }

    /// The bytes of the vector in a slot.
    pub fn bytes_at(&self, at: usize) -> Vec<u8> {
        let memory = self.env.memory;
        let block = memory.word(at) as usize;
        let length = memory.length(block);
        let mut bytes = Vec::with_capacity(length);
        memory.read_bytes((block + 1) * 8, length, &mut bytes);
        bytes
    }

    /// Elements of the vector in a slot: first word of each.
    pub fn elements_at(&self, at: usize, element_slots: usize) -> Vec<usize> {
        let memory = self.env.memory;
        let block = memory.word(at) as usize;
        (0..memory.length(block)).map(|i| block + 1 + i * element_slots).collect()
    }

    /// Leaves an argument's blocks to whoever took them.
    pub fn forget(&mut self, number: usize) -> Result<(), Fault> {
        let (at, slots) = (self.slot(number)?, self.parameter(number)?.slots);
        self.env.memory.zero_words(at, slots as usize);
        Ok(())
    }

    /// Returns a word.
    pub fn ret_word(&mut self, word: u64) {
        self.results.push(word);
    }

    /// Returns a boolean.
    pub fn ret_bool(&mut self, value: bool) {
        self.results.push(u64::from(value));
    }

    /// Returns a `u128`.
    pub fn ret_u128(&mut self, value: u128) {
        self.results.extend([value as u64, (value >> 64) as u64]);
    }

    /// Returns an address or signer.
    pub fn ret_address(&mut self, value: &Address) {
        self.results.extend(address_words(value));
    }

    /// Returns bytes, as a vector or as a struct around one.
    pub fn ret_bytes(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let block = self.env.values().new_bytes(bytes)?;
        self.results.push(block);
        Ok(())
    }

    /// Returns a value of type `ty` from its BCS; answers false if the bytes are not that.
    pub fn ret_bcs(&mut self, ty: &'a TypeInfo, bytes: &[u8]) -> Result<bool, Fault> {
        let memory = self.env.memory;
        let slots = ty.slots as usize;
        let scratch = memory.allocate(slots * 8)?;
        match self.env.values().decode(ty, bytes, scratch + 1) {
            Ok(()) => {}
            Err(crate::values::Malformed::Bytes) => return Ok(false),
            Err(crate::values::Malformed::Fault(fault)) => return Err(fault),
        }
        self.results.extend((0..slots).map(|i| memory.word(scratch + 1 + i)));
        memory.release(scratch);
        Ok(true)
    }
}

/// Answers for a native that is declared but not done.
fn missing(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let module = cx.env.catalog.module(cx.code.module);
    let name = module.function_name(cx.code.function);
    Err(Fault::not_implemented(&format!("native function {}::{name}", module.id)))
}

/// The pay of a native by input length.
fn by_length(base: u64, per_byte: u64, length: usize) -> u64 {
    base.saturating_add(per_byte.saturating_mul(length as u64))
}

/// Refuses a status that only bugs bring up.
fn encoded(cx: &NativeCx<'_, '_>, ty: &TypeInfo, at: usize) -> Result<Vec<u8>, Fault> {
    let ty = cx.env.ty(ty.id);
    let mut bytes = Vec::new();
    if ty.narrow != 0 {
        let width = ty.narrow as usize;
        bytes.extend_from_slice(&cx.env.memory.narrow(at, width).to_le_bytes()[..width]);
    } else {
        cx.env.values().encode(ty, at, &mut bytes)?;
    }
    Ok(bytes)
}

/// A failure of a native's own bookkeeping.
fn extension(message: &str) -> Fault {
    Fault::with_message(status::VM_EXTENSION_ERROR, message)
}
