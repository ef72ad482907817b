//! Which operand each instruction takes in the text.

/// The form of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    None,
    Label,
    Number,
    Constant,
    Function,
    Closure,
    Member,
    Types,
    TypesAndCount,
}

/// The form for an instruction's name, `None` if there is no such instruction.
pub(super) fn form(name: &str) -> Option<Form> {
    Some(match name {
        "BrTrue" | "BrFalse" | "Branch" => Form::Label,
        "CopyLoc" | "MoveLoc" | "StLoc" | "MutBorrowLoc" | "ImmBorrowLoc" | "LdU8" | "LdU16" | "LdU32"
        | "LdU64" | "LdU128" | "LdU256" | "LdI8" | "LdI16" | "LdI32" | "LdI64" | "LdI128" | "LdI256" => {
            Form::Number
        }
        "LdConst" => Form::Constant,
        "Call" | "CallGeneric" => Form::Function,
        "PackClosure" | "PackClosureGeneric" => Form::Closure,
        "Pack"
        | "Unpack"
        | "Exists"
        | "MutBorrowGlobal"
        | "ImmBorrowGlobal"
        | "MoveFrom"
        | "MoveTo"
        | "PackGeneric"
        | "UnpackGeneric"
        | "ExistsGeneric"
        | "MutBorrowGlobalGeneric"
        | "ImmBorrowGlobalGeneric"
        | "MoveFromGeneric"
        | "MoveToGeneric"
        | "MutBorrowField"
        | "ImmBorrowField"
        | "MutBorrowFieldGeneric"
        | "ImmBorrowFieldGeneric"
        | "ImmBorrowVariantField"
        | "MutBorrowVariantField"
        | "ImmBorrowVariantFieldGeneric"
        | "MutBorrowVariantFieldGeneric"
        | "PackVariant"
        | "PackVariantGeneric"
        | "UnpackVariant"
        | "UnpackVariantGeneric"
        | "TestVariant"
        | "TestVariantGeneric" => Form::Member,
        "VecLen" | "VecImmBorrow" | "VecMutBorrow" | "VecPushBack" | "VecPopBack" | "VecSwap"
        | "CallClosure" => Form::Types,
        "VecPack" | "VecUnpack" => Form::TypesAndCount,
        "Pop" | "Ret" | "LdTrue" | "LdFalse" | "ReadRef" | "WriteRef" | "Add" | "Sub" | "Mul" | "Mod"
        | "Div" | "BitOr" | "BitAnd" | "Xor" | "Or" | "And" | "Not" | "Eq" | "Neq" | "Lt" | "Gt" | "Le"
        | "Ge" | "Abort" | "AbortMsg" | "Nop" | "FreezeRef" | "Shl" | "Shr" | "CastU8" | "CastU16"
        | "CastU32" | "CastU64" | "CastU128" | "CastU256" | "CastI8" | "CastI16" | "CastI32" | "CastI64"
        | "CastI128" | "CastI256" | "Negate" => Form::None,
        _ => return None,
    })
}
