//! What a worker remembers between sessions: only things that are the same for every session.
//!
//! Facts about types are good for ever, since type numbers are. What was found by name is good for one
//! version of the code, and forgotten when a session comes with another.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use bytes::Bytes;
use foldhash::fast::RandomState;
use ledger_bcs::Encode;
use ledger_types::{ModuleId, Path, StructTag, TypeTag};

use crate::catalog::{Catalog, World};
use crate::errors::Fault;
use crate::gas::GasParameters;
use crate::types::{ModuleIx, TypeId};

/// Maps whose keys come from outside: hashed with a seed of this process, and never iterated.
pub type Keyed<K, V> = HashMap<K, V, RandomState>;

/// Functions found by name that are kept.
const TARGETS_MAX: usize = 4096;

/// How a resource type is addressed.
pub struct ResourcePath {
    /// Path of the resource's own item; for a group member, of the group's item.
    pub path: Bytes,
    /// The group and the BCS of the member's tag.
    pub group: Option<(StructTag, Bytes)>,
}

/// A function found by name.
#[derive(Clone)]
pub struct FoundFunction {
    /// Its module.
    pub module: ModuleIx,
    /// Its definition.
    pub function: u16,
    /// Its instance with the type arguments.
    pub instance: u32,
}

struct Named {
    module: ModuleId,
    function: String,
    type_arguments: Vec<TypeTag>,
    schedule: u32,
    found: FoundFunction,
}

/// The memory of a worker between sessions.
#[derive(Default)]
pub struct Cache {
    schedule: Option<(Arc<GasParameters>, u32)>,
    world: Option<(u64, Arc<World>)>,
    modules: Keyed<ModuleId, ModuleIx>,
    targets: Keyed<u64, Named>,
    hasher: RandomState,
    paths: Keyed<TypeId, Arc<ResourcePath>>,
    tags: Keyed<TypeId, TypeTag>,
    /// By instance: the last session that entered it.
    entered: Vec<u32>,
    session: u32,
}

impl Cache {
    /// Starts a session that has entered no instance.
    pub fn start_session(&mut self) {
        self.session = self.session.wrapping_add(1);
        if self.session == 0 {
            self.entered.clear();
            self.session = 1;
        }
    }

    /// Whether this session entered the instance before.
    #[inline(always)]
    pub fn has_entered(&self, instance: u32) -> bool {
        self.entered.get(instance as usize) == Some(&self.session)
    }

    /// Notes that this session entered the instance.
    pub fn enter(&mut self, instance: u32) {
        let at = instance as usize;
        if self.entered.len() <= at {
            self.entered.resize(at + 1, 0);
        }
        self.entered[at] = self.session;
    }

    /// The number of a gas schedule.
    pub fn schedule(&mut self, catalog: &Catalog, gas: &Arc<GasParameters>) -> u32 {
        if let Some((known, number)) = &self.schedule
            && Arc::ptr_eq(known, gas)
        {
            return *number;
        }
        let number = catalog.schedule(gas.costs());
        self.schedule = Some((gas.clone(), number));
        number
    }

    /// The modules of a code version.
    pub fn world(&mut self, catalog: &Catalog, version: Option<u64>) -> Arc<World> {
        if let (Some((known, world)), Some(version)) = (&self.world, version)
            && *known == version
        {
            return world.clone();
        }
        self.modules.clear();
        self.targets.clear();
        let world = catalog.world(version);
        self.world = version.map(|version| (version, world.clone()));
        world
    }

    /// A module that was linked before.
    pub fn module(&self, id: &ModuleId) -> Option<ModuleIx> {
        self.modules.get(id).copied()
    }

    /// Remembers a linked module.
    pub fn add_module(&mut self, id: ModuleId, ix: ModuleIx) {
        self.modules.insert(id, ix);
    }

    fn name_hash(&self, module: &ModuleId, function: &str, tags: &[TypeTag], schedule: u32) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        module.hash(&mut hasher);
        function.hash(&mut hasher);
        tags.hash(&mut hasher);
        hasher.write_u32(schedule);
        hasher.finish()
    }

    /// A function that was found before.
    pub fn target(
        &self,
        module: &ModuleId,
        function: &str,
        type_arguments: &[TypeTag],
        schedule: u32,
    ) -> Option<FoundFunction> {
        let named = self.targets.get(&self.name_hash(module, function, type_arguments, schedule))?;
        let same = named.function == function
            && named.module == *module
            && named.type_arguments == type_arguments
            && named.schedule == schedule;
        same.then(|| named.found.clone())
    }

    /// Remembers a function.
    pub fn add_target(
        &mut self,
        module: &ModuleId,
        function: &str,
        type_arguments: &[TypeTag],
        schedule: u32,
        found: FoundFunction,
    ) {
        if self.targets.len() >= TARGETS_MAX {
            self.targets.clear();
        }
        let hash = self.name_hash(module, function, type_arguments, schedule);
        let named = Named {
            module: module.clone(),
            function: function.to_owned(),
            type_arguments: type_arguments.to_vec(),
            schedule,
            found,
        };
        self.targets.insert(hash, named);
    }

    /// The tag of a type.
    ///
    /// # Errors
    /// References have no tag.
    pub fn tag(&mut self, catalog: &Catalog, ty: TypeId) -> Result<&TypeTag, Fault> {
        Ok(match self.tags.entry(ty) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(catalog.tag(ty)?),
        })
    }

    /// How a resource type is addressed.
    ///
    /// # Errors
    /// Types that are no structs.
    pub fn path(&mut self, catalog: &Catalog, ty: TypeId) -> Result<Arc<ResourcePath>, Fault> {
        if let Some(path) = self.paths.get(&ty) {
            return Ok(path.clone());
        }
        let TypeTag::Struct(tag) = self.tag(catalog, ty)? else {
            return Err(Fault::invariant("resource that is not a struct"));
        };
        let path = match catalog.group_of(ty) {
            None => ResourcePath { path: Path::Resource((**tag).clone()).to_bytes().into(), group: None },
            Some(group) => ResourcePath {
                path: Path::ResourceGroup(group.clone()).to_bytes().into(),
                group: Some((group.clone(), tag.to_bytes().into())),
            },
        };
        let path = Arc::new(path);
        self.paths.insert(ty, path.clone());
        Ok(path)
    }
}
