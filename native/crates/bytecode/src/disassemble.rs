//! Modules and scripts as text, for people and for tests.
//!
//! The text names everything instead of numbering it, shows instruction offsets, and is complete
//! enough for the test assembler to read it back, but for access specifiers, which are comments.
//!
//! ```text
//! module 0xcafe::vault
//! version 7
//! import fun 0x1::signer::address_of(&signer): address
//! struct Coin has store { value: u64 }
//! fun take(&mut 0xcafe::vault::Coin, u64): 0xcafe::vault::Coin {
//!   0: CopyLoc 0
//!   1: ImmBorrowField Coin.value
//! ```

mod instruction;

use std::fmt::{self, Display, Write};

use crate::model::*;
use crate::type_text::TypeStyle;

/// The text of a module whose bounds are good.
pub fn disassemble_module(module: &CompiledModule) -> String {
    let mut text = String::new();
    write_module(&mut text, module).expect("writing to a string cannot fail");
    text
}

/// The text of a script whose bounds are good.
pub fn disassemble_script(script: &CompiledScript) -> String {
    let mut text = String::new();
    write_script(&mut text, script).expect("writing to a string cannot fail");
    text
}

fn write_module(out: &mut String, module: &CompiledModule) -> fmt::Result {
    writeln!(out, "module {}", module.id())?;
    writeln!(out, "version {}", module.version)?;
    for friend in module.friend_ids() {
        writeln!(out, "friend {friend}")?;
    }
    write_metadata(out, module)?;
    write_imports(out, module, Some(module.self_handle))?;
    for (_, def) in module.struct_defs() {
        write_struct(out, module, def)?;
    }
    for (_, def) in module.function_defs() {
        let handle = &module[def.handle];
        writeln!(out)?;
        if def.is_native() {
            out.write_str("native ")?;
        }
        out.write_str(match def.visibility {
            Visibility::Private => "",
            Visibility::Friend => "friend ",
            Visibility::Public => "public ",
        })?;
        if def.is_entry {
            out.write_str("entry ")?;
        }
        write!(out, "fun {}", module[handle.name])?;
        write_function_type(out, module, handle)?;
        if !def.acquires.is_empty() {
            let names = def.acquires.iter().map(|owner| module.struct_name(module[*owner].handle));
            write!(out, " acquires {}", Joined(names))?;
        }
        write_attributes(out, &handle.attributes)?;
        match &def.code {
            Some(code) => write_code(out, module, code)?,
            None => writeln!(out)?,
        }
        write_access(out, handle.access.as_deref())?;
    }
    Ok(())
}

fn write_script(out: &mut String, script: &CompiledScript) -> fmt::Result {
    writeln!(out, "script")?;
    writeln!(out, "version {}", script.version)?;
    write_metadata(out, script)?;
    write_imports(out, script, None)?;
    write!(out, "\nfun main{}", FunctionTypeParameters(&script.type_parameters))?;
    write!(out, "({})", TypeList(script, script.parameters))?;
    write_code(out, script, &script.code)?;
    write_access(out, script.access.as_deref())
}

fn write_metadata(out: &mut String, tables: &Tables) -> fmt::Result {
    for entry in &tables.metadata {
        writeln!(out, "metadata {} {}", Hex(&entry.key), Hex(&entry.value))?;
    }
    Ok(())
}

fn write_imports(out: &mut String, tables: &Tables, own: Option<ModuleHandleIndex>) -> fmt::Result {
    for handle in tables.struct_handles.iter().filter(|handle| Some(handle.module) != own) {
        let module = tables.module_id(&tables[handle.module]);
        write!(out, "import struct {module}::{}", tables[handle.name])?;
        writeln!(out, "{}{}", StructTypeParameters(&handle.type_parameters), Has(handle.abilities))?;
    }
    for handle in tables.function_handles.iter().filter(|handle| Some(handle.module) != own) {
        let module = tables.module_id(&tables[handle.module]);
        write!(out, "import fun {module}::{}", tables[handle.name])?;
        write_function_type(out, tables, handle)?;
        write_attributes(out, &handle.attributes)?;
        writeln!(out)?;
        write_access(out, handle.access.as_deref())?;
    }
    Ok(())
}

fn write_struct(out: &mut String, module: &CompiledModule, def: &StructDef) -> fmt::Result {
    let handle = &module[def.handle];
    let kind = match def.layout {
        StructLayout::Native => "native struct",
        StructLayout::Struct(_) => "struct",
        StructLayout::Enum(_) => "enum",
    };
    write!(out, "\n{kind} {}", module[handle.name])?;
    write!(out, "{}{}", StructTypeParameters(&handle.type_parameters), Has(handle.abilities))?;
    match &def.layout {
        StructLayout::Native => writeln!(out),
        StructLayout::Struct(fields) => writeln!(out, " {}", FieldList(module, fields)),
        StructLayout::Enum(variants) => {
            writeln!(out, " {{")?;
            for variant in variants {
                writeln!(out, "  {} {},", module[variant.name], FieldList(module, &variant.fields))?;
            }
            writeln!(out, "}}")
        }
    }
}

fn write_function_type(out: &mut String, tables: &Tables, handle: &FunctionHandle) -> fmt::Result {
    write!(out, "{}", FunctionTypeParameters(&handle.type_parameters))?;
    write!(out, "({})", TypeList(tables, handle.parameters))?;
    if !tables[handle.results].is_empty() {
        write!(out, ": {}", TypeList(tables, handle.results))?;
    }
    Ok(())
}

fn write_attributes(out: &mut String, attributes: &[FunctionAttribute]) -> fmt::Result {
    if attributes.is_empty() {
        return Ok(());
    }
    let texts = attributes.iter().map(|attribute| match attribute {
        FunctionAttribute::Persistent => "persistent".to_owned(),
        FunctionAttribute::ModuleLock => "module_lock".to_owned(),
        FunctionAttribute::Pack => "pack".to_owned(),
        FunctionAttribute::PackVariant(variant) => format!("pack_variant {variant}"),
        FunctionAttribute::Unpack => "unpack".to_owned(),
        FunctionAttribute::UnpackVariant(variant) => format!("unpack_variant {variant}"),
        FunctionAttribute::TestVariant(variant) => format!("test_variant {variant}"),
        FunctionAttribute::BorrowField(field) => format!("borrow_field {field}"),
        FunctionAttribute::BorrowFieldMut(field) => format!("borrow_field_mut {field}"),
    });
    write!(out, " attributes [{}]", Joined(texts))
}

fn write_access(out: &mut String, specifiers: Option<&[AccessSpecifier]>) -> fmt::Result {
    for specifier in specifiers.unwrap_or(&[]) {
        writeln!(out, "// access {specifier:?}")?;
    }
    Ok(())
}

fn write_code(out: &mut String, tables: &Tables, unit: &CodeUnit) -> fmt::Result {
    writeln!(out, " {{")?;
    if !tables[unit.locals].is_empty() {
        writeln!(out, "  locals {}", TypeList(tables, unit.locals))?;
    }
    for (offset, instruction) in unit.code.iter().enumerate() {
        write!(out, "  {offset}: ")?;
        instruction::write(out, tables, instruction)?;
        out.push('\n');
    }
    writeln!(out, "}}")
}

/// Items with `, ` between them.
struct Joined<I>(I);

impl<I: Clone + Iterator<Item: Display>> Display for Joined<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, item) in self.0.clone().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{item}")?;
        }
        Ok(())
    }
}

/// The types of a signature.
struct TypeList<'a>(&'a Tables, SignatureIndex);

impl Display for TypeList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Joined(self.0.types(self.1).iter().map(|entry| assembly_type(self.0, entry))))
    }
}

fn assembly_type(tables: &Tables, entry: &Type) -> String {
    tables.styled_type_text(entry.nodes(), TypeStyle::Assembly)
}

struct FieldList<'a>(&'a Tables, &'a [Field]);

impl Display for FieldList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = self
            .1
            .iter()
            .map(|field| format!("{}: {}", self.0[field.name], assembly_type(self.0, &field.field_type)));
        write!(f, "{{ {} }}", Joined(texts))
    }
}

/// ` has copy+drop`, or nothing.
struct Has(AbilitySet);

impl Display for Has {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_abilities(f, " has ", self.0)
    }
}

fn write_abilities(f: &mut fmt::Formatter<'_>, before: &str, set: AbilitySet) -> fmt::Result {
    for (position, ability) in set.iter().enumerate() {
        f.write_str(if position == 0 { before } else { "+" })?;
        f.write_str(ability.name())?;
    }
    Ok(())
}

struct StructTypeParameters<'a>(&'a [StructTypeParameter]);

impl Display for StructTypeParameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, parameter) in self.0.iter().enumerate() {
            f.write_str(if position == 0 { "<" } else { ", " })?;
            f.write_str(if parameter.is_phantom { "phantom " } else { "" })?;
            write!(f, "T{position}")?;
            write_abilities(f, ": ", parameter.constraints)?;
        }
        f.write_str(if self.0.is_empty() { "" } else { ">" })
    }
}

struct FunctionTypeParameters<'a>(&'a [AbilitySet]);

impl Display for FunctionTypeParameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, constraints) in self.0.iter().enumerate() {
            f.write_str(if position == 0 { "<" } else { ", " })?;
            write!(f, "T{position}")?;
            write_abilities(f, ": ", *constraints)?;
        }
        f.write_str(if self.0.is_empty() { "" } else { ">" })
    }
}

/// Bytes as `0x..`.
struct Hex<'a>(&'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
