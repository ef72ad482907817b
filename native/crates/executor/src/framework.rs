//! The built-in framework: the modules a chain of our own boots with, compiled into the core.
//!
//! The bundle's format is described in framework/README.md. Its modules passed the verifier when they
//! were built into this core (tests of crate verifier), so the engine does not verify them again: the list
//! of their digests is made from the very bytes that were compiled in.

use std::sync::{Arc, LazyLock};

use ledger_bcs::{Error, Reader, Result};
use ledger_types::{Address, HashValue, Identifier, ModuleId};
use ledger_vm::Engine;

/// The committed bundle.
const BUNDLE: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../framework/build/framework.bundle"));

/// First bytes of a bundle.
const MAGIC: &[u8; 8] = b"LNFRAME1";

/// One compiled module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameworkModule {
    /// Where it lives.
    pub id: ModuleId,
    /// Its bytecode.
    pub code: &'static [u8],
}

/// The bundle, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Framework {
    /// Each after every module it depends on.
    pub modules: Vec<FrameworkModule>,
    /// BCS of each package's metadata.
    pub packages: Vec<Vec<u8>>,
    /// BCS of the gas schedule that genesis installs.
    pub gas_schedule: Vec<u8>,
    /// Features on at genesis, ascending.
    pub features: Vec<u64>,
}

impl Framework {
    /// Reads a bundle.
    ///
    /// # Errors
    /// When the bytes are not one.
    pub fn from_bundle(bytes: &'static [u8]) -> Result<Framework> {
        let content = bytes.strip_prefix(MAGIC).ok_or(Error::Invalid("not a framework bundle"))?;
        let mut reader = Reader::new(content);
        reader.string()?;
        let modules = reader.sequence(|reader| {
            let address = Address(reader.array()?);
            let name = Identifier::new_unchecked(reader.string()?);
            Ok(FrameworkModule { id: ModuleId { address, name }, code: reader.bytes()? })
        })?;
        let packages = reader.sequence(|reader| {
            reader.string()?;
            Ok(reader.bytes()?.to_vec())
        })?;
        let gas_schedule = reader.bytes()?.to_vec();
        let features = reader.sequence(Reader::u64)?;
        reader.finish()?;
        Ok(Framework { modules, packages, gas_schedule, features })
    }

    /// The framework compiled into this core.
    pub fn built_in() -> &'static Framework {
        static BUILT_IN: LazyLock<Framework> = LazyLock::new(|| {
            Framework::from_bundle(BUNDLE).expect("the committed bundle was read by the tests of this crate")
        });
        &BUILT_IN
    }
}

/// The engine of this process. The built-in framework starts without being verified anew.
pub fn engine() -> Arc<Engine> {
    static ENGINE: LazyLock<Arc<Engine>> = LazyLock::new(|| {
        Engine::new(Framework::built_in().modules.iter().map(|module| HashValue::sha3_256(module.code).0))
    });
    ENGINE.clone()
}
