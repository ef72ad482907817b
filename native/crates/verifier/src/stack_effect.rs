//! How many values each instruction pops and pushes.

use ledger_bytecode::{Body, Bytecode, SignatureIndex, StructVariantHandle, Tables, TypeNode};

/// Values popped and pushed by `instruction` of `body`.
///
/// `VecPack` and `VecUnpack` counts are bounded by the consistency pass, which runs earlier.
pub(crate) fn stack_effect(tables: &Tables, body: &Body<'_>, instruction: &Bytecode) -> (usize, usize) {
    use Bytecode::*;
    let fields = |def: ledger_bytecode::StructDefIndex| tables[def].fields().len();
    let variant_fields = |handle: StructVariantHandle| {
        tables[handle.owner].variant_fields(handle.variant).map_or(0, <[_]>::len)
    };
    let call = |target: ledger_bytecode::FunctionHandleIndex| {
        let handle = &tables[target];
        (tables[handle.parameters].len(), tables[handle.results].len())
    };
    match *instruction {
        Nop | Branch(_) => (0, 0),
        Pop | BrTrue(_) | BrFalse(_) | StLoc(_) | Abort => (1, 0),
        AbortMsg => (2, 0),
        Ret => (body.results.len(), 0),
        LdU8(_) | LdU16(_) | LdU32(_) | LdU64(_) | LdU128(_) | LdU256(_) | LdI8(_) | LdI16(_) | LdI32(_)
        | LdI64(_) | LdI128(_) | LdI256(_) | LdConst(_) | LdTrue | LdFalse | CopyLoc(_) | MoveLoc(_)
        | MutBorrowLoc(_) | ImmBorrowLoc(_) => (0, 1),
        Not
        | FreezeRef
        | ReadRef
        | CastU8
        | CastU16
        | CastU32
        | CastU64
        | CastU128
        | CastU256
        | CastI8
        | CastI16
        | CastI32
        | CastI64
        | CastI128
        | CastI256
        | Negate
        | Exists(_)
        | ExistsGeneric(_)
        | MutBorrowField(_)
        | MutBorrowFieldGeneric(_)
        | ImmBorrowField(_)
        | ImmBorrowFieldGeneric(_)
        | ImmBorrowVariantField(_)
        | ImmBorrowVariantFieldGeneric(_)
        | MutBorrowVariantField(_)
        | MutBorrowVariantFieldGeneric(_)
        | MutBorrowGlobal(_)
        | MutBorrowGlobalGeneric(_)
        | ImmBorrowGlobal(_)
        | ImmBorrowGlobalGeneric(_)
        | MoveFrom(_)
        | MoveFromGeneric(_)
        | TestVariant(_)
        | TestVariantGeneric(_)
        | VecLen(_)
        | VecPopBack(_) => (1, 1),
        Add | Sub | Mul | Mod | Div | BitOr | BitAnd | Xor | Or | And | Eq | Neq | Lt | Gt | Le | Ge
        | Shl | Shr | VecImmBorrow(_) | VecMutBorrow(_) => (2, 1),
        WriteRef | MoveTo(_) | MoveToGeneric(_) | VecPushBack(_) => (2, 0),
        VecSwap(_) => (3, 0),
        VecPack(_, count) => (count as usize, 1),
        VecUnpack(_, count) => (1, count as usize),
        Call(target) => call(target),
        CallGeneric(instance) => call(tables[instance].target),
        Pack(def) => (fields(def), 1),
        PackGeneric(instance) => (fields(tables[instance].target), 1),
        Unpack(def) => (1, fields(def)),
        UnpackGeneric(instance) => (1, fields(tables[instance].target)),
        PackVariant(variant) => (variant_fields(tables[variant]), 1),
        PackVariantGeneric(variant) => (variant_fields(tables[tables[variant].target]), 1),
        UnpackVariant(variant) => (1, variant_fields(tables[variant])),
        UnpackVariantGeneric(variant) => (1, variant_fields(tables[tables[variant].target])),
        PackClosure(_, mask) | PackClosureGeneric(_, mask) => (mask.count_ones() as usize, 1),
        CallClosure(signature) => {
            let (parameters, results) = closure_arity(tables, signature);
            (parameters + 1, results)
        }
    }
}

/// Parameters and results of the function type a closure call names.
fn closure_arity(tables: &Tables, signature: SignatureIndex) -> (usize, usize) {
    match tables.single_type(signature).map(ledger_bytecode::Type::root) {
        Some(TypeNode::Function { parameters, results, .. }) => (parameters.into(), results.into()),
        _ => (0, 0),
    }
}
