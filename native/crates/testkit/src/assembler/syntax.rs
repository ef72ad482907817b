//! The text taken apart, names not looked up yet.

use ledger_bytecode::{AbilitySet, FunctionAttribute, StructTypeParameter, Visibility};
use ledger_types::{Address, ModuleId};

/// A module or script.
#[derive(Debug, Default)]
pub(super) struct Unit {
    /// `None` for a script.
    pub(super) id: Option<ModuleId>,
    pub(super) version: u32,
    pub(super) friends: Vec<ModuleId>,
    pub(super) metadata: Vec<(Vec<u8>, Vec<u8>)>,
    pub(super) structs: Vec<StructItem>,
    pub(super) functions: Vec<FunctionItem>,
}

/// Name of a struct or function; `module` is `None` for one of this unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Path {
    pub(super) module: Option<(Address, String)>,
    pub(super) name: String,
}

/// A declared or imported struct.
#[derive(Debug)]
pub(super) struct StructItem {
    pub(super) path: Path,
    pub(super) type_parameters: Vec<StructTypeParameter>,
    pub(super) abilities: AbilitySet,
    pub(super) body: StructBody,
}

#[derive(Debug)]
pub(super) enum StructBody {
    Imported,
    Native,
    Struct(Vec<(String, TypeSyntax)>),
    Enum(Vec<(String, Vec<(String, TypeSyntax)>)>),
}

/// A declared or imported function.
#[derive(Debug)]
pub(super) struct FunctionItem {
    pub(super) path: Path,
    pub(super) type_parameters: Vec<AbilitySet>,
    pub(super) parameters: Vec<TypeSyntax>,
    pub(super) results: Vec<TypeSyntax>,
    pub(super) acquires: Vec<String>,
    pub(super) attributes: Vec<FunctionAttribute>,
    pub(super) visibility: Visibility,
    pub(super) is_entry: bool,
    pub(super) body: FunctionBody,
}

#[derive(Debug)]
pub(super) enum FunctionBody {
    Imported,
    Native,
    Code(CodeSyntax),
}

#[derive(Debug)]
pub(super) struct CodeSyntax {
    pub(super) locals: Vec<TypeSyntax>,
    /// Label and the position of the instruction it stands before.
    pub(super) labels: Vec<(String, usize)>,
    pub(super) instructions: Vec<InstructionSyntax>,
}

#[derive(Debug)]
pub(super) struct InstructionSyntax {
    pub(super) name: String,
    pub(super) operand: OperandSyntax,
    pub(super) line: usize,
}

/// A type: nodes in preorder, structs by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TypeSyntax(pub(super) Vec<NodeSyntax>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum NodeSyntax {
    /// A node that needs no name.
    Plain(ledger_bytecode::TypeNode),
    /// A struct with this many type arguments.
    Struct(Path, u8),
}

/// A struct definition with type arguments, and what is picked out of it.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) owner: Path,
    pub(super) arguments: Vec<TypeSyntax>,
    pub(super) variants: Vec<String>,
    /// Name, or offset for variant fields.
    pub(super) field: Option<String>,
}

#[derive(Debug)]
pub(super) enum OperandSyntax {
    None,
    Label(String),
    /// Number or hex text, without its underscores.
    Number(String),
    Constant(TypeSyntax, Vec<u8>),
    Function {
        path: Path,
        arguments: Vec<TypeSyntax>,
        mask: Option<u64>,
    },
    Member(Member),
    Types(Vec<TypeSyntax>, Option<u64>),
}
