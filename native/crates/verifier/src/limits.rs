//! Sizes a module may have, and the pass that holds it to them.

use ledger_bytecode::{CompiledScript, Signature, StatusCode, StructLayout, Table, Tables, Type, TypeNode};

use crate::error::{Verdict, VerificationError};

/// Limits of verification. The default is what production chains use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Type parameters of a struct or function.
    pub type_parameters_max: usize,
    /// Parameters of a function or function type; results too where functions are values.
    pub parameters_max: usize,
    /// Weighted nodes of one type: 4 for structs and type parameters, 1 for the rest.
    pub type_nodes_max: usize,
    /// Depth of one type, the root being 1.
    pub type_depth_max: Option<usize>,
    /// Basic blocks of one function.
    pub basic_blocks_max: usize,
    /// Nesting of loops.
    pub loop_depth_max: usize,
    /// Values on the stack inside a block.
    pub stack_height_max: usize,
    /// Values pushed in one block.
    pub pushes_per_block_max: usize,
    /// Branches back in one function and in a module.
    pub back_edges_max: Option<usize>,
    /// Struct definitions of a module.
    pub struct_defs_max: Option<usize>,
    /// Fields of one struct or variant.
    pub fields_max: Option<usize>,
    /// Variants of one enum.
    pub variants_max: Option<usize>,
    /// Function definitions of a module.
    pub function_defs_max: Option<usize>,
    /// Work units for one function.
    pub function_units_max: u64,
    /// Work units for a module.
    pub module_units_max: u64,
    /// Language features that are on.
    pub features: FeatureSwitches,
}

/// Features a chain may have switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureSwitches {
    /// Enum definitions.
    pub enums: bool,
    /// Access specifiers.
    pub access_specifiers: bool,
    /// Function types, closures, function attributes.
    pub function_values: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            type_parameters_max: 32,
            parameters_max: 128,
            type_nodes_max: 128,
            type_depth_max: Some(20),
            basic_blocks_max: 1024,
            loop_depth_max: 5,
            stack_height_max: 1024,
            pushes_per_block_max: 10_000,
            back_edges_max: None,
            struct_defs_max: None,
            fields_max: None,
            variants_max: None,
            function_defs_max: None,
            function_units_max: 80_000_000,
            module_units_max: 80_000_000,
            features: FeatureSwitches { enums: true, access_specifiers: true, function_values: true },
        }
    }
}

/// Most elements a vector instruction may name.
pub(crate) const VECTOR_LITERAL_MAX: u64 = 65_535;

/// Weight of a struct or type parameter among the nodes of a type.
const NAMED_NODE_WEIGHT: usize = 4;

/// Checks everything that is a size.
pub(crate) fn verify(tables: &Tables, limits: &Limits) -> Verdict {
    let pass = Pass { limits };
    pass.handles(tables)?;
    for (index, signature) in tables.signatures.iter().enumerate() {
        pass.signature(signature, index)?;
    }
    for (index, constant) in tables.constants.iter().enumerate() {
        pass.type_size(&constant.value_type, Table::Constants, index)?;
    }
    pass.definitions(tables)
}

/// Checks the sizes of a script's own type parameters and parameters.
pub(crate) fn verify_script(script: &CompiledScript, limits: &Limits) -> Verdict {
    if script.type_parameters.len() > limits.type_parameters_max {
        let status = StatusCode::TOO_MANY_TYPE_PARAMETERS;
        return Err(VerificationError::whole(status, "more type parameters than allowed"));
    }
    if script[script.parameters].len() > limits.parameters_max {
        let status = StatusCode::TOO_MANY_PARAMETERS;
        return Err(VerificationError::whole(status, "more parameters than allowed"));
    }
    Ok(())
}

struct Pass<'a> {
    limits: &'a Limits,
}

impl Pass<'_> {
    fn handles(&self, tables: &Tables) -> Verdict {
        let too_many = |table, index| {
            let message = "more type parameters than allowed";
            Err(VerificationError::entry(StatusCode::TOO_MANY_TYPE_PARAMETERS, table, index, message))
        };
        for (index, handle) in tables.struct_handles.iter().enumerate() {
            if handle.type_parameters.len() > self.limits.type_parameters_max {
                return too_many(Table::StructHandles, index);
            }
        }
        for (index, handle) in tables.function_handles.iter().enumerate() {
            if handle.type_parameters.len() > self.limits.type_parameters_max {
                return too_many(Table::FunctionHandles, index);
            }
            let results = tables[handle.results].len();
            let results_fit = !self.limits.features.function_values || results <= self.limits.parameters_max;
            if tables[handle.parameters].len() > self.limits.parameters_max || !results_fit {
                return Err(VerificationError::entry(
                    StatusCode::TOO_MANY_PARAMETERS,
                    Table::FunctionHandles,
                    index,
                    "more parameters or results than allowed",
                ));
            }
        }
        Ok(())
    }

    fn signature(&self, signature: &Signature, index: usize) -> Verdict {
        signature.0.iter().try_for_each(|entry| self.type_size(entry, Table::Signatures, index))
    }

    fn type_size(&self, entry: &Type, table: Table, index: usize) -> Verdict {
        let fault = |status, message| Err(VerificationError::entry(status, table, index, message));
        let mut weight = 0;
        // Children still to come, per open node.
        let mut open: Vec<usize> = Vec::new();
        for node in entry.nodes() {
            weight += match node {
                TypeNode::Struct(_) | TypeNode::StructInstance { .. } | TypeNode::TypeParameter(_) => {
                    NAMED_NODE_WEIGHT
                }
                _ => 1,
            };
            if weight > self.limits.type_nodes_max {
                return fault(StatusCode::TOO_MANY_TYPE_NODES, "a type with too many nodes");
            }
            if self.limits.type_depth_max.is_some_and(|max| open.len() >= max) {
                return fault(StatusCode::TOO_MANY_TYPE_NODES, "a type nested too deeply");
            }
            if let TypeNode::Function { parameters, results, .. } = node {
                let max = self.limits.parameters_max;
                if usize::from(*parameters) > max || usize::from(*results) > max {
                    let message = "a function type with too many parameters or results";
                    return fault(StatusCode::TOO_MANY_PARAMETERS, message);
                }
            }
            if node.child_count() > 0 {
                open.push(node.child_count());
                continue;
            }
            while let Some(left) = open.last_mut() {
                *left -= 1;
                if *left > 0 {
                    break;
                }
                open.pop();
            }
        }
        Ok(())
    }

    fn definitions(&self, tables: &Tables) -> Verdict {
        let over = |max: Option<usize>, count: usize| max.is_some_and(|max| count > max);
        if over(self.limits.function_defs_max, tables.function_defs.len()) {
            let status = StatusCode::MAX_FUNCTION_DEFINITIONS_REACHED;
            return Err(VerificationError::whole(status, "more functions than allowed"));
        }
        if over(self.limits.struct_defs_max, tables.struct_defs.len()) {
            let status = StatusCode::MAX_STRUCT_DEFINITIONS_REACHED;
            return Err(VerificationError::whole(status, "more structs than allowed"));
        }
        for (index, def) in tables.struct_defs.iter().enumerate() {
            let fault =
                |status, message| Err(VerificationError::entry(status, Table::StructDefs, index, message));
            let widest = match &def.layout {
                StructLayout::Native => 0,
                StructLayout::Struct(fields) => fields.len(),
                StructLayout::Enum(variants) => {
                    variants.iter().map(|variant| variant.fields.len()).max().unwrap_or(0)
                }
            };
            if over(self.limits.fields_max, widest) {
                return fault(StatusCode::MAX_FIELD_DEFINITIONS_REACHED, "more fields than allowed");
            }
            if over(self.limits.variants_max, def.variants().len()) {
                return fault(StatusCode::MAX_STRUCT_VARIANTS_REACHED, "more variants than allowed");
            }
            for field in def.all_fields() {
                self.type_size(&field.field_type, Table::StructDefs, index)?;
            }
        }
        Ok(())
    }
}
