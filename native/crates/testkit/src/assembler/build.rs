//! [`Unit`] to tables: names become handles, each entry interned once.

use ledger_bytecode::*;
use ledger_types::{Address, Identifier, ModuleId};

use super::lexer::Mistake;
use super::syntax::*;

pub(super) fn module(unit: &Unit) -> Result<CompiledModule, Mistake> {
    let id = unit.id.as_ref().ok_or("expected a module, found a script")?;
    let mut builder = Builder::new(unit);
    let self_handle = builder.module_handle(id.address, id.name.as_str());
    builder.declare(unit)?;
    for friend in &unit.friends {
        let address = builder.address(friend.address);
        let name = builder.identifier(friend.name.as_str());
        builder.tables.friends.push(ModuleHandle { address, name });
    }
    builder.define_structs(unit)?;
    for item in &unit.functions {
        if let Some(def) = builder.function_def(item)? {
            builder.tables.function_defs.push(def);
        }
    }
    Ok(CompiledModule { version: unit.version, self_handle, tables: builder.tables })
}

pub(super) fn script(unit: &Unit) -> Result<CompiledScript, Mistake> {
    let mut builder = Builder::new(unit);
    let main = unit
        .functions
        .iter()
        .find(|item| matches!(item.body, FunctionBody::Code(_)))
        .ok_or("expected a script with one function")?;
    builder.declare(unit)?;
    let parameters = builder.signature(&main.parameters)?;
    let FunctionBody::Code(code) = &main.body else { unreachable!("found by its code") };
    let code = builder.code(code)?;
    Ok(CompiledScript {
        version: unit.version,
        type_parameters: main.type_parameters.clone(),
        parameters,
        access: None,
        code,
        tables: builder.tables,
    })
}

struct Builder {
    tables: Tables,
    own: Option<ModuleId>,
}

/// The position of `entry` in `table`, where it is put if it is not there.
fn intern<I: From<u16>, T: PartialEq>(table: &mut Vec<T>, entry: T) -> I {
    let position = table.iter().position(|known| *known == entry).unwrap_or_else(|| {
        table.push(entry);
        table.len() - 1
    });
    I::from(u16::try_from(position).expect("test modules have small tables"))
}

impl Builder {
    fn new(unit: &Unit) -> Self {
        let metadata = unit
            .metadata
            .iter()
            .map(|(key, value)| Metadata { key: key.clone(), value: value.clone() })
            .collect();
        Self { tables: Tables { metadata, ..Tables::default() }, own: unit.id.clone() }
    }

    fn identifier(&mut self, name: &str) -> IdentifierIndex {
        intern(&mut self.tables.identifiers, Identifier::new_unchecked(name))
    }

    fn address(&mut self, address: Address) -> AddressIndex {
        intern(&mut self.tables.addresses, address)
    }

    fn module_handle(&mut self, address: Address, name: &str) -> ModuleHandleIndex {
        let handle = ModuleHandle { address: self.address(address), name: self.identifier(name) };
        intern(&mut self.tables.module_handles, handle)
    }

    fn module_of(&mut self, path: &Path) -> Result<ModuleHandleIndex, Mistake> {
        match (&path.module, &self.own) {
            (Some((address, name)), _) => Ok(self.module_handle(*address, name)),
            (None, Some(own)) => {
                let own = own.clone();
                Ok(self.module_handle(own.address, own.name.as_str()))
            }
            (None, None) => Err(format!("{} needs its module in a script", path.name)),
        }
    }

    /// Makes the handles of everything declared or imported.
    fn declare(&mut self, unit: &Unit) -> Result<(), Mistake> {
        for item in &unit.structs {
            let handle = StructHandle {
                module: self.module_of(&item.path)?,
                name: self.identifier(&item.path.name),
                abilities: item.abilities,
                type_parameters: item.type_parameters.clone(),
            };
            self.tables.struct_handles.push(handle);
        }
        for item in &unit.functions {
            if self.own.is_none() && matches!(item.body, FunctionBody::Code(_)) {
                continue;
            }
            let handle = FunctionHandle {
                module: self.module_of(&item.path)?,
                name: self.identifier(&item.path.name),
                parameters: self.signature(&item.parameters)?,
                results: self.signature(&item.results)?,
                type_parameters: item.type_parameters.clone(),
                access: None,
                attributes: item.attributes.clone(),
            };
            self.tables.function_handles.push(handle);
        }
        Ok(())
    }

    fn struct_handle(&mut self, path: &Path) -> Result<StructHandleIndex, Mistake> {
        let module = self.module_of(path)?;
        let name = self.identifier(&path.name);
        let found = self.tables.struct_handles.iter().position(|h| h.module == module && h.name == name);
        found
            .map(|position| StructHandleIndex(position as u16))
            .ok_or_else(|| format!("struct {} is neither declared nor imported", path.name))
    }

    fn function_handle(&mut self, path: &Path) -> Result<FunctionHandleIndex, Mistake> {
        let module = self.module_of(path)?;
        let name = self.identifier(&path.name);
        let found = self.tables.function_handles.iter().position(|h| h.module == module && h.name == name);
        found
            .map(|position| FunctionHandleIndex(position as u16))
            .ok_or_else(|| format!("function {} is neither declared nor imported", path.name))
    }

    fn struct_def(&mut self, path: &Path) -> Result<StructDefIndex, Mistake> {
        let handle = self.struct_handle(path)?;
        let found = self.tables.struct_defs.iter().position(|def| def.handle == handle);
        found
            .map(|position| StructDefIndex(position as u16))
            .ok_or_else(|| format!("struct {} is not defined here", path.name))
    }

    fn type_tree(&mut self, syntax: &TypeSyntax) -> Result<Type, Mistake> {
        let mut nodes = Vec::with_capacity(syntax.0.len());
        for node in &syntax.0 {
            nodes.push(match node {
                NodeSyntax::Plain(node) => *node,
                NodeSyntax::Struct(path, 0) => TypeNode::Struct(self.struct_handle(path)?),
                NodeSyntax::Struct(path, arguments) => {
                    TypeNode::StructInstance { handle: self.struct_handle(path)?, arguments: *arguments }
                }
            });
        }
        Type::new(nodes).ok_or_else(|| "a type is not whole".to_owned())
    }

    fn signature(&mut self, types: &[TypeSyntax]) -> Result<SignatureIndex, Mistake> {
        let types = types.iter().map(|entry| self.type_tree(entry)).collect::<Result<_, _>>()?;
        Ok(intern(&mut self.tables.signatures, Signature(types)))
    }

    /// Defines the structs, in order, once all their handles are there.
    fn define_structs(&mut self, unit: &Unit) -> Result<(), Mistake> {
        for item in &unit.structs {
            let layout = match &item.body {
                StructBody::Imported => continue,
                StructBody::Native => StructLayout::Native,
                StructBody::Struct(fields) => StructLayout::Struct(self.fields(fields)?),
                StructBody::Enum(variants) => {
                    let mut built = Vec::new();
                    for (name, fields) in variants {
                        let name = self.identifier(name);
                        built.push(Variant { name, fields: self.fields(fields)? });
                    }
                    StructLayout::Enum(built)
                }
            };
            let handle = self.struct_handle(&item.path)?;
            self.tables.struct_defs.push(StructDef { handle, layout });
        }
        Ok(())
    }

    fn fields(&mut self, fields: &[(String, TypeSyntax)]) -> Result<Vec<Field>, Mistake> {
        fields
            .iter()
            .map(|(name, field_type)| {
                Ok(Field { name: self.identifier(name), field_type: self.type_tree(field_type)? })
            })
            .collect()
    }

    fn function_def(&mut self, item: &FunctionItem) -> Result<Option<FunctionDef>, Mistake> {
        let code = match &item.body {
            FunctionBody::Imported => return Ok(None),
            FunctionBody::Native => None,
            FunctionBody::Code(code) => Some(self.code(code)?),
        };
        let handle = self.function_handle(&item.path)?;
        let acquires = item
            .acquires
            .iter()
            .map(|name| self.struct_def(&Path { module: None, name: name.clone() }))
            .collect::<Result<_, _>>()?;
        let (visibility, is_entry) = (item.visibility, item.is_entry);
        Ok(Some(FunctionDef { handle, visibility, is_entry, acquires, code }))
    }

    fn code(&mut self, syntax: &CodeSyntax) -> Result<CodeUnit, Mistake> {
        let locals = self.signature(&syntax.locals)?;
        let mut code = Vec::new();
        for entry in &syntax.instructions {
            let built = self.instruction(entry, &syntax.labels);
            code.push(built.map_err(|mistake| format!("line {}: {}: {mistake}", entry.line, entry.name))?);
        }
        Ok(CodeUnit { locals, code })
    }

    fn instruction(
        &mut self,
        entry: &InstructionSyntax,
        labels: &[(String, usize)],
    ) -> Result<Bytecode, Mistake> {
        match &entry.operand {
            OperandSyntax::None => plain(&entry.name),
            OperandSyntax::Label(label) => {
                let found = labels.iter().find(|(name, _)| name == label);
                // A number that is no label is an offset, possibly a bad one.
                let target = match found {
                    Some((_, position)) => u16::try_from(*position).map_err(|_| "a label too far")?,
                    None => label.parse().map_err(|_| format!("no label {label}"))?,
                };
                Ok(match entry.name.as_str() {
                    "BrTrue" => Bytecode::BrTrue(target),
                    "BrFalse" => Bytecode::BrFalse(target),
                    _ => Bytecode::Branch(target),
                })
            }
            OperandSyntax::Number(number) => numbered(&entry.name, number),
            OperandSyntax::Constant(value_type, bytes) => {
                let constant = Constant { value_type: self.type_tree(value_type)?, bytes: bytes.clone() };
                Ok(Bytecode::LdConst(intern(&mut self.tables.constants, constant)))
            }
            OperandSyntax::Function { path, arguments, mask } => {
                self.call(&entry.name, path, arguments, *mask)
            }
            OperandSyntax::Types(types, count) => {
                let signature = self.signature(types)?;
                let count = count.unwrap_or(0);
                Ok(match entry.name.as_str() {
                    "VecPack" => Bytecode::VecPack(signature, count),
                    "VecUnpack" => Bytecode::VecUnpack(signature, count),
                    "VecLen" => Bytecode::VecLen(signature),
                    "VecImmBorrow" => Bytecode::VecImmBorrow(signature),
                    "VecMutBorrow" => Bytecode::VecMutBorrow(signature),
                    "VecPushBack" => Bytecode::VecPushBack(signature),
                    "VecPopBack" => Bytecode::VecPopBack(signature),
                    "VecSwap" => Bytecode::VecSwap(signature),
                    _ => Bytecode::CallClosure(signature),
                })
            }
            OperandSyntax::Member(member) => self.member(&entry.name, member),
        }
    }

    fn call(
        &mut self,
        name: &str,
        path: &Path,
        arguments: &[TypeSyntax],
        mask: Option<u64>,
    ) -> Result<Bytecode, Mistake> {
        let target = self.function_handle(path)?;
        let mask = mask.unwrap_or(0);
        if !name.ends_with("Generic") {
            return Ok(match name {
                "Call" => Bytecode::Call(target),
                _ => Bytecode::PackClosure(target, mask),
            });
        }
        let type_arguments = self.signature(arguments)?;
        let instance =
            intern(&mut self.tables.function_instantiations, Instantiation { target, type_arguments });
        Ok(match name {
            "CallGeneric" => Bytecode::CallGeneric(instance),
            _ => Bytecode::PackClosureGeneric(instance, mask),
        })
    }

    fn member(&mut self, name: &str, member: &Member) -> Result<Bytecode, Mistake> {
        let owner = self.struct_def(&member.owner)?;
        let is_generic = name.ends_with("Generic");
        let type_arguments = if is_generic { self.signature(&member.arguments)? } else { SignatureIndex(0) };
        match &member.field {
            Some(field) if name.contains("Variant") => {
                let variants =
                    member.variants.iter().map(|name| self.variant(owner, name)).collect::<Result<_, _>>()?;
                let field = field.parse().map_err(|_| "expected a field offset")?;
                let handle = VariantFieldHandle { owner, field, variants };
                let target = intern(&mut self.tables.variant_field_handles, handle);
                if !is_generic {
                    return Ok(match name {
                        "ImmBorrowVariantField" => Bytecode::ImmBorrowVariantField(target),
                        _ => Bytecode::MutBorrowVariantField(target),
                    });
                }
                let instance = Instantiation { target, type_arguments };
                let instance = intern(&mut self.tables.variant_field_instantiations, instance);
                Ok(match name {
                    "ImmBorrowVariantFieldGeneric" => Bytecode::ImmBorrowVariantFieldGeneric(instance),
                    _ => Bytecode::MutBorrowVariantFieldGeneric(instance),
                })
            }
            Some(field) => {
                let names = self.tables[owner].fields().iter();
                let position = names
                    .map(|entry| self.tables[entry.name].as_str())
                    .position(|known| known == field)
                    .or_else(|| field.parse().ok())
                    .ok_or_else(|| format!("no field {field}"))?;
                let handle = FieldHandle { owner, field: position as u16 };
                let target = intern(&mut self.tables.field_handles, handle);
                if !is_generic {
                    return Ok(match name {
                        "MutBorrowField" => Bytecode::MutBorrowField(target),
                        _ => Bytecode::ImmBorrowField(target),
                    });
                }
                let instance = Instantiation { target, type_arguments };
                let instance = intern(&mut self.tables.field_instantiations, instance);
                Ok(match name {
                    "MutBorrowFieldGeneric" => Bytecode::MutBorrowFieldGeneric(instance),
                    _ => Bytecode::ImmBorrowFieldGeneric(instance),
                })
            }
            None if name.contains("Variant") => {
                let [variant] = member.variants.as_slice() else {
                    return Err("expected one variant".to_owned());
                };
                let handle = StructVariantHandle { owner, variant: self.variant(owner, variant)? };
                let target = intern(&mut self.tables.struct_variant_handles, handle);
                if !is_generic {
                    return Ok(match name {
                        "PackVariant" => Bytecode::PackVariant(target),
                        "UnpackVariant" => Bytecode::UnpackVariant(target),
                        _ => Bytecode::TestVariant(target),
                    });
                }
                let instance = Instantiation { target, type_arguments };
                let instance = intern(&mut self.tables.struct_variant_instantiations, instance);
                Ok(match name {
                    "PackVariantGeneric" => Bytecode::PackVariantGeneric(instance),
                    "UnpackVariantGeneric" => Bytecode::UnpackVariantGeneric(instance),
                    _ => Bytecode::TestVariantGeneric(instance),
                })
            }
            None => self.whole_struct(name, owner, type_arguments),
        }
    }

    fn whole_struct(
        &mut self,
        name: &str,
        owner: StructDefIndex,
        type_arguments: SignatureIndex,
    ) -> Result<Bytecode, Mistake> {
        let Some(plain_name) = name.strip_suffix("Generic") else {
            return Ok(match name {
                "Pack" => Bytecode::Pack(owner),
                "Unpack" => Bytecode::Unpack(owner),
                "Exists" => Bytecode::Exists(owner),
                "MutBorrowGlobal" => Bytecode::MutBorrowGlobal(owner),
                "ImmBorrowGlobal" => Bytecode::ImmBorrowGlobal(owner),
                "MoveFrom" => Bytecode::MoveFrom(owner),
                "MoveTo" => Bytecode::MoveTo(owner),
                _ => return Err("expected a field".to_owned()),
            });
        };
        let instance = Instantiation { target: owner, type_arguments };
        let instance = intern(&mut self.tables.struct_instantiations, instance);
        Ok(match plain_name {
            "Pack" => Bytecode::PackGeneric(instance),
            "Unpack" => Bytecode::UnpackGeneric(instance),
            "Exists" => Bytecode::ExistsGeneric(instance),
            "MutBorrowGlobal" => Bytecode::MutBorrowGlobalGeneric(instance),
            "ImmBorrowGlobal" => Bytecode::ImmBorrowGlobalGeneric(instance),
            "MoveFrom" => Bytecode::MoveFromGeneric(instance),
            "MoveTo" => Bytecode::MoveToGeneric(instance),
            _ => return Err("expected a field".to_owned()),
        })
    }

    fn variant(&self, owner: StructDefIndex, name: &str) -> Result<VariantIndex, Mistake> {
        let variants = self.tables[owner].variants().iter();
        let found =
            variants.map(|variant| self.tables[variant.name].as_str()).position(|known| known == name);
        found.map(|position| position as u16).ok_or_else(|| format!("no variant {name}"))
    }
}

fn plain(name: &str) -> Result<Bytecode, Mistake> {
    use Bytecode::*;
    const ALL: [Bytecode; 42] = [
        Pop, Ret, LdTrue, LdFalse, ReadRef, WriteRef, Add, Sub, Mul, Mod, Div, BitOr, BitAnd, Xor, Or, And,
        Not, Eq, Neq, Lt, Gt, Le, Ge, Abort, AbortMsg, Nop, FreezeRef, Shl, Shr, CastU8, CastU16, CastU32,
        CastU64, CastU128, CastU256, CastI8, CastI16, CastI32, CastI64, CastI128, CastI256, Negate,
    ];
    ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| format!("no instruction {name}"))
}

fn numbered(name: &str, number: &str) -> Result<Bytecode, Mistake> {
    fn parse<T: std::str::FromStr>(number: &str) -> Result<T, Mistake> {
        number.parse().map_err(|_| format!("{number} is out of range"))
    }
    Ok(match name {
        "CopyLoc" => Bytecode::CopyLoc(parse(number)?),
        "MoveLoc" => Bytecode::MoveLoc(parse(number)?),
        "StLoc" => Bytecode::StLoc(parse(number)?),
        "MutBorrowLoc" => Bytecode::MutBorrowLoc(parse(number)?),
        "ImmBorrowLoc" => Bytecode::ImmBorrowLoc(parse(number)?),
        "LdU8" => Bytecode::LdU8(parse(number)?),
        "LdU16" => Bytecode::LdU16(parse(number)?),
        "LdU32" => Bytecode::LdU32(parse(number)?),
        "LdU64" => Bytecode::LdU64(parse(number)?),
        "LdU128" => Bytecode::LdU128(parse(number)?),
        "LdI8" => Bytecode::LdI8(parse(number)?),
        "LdI16" => Bytecode::LdI16(parse(number)?),
        "LdI32" => Bytecode::LdI32(parse(number)?),
        "LdI64" => Bytecode::LdI64(parse(number)?),
        "LdI128" => Bytecode::LdI128(parse(number)?),
        "LdU256" => Bytecode::LdU256(wide(number)?),
        "LdI256" => Bytecode::LdI256(wide(number)?),
        _ => return Err(format!("{name} takes no number")),
    })
}

/// 32 little-endian bytes as `0x..`, or a decimal number that fits 128 bits.
fn wide(number: &str) -> Result<[u8; 32], Mistake> {
    let mistake = || format!("{number} is out of range");
    if let Some(digits) = number.strip_prefix("0x") {
        let mut bytes = [0; 32];
        if digits.len() != 64 {
            return Err(mistake());
        }
        for (position, byte) in bytes.iter_mut().enumerate() {
            let pair = digits.get(2 * position..2 * position + 2).ok_or_else(mistake)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| mistake())?;
        }
        return Ok(bytes);
    }
    let value: i128 = number.parse().map_err(|_| mistake())?;
    let mut bytes = [if value < 0 { 0xFF } else { 0 }; 32];
    bytes[..16].copy_from_slice(&value.to_le_bytes());
    Ok(bytes)
}
