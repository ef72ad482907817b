//! From bytecode to register code, one function with its type arguments at a time, in linear time.
//!
//! The operand stack disappears: its position at every instruction is known, so each position has a
//! *home* slot after the locals. Beyond that, the top of the stack is kept symbolically within a
//! block ([`operands`]): copies of locals, constants, addresses of locals and references to fields
//! are remembered and only made real when something needs them in their home. The verifier
//! guarantees that the stack is empty at block borders.
//!
//! Gas that does not depend on values is summed per *segment* and charged by its first instruction. A
//! segment is a block, or the part of one up to something that pays by value or calls, so that nothing is
//! paid before what may come first.

mod arithmetic;
mod calls;
mod destination;
mod flow;
mod operands;
mod references;
mod segments;
mod structs;
mod validate;
mod vectors;

pub use destination::jump;

use std::collections::HashMap;

use ledger_bytecode::{Body, Bytecode, FunctionDefIndex, SignatureIndex, StructDefIndex};

use crate::catalog::{Catalog, InstanceKey};
use crate::errors::{Fault, status};
use crate::gas::Costs;
use crate::ins::{Code, Ins, Segment};
use crate::link::LinkedModule;
use crate::natives;
use crate::types::{FieldSlot, ModuleIx, TypeId, TypeInfo, TypeKey};
use flow::{Availability, Flow};
use operands::{Entry, Local};
use segments::OpenSegment;

/// Most slots of a frame, so that every slot has a u16 name.
const FRAME_SLOTS_MAX: u32 = 60_000;
/// Most bytecodes of a loop head that is copied.
const LOOP_HEAD_MAX: usize = 10;
/// Longest code whose every jump fits in sixteen bits.
const NEAR_MAX: usize = 30_000;

/// Which shortcuts lowering takes. Every choice gives the same results, gas and places; the plainest is
/// the one to doubt last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lowering {
    /// Keep copies, constants and addresses pending instead of making each at once. Without it, nothing is
    /// fused either.
    pub forward: bool,
    /// Make one instruction of several: results straight into locals, compare and branch, constants as
    /// operands, element reads and writes.
    pub fuse: bool,
    /// Copy loop heads behind their bodies.
    pub copy_heads: bool,
    /// Use only the forms for jumps of any length.
    pub far: bool,
}

impl Default for Lowering {
    /// All shortcuts.
    fn default() -> Self {
        Self { forward: true, fuse: true, copy_heads: true, far: false }
    }
}

/// Lowers an instance.
///
/// # Errors
/// Types without layout, frames too wide, code that breaks what the verifier promises.
pub fn lower(catalog: &Catalog, key: &InstanceKey, costs: &Costs) -> Result<Code, Fault> {
    let module = catalog.module(key.module);
    let index = FunctionDefIndex(key.function);
    let parameters =
        slots_of(catalog, module, &module.code[module.code.handle_of(index).parameters].0, key, costs)?;
    let results =
        slots_of(catalog, module, &module.code[module.code.handle_of(index).results].0, key, costs)?;
    let Some(body) = module.code.body(index) else {
        return Ok(Code {
            native: Some(natives::find(&module.id, module.function_name(key.function))),
            frame_slots: end_of(catalog, &parameters).max(end_of(catalog, &results)),
            ..empty(key, parameters, results)
        });
    };
    let how = catalog.lowering;
    let mut code = Lowerer::new(catalog, module, key, costs, body, how)?.run(&parameters, &results)?;
    if code.ins.len() > NEAR_MAX && !how.far {
        let how = Lowering { far: true, ..how };
        code = Lowerer::new(catalog, module, key, costs, body, how)?.run(&parameters, &results)?;
    }
    validate::validate(&code)?;
    Ok(code)
}

fn empty(key: &InstanceKey, parameters: Vec<FieldSlot>, results: Vec<FieldSlot>) -> Code {
    Code {
        ins: Box::default(),
        offsets: Box::default(),
        rest_cost: Box::default(),
        cost: Box::default(),
        segments: Box::default(),
        words: Box::default(),
        constants: Box::default(),
        types: Box::default(),
        callees: Box::default(),
        variant_fields: Box::default(),
        frame_slots: 0,
        height: 0,
        module: key.module,
        function: key.function,
        native: None,
        parameters: parameters.into(),
        results: results.into(),
        type_arguments: key.arguments.clone(),
    }
}

/// A type of a signature with its type arguments, within the limits on types at run time. Without them a
/// chain of generic calls could double a type with each.
fn resolve(
    catalog: &Catalog,
    module: &LinkedModule,
    ty: &ledger_bytecode::Type,
    arguments: &[TypeId],
    costs: &Costs,
) -> Result<TypeId, Fault> {
    let id = catalog.types.resolve(&catalog.modules, module, ty.nodes(), arguments)?;
    let info = catalog.types.get(id);
    if u64::from(info.nodes) > costs.type_nodes_max {
        return Err(Fault::new(status::VM_MAX_TYPE_NODES_REACHED));
    }
    if u64::from(info.depth) > costs.type_depth_max {
        return Err(Fault::new(status::VM_MAX_TYPE_DEPTH_REACHED));
    }
    Ok(id)
}

/// Consecutive slots for values of these types.
fn slots_of(
    catalog: &Catalog,
    module: &LinkedModule,
    types: &[ledger_bytecode::Type],
    key: &InstanceKey,
    costs: &Costs,
) -> Result<Vec<FieldSlot>, Fault> {
    let mut offset = 0;
    let mut slots = Vec::with_capacity(types.len());
    for ty in types {
        let ty = resolve(catalog, module, ty, &key.arguments, costs)?;
        slots.push(FieldSlot { ty, offset });
        offset += catalog.types.get(ty).slots;
    }
    Ok(slots)
}

fn end_of(catalog: &Catalog, slots: &[FieldSlot]) -> u32 {
    slots.last().map_or(0, |last| last.offset + catalog.types.get(last.ty).slots)
}

/// The state of one lowering.
struct Lowerer<'e> {
    catalog: &'e Catalog,
    module: &'e LinkedModule,
    key: &'e InstanceKey,
    costs: &'e Costs,
    bytecode: &'e [Bytecode],
    flow: Flow,
    locals: Vec<Local>,
    /// First slot after the locals.
    homes: u32,
    stack: Vec<Entry>,
    ins: Vec<Ins>,
    offsets: Vec<u16>,
    /// Bytecode offset that is being lowered.
    offset: u16,
    /// Static cost of each bytecode.
    cost: Vec<u64>,
    /// The segment that is being lowered.
    segment: OpenSegment,
    /// Segments that are done, by first bytecode offset.
    segments: Vec<Segment>,
    /// Whether a loop head is being copied behind the body.
    copying: bool,
    /// Whether the last instruction may pay by value.
    paid_by_value: bool,
    /// First instruction of each block, by bytecode offset.
    starts: Vec<u32>,
    /// Jumps to be pointed at the block of a bytecode offset.
    jumps: Vec<(usize, u16)>,
    /// Instruction that made the value on top and may still be sent elsewhere.
    last: Option<usize>,
    /// Which shortcuts to take.
    how: Lowering,
    words: Vec<u64>,
    word_numbers: HashMap<u64, u32>,
    constants: Vec<(TypeId, Box<[u8]>)>,
    types: Vec<TypeId>,
    type_numbers: HashMap<TypeId, u16>,
    callees: Vec<u32>,
    callee_numbers: HashMap<u32, u16>,
    variant_fields: Vec<Box<[u32]>>,
    frame_slots: u32,
    height: usize,
}

impl<'e> Lowerer<'e> {
    fn new(
        catalog: &'e Catalog,
        module: &'e LinkedModule,
        key: &'e InstanceKey,
        costs: &'e Costs,
        body: Body<'e>,
        how: Lowering,
    ) -> Result<Self, Fault> {
        let how = Lowering { fuse: how.fuse && how.forward, ..how };
        let bytecode = &body.code.code[..];
        let count = body.parameters.len() + body.locals.len();
        let flow = Flow::new(bytecode, body.parameters.len(), count);
        let mut locals = Vec::with_capacity(count);
        let mut slot = 0;
        for (number, ty) in body.parameters.0.iter().chain(&body.locals.0).enumerate() {
            let ty = resolve(catalog, module, ty, &key.arguments, costs)?;
            let info = catalog.types.get(ty);
            locals.push(Local {
                ty,
                slot,
                owns: !info.flat,
                flagged: !info.flat && flow.maybe[number],
                set: false,
            });
            slot += info.slots;
        }
        Ok(Self {
            catalog,
            module,
            key,
            costs,
            bytecode,
            flow,
            locals,
            homes: slot,
            stack: Vec::new(),
            ins: Vec::with_capacity(bytecode.len() + 8),
            offsets: Vec::with_capacity(bytecode.len() + 8),
            offset: 0,
            cost: vec![0; bytecode.len()],
            segment: OpenSegment::default(),
            segments: Vec::new(),
            copying: false,
            paid_by_value: false,
            starts: vec![u32::MAX; bytecode.len()],
            jumps: Vec::new(),
            last: None,
            how,
            words: Vec::new(),
            word_numbers: HashMap::new(),
            constants: Vec::new(),
            types: Vec::new(),
            type_numbers: HashMap::new(),
            callees: Vec::new(),
            callee_numbers: HashMap::new(),
            variant_fields: Vec::new(),
            frame_slots: slot,
            height: 0,
        })
    }

    fn run(mut self, parameters: &[FieldSlot], results: &[FieldSlot]) -> Result<Code, Fault> {
        self.zero_flagged(parameters.len())?;
        let mut at = 0;
        while at < self.bytecode.len() {
            if !self.flow.reachable[at] {
                at += 1;
                continue;
            }
            at = self.block(at, results)?;
        }
        self.patch_jumps()?;
        let rest_cost = self.rest_cost();
        let frame_slots = self.frame_slots.max(end_of(self.catalog, results));
        if frame_slots > FRAME_SLOTS_MAX {
            return Err(Fault::not_implemented("frames of more than 60000 slots"));
        }
        Ok(Code {
            ins: self.ins.into(),
            offsets: self.offsets.into(),
            rest_cost,
            cost: self.cost.into(),
            segments: self.segments.into(),
            words: self.words.into(),
            constants: self.constants.into(),
            types: self.types.into(),
            callees: self.callees.into(),
            variant_fields: self.variant_fields.into(),
            frame_slots,
            height: self.height as u32,
            ..empty(self.key, parameters.to_vec(), results.to_vec())
        })
    }

    /// Locals that may or may not be set hold zero while they are not.
    fn zero_flagged(&mut self, parameters: usize) -> Result<(), Fault> {
        for number in parameters..self.locals.len() {
            let local = self.locals[number];
            if local.flagged {
                let n = slot16(self.ty(local.ty).slots)?;
                self.emit(Ins::Zero { d: slot16(local.slot)?, n });
            }
        }
        Ok(())
    }

    /// Lowers one block; answers the offset after it.
    fn block(&mut self, start: usize, results: &[FieldSlot]) -> Result<usize, Fault> {
        self.starts[start] = self.ins.len() as u32;
        self.segment = OpenSegment { first: start, ..OpenSegment::default() };
        self.open_segment();
        self.last = None;
        if let Some(entry) = &self.flow.entry[start] {
            for (local, state) in self.locals.iter_mut().zip(entry) {
                local.set = *state == Availability::Set;
            }
        }
        let mut at = start;
        // Where lowering goes on after a copied loop head.
        let mut resume = None;
        loop {
            self.offset = at as u16;
            if let (Bytecode::Branch(head), None) = (self.bytecode[at], resume)
                && self.is_loop_head(usize::from(head), at)
            {
                self.pay(self.costs.branch);
                self.segment.copied = Some((at, usize::from(head)));
                self.copying = true;
                resume = Some(at + 1);
                at = usize::from(head);
                continue;
            }
            let taken = self.instruction(at, results)?;
            if !self.how.forward {
                self.settle_top(self.stack.len())?;
            }
            let ends = self.bytecode[at].ends_block();
            at += taken;
            if ends || at >= self.bytecode.len() || self.flow.leader[at] {
                break;
            }
            if self.pays_by_value(at - taken) {
                self.close_segment(at - 1);
                self.segment = OpenSegment { first: at, ..OpenSegment::default() };
            }
        }
        if !self.stack.is_empty() {
            return Err(Fault::invariant("operands left at the end of a block"));
        }
        let end = resume.unwrap_or(at);
        self.close_segment(end - 1);
        self.copying = false;
        Ok(end)
    }

    /// Whether `head` starts a short block that ends in a conditional branch, and lies before `at`: the
    /// condition of a loop. Copied behind the body, it saves the loop a jump a turn.
    fn is_loop_head(&self, head: usize, at: usize) -> bool {
        if head >= at || !self.how.copy_heads {
            return false;
        }
        for offset in head..(head + LOOP_HEAD_MAX).min(at) {
            // A head with a call or the like would split the segment.
            let splits = matches!(
                self.bytecode[offset],
                Bytecode::Call(_)
                    | Bytecode::CallGeneric(_)
                    | Bytecode::ReadRef
                    | Bytecode::Eq
                    | Bytecode::Neq
            ) || self.copies_blocks(offset);
            if splits || offset > head && self.flow.leader[offset] {
                return false;
            }
            if self.bytecode[offset].is_conditional_branch() {
                return true;
            }
        }
        false
    }

    /// Lowers one bytecode, or two at once; answers how many.
    fn instruction(&mut self, at: usize, results: &[FieldSlot]) -> Result<usize, Fault> {
        use Bytecode as B;
        let costs = self.costs;
        match self.bytecode[at] {
            B::Nop => self.pay(costs.nop),
            B::Pop => {
                self.pay(costs.pop);
                let entry = self.pop()?;
                self.discard(entry)?;
            }
            B::Ret => self.ret(results)?,
            B::BrTrue(target) => self.branch(true, target)?,
            B::BrFalse(target) => self.branch(false, target)?,
            B::Branch(target) => {
                self.pay(costs.branch);
                self.jump(Ins::Jmp { o: 0 }, target);
            }
            B::Abort => {
                self.pay(costs.abort);
                let code = self.pop()?;
                let s = self.operand(code)?;
                self.emit(Ins::Abort { s });
            }
            B::AbortMsg => {
                self.pay(costs.abort_msg_base);
                let (message, code) = (self.pop()?, self.pop()?);
                let (m, s) = (self.operand(message)?, self.operand(code)?);
                self.emit(Ins::AbortMsg { s, m });
            }
            B::LdTrue
            | B::LdFalse
            | B::LdU8(_)
            | B::LdU16(_)
            | B::LdU32(_)
            | B::LdU64(_)
            | B::LdU128(_)
            | B::LdU256(_)
            | B::LdI8(_)
            | B::LdI16(_)
            | B::LdI32(_)
            | B::LdI64(_)
            | B::LdI128(_)
            | B::LdI256(_)
            | B::LdConst(_) => self.load(self.bytecode[at])?,
            B::CopyLoc(local) => self.copy_local(local)?,
            B::MoveLoc(local) => self.move_local(local)?,
            B::StLoc(local) => {
                let next = self.bytecode.get(at + 1);
                if self.how.forward && next == Some(&B::MoveLoc(local)) && !self.flow.leader[at + 1] {
                    return self.store_and_move(local);
                }
                self.store_local(local)?;
            }
            B::MutBorrowLoc(local) => self.borrow_local(local, true)?,
            B::ImmBorrowLoc(local) => self.borrow_local(local, false)?,
            B::FreezeRef => {
                self.pay(costs.freeze_ref);
                self.freeze()?;
            }
            B::ReadRef => self.read_ref()?,
            B::WriteRef => self.write_ref()?,
            B::MutBorrowField(field) | B::ImmBorrowField(field) => {
                self.pay(costs.imm_borrow_field);
                let handle = self.module.code[field];
                self.borrow_field(handle, None, matches!(self.bytecode[at], B::MutBorrowField(_)))?;
            }
            B::MutBorrowFieldGeneric(field) | B::ImmBorrowFieldGeneric(field) => {
                self.pay(costs.imm_borrow_field_generic);
                let instance = self.module.code[field];
                let handle = self.module.code[instance.target];
                let mutable = matches!(self.bytecode[at], B::MutBorrowFieldGeneric(_));
                self.borrow_field(handle, Some(instance.type_arguments), mutable)?;
            }
            B::ImmBorrowVariantField(field) | B::MutBorrowVariantField(field) => {
                self.pay(costs.imm_borrow_variant_field);
                let mutable = matches!(self.bytecode[at], B::MutBorrowVariantField(_));
                self.borrow_variant_field(field, None, mutable)?;
            }
            B::ImmBorrowVariantFieldGeneric(field) | B::MutBorrowVariantFieldGeneric(field) => {
                self.pay(costs.imm_borrow_variant_field_generic);
                let instance = self.module.code[field];
                let mutable = matches!(self.bytecode[at], B::MutBorrowVariantFieldGeneric(_));
                self.borrow_variant_field(instance.target, Some(instance.type_arguments), mutable)?;
            }
            B::Pack(definition) => self.pack(definition, None)?,
            B::PackGeneric(instance) => {
                let instance = self.module.code[instance];
                self.pack(instance.target, Some(instance.type_arguments))?;
            }
            B::Unpack(definition) => self.unpack(definition, None)?,
            B::UnpackGeneric(instance) => {
                let instance = self.module.code[instance];
                self.unpack(instance.target, Some(instance.type_arguments))?;
            }
            B::PackVariant(variant) => self.pack_variant(self.module.code[variant], None)?,
            B::PackVariantGeneric(instance) => {
                let instance = self.module.code[instance];
                self.pack_variant(self.module.code[instance.target], Some(instance.type_arguments))?;
            }
            B::UnpackVariant(variant) => self.unpack_variant(self.module.code[variant], None)?,
            B::UnpackVariantGeneric(instance) => {
                let instance = self.module.code[instance];
                self.unpack_variant(self.module.code[instance.target], Some(instance.type_arguments))?;
            }
            B::TestVariant(variant) => {
                self.pay(costs.test_variant);
                self.test_variant(self.module.code[variant], None)?;
            }
            B::TestVariantGeneric(instance) => {
                self.pay(costs.test_variant_generic);
                let instance = self.module.code[instance];
                self.test_variant(self.module.code[instance.target], Some(instance.type_arguments))?;
            }
            B::Exists(_)
            | B::ExistsGeneric(_)
            | B::MutBorrowGlobal(_)
            | B::MutBorrowGlobalGeneric(_)
            | B::ImmBorrowGlobal(_)
            | B::ImmBorrowGlobalGeneric(_)
            | B::MoveFrom(_)
            | B::MoveFromGeneric(_)
            | B::MoveTo(_)
            | B::MoveToGeneric(_) => {
                self.global(self.bytecode[at])?;
            }
            B::Call(callee) => self.call(callee, None)?,
            B::CallGeneric(instance) => {
                let instance = self.module.code[instance];
                self.call(instance.target, Some(instance.type_arguments))?;
            }
            B::PackClosure(..) | B::PackClosureGeneric(..) | B::CallClosure(_) => {
                self.emit(Ins::NotImplemented { what: 0 });
                // Nothing after it in this block runs, and its types are not known.
                return self.skip_block(at);
            }
            B::VecPack(..)
            | B::VecLen(_)
            | B::VecImmBorrow(_)
            | B::VecMutBorrow(_)
            | B::VecPushBack(_)
            | B::VecPopBack(_)
            | B::VecUnpack(..)
            | B::VecSwap(_) => {
                return self.vector(self.bytecode[at]);
            }
            instruction => self.arithmetic(instruction)?,
        }
        Ok(1)
    }

    /// Drops the rest of the block after an instruction that never ends well.
    fn skip_block(&mut self, at: usize) -> Result<usize, Fault> {
        self.stack.clear();
        let mut end = at + 1;
        while end < self.bytecode.len() && !self.flow.leader[end] {
            end += 1;
        }
        Ok(end - at)
    }

    /// Whether a bytecode copies a local that is more than words, or touches a resource.
    fn copies_blocks(&self, offset: usize) -> bool {
        use Bytecode as B;
        match self.bytecode[offset] {
            B::CopyLoc(local) => !self.ty(self.locals[usize::from(local)].ty).words_are_value,
            B::Exists(_)
            | B::ExistsGeneric(_)
            | B::MutBorrowGlobal(_)
            | B::MutBorrowGlobalGeneric(_)
            | B::ImmBorrowGlobal(_)
            | B::ImmBorrowGlobalGeneric(_)
            | B::MoveFrom(_)
            | B::MoveFromGeneric(_)
            | B::MoveTo(_)
            | B::MoveToGeneric(_) => true,
            _ => false,
        }
    }

    fn emit(&mut self, ins: Ins) -> usize {
        if self.segment.header.is_none() {
            self.open_segment();
        }
        self.paid_by_value = match ins {
            Ins::Call { .. }
            | Ins::Clone { .. }
            | Ins::CloneBehind { .. }
            | Ins::EqValue { .. }
            | Ins::EqBehind { .. }
            | Ins::Borrow { .. }
            | Ins::Exists { .. }
            | Ins::MoveFrom { .. }
            | Ins::MoveTo { .. } => true,
            Ins::Arg { .. } => self.paid_by_value,
            _ => false,
        };
        self.ins.push(ins);
        self.offsets.push(self.offset);
        self.last = None;
        self.ins.len() - 1
    }

    fn jump(&mut self, ins: Ins, target: u16) {
        let at = self.emit(ins);
        self.jumps.push((at, target));
    }

    fn patch_jumps(&mut self) -> Result<(), Fault> {
        for (at, target) in std::mem::take(&mut self.jumps) {
            let start = self.starts[usize::from(target)];
            if start == u32::MAX {
                return Err(Fault::invariant("jump to code that is not lowered"));
            }
            let distance = i64::from(start) - at as i64;
            destination::set_jump(&mut self.ins[at], distance as i32);
        }
        Ok(())
    }

    fn ty(&self, id: TypeId) -> &'e TypeInfo {
        self.catalog.types.get(id)
    }

    fn intern(&self, key: TypeKey) -> Result<TypeId, Fault> {
        self.catalog.types.intern(&self.catalog.modules, key)
    }

    /// Types of a signature of this module.
    fn signature(&self, index: SignatureIndex) -> Result<Vec<TypeId>, Fault> {
        self.module.code[index]
            .0
            .iter()
            .map(|ty| resolve(self.catalog, self.module, ty, &self.key.arguments, self.costs))
            .collect()
    }

    /// The one type of a signature.
    fn single(&self, index: SignatureIndex) -> Result<TypeId, Fault> {
        self.signature(index)?.first().copied().ok_or_else(|| Fault::invariant("empty signature"))
    }

    /// A struct of this module, with type arguments.
    fn structure(
        &self,
        definition: StructDefIndex,
        arguments: Option<SignatureIndex>,
    ) -> Result<&'e TypeInfo, Fault> {
        let arguments = match arguments {
            Some(signature) => self.signature(signature)?,
            None => Vec::new(),
        };
        let key =
            TypeKey::Struct { module: self.own(), definition: definition.0, arguments: arguments.into() };
        Ok(self.ty(self.intern(key)?))
    }

    fn own(&self) -> ModuleIx {
        self.module.ix
    }

    /// Number of a constant word.
    fn word(&mut self, value: u64) -> u32 {
        *self.word_numbers.entry(value).or_insert_with(|| {
            self.words.push(value);
            (self.words.len() - 1) as u32
        })
    }

    /// Number of a type in the code's table.
    fn type_number(&mut self, ty: TypeId) -> Result<u16, Fault> {
        let next =
            u16::try_from(self.types.len()).map_err(|_| Fault::invariant("too many types in a function"))?;
        Ok(*self.type_numbers.entry(ty).or_insert_with(|| {
            self.types.push(ty);
            next
        }))
    }
}

/// A slot as an operand.
fn slot16(slot: u32) -> Result<u16, Fault> {
    if slot > FRAME_SLOTS_MAX {
        return Err(Fault::not_implemented("frames of more than 60000 slots"));
    }
    Ok(slot as u16)
}

/// A word count as an operand.
fn count8(slots: u32) -> Result<u8, Fault> {
    u8::try_from(slots).map_err(|_| Fault::invariant("a value wider than its limit"))
}
