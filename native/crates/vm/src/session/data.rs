//! What one session holds: items read from state, events, tables, counters.
//!
//! State is asked once per key. Values are decoded when they are first borrowed and then stay where
//! they are in memory. Nothing here is iterated in hash order: items are kept in the order they were
//! met and sorted by key at the end.

use std::cell::OnceCell;

use bytes::Bytes;
use ledger_bytecode::ReadLimits;
use ledger_types::{Address, ContractEvent, HashValue, ModuleId, StateKey, StateValueMetadata, TypeTag};
use ledger_verifier::Limits;

use super::cache::{Cache, Keyed};
use super::groups::Groups;
use crate::arithmetic::Words;
use crate::catalog::{Catalog, Worlds};
use crate::context::SessionContext;
use crate::errors::{Fault, status};
use crate::gas::{Costs, GasMeter};
use crate::memory::{Memory, ORIGIN_SHIFT};
use crate::natives::NativeState;
use crate::state::{PublishRequest, StateSource, TableTypes};
use crate::types::{Int, ModuleIx, TypeId, TypeInfo, TypeKey};
use crate::values::Values;

/// Most items a session may touch: origins of references have sixteen bits and 0 means none.
const ITEMS_MAX: usize = 65_534;
/// Deepest tag that is resolved; tags from outside are limited further when they are read.
const TAG_DEPTH_MAX: u32 = 32;
/// Most bytecodes of distinct instances that one session may enter.
const BYTECODES_MAX: usize = 2_000_000;
/// Reads are paid in pages of this many bytes.
const READ_PAGE_BYTES: u64 = 4096;

/// Resources whose place is remembered for the next borrow.
const RECENT: usize = 16;

/// A resource that was borrowed; the reference is 0 where there is none.
#[derive(Clone, Copy, Default)]
struct Recent {
    address: Words,
    ty: TypeId,
    reference: u64,
}

fn recent_place(address: Words, ty: TypeId) -> usize {
    (address[0] ^ address[3] ^ (address[3] >> 32) ^ u64::from(ty.0)) as usize % RECENT
}

/// Where a call runs: the parts that do not change during it.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// Shared code and types.
    pub catalog: &'a Catalog,
    /// The worker's memory.
    pub memory: &'a Memory,
    /// What things cost.
    pub costs: &'a Costs,
}

impl<'a> Env<'a> {
    /// Operations on whole values.
    pub fn values(&self) -> Values<'a> {
        Values { memory: self.memory, types: &self.catalog.types }
    }

    /// What is known of a type.
    pub fn ty(&self, id: TypeId) -> &'a TypeInfo {
        self.catalog.types.get(id)
    }
}

/// A value that was read from state before anybody looked inside.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// Whether it was there.
    pub existed: bool,
    /// Its bytes.
    pub size: u64,
    /// Its metadata.
    pub metadata: Option<StateValueMetadata>,
}

/// A resource or table item.
pub struct Item {
    /// What it is called in state; members of a group have none of their own.
    pub key: Option<StateKey>,
    /// Group and tag bytes, for a member.
    pub member: Option<(usize, Bytes)>,
    /// Type of the value.
    pub ty: TypeId,
    /// What was there before the session.
    pub origin: Origin,
    /// Whether it is there now.
    pub exists: bool,
    /// Whether it was created, removed or put back.
    pub changed: bool,
    /// Value not decoded yet.
    pub encoded: Option<Bytes>,
    /// Block with the value, 0 if it is not decoded or not there.
    pub block: usize,
}

/// An aggregator's value.
pub struct Aggregate {
    /// Its state key.
    pub key: StateKey,
    /// What was there before the session.
    pub origin: Origin,
    /// Its value, `None` once destroyed.
    pub value: Option<u128>,
    /// Whether the session changed it.
    pub changed: bool,
}

/// Everything a session knows.
pub struct SessionData<'a> {
    /// The state beneath.
    pub state: &'a dyn StateSource,
    /// What the session is for.
    pub context: SessionContext,
    session_hash: OnceCell<HashValue>,
    /// Number of the gas schedule.
    pub schedule: u32,
    world: Worlds,
    /// What the worker remembers.
    pub(super) cache: &'a mut Cache,
    resources: Keyed<(Address, TypeId), usize>,
    table_items: Keyed<(Address, Bytes), usize>,
    recent: [Recent; RECENT],
    bytecodes_entered: usize,
    pub(super) aggregates: Vec<Aggregate>,
    aggregate_numbers: Keyed<(Address, Address), usize>,
    pub(super) items: Vec<Item>,
    pub(super) groups: Groups,
    /// Events so far.
    pub events: Vec<ContractEvent>,
    /// Tables made so far.
    pub table_types: Vec<TableTypes>,
    /// Tables that an earlier session of the same id made.
    pub tables_before: u32,
    /// Aggregators made so far.
    pub aggregators_made: u32,
    /// Unique addresses made so far.
    pub addresses_made: u64,
    /// Counter values handed out so far.
    pub counter: u16,
    /// What natives keep from call to call.
    pub natives: NativeState,
    /// What the program asked to publish.
    pub publish_request: Option<PublishRequest>,
}

impl<'a> SessionData<'a> {
    /// A session that has read nothing.
    pub fn new(
        state: &'a dyn StateSource,
        context: SessionContext,
        catalog: &Catalog,
        cache: &'a mut Cache,
        schedule: u32,
    ) -> Self {
        Self {
            session_hash: OnceCell::new(),
            world: Worlds::new(cache.world(catalog, state.code_version())),
            cache,
            state,
            context,
            schedule,
            resources: Keyed::default(),
            table_items: Keyed::default(),
            recent: [Recent::default(); RECENT],
            bytecodes_entered: 0,
            aggregates: Vec::new(),
            aggregate_numbers: Keyed::default(),
            items: Vec::new(),
            groups: Groups::default(),
            events: Vec::new(),
            table_types: Vec::new(),
            tables_before: 0,
            aggregators_made: 0,
            addresses_made: 0,
            counter: 0,
            natives: NativeState::default(),
            publish_request: None,
        }
    }

    /// Whether a call of this instance is nothing new to the session.
    #[inline(always)]
    pub fn has_entered(&self, instance: u32) -> bool {
        self.cache.has_entered(instance)
    }

    /// Counts the bytecodes of an instance that is entered for the first time. Lowering them is work that
    /// no gas pays for, so a session may cause only so much of it, whatever is lowered already.
    ///
    /// # Errors
    /// `EXECUTION_LIMIT_REACHED`.
    #[cold]
    pub fn enter(&mut self, catalog: &Catalog, instance: u32) -> Result<(), Fault> {
        self.bytecodes_entered = self.bytecodes_entered.saturating_add(catalog.bytecodes(instance)?);
        if self.bytecodes_entered > BYTECODES_MAX {
            let why = "too much code for one transaction";
            return Err(Fault::with_message(status::EXECUTION_LIMIT_REACHED, why));
        }
        self.cache.enter(instance);
        Ok(())
    }

    /// Hash of the session id.
    pub fn session_hash(&self) -> HashValue {
        *self.session_hash.get_or_init(|| self.context.session_id.hash())
    }

    /// A reference that [`Self::borrow`] gave for this resource a while ago, if it is still good.
    #[inline]
    pub fn recent(&self, address: Words, ty: TypeId) -> Option<u64> {
        let recent = &self.recent[recent_place(address, ty)];
        (recent.reference != 0 && recent.ty == ty && recent.address == address).then_some(recent.reference)
    }

    /// Remembers where a resource is.
    pub fn remember(&mut self, address: Words, ty: TypeId, reference: u64) {
        self.recent[recent_place(address, ty)] = Recent { address, ty, reference };
    }

    /// The module of this id, linked.
    ///
    /// # Errors
    /// Of linking and of the state source.
    pub fn module(&mut self, catalog: &Catalog, id: &ModuleId) -> Result<ModuleIx, Fault> {
        if let Some(ix) = self.cache.module(id) {
            return Ok(ix);
        }
        let state = self.state;
        let mut fetch = |id: &ModuleId| Ok(read(state, &StateKey::module(id))?.0);
        let ix = catalog.load(&self.world, id, &mut fetch)?;
        if self.world.is_shared(id) {
            self.cache.add_module(id.clone(), ix);
        }
        Ok(ix)
    }

    /// A script, verified and linked.
    ///
    /// # Errors
    /// As [`Catalog::load_script`].
    pub fn script(
        &mut self,
        catalog: &Catalog,
        code: &[u8],
        read_limits: &ReadLimits,
        limits: &Limits,
    ) -> Result<ModuleIx, Fault> {
        let state = self.state;
        let mut fetch = |id: &ModuleId| Ok(read(state, &StateKey::module(id))?.0);
        catalog.load_script(&self.world, code, read_limits, limits, &mut fetch)
    }

    /// Tables made so far under this session id.
    pub fn tables_made(&self) -> u32 {
        self.tables_before + self.table_types.len() as u32
    }

    /// Whether the code version vouches for everything that a call names, so that what was found for it
    /// is good for other sessions of that version too.
    pub fn is_shared(&self, module: &ModuleId, type_arguments: &[TypeTag]) -> bool {
        let mut open: Vec<&TypeTag> = type_arguments.iter().collect();
        let mut is_shared = self.world.is_shared(module);
        while let Some(tag) = open.pop().filter(|_| is_shared) {
            match tag {
                TypeTag::Vector(element) => open.push(element),
                TypeTag::Struct(tag) => {
                    is_shared = self.world.is_shared(&tag.module_id());
                    open.extend(&tag.type_args);
                }
                TypeTag::Function(_) => is_shared = false,
                _ => {}
            }
        }
        is_shared
    }

    /// The tag of a type.
    ///
    /// # Errors
    /// References have no tag.
    pub fn tag(&mut self, catalog: &Catalog, ty: TypeId) -> Result<TypeTag, Fault> {
        self.cache.tag(catalog, ty).cloned()
    }

    /// The type of a tag; loads the modules it names.
    ///
    /// # Errors
    /// Of linking, a struct that is not there, wrong type arguments, tags nested too deep.
    pub fn resolve(&mut self, catalog: &Catalog, tag: &TypeTag) -> Result<TypeId, Fault> {
        self.resolve_within(catalog, tag, 0)
    }

    fn resolve_within(&mut self, catalog: &Catalog, tag: &TypeTag, depth: u32) -> Result<TypeId, Fault> {
        if depth > TAG_DEPTH_MAX {
            return Err(Fault::new(status::VM_MAX_TYPE_DEPTH_REACHED));
        }
        let key = match tag {
            TypeTag::Bool => TypeKey::Bool,
            TypeTag::U8 => TypeKey::Int(Int::U8),
            TypeTag::U16 => TypeKey::Int(Int::U16),
            TypeTag::U32 => TypeKey::Int(Int::U32),
            TypeTag::U64 => TypeKey::Int(Int::U64),
            TypeTag::U128 => TypeKey::Int(Int::U128),
            TypeTag::U256 => TypeKey::Int(Int::U256),
            TypeTag::I8 => TypeKey::Int(Int::I8),
            TypeTag::I16 => TypeKey::Int(Int::I16),
            TypeTag::I32 => TypeKey::Int(Int::I32),
            TypeTag::I64 => TypeKey::Int(Int::I64),
            TypeTag::I128 => TypeKey::Int(Int::I128),
            TypeTag::I256 => TypeKey::Int(Int::I256),
            TypeTag::Address => TypeKey::Address,
            TypeTag::Signer => TypeKey::Signer,
            TypeTag::Vector(element) => TypeKey::Vector(self.resolve_within(catalog, element, depth + 1)?),
            TypeTag::Struct(tag) => {
                let module = self.module(catalog, &tag.module_id())?;
                let linked = catalog.module(module);
                let definition = linked.structure(tag.name.as_str()).ok_or_else(|| {
                    let why = format!("struct {}::{} does not exist", linked.id, tag.name);
                    Fault::with_message(status::TYPE_RESOLUTION_FAILURE, why)
                })?;
                let mut arguments = Vec::with_capacity(tag.type_args.len());
                for argument in &tag.type_args {
                    arguments.push(self.resolve_within(catalog, argument, depth + 1)?);
                }
                let handle = linked.code.struct_defs[usize::from(definition)].handle;
                let parameters = &linked.code[handle].type_parameters;
                if parameters.len() != arguments.len() {
                    return Err(Fault::new(status::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH));
                }
                for (parameter, argument) in parameters.iter().zip(&arguments) {
                    if !parameter.constraints.is_subset_of(catalog.types.get(*argument).abilities) {
                        return Err(Fault::new(status::CONSTRAINT_NOT_SATISFIED));
                    }
                }
                TypeKey::Struct { module, definition, arguments: arguments.into() }
            }
            TypeTag::Function(_) => return Err(Fault::not_implemented("function types as type arguments")),
        };
        catalog.types.intern(&catalog.modules, key)
    }

    /// The resource of this type at an address, present or not. The first touch pays.
    ///
    /// # Errors
    /// Gas, the state source, a group that does not parse.
    pub fn resource(
        &mut self,
        env: Env<'_>,
        meter: &mut GasMeter,
        address: Address,
        ty: TypeId,
    ) -> Result<usize, Fault> {
        if let Some(number) = self.resources.get(&(address, ty)) {
            return Ok(*number);
        }
        let found = self.cache.path(env.catalog, ty)?;
        let item = match &found.group {
            None => {
                let key = StateKey::AccessPath { address, path: found.path.clone() };
                let (bytes, origin) = self.read_paid(env, meter, &key)?;
                item(Some(key), None, ty, bytes, origin)
            }
            Some((group, name)) => {
                let number = self.group(env, meter, address, group, &found.path)?;
                let bytes = self.groups.member(number, name);
                let origin = Origin { existed: bytes.is_some(), ..Origin::default() };
                item(None, Some((number, name.clone())), ty, bytes, origin)
            }
        };
        let number = self.add(item)?;
        self.resources.insert((address, ty), number);
        Ok(number)
    }

    fn group(
        &mut self,
        env: Env<'_>,
        meter: &mut GasMeter,
        address: Address,
        group: &ledger_types::StructTag,
        path: &Bytes,
    ) -> Result<usize, Fault> {
        if let Some(number) = self.groups.find(&address, group) {
            return Ok(number);
        }
        let key = StateKey::AccessPath { address, path: path.clone() };
        let (bytes, origin) = self.read_paid(env, meter, &key)?;
        self.groups.add(address, group.clone(), key, bytes, origin)
    }

    /// The item of a table under these key bytes, present or not; and the bytes that its load has to
    /// be paid by, `None` if it was met before.
    ///
    /// # Errors
    /// The state source; an item that is used with two value types.
    pub fn table_item(
        &mut self,
        handle: Address,
        key: Bytes,
        ty: TypeId,
    ) -> Result<(usize, Option<u64>), Fault> {
        if let Some(number) = self.table_items.get(&(handle, key.clone())) {
            return if self.items[*number].ty == ty {
                Ok((*number, None))
            } else {
                Err(Fault::invariant("a table item with two types"))
            };
        }
        let state_key = StateKey::table_item(&handle, key.clone());
        let (bytes, origin) = read(self.state, &state_key)?;
        let size = origin.size;
        let number = self.add(item(Some(state_key), None, ty, bytes, origin))?;
        self.table_items.insert((handle, key), number);
        Ok((number, Some(size)))
    }

    /// The aggregator `key` of factory table `handle`.
    ///
    /// # Errors
    /// The state source, bytes that are no `u128`.
    pub fn aggregate(&mut self, handle: Address, key: Address) -> Result<&mut Aggregate, Fault> {
        let number = match self.aggregate_numbers.get(&(handle, key)) {
            Some(number) => *number,
            None => {
                let state_key = StateKey::table_item(&handle, key.0.to_vec());
                let (bytes, origin) = read(self.state, &state_key)?;
                let value = match bytes {
                    None => None,
                    Some(bytes) => {
                        let bytes: [u8; 16] = bytes[..]
                            .try_into()
                            .map_err(|_| Fault::new(status::FAILED_TO_DESERIALIZE_RESOURCE))?;
                        Some(u128::from_le_bytes(bytes))
                    }
                };
                self.aggregates.push(Aggregate { key: state_key, origin, value, changed: false });
                self.aggregate_numbers.insert((handle, key), self.aggregates.len() - 1);
                self.aggregates.len() - 1
            }
        };
        Ok(&mut self.aggregates[number])
    }

    fn read_paid(
        &mut self,
        env: Env<'_>,
        meter: &mut GasMeter,
        key: &StateKey,
    ) -> Result<(Option<Bytes>, Origin), Fault> {
        let (bytes, origin) = read(self.state, key)?;
        let paged = origin.size.div_ceil(READ_PAGE_BYTES) * READ_PAGE_BYTES;
        meter.charge_io(env.costs.load_slot + env.costs.load_per_byte.saturating_mul(paged))?;
        Ok((bytes, origin))
    }

    fn add(&mut self, item: Item) -> Result<usize, Fault> {
        if self.items.len() >= ITEMS_MAX {
            return Err(Fault::with_message(status::VM_EXTENSION_ERROR, "too many items in one session"));
        }
        self.items.push(item);
        Ok(self.items.len() - 1)
    }

    /// Whether the item is there.
    pub fn exists(&self, number: usize) -> bool {
        self.items[number].exists
    }

    /// A reference to the item's value; `None` if it is not there.
    ///
    /// # Errors
    /// Lack of memory, bytes that are not the value's BCS.
    pub fn borrow(&mut self, env: Env<'_>, number: usize) -> Result<Option<u64>, Fault> {
        let item = &mut self.items[number];
        if !item.exists {
            return Ok(None);
        }
        item.decode(env)?;
        env.memory.use_origin(number as u16 + 1);
        Ok(Some((item.block + 1) as u64 | (number as u64 + 1) << ORIGIN_SHIFT))
    }

    /// Moves the value into the slots from `to`; false if it is not there.
    ///
    /// # Errors
    /// As [`Self::borrow`].
    pub fn take(&mut self, env: Env<'_>, number: usize, to: usize) -> Result<bool, Fault> {
        let item = &mut self.items[number];
        if !item.exists {
            return Ok(false);
        }
        item.decode(env)?;
        env.memory.copy_words(item.block + 1, to, env.ty(item.ty).slots as usize);
        env.memory.release(item.block);
        self.recent = [Recent::default(); RECENT];
        item.block = 0;
        item.exists = false;
        item.changed = true;
        Ok(true)
    }

    /// Moves the value at `from` into the item; false, and nothing happens, if there is one.
    ///
    /// # Errors
    /// Lack of memory.
    pub fn put(&mut self, env: Env<'_>, number: usize, from: usize) -> Result<bool, Fault> {
        let item = &mut self.items[number];
        if item.exists {
            return Ok(false);
        }
        let slots = env.ty(item.ty).slots as usize;
        item.block = env.memory.allocate(slots * 8)?;
        env.memory.copy_words(from, item.block + 1, slots);
        item.exists = true;
        item.changed = true;
        Ok(true)
    }
}

impl Item {
    fn decode(&mut self, env: Env<'_>) -> Result<(), Fault> {
        let Some(bytes) = self.encoded.take() else { return Ok(()) };
        let ty = env.ty(self.ty);
        self.block = env.memory.allocate(ty.slots as usize * 8)?;
        env.values()
            .decode(ty, &bytes, self.block + 1)
            .map_err(|error| error.or_status(status::FAILED_TO_DESERIALIZE_RESOURCE))
    }
}

fn item(
    key: Option<StateKey>,
    member: Option<(usize, Bytes)>,
    ty: TypeId,
    encoded: Option<Bytes>,
    origin: Origin,
) -> Item {
    Item { key, member, ty, exists: origin.existed, origin, changed: false, encoded, block: 0 }
}

/// Asks the state for a value.
fn read(state: &dyn StateSource, key: &StateKey) -> Result<(Option<Bytes>, Origin), Fault> {
    let value =
        state.get(key).map_err(|error| Fault::with_message(status::STORAGE_ERROR, error.to_string()))?;
    Ok(match value {
        None => (None, Origin::default()),
        Some(value) => {
            let origin = Origin { existed: true, size: value.data.len() as u64, metadata: value.metadata };
            (Some(value.data), origin)
        }
    })
}
