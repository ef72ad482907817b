//! Tokens to [`Unit`].

use ledger_bytecode::{Ability, AbilitySet, FunctionAttribute, StructTypeParameter, TypeNode, Visibility};
use ledger_types::{Address, Identifier, ModuleId};

use super::lexer::{Mistake, Token, tokens};
use super::operand::{Form, form};
use super::syntax::*;

/// Types nest no deeper in test sources; counted because the parser recurses over them.
const TYPE_DEPTH_MAX: usize = 600;

pub(super) fn unit(source: &str) -> Result<Unit, Mistake> {
    let mut parser = Parser { tokens: tokens(source), at: 0 };
    let mut unit = Unit { version: 7, ..Unit::default() };
    if parser.accept("module") {
        unit.id = Some(parser.module_id()?);
    } else {
        parser.expect("script")?;
    }
    while parser.peek().is_some() {
        parser.item(&mut unit)?;
    }
    Ok(unit)
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(|token| token.text)
    }

    fn peek_second(&self) -> Option<&'a str> {
        self.tokens.get(self.at + 1).map(|token| token.text)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |token| token.line)
    }

    fn mistake<T>(&self, expected: &str) -> Result<T, Mistake> {
        Err(format!(
            "line {}: expected {expected}, found {:?}",
            self.line(),
            self.peek().unwrap_or("the end")
        ))
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Mistake> {
        if self.accept(text) { Ok(()) } else { self.mistake(text) }
    }

    fn word(&mut self) -> Result<&'a str, Mistake> {
        match self.peek() {
            Some(text) if text.starts_with(|c: char| c.is_ascii_alphanumeric() || "_$-".contains(c)) => {
                self.at += 1;
                Ok(text)
            }
            _ => self.mistake("a word"),
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, Mistake> {
        let text = self.word()?.replace('_', "");
        text.parse().or_else(|_| {
            self.at -= 1;
            self.mistake("a number")
        })
    }

    fn hex(&mut self) -> Result<Vec<u8>, Mistake> {
        let text = self.word()?;
        let digits = text.strip_prefix("0x").filter(|digits| digits.len() % 2 == 0);
        let bytes = digits.and_then(|digits| {
            (0..digits.len() / 2)
                .map(|position| u8::from_str_radix(digits.get(2 * position..2 * position + 2)?, 16).ok())
                .collect()
        });
        match bytes {
            Some(bytes) => Ok(bytes),
            None => self.mistake("bytes as 0x and pairs of digits before this"),
        }
    }

    /// Items with commas between them, up to `end`, which is consumed. A last comma is allowed.
    fn list<T>(
        &mut self,
        end: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Mistake>,
    ) -> Result<Vec<T>, Mistake> {
        let mut items = Vec::new();
        while !self.accept(end) {
            items.push(item(self)?);
            if !self.accept(",") {
                self.expect(end)?;
                break;
            }
        }
        Ok(items)
    }

    fn address(&mut self) -> Result<Address, Mistake> {
        let text = self.word()?;
        text.parse().or_else(|_| self.mistake("an address before this"))
    }

    fn module_id(&mut self) -> Result<ModuleId, Mistake> {
        let address = self.address()?;
        self.expect("::")?;
        Ok(ModuleId { address, name: Identifier::new_unchecked(self.word()?) })
    }

    /// `name`, or `0x1::module::name`.
    fn path(&mut self) -> Result<Path, Mistake> {
        if self.peek().is_some_and(|text| text.starts_with("0x")) {
            let module = self.module_id()?;
            self.expect("::")?;
            let name = self.word()?.to_owned();
            return Ok(Path { module: Some((module.address, module.name.as_str().to_owned())), name });
        }
        Ok(Path { module: None, name: self.word()?.to_owned() })
    }

    fn item(&mut self, unit: &mut Unit) -> Result<(), Mistake> {
        if self.accept("version") {
            unit.version = self.number()?;
        } else if self.peek() == Some("friend") && self.peek_second().is_some_and(|t| t.starts_with("0x")) {
            self.at += 1;
            unit.friends.push(self.module_id()?);
        } else if self.accept("metadata") {
            unit.metadata.push((self.hex()?, self.hex()?));
        } else if self.accept("import") {
            if self.accept("struct") {
                unit.structs.push(self.structure(|_| Ok(StructBody::Imported))?);
            } else {
                self.expect("fun")?;
                let visibility = Visibility::Public;
                unit.functions.push(self.function(visibility, false, |_| Ok(FunctionBody::Imported))?);
            }
        } else if self.accept("struct") {
            unit.structs.push(self.structure(|parser| Ok(StructBody::Struct(parser.fields()?)))?);
        } else if self.accept("enum") {
            unit.structs.push(self.structure(|parser| {
                parser.expect("{")?;
                let variants = parser.list("}", |parser| {
                    let name = parser.word()?.to_owned();
                    let fields = if parser.peek() == Some("{") { parser.fields()? } else { Vec::new() };
                    Ok((name, fields))
                })?;
                Ok(StructBody::Enum(variants))
            })?);
        } else {
            let is_native = self.accept("native");
            if is_native && self.accept("struct") {
                unit.structs.push(self.structure(|_| Ok(StructBody::Native))?);
                return Ok(());
            }
            let visibility = if self.accept("public") {
                Visibility::Public
            } else if self.accept("friend") {
                Visibility::Friend
            } else {
                Visibility::Private
            };
            let is_entry = self.accept("entry");
            self.expect("fun")?;
            unit.functions.push(self.function(visibility, is_entry, |parser| {
                if is_native { Ok(FunctionBody::Native) } else { Ok(FunctionBody::Code(parser.code()?)) }
            })?);
        }
        Ok(())
    }

    fn abilities(&mut self) -> Result<AbilitySet, Mistake> {
        let mut set = AbilitySet::EMPTY;
        loop {
            let word = self.word()?;
            let Some(ability) = Ability::ALL.into_iter().find(|ability| ability.name() == word) else {
                self.at -= 1;
                return self.mistake("an ability");
            };
            set = set.with(ability);
            if !self.accept("+") {
                return Ok(set);
            }
        }
    }

    fn has(&mut self) -> Result<AbilitySet, Mistake> {
        if self.accept("has") { self.abilities() } else { Ok(AbilitySet::EMPTY) }
    }

    /// `<T0: copy, phantom T1>`; names must be T0, T1 and so on.
    fn type_parameters(&mut self) -> Result<Vec<StructTypeParameter>, Mistake> {
        if !self.accept("<") {
            return Ok(Vec::new());
        }
        self.list(">", |parser| {
            let is_phantom = parser.accept("phantom");
            parser.word()?;
            let constraints = if parser.accept(":") { parser.abilities()? } else { AbilitySet::EMPTY };
            Ok(StructTypeParameter { constraints, is_phantom })
        })
    }

    fn structure(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<StructBody, Mistake>,
    ) -> Result<StructItem, Mistake> {
        Ok(StructItem {
            path: self.path()?,
            type_parameters: self.type_parameters()?,
            abilities: self.has()?,
            body: body(self)?,
        })
    }

    fn fields(&mut self) -> Result<Vec<(String, TypeSyntax)>, Mistake> {
        self.expect("{")?;
        self.list("}", |parser| {
            let name = parser.word()?.to_owned();
            parser.expect(":")?;
            Ok((name, parser.type_syntax()?))
        })
    }

    fn function(
        &mut self,
        visibility: Visibility,
        is_entry: bool,
        body: impl FnOnce(&mut Self) -> Result<FunctionBody, Mistake>,
    ) -> Result<FunctionItem, Mistake> {
        let path = self.path()?;
        let type_parameters =
            self.type_parameters()?.into_iter().map(|parameter| parameter.constraints).collect();
        self.expect("(")?;
        let parameters = self.list(")", Self::type_syntax)?;
        let results = if self.accept(":") { self.type_list()? } else { Vec::new() };
        let mut acquires = Vec::new();
        if self.accept("acquires") {
            acquires.push(self.word()?.to_owned());
            while self.accept(",") {
                acquires.push(self.word()?.to_owned());
            }
        }
        let mut attributes = Vec::new();
        if self.accept("attributes") {
            self.expect("[")?;
            attributes = self.list("]", Self::attribute)?;
        }
        let body = body(self)?;
        Ok(FunctionItem {
            path,
            type_parameters,
            parameters,
            results,
            acquires,
            attributes,
            visibility,
            is_entry,
            body,
        })
    }

    fn attribute(&mut self) -> Result<FunctionAttribute, Mistake> {
        Ok(match self.word()? {
            "persistent" => FunctionAttribute::Persistent,
            "module_lock" => FunctionAttribute::ModuleLock,
            "pack" => FunctionAttribute::Pack,
            "pack_variant" => FunctionAttribute::PackVariant(self.number()?),
            "unpack" => FunctionAttribute::Unpack,
            "unpack_variant" => FunctionAttribute::UnpackVariant(self.number()?),
            "test_variant" => FunctionAttribute::TestVariant(self.number()?),
            "borrow_field" => FunctionAttribute::BorrowField(self.number()?),
            "borrow_field_mut" => FunctionAttribute::BorrowFieldMut(self.number()?),
            _ => return self.mistake("an attribute before this"),
        })
    }

    /// One or more types with commas between them.
    fn type_list(&mut self) -> Result<Vec<TypeSyntax>, Mistake> {
        let mut types = vec![self.type_syntax()?];
        while self.accept(",") {
            types.push(self.type_syntax()?);
        }
        Ok(types)
    }

    fn type_syntax(&mut self) -> Result<TypeSyntax, Mistake> {
        let mut nodes = Vec::new();
        self.type_nodes(&mut nodes, 0)?;
        Ok(TypeSyntax(nodes))
    }

    fn type_nodes(&mut self, nodes: &mut Vec<NodeSyntax>, depth: usize) -> Result<(), Mistake> {
        if depth > TYPE_DEPTH_MAX {
            return self.mistake("a type that nests less");
        }
        if self.accept("&") {
            let node = if self.accept("mut") { TypeNode::MutableReference } else { TypeNode::Reference };
            nodes.push(NodeSyntax::Plain(node));
            return self.type_nodes(nodes, depth + 1);
        }
        if self.accept("|") {
            return self.function_type(nodes, depth);
        }
        let node = match self.peek().unwrap_or("") {
            "bool" => TypeNode::Bool,
            "u8" => TypeNode::U8,
            "u16" => TypeNode::U16,
            "u32" => TypeNode::U32,
            "u64" => TypeNode::U64,
            "u128" => TypeNode::U128,
            "u256" => TypeNode::U256,
            "i8" => TypeNode::I8,
            "i16" => TypeNode::I16,
            "i32" => TypeNode::I32,
            "i64" => TypeNode::I64,
            "i128" => TypeNode::I128,
            "i256" => TypeNode::I256,
            "address" => TypeNode::Address,
            "signer" => TypeNode::Signer,
            "vector" => {
                self.at += 1;
                self.expect("<")?;
                nodes.push(NodeSyntax::Plain(TypeNode::Vector));
                self.type_nodes(nodes, depth + 1)?;
                return self.expect(">");
            }
            text => match text.strip_prefix('T').and_then(|digits| digits.parse().ok()) {
                Some(index) => TypeNode::TypeParameter(index),
                None => {
                    let path = self.path()?;
                    let arguments = self.type_arguments(depth)?;
                    nodes.push(NodeSyntax::Struct(path, arguments.len() as u8));
                    nodes.extend(arguments.into_iter().flat_map(|argument| argument.0));
                    return Ok(());
                }
            },
        };
        self.at += 1;
        nodes.push(NodeSyntax::Plain(node));
        Ok(())
    }

    /// After the first bar of `|u64|(bool) has copy`.
    fn function_type(&mut self, nodes: &mut Vec<NodeSyntax>, depth: usize) -> Result<(), Mistake> {
        let mut one = |parser: &mut Self| {
            let mut inner = Vec::new();
            parser.type_nodes(&mut inner, depth + 1)?;
            Ok(inner)
        };
        let parameters = self.list("|", &mut one)?;
        self.expect("(")?;
        let results = self.list(")", &mut one)?;
        let abilities = self.has()?;
        nodes.push(NodeSyntax::Plain(TypeNode::Function {
            abilities,
            parameters: parameters.len() as u8,
            results: results.len() as u8,
        }));
        nodes.extend(parameters.into_iter().chain(results).flatten());
        Ok(())
    }

    fn type_arguments(&mut self, depth: usize) -> Result<Vec<TypeSyntax>, Mistake> {
        if !self.accept("<") {
            return Ok(Vec::new());
        }
        self.list(">", |parser| {
            let mut nodes = Vec::new();
            parser.type_nodes(&mut nodes, depth + 1)?;
            Ok(TypeSyntax(nodes))
        })
    }

    fn code(&mut self) -> Result<CodeSyntax, Mistake> {
        self.expect("{")?;
        let locals = if self.accept("locals") { self.type_list()? } else { Vec::new() };
        let mut labels = Vec::new();
        let mut instructions = Vec::new();
        while !self.accept("}") {
            let line = self.line();
            let name = self.word()?;
            if self.accept(":") {
                labels.push((name.to_owned(), instructions.len()));
                continue;
            }
            let Some(form) = form(name) else {
                self.at -= 1;
                return self.mistake("an instruction");
            };
            let operand = self.operand(form)?;
            instructions.push(InstructionSyntax { name: name.to_owned(), operand, line });
        }
        Ok(CodeSyntax { locals, labels, instructions })
    }

    fn operand(&mut self, form: Form) -> Result<OperandSyntax, Mistake> {
        Ok(match form {
            Form::None => OperandSyntax::None,
            Form::Label => OperandSyntax::Label(self.word()?.to_owned()),
            Form::Number => OperandSyntax::Number(self.word()?.replace('_', "")),
            Form::Constant => OperandSyntax::Constant(self.type_syntax()?, self.hex()?),
            Form::Function | Form::Closure => {
                let path = self.path()?;
                let arguments = self.type_arguments(0)?;
                let mask = if form == Form::Closure { Some(self.number()?) } else { None };
                OperandSyntax::Function { path, arguments, mask }
            }
            Form::Types => OperandSyntax::Types(self.type_list()?, None),
            Form::TypesAndCount => OperandSyntax::Types(self.type_list()?, Some(self.number()?)),
            Form::Member => OperandSyntax::Member(self.member()?),
        })
    }

    /// `S`, `S<u64>.x`, `E::A`, `E<u64>::{A, B}.0`.
    fn member(&mut self) -> Result<Member, Mistake> {
        let owner = self.path()?;
        let arguments = self.type_arguments(0)?;
        let mut variants = Vec::new();
        if self.accept("::") {
            if self.accept("{") {
                variants = self.list("}", |parser| Ok(parser.word()?.to_owned()))?;
            } else {
                variants.push(self.word()?.to_owned());
            }
        }
        let field = if self.accept(".") { Some(self.word()?.to_owned()) } else { None };
        Ok(Member { owner, arguments, variants, field })
    }
}
