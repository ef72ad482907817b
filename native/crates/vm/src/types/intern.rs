//! The interner: makes each type once and computes its layout.
//!
//! Layouts are finite because the verifier refuses recursive definitions; nesting is counted all
//! the same, and a type whose values nest deeper than [`VALUE_DEPTH_MAX`] is refused.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use ledger_bytecode::{AbilitySet, Field, StructLayout, TypeNode, children};

use super::program::push;
use super::{FieldSlot, INLINE_SLOTS_MAX, Int, Kind, ModuleIx, Op, TypeId, TypeInfo, VariantInfo};
use crate::errors::{Fault, status};
use crate::link::LinkedModule;
use crate::slab::Slab;

/// Deepest nesting of values.
pub const VALUE_DEPTH_MAX: u32 = 128;
/// Most slots of one value's content, so that offsets fit the operands.
const CONTENT_SLOTS_MAX: u32 = 16_000;

/// What names a type: equal keys, equal types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TypeKey {
    Bool,
    Int(Int),
    Address,
    Signer,
    Vector(TypeId),
    Reference(TypeId),
    MutableReference(TypeId),
    Struct { module: ModuleIx, definition: u16, arguments: Box<[TypeId]> },
    Function { abilities: AbilitySet, parameters: Box<[TypeId]>, results: Box<[TypeId]> },
}

/// All types of an engine.
pub struct Interner {
    types: Slab<TypeInfo>,
    numbers: RwLock<HashMap<TypeKey, TypeId>>,
}

impl Interner {
    /// An interner without types.
    pub fn new() -> Self {
        Self { types: Slab::new(), numbers: RwLock::new(HashMap::new()) }
    }

    /// What is known of a type.
    #[inline]
    pub fn get(&self, id: TypeId) -> &TypeInfo {
        self.types.get(id.0).expect("type ids come from this interner")
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// The type with this key; made if it is new.
    ///
    /// # Errors
    /// Values nested too deep or too wide; a struct that has no layout.
    pub fn intern(&self, modules: &Slab<LinkedModule>, key: TypeKey) -> Result<TypeId, Fault> {
        self.intern_within(modules, key, 0)
    }

    /// The type of a signature in the scope of `module` with these type arguments.
    ///
    /// # Errors
    /// As [`Self::intern`], and a type parameter without argument.
    pub fn resolve(
        &self,
        modules: &Slab<LinkedModule>,
        module: &LinkedModule,
        nodes: &[TypeNode],
        arguments: &[TypeId],
    ) -> Result<TypeId, Fault> {
        self.resolve_within(modules, module, nodes, arguments, 0)
    }

    fn lookup(&self, key: &TypeKey) -> Option<TypeId> {
        self.numbers.read().unwrap_or_else(PoisonError::into_inner).get(key).copied()
    }

    fn resolve_within(
        &self,
        modules: &Slab<LinkedModule>,
        module: &LinkedModule,
        nodes: &[TypeNode],
        arguments: &[TypeId],
        depth: u32,
    ) -> Result<TypeId, Fault> {
        if depth > VALUE_DEPTH_MAX {
            return Err(Fault::new(status::VM_MAX_TYPE_DEPTH_REACHED));
        }
        let child = |nodes| self.resolve_within(modules, module, nodes, arguments, depth + 1);
        let root = *nodes.first().ok_or_else(|| Fault::invariant("empty type"))?;
        let key = match root {
            TypeNode::Bool => TypeKey::Bool,
            TypeNode::U8 => TypeKey::Int(Int::U8),
            TypeNode::U16 => TypeKey::Int(Int::U16),
            TypeNode::U32 => TypeKey::Int(Int::U32),
            TypeNode::U64 => TypeKey::Int(Int::U64),
            TypeNode::U128 => TypeKey::Int(Int::U128),
            TypeNode::U256 => TypeKey::Int(Int::U256),
            TypeNode::I8 => TypeKey::Int(Int::I8),
            TypeNode::I16 => TypeKey::Int(Int::I16),
            TypeNode::I32 => TypeKey::Int(Int::I32),
            TypeNode::I64 => TypeKey::Int(Int::I64),
            TypeNode::I128 => TypeKey::Int(Int::I128),
            TypeNode::I256 => TypeKey::Int(Int::I256),
            TypeNode::Address => TypeKey::Address,
            TypeNode::Signer => TypeKey::Signer,
            TypeNode::Vector => TypeKey::Vector(child(&nodes[1..])?),
            TypeNode::Reference => TypeKey::Reference(child(&nodes[1..])?),
            TypeNode::MutableReference => TypeKey::MutableReference(child(&nodes[1..])?),
            TypeNode::TypeParameter(index) => {
                return arguments
                    .get(usize::from(index))
                    .copied()
                    .ok_or_else(|| Fault::invariant("type parameter without argument"));
            }
            TypeNode::Struct(handle) | TypeNode::StructInstance { handle, .. } => {
                let (owner, definition) = module.struct_targets[handle.index()];
                let arguments = children(nodes).map(child).collect::<Result<Box<[_]>, _>>()?;
                TypeKey::Struct { module: owner, definition, arguments }
            }
            TypeNode::Function { abilities, parameters, .. } => {
                let mut all = children(nodes).map(child).collect::<Result<Vec<_>, _>>()?;
                let results = all.split_off(usize::from(parameters));
                TypeKey::Function { abilities, parameters: all.into(), results: results.into() }
            }
        };
        self.intern_within(modules, key, depth)
    }

    fn intern_within(&self, modules: &Slab<LinkedModule>, key: TypeKey, depth: u32) -> Result<TypeId, Fault> {
        if let Some(id) = self.lookup(&key) {
            return Ok(id);
        }
        let draft = self.draft(modules, &key, depth)?;
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = numbers.get(&key) {
            return Ok(*id);
        }
        let number = self.types.reserve().ok_or_else(|| Fault::invariant("the type table is full"))?;
        let id = TypeId(number);
        self.types.fill(number, draft.finish(id, key.clone()));
        numbers.insert(key, id);
        Ok(id)
    }

    fn draft(&self, modules: &Slab<LinkedModule>, key: &TypeKey, depth: u32) -> Result<Draft, Fault> {
        if depth > VALUE_DEPTH_MAX {
            return Err(Fault::new(status::VM_MAX_VALUE_DEPTH_REACHED));
        }
        let word = |kind, abilities| Draft::leaf(kind, abilities, 1, 0, vec![Op::Words(1)]);
        let plain = AbilitySet::PRIMITIVES;
        Ok(match key {
            TypeKey::Bool => Draft::leaf(Kind::Bool, plain, 1, 1, vec![Op::Bool]),
            TypeKey::Int(int) => {
                let narrow = if int.width() < 8 { int.width() } else { 0 };
                let op = if narrow == 0 { Op::Words(int.slots()) } else { Op::Narrow(narrow) };
                Draft::leaf(Kind::Int(*int), plain, int.slots(), narrow, vec![op])
            }
            TypeKey::Address => Draft::leaf(Kind::Address, plain, 4, 0, vec![Op::Words(4)]),
            TypeKey::Signer => Draft::leaf(Kind::Signer, AbilitySet::SIGNER, 4, 0, vec![Op::Words(4)]),
            TypeKey::Reference(inner) => {
                self.over(word(Kind::Reference(*inner), AbilitySet::REFERENCES), &[*inner])
            }
            TypeKey::MutableReference(inner) => {
                self.over(word(Kind::MutableReference(*inner), AbilitySet::REFERENCES), &[*inner])
            }
            TypeKey::Vector(element) => {
                let of = self.get(*element);
                let abilities = AbilitySet::of_instance(AbilitySet::VECTOR, [(false, of.abilities)]);
                let mut draft =
                    Draft::leaf(Kind::Vector(*element), abilities, 1, 0, vec![Op::Vector(*element)]);
                draft.flat = false;
                draft.words_are_value = false;
                draft.value_depth = of.value_depth + 1;
                self.over(draft, &[*element])
            }
            TypeKey::Function { abilities, parameters, results } => {
                let mut draft = Draft::leaf(Kind::Function, *abilities, 1, 0, vec![Op::Function]);
                draft.flat = false;
                draft.words_are_value = false;
                self.over(self.over(draft, parameters), results)
            }
            TypeKey::Struct { module, definition, arguments } => {
                let owner = modules.get(module.0).ok_or_else(|| Fault::invariant("unknown module"))?;
                let draft = self.struct_draft(modules, owner, *definition, arguments, depth)?;
                self.over(draft, arguments)
            }
        })
    }

    /// Adds the size of the type's arguments to its own.
    fn over(&self, mut draft: Draft, arguments: &[TypeId]) -> Draft {
        for argument in arguments {
            let info = self.get(*argument);
            draft.nodes = draft.nodes.saturating_add(info.nodes);
            draft.depth = draft.depth.max(info.depth + 1);
        }
        draft
    }

    fn struct_draft(
        &self,
        modules: &Slab<LinkedModule>,
        owner: &LinkedModule,
        definition: u16,
        arguments: &[TypeId],
        depth: u32,
    ) -> Result<Draft, Fault> {
        let def = &owner.code.struct_defs[usize::from(definition)];
        let handle = &owner.code[def.handle];
        if handle.type_parameters.len() != arguments.len() {
            return Err(Fault::new(status::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH));
        }
        let abilities = AbilitySet::of_instance(
            handle.abilities,
            handle
                .type_parameters
                .iter()
                .zip(arguments)
                .map(|(parameter, argument)| (parameter.is_phantom, self.get(*argument).abilities)),
        );
        let mut sum = Fields::default();
        let place = |sum: &mut Fields, fields: &[Field]| -> Result<Box<[FieldSlot]>, Fault> {
            let mut slots = Vec::with_capacity(fields.len());
            for field in fields {
                let nodes = field.field_type.nodes();
                let ty = self.resolve_within(modules, owner, nodes, arguments, depth + 1)?;
                slots.push(FieldSlot { ty, offset: sum.slots });
                sum.add(self.get(ty))?;
            }
            Ok(slots.into())
        };
        let (kind, content) = match &def.layout {
            StructLayout::Native => return Err(Fault::not_implemented("native structs")),
            StructLayout::Struct(fields) => {
                let slots = place(&mut sum, fields)?;
                (Kind::Struct(slots), std::mem::take(&mut sum.program))
            }
            StructLayout::Enum(variants) => {
                let mut infos = Vec::with_capacity(variants.len());
                let mut all = Fields { slots: 1, words_are_value: false, ..Fields::default() };
                for variant in variants {
                    let mut one = Fields { slots: 1, ..Fields::default() };
                    let fields = place(&mut one, &variant.fields)?;
                    all.slots = all.slots.max(one.slots);
                    all.flat &= one.flat;
                    all.value_depth = all.value_depth.max(one.value_depth);
                    infos.push(VariantInfo {
                        fields,
                        program: one.program.into(),
                        fixed_nodes: one.fixed_nodes + 1,
                    });
                }
                sum = all;
                (Kind::Enum(infos.into()), Vec::new())
            }
        };
        if sum.value_depth + 1 > VALUE_DEPTH_MAX {
            return Err(Fault::new(status::VM_MAX_VALUE_DEPTH_REACHED));
        }
        let is_enum = matches!(kind, Kind::Enum(_));
        let boxed = sum.slots > INLINE_SLOTS_MAX;
        Ok(Draft {
            kind,
            abilities,
            slots: if boxed { 1 } else { sum.slots },
            content_slots: sum.slots,
            narrow: 0,
            flat: sum.flat && !boxed,
            words_are_value: sum.words_are_value && !boxed && !is_enum,
            content,
            fixed_nodes: sum.fixed_nodes + u32::from(!is_enum),
            nodes: 1,
            depth: 1,
            value_depth: sum.value_depth + 1,
        })
    }
}

/// Running layout of consecutive fields.
struct Fields {
    slots: u32,
    flat: bool,
    words_are_value: bool,
    program: Vec<Op>,
    fixed_nodes: u32,
    value_depth: u32,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            slots: 0,
            flat: true,
            words_are_value: true,
            program: Vec::new(),
            fixed_nodes: 0,
            value_depth: 0,
        }
    }
}

impl Fields {
    fn add(&mut self, field: &TypeInfo) -> Result<(), Fault> {
        self.slots += field.slots;
        if self.slots > CONTENT_SLOTS_MAX {
            return Err(Fault::new(status::TOO_MANY_TYPE_NODES));
        }
        self.flat &= field.flat;
        self.words_are_value &= field.words_are_value;
        self.fixed_nodes += field.fixed_nodes;
        self.value_depth = self.value_depth.max(field.value_depth);
        for op in &field.program {
            push(&mut self.program, *op);
        }
        Ok(())
    }
}

/// A type that has no number yet.
struct Draft {
    kind: Kind,
    abilities: AbilitySet,
    slots: u32,
    content_slots: u32,
    narrow: u32,
    flat: bool,
    words_are_value: bool,
    content: Vec<Op>,
    fixed_nodes: u32,
    nodes: u32,
    depth: u32,
    value_depth: u32,
}

impl Draft {
    fn leaf(kind: Kind, abilities: AbilitySet, slots: u32, narrow: u32, content: Vec<Op>) -> Self {
        Self {
            kind,
            abilities,
            slots,
            content_slots: slots,
            narrow,
            flat: true,
            words_are_value: true,
            content,
            fixed_nodes: 1,
            nodes: 1,
            depth: 1,
            value_depth: 1,
        }
    }

    fn finish(self, id: TypeId, key: TypeKey) -> TypeInfo {
        let mut content = self.content;
        if matches!(self.kind, Kind::Enum(_)) {
            content = vec![Op::Enum { ty: id, slots: self.content_slots }];
        }
        let boxed = self.content_slots > self.slots;
        let program = if boxed { vec![Op::Boxed(id)] } else { content.clone() };
        TypeInfo {
            id,
            key,
            kind: self.kind,
            abilities: self.abilities,
            slots: self.slots,
            content_slots: self.content_slots,
            narrow: self.narrow,
            flat: self.flat,
            words_are_value: self.words_are_value,
            program: program.into(),
            content: content.into(),
            fixed_nodes: if boxed { 0 } else { self.fixed_nodes },
            content_nodes: if boxed { self.fixed_nodes } else { 0 },
            nodes: self.nodes,
            depth: self.depth,
            value_depth: self.value_depth,
        }
    }
}
