//! Linked modules, types and lowered code, keyed by content and numbered.
//!
//! Numbers of one catalog mean nothing in another. A catalog only grows; [`crate::Engine`] replaces it
//! when it has grown too much, since who calls with ever new type arguments can make it grow.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bytes::Bytes;
use ledger_bytecode::{CompiledModule, ReadLimits, read_script};
use ledger_types::{Address, HashValue, ModuleId, StructTag, TypeTag};
use ledger_verifier::Limits;

use crate::admission;
use crate::errors::{Fault, status};
use crate::gas::Costs;
use crate::ins::Code;
use crate::link::LinkedModule;
use crate::lower::{self, Lowering};
use crate::script;
use crate::slab::Slab;
use crate::types::{Int, Interner, ModuleIx, TypeId, TypeKey};

/// Longest chain of dependencies.
const DEPENDENCY_DEPTH_MAX: usize = 256;
/// Types a catalog may have before it is replaced; each takes about half a kilobyte.
const TYPES_MAX: usize = 200_000;
/// Instances a catalog may have before it is replaced; each takes a few kilobytes.
const INSTANCES_MAX: usize = 50_000;
/// Modules and scripts a catalog may have before it is replaced; each takes a few times its bytes.
const MODULES_MAX: usize = 4000;
/// Deepest type that gets a tag.
const TAG_DEPTH_MAX: u32 = 128;
/// Code versions whose module maps are kept.
const WORLDS_MAX: usize = 64;

/// Everything that was linked, named and lowered so far.
pub struct Catalog {
    trusted: Arc<HashSet<[u8; 32]>>,
    pub(crate) lowering: Lowering,
    pub(crate) modules: Slab<LinkedModule>,
    pub(crate) types: Interner,
    pub(crate) instances: Slab<Instance>,
    module_numbers: RwLock<HashMap<HashValue, ModuleIx>>,
    instance_numbers: RwLock<HashMap<InstanceKey, u32>>,
    worlds: RwLock<HashMap<u64, Arc<World>>>,
    schedules: RwLock<Vec<Vec<u64>>>,
}

/// A function with its type arguments, for one gas schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InstanceKey {
    /// Module of the function.
    pub module: ModuleIx,
    /// Index of its definition.
    pub function: u16,
    /// Type arguments.
    pub arguments: Box<[TypeId]>,
    /// Number of the gas schedule.
    pub schedule: u32,
}

/// An instance and, once it was called, its code.
pub struct Instance {
    /// What it is.
    pub key: InstanceKey,
    /// What it does.
    pub code: OnceLock<Code>,
}

/// Module id to linked module, for one version of the code in state.
#[derive(Default)]
pub struct World {
    modules: RwLock<HashMap<ModuleId, ModuleIx>>,
}

/// The modules that one session sees: those that the code version names, shared with every session of
/// that version, and those that it found by itself.
///
/// A code version speaks of the framework at `0x1` alone. Code elsewhere changes without it, so where it
/// lives is found anew by each session; what it links to is still found by content.
pub struct Worlds {
    shared: Arc<World>,
    own: World,
}

impl Worlds {
    /// What is known to the version, and nothing else yet.
    pub fn new(shared: Arc<World>) -> Self {
        Self { shared, own: World::default() }
    }

    fn get(&self, id: &ModuleId) -> Option<ModuleIx> {
        self.shared.get(id).or_else(|| self.own.get(id))
    }

    /// Whether the code version vouches for this module and for all that it depends on.
    pub fn is_shared(&self, id: &ModuleId) -> bool {
        self.shared.get(id).is_some()
    }

    fn insert(&self, id: ModuleId, dependencies: &[ModuleId], ix: ModuleIx) {
        let follows = id.address == Address::ONE && dependencies.iter().all(|id| self.is_shared(id));
        if follows { &self.shared } else { &self.own }.insert(id, ix);
    }
}

impl World {
    fn get(&self, id: &ModuleId) -> Option<ModuleIx> {
        self.modules.read().unwrap_or_else(PoisonError::into_inner).get(id).copied()
    }

    fn insert(&self, id: ModuleId, ix: ModuleIx) {
        self.modules.write().unwrap_or_else(PoisonError::into_inner).insert(id, ix);
    }
}

/// A module that waits for its dependencies.
struct Unlinked {
    code: CompiledModule,
    digest: HashValue,
    dependencies: Vec<ModuleId>,
    linked: Vec<ModuleIx>,
}

impl Catalog {
    /// An empty catalog. Modules whose SHA3-256 is in `trusted` are not verified.
    pub fn new(trusted: Arc<HashSet<[u8; 32]>>, lowering: Lowering) -> Self {
        Self {
            trusted,
            lowering,
            modules: Slab::new(),
            types: Interner::new(),
            instances: Slab::new(),
            module_numbers: RwLock::default(),
            instance_numbers: RwLock::default(),
            worlds: RwLock::default(),
            schedules: RwLock::default(),
        }
    }

    /// Instances numbered so far.
    pub fn instance_count(&self) -> usize {
        self.instances.len()
    }

    /// Whether the catalog has grown so much that a new one should take its place.
    pub fn is_full(&self) -> bool {
        self.types.len() > TYPES_MAX
            || self.instances.len() > INSTANCES_MAX
            || self.modules.len() > MODULES_MAX
    }

    /// Whether code with this SHA3-256 runs without being verified.
    pub fn is_trusted(&self, digest: &[u8; 32]) -> bool {
        self.trusted.contains(digest)
    }

    /// The modules of a code version; a map of its own where the view has no version.
    pub(crate) fn world(&self, version: Option<u64>) -> Arc<World> {
        let Some(version) = version else { return Arc::default() };
        if let Some(world) = self.worlds.read().unwrap_or_else(PoisonError::into_inner).get(&version) {
            return world.clone();
        }
        let mut worlds = self.worlds.write().unwrap_or_else(PoisonError::into_inner);
        if worlds.len() >= WORLDS_MAX {
            worlds.clear();
        }
        worlds.entry(version).or_default().clone()
    }

    /// The module of this id in `world`, linked with its dependencies. `fetch` reads module bytes
    /// from state.
    ///
    /// # Errors
    /// `LINKER_ERROR` for a module that is missing or does not fit its dependencies,
    /// `CODE_DESERIALIZATION_ERROR`, `CYCLIC_MODULE_DEPENDENCY`, those of the verifier for a module that
    /// is not trusted, and those of `fetch`.
    pub(crate) fn load(
        &self,
        world: &Worlds,
        id: &ModuleId,
        fetch: &mut dyn FnMut(&ModuleId) -> Result<Option<Bytes>, Fault>,
    ) -> Result<ModuleIx, Fault> {
        if let Some(ix) = world.get(id) {
            return Ok(ix);
        }
        let mut waiting = vec![self.open(id, fetch)?];
        loop {
            let depth = waiting.len();
            let top = waiting.last_mut().ok_or_else(|| Fault::invariant("nothing to link"))?;
            if let Some(next) = top.dependencies.get(top.linked.len()).cloned() {
                if let Some(ix) = world.get(&next) {
                    top.linked.push(ix);
                } else if waiting.iter().any(|module| module.code.id() == next) {
                    return Err(Fault::new(status::CYCLIC_MODULE_DEPENDENCY));
                } else if depth >= DEPENDENCY_DEPTH_MAX {
                    return Err(Fault::with_message(
                        status::LINKER_ERROR,
                        "dependencies are nested too deep",
                    ));
                } else {
                    waiting.push(self.open(&next, fetch)?);
                }
                continue;
            }
            let done = waiting.pop().ok_or_else(|| Fault::invariant("nothing to link"))?;
            let id = done.code.id();
            let dependencies = done.dependencies.clone();
            let ix = self.link(done)?;
            world.insert(id, &dependencies, ix);
            if waiting.is_empty() {
                return Ok(ix);
            }
        }
    }

    /// Reads a module; whether it may run is decided when it is linked.
    fn open(
        &self,
        id: &ModuleId,
        fetch: &mut dyn FnMut(&ModuleId) -> Result<Option<Bytes>, Fault>,
    ) -> Result<Unlinked, Fault> {
        let bytes = fetch(id)?.ok_or_else(|| {
            Fault::with_message(status::LINKER_ERROR, format!("module {id} does not exist"))
        })?;
        let digest = HashValue::sha3_256(&bytes);
        let code = CompiledModule::deserialize(&bytes)
            .map_err(|error| Fault::with_message(status::CODE_DESERIALIZATION_ERROR, error.to_string()))?;
        if code.id() != *id {
            return Err(Fault::with_message(status::LINKER_ERROR, format!("{id} holds {}", code.id())));
        }
        let dependencies = code.dependencies().filter(|dependency| dependency != id).collect();
        Ok(Unlinked { code, digest, dependencies, linked: Vec::new() })
    }

    /// The one way by which code comes to run: it is trusted, or the verifier accepts it against the very
    /// modules that it is linked to. Code that was linked once is found by its link hash and not verified
    /// again. That dependencies form no cycle is known already: [`Self::load`] walks all of them.
    fn link(&self, unlinked: Unlinked) -> Result<ModuleIx, Fault> {
        let Unlinked { code, digest, dependencies, linked } = unlinked;
        let module = |ix: ModuleIx| {
            self.modules.get(ix.0).ok_or_else(|| Fault::invariant("module number without module"))
        };
        let mut identity = digest.0.to_vec();
        for ix in &linked {
            identity.extend_from_slice(&module(*ix)?.link_hash.0);
        }
        let link_hash = HashValue::sha3_256(&identity);
        let find = |numbers: &HashMap<HashValue, ModuleIx>| numbers.get(&link_hash).copied();
        if let Some(ix) = find(&self.module_numbers.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(ix);
        }
        if !self.is_trusted(&digest.0) {
            let linked = linked.iter().map(|ix| module(*ix)).collect::<Result<Vec<_>, _>>()?;
            admission::verify(&code, &linked)?;
        }
        self.install(code, link_hash, &dependencies, &linked)
    }

    /// Verifies a script and links it. Like a module it is found again by its content.
    ///
    /// # Errors
    /// `CODE_DESERIALIZATION_ERROR`, what the verifier says, and as [`Self::load`] for what it calls.
    pub(crate) fn load_script(
        &self,
        world: &Worlds,
        bytes: &[u8],
        read_limits: &ReadLimits,
        limits: &Limits,
        fetch: &mut dyn FnMut(&ModuleId) -> Result<Option<Bytes>, Fault>,
    ) -> Result<ModuleIx, Fault> {
        let script = read_script(bytes, read_limits)
            .map_err(|error| Fault::with_message(status::CODE_DESERIALIZATION_ERROR, error.to_string()))?;
        let dependencies: Vec<ModuleId> =
            script.module_handles.iter().map(|handle| script.tables.module_id(handle)).collect();
        let mut linked = Vec::with_capacity(dependencies.len());
        for id in &dependencies {
            linked.push(self.load(world, id, fetch)?);
        }
        let modules: Vec<&LinkedModule> = linked.iter().map(|ix| self.module(*ix)).collect();
        // What passed under one set of features need not pass under another.
        let switches = limits.features;
        let mut identity = b"script".to_vec();
        identity.extend([switches.enums, switches.access_specifiers, switches.function_values].map(u8::from));
        identity.extend(HashValue::sha3_256(bytes).0);
        for module in &modules {
            identity.extend(module.link_hash.0);
        }
        let link_hash = HashValue::sha3_256(&identity);
        let known = self.module_numbers.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(ix) = known.get(&link_hash) {
            return Ok(*ix);
        }
        drop(known);
        admission::verify_code_of_script(&script, &modules, limits)?;
        self.install(script::as_module(script)?, link_hash, &dependencies, &linked)
    }

    /// Numbers verified code, unless another thread was faster.
    fn install(
        &self,
        code: CompiledModule,
        link_hash: HashValue,
        dependencies: &[ModuleId],
        linked: &[ModuleIx],
    ) -> Result<ModuleIx, Fault> {
        let mut numbers = self.module_numbers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(ix) = numbers.get(&link_hash).copied() {
            return Ok(ix);
        }
        let number = self.modules.reserve().ok_or_else(|| Fault::invariant("the module table is full"))?;
        let ix = ModuleIx(number);
        let by_handle: Vec<ModuleIx> = code
            .module_handles
            .iter()
            .map(|handle| {
                let id = code.tables.module_id(handle);
                dependencies.iter().position(|dependency| *dependency == id).map_or(ix, |at| linked[at])
            })
            .collect();
        let module = LinkedModule::new(ix, code, link_hash, &by_handle, &self.modules)?;
        self.modules.fill(number, module);
        numbers.insert(link_hash, ix);
        Ok(ix)
    }

    /// A linked module.
    pub(crate) fn module(&self, ix: ModuleIx) -> &LinkedModule {
        self.modules.get(ix.0).expect("module numbers come from this catalog")
    }

    /// The tag of a type.
    ///
    /// # Errors
    /// References and function types have none here; types nested too deep.
    pub(crate) fn tag(&self, ty: TypeId) -> Result<TypeTag, Fault> {
        self.tag_within(ty, 0)
    }

    fn tag_within(&self, ty: TypeId, depth: u32) -> Result<TypeTag, Fault> {
        if depth > TAG_DEPTH_MAX {
            return Err(Fault::new(status::VM_MAX_TYPE_DEPTH_REACHED));
        }
        Ok(match &self.types.get(ty).key {
            TypeKey::Bool => TypeTag::Bool,
            TypeKey::Int(int) => match int {
                Int::U8 => TypeTag::U8,
                Int::U16 => TypeTag::U16,
                Int::U32 => TypeTag::U32,
                Int::U64 => TypeTag::U64,
                Int::U128 => TypeTag::U128,
                Int::U256 => TypeTag::U256,
                Int::I8 => TypeTag::I8,
                Int::I16 => TypeTag::I16,
                Int::I32 => TypeTag::I32,
                Int::I64 => TypeTag::I64,
                Int::I128 => TypeTag::I128,
                Int::I256 => TypeTag::I256,
            },
            TypeKey::Address => TypeTag::Address,
            TypeKey::Signer => TypeTag::Signer,
            TypeKey::Vector(element) => TypeTag::Vector(Box::new(self.tag_within(*element, depth + 1)?)),
            TypeKey::Struct { module, definition, arguments } => {
                let module = self.module(*module);
                let mut type_args = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    type_args.push(self.tag_within(*argument, depth + 1)?);
                }
                TypeTag::Struct(Box::new(StructTag {
                    address: module.id.address,
                    module: module.id.name.clone(),
                    name: module.struct_name(*definition).clone(),
                    type_args,
                }))
            }
            TypeKey::Reference(_) | TypeKey::MutableReference(_) => {
                return Err(Fault::with_message(
                    status::INVALID_MAIN_FUNCTION_SIGNATURE,
                    "references have no type tag",
                ));
            }
            TypeKey::Function { .. } => return Err(Fault::not_implemented("tags of function types")),
        })
    }

    /// The resource group a struct is a member of.
    pub(crate) fn group_of(&self, ty: TypeId) -> Option<&StructTag> {
        let TypeKey::Struct { module, definition, .. } = &self.types.get(ty).key else { return None };
        let module = self.module(*module);
        module.attributes.group_of(module.struct_name(*definition).as_str())
    }

    /// The number of a gas schedule; equal costs, equal numbers.
    pub(crate) fn schedule(&self, costs: &Costs) -> u32 {
        let values = costs.values();
        let find = |list: &Vec<Vec<u64>>| list.iter().position(|known| *known == values);
        if let Some(at) = find(&self.schedules.read().unwrap_or_else(PoisonError::into_inner)) {
            return at as u32;
        }
        let mut schedules = self.schedules.write().unwrap_or_else(PoisonError::into_inner);
        let at = find(&schedules).unwrap_or_else(|| {
            schedules.push(values.clone());
            schedules.len() - 1
        });
        at as u32
    }

    /// The number of an instance; it is not lowered yet.
    pub(crate) fn instance(&self, key: InstanceKey) -> Result<u32, Fault> {
        if let Some(number) = self.instance_numbers.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(*number);
        }
        let mut numbers = self.instance_numbers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(&key) {
            return Ok(*number);
        }
        let number = self
            .instances
            .push(Instance { key: key.clone(), code: OnceLock::new() })
            .ok_or_else(|| Fault::invariant("the table of instances is full"))?;
        numbers.insert(key, number);
        Ok(number)
    }

    /// How long the body of an instance is, in bytecodes.
    pub(crate) fn bytecodes(&self, number: u32) -> Result<usize, Fault> {
        let instance = self.instances.get(number).ok_or_else(|| Fault::invariant("unknown instance"))?;
        let definition =
            &self.module(instance.key.module).code.function_defs[usize::from(instance.key.function)];
        Ok(definition.code.as_ref().map_or(0, |code| code.code.len()))
    }

    /// The code of an instance, lowered if this is its first call.
    #[inline]
    pub(crate) fn code(&self, number: u32, costs: &Costs) -> Result<&Code, Fault> {
        let instance = self.instances.get(number).ok_or_else(|| Fault::invariant("unknown instance"))?;
        match instance.code.get() {
            Some(code) => Ok(code),
            None => self.lower(instance, costs),
        }
    }

    #[cold]
    fn lower<'e>(&'e self, instance: &'e Instance, costs: &Costs) -> Result<&'e Code, Fault> {
        let code = lower::lower(self, &instance.key, costs)?;
        Ok(instance.code.get_or_init(|| code))
    }
}
