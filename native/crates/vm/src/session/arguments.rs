//! Arguments: from BCS bytes into the first frame, under the rules of who calls.

use ledger_types::{Address, Identifier, ModuleId, StructTag, TypeTag};

use super::layout::framework_struct;
use super::{Session, Target};
use crate::api::CallMode;
use crate::errors::{Fault, Location, LocationModule, status};
use crate::exec::globals::address;
use crate::gas::GasMeter;
use crate::memory::FRAME_START;
use crate::types::{Kind, TypeId, TypeInfo};

/// Most values that the check of one argument looks at.
const CHECKED_VALUES_MAX: usize = 1 << 20;
/// `string::utf8` on bytes that are not UTF-8.
const INVALID_UTF8: u64 = 1;
/// `option::from_vec` on more than one element.
const OPTION_TOO_LONG: u64 = 0x4_0001;
/// `object::address_to_object` where there is no object.
const NO_OBJECT: u64 = 0x6_0002;
/// `object::address_to_object` where the object has no such resource.
const NO_OBJECT_RESOURCE: u64 = 0x6_0007;

impl Session<'_> {
    /// Checks the rules of `mode` and decodes the arguments into the first frame. Answers the blocks
    /// that hold what reference parameters point to.
    pub(super) fn place_arguments(
        &mut self,
        target: &Target<'_>,
        arguments: &[&[u8]],
        mode: CallMode<'_>,
        meter: &mut GasMeter,
    ) -> Result<Vec<usize>, Fault> {
        let signers: &[Address] = match mode {
            CallMode::Bypass => &[],
            CallMode::View => {
                self.check_view(target)?;
                &[]
            }
            CallMode::Entry { signers } => {
                self.check_entry(target, arguments.len(), signers.len())?;
                signers
            }
        };
        let restricted = mode != CallMode::Bypass;
        let signer_count = if restricted { self.signer_parameters(target) } else { 0 };
        let filled = if matches!(mode, CallMode::Entry { .. }) { signer_count } else { 0 };
        if arguments.len() + filled != target.code.parameters.len() {
            return Err(Fault::new(status::NUMBER_OF_ARGUMENTS_MISMATCH));
        }
        let mut blocks = Vec::new();
        for (number, parameter) in target.code.parameters.iter().enumerate() {
            let at = FRAME_START + parameter.offset as usize;
            let bytes: &[u8] = match number.checked_sub(filled) {
                Some(position) => arguments[position],
                None => &signers.get(number).ok_or_else(|| Fault::invariant("signer missing"))?.0,
            };
            let info = self.env.ty(parameter.ty);
            match info.referent() {
                None => self.decode(info, bytes, at)?,
                Some(inner) => {
                    let inner = self.env.ty(inner);
                    let block = self.env.memory.allocate(inner.slots as usize * 8)?;
                    self.decode(inner, bytes, block + 1)?;
                    let word = if inner.narrow != 0 { (block + 1) * 8 } else { block + 1 };
                    self.env.memory.set_word(at, word as u64);
                    blocks.push(block);
                }
            }
            if restricted && number >= filled {
                self.check_value(parameter.ty, at, meter)?;
            }
        }
        if matches!(mode, CallMode::Entry { .. }) && !self.definition(target).is_entry {
            return Err(Fault::new(status::EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION));
        }
        Ok(blocks)
    }

    fn decode(&self, info: &TypeInfo, bytes: &[u8], at: usize) -> Result<(), Fault> {
        let info = self.env.ty(info.id);
        self.env
            .values()
            .decode(info, bytes, at)
            .map_err(|error| error.or_status(status::FAILED_TO_DESERIALIZE_ARGUMENT))
    }

    fn definition(&self, target: &Target<'_>) -> &ledger_bytecode::FunctionDef {
        &self.env.catalog.module(target.module).code[target.function]
    }

    /// Whether a parameter takes a signer, by value or by `&`.
    fn is_signer(&self, ty: TypeId) -> bool {
        let info = self.env.ty(ty);
        match info.kind {
            Kind::Signer => true,
            Kind::Reference(inner) => matches!(self.env.ty(inner).kind, Kind::Signer),
            _ => false,
        }
    }

    fn signer_parameters(&self, target: &Target<'_>) -> usize {
        target.code.parameters.iter().filter(|parameter| self.is_signer(parameter.ty)).count()
    }

    fn check_entry(&self, target: &Target<'_>, arguments: usize, signers: usize) -> Result<(), Fault> {
        let definition = self.definition(target);
        if definition.is_native() {
            return Err(Fault::new(status::USER_DEFINED_NATIVE_NOT_ALLOWED));
        }
        let wrong = || Fault::new(status::INVALID_MAIN_FUNCTION_SIGNATURE);
        if !target.code.results.is_empty() {
            return Err(wrong());
        }
        let wanted = self.signer_parameters(target);
        for parameter in target.code.parameters.iter().skip(wanted) {
            if !self.is_allowed(parameter.ty) {
                return Err(wrong());
            }
        }
        if target.code.parameters.iter().take(wanted).any(|parameter| !self.is_signer(parameter.ty)) {
            return Err(wrong());
        }
        if wanted + arguments != target.code.parameters.len() {
            return Err(Fault::new(status::NUMBER_OF_ARGUMENTS_MISMATCH));
        }
        if wanted > 0 && wanted != signers {
            return Err(Fault::new(status::NUMBER_OF_SIGNER_ARGUMENTS_MISMATCH));
        }
        Ok(())
    }

    fn check_view(&self, target: &Target<'_>) -> Result<(), Fault> {
        let linked = self.env.catalog.module(target.module);
        let name = linked.function_name(target.function.0);
        let wrong = |why: String| Fault::with_message(status::INVALID_MAIN_FUNCTION_SIGNATURE, why);
        if !linked.attributes.is_view(name.as_str()) {
            return Err(wrong(format!("{}::{name} is not marked as a view", linked.id)));
        }
        if target.code.results.is_empty() {
            return Err(wrong(format!("{}::{name} returns nothing", linked.id)));
        }
        for parameter in &target.code.parameters {
            let is_bare_signer = matches!(self.env.ty(parameter.ty).kind, Kind::Signer);
            if !is_bare_signer && !self.is_allowed(parameter.ty) {
                return Err(wrong(format!(
                    "{}::{name} takes an argument that a caller cannot give",
                    linked.id
                )));
            }
        }
        Ok(())
    }

    /// Whether a transaction may give a value of this type.
    fn is_allowed(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        loop {
            let info = self.env.ty(ty);
            match info.kind {
                Kind::Bool | Kind::Int(_) | Kind::Address => return true,
                Kind::Vector(element) => ty = element,
                Kind::Struct(_) | Kind::Enum(_) => {
                    let catalog = self.env.catalog;
                    if let Some([inner]) = framework_struct(catalog, info, "option", "Option") {
                        ty = *inner;
                        continue;
                    }
                    return [("string", "String"), ("object", "Object")]
                        .iter()
                        .chain(&[("fixed_point32", "FixedPoint32"), ("fixed_point64", "FixedPoint64")])
                        .any(|(module, name)| framework_struct(catalog, info, module, name).is_some());
                }
                _ => return false,
            }
        }
    }

    /// What the constructors of the allowed structs would check.
    fn check_value(&mut self, ty: TypeId, at: usize, meter: &mut GasMeter) -> Result<(), Fault> {
        let catalog = self.env.catalog;
        let memory = self.env.memory;
        let mut waiting = vec![(ty, at)];
        let mut checked = 0usize;
        while let Some((ty, at)) = waiting.pop() {
            checked += 1;
            if checked > CHECKED_VALUES_MAX {
                return Err(Fault::new(status::FAILED_TO_DESERIALIZE_ARGUMENT));
            }
            let info = self.env.ty(ty);
            match &info.kind {
                Kind::Vector(element) => {
                    let element = self.env.ty(*element);
                    let plain = matches!(element.kind, Kind::Bool | Kind::Int(_) | Kind::Address);
                    let block = memory.word(at) as usize;
                    let count = if plain { 0 } else { memory.length(block) };
                    let slots = element.slots as usize;
                    waiting.extend((0..count).rev().map(|i| (element.id, block + 1 + i * slots)));
                }
                Kind::Struct(_) | Kind::Enum(_) => {
                    if framework_struct(catalog, info, "string", "String").is_some() {
                        let block = memory.word(at) as usize;
                        let mut bytes = Vec::new();
                        memory.read_bytes((block + 1) * 8, memory.length(block), &mut bytes);
                        if std::str::from_utf8(&bytes).is_err() {
                            return Err(constructor_abort("string", INVALID_UTF8));
                        }
                    } else if framework_struct(catalog, info, "option", "Option").is_some() {
                        self.check_option(info, at, &mut waiting)?;
                    } else if let Some([inner]) = framework_struct(catalog, info, "object", "Object") {
                        let object = address(std::array::from_fn(|i| memory.word(at + i)));
                        self.check_object(object, *inner, meter)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// An option is a struct around a vector of at most one, or an enum; its BCS is the same.
    fn check_option(
        &self,
        info: &TypeInfo,
        at: usize,
        waiting: &mut Vec<(TypeId, usize)>,
    ) -> Result<(), Fault> {
        let memory = self.env.memory;
        match &info.kind {
            Kind::Struct(fields) => {
                let Some(field) = fields.first() else { return Ok(()) };
                if memory.length(memory.word(at) as usize) > 1 {
                    return Err(constructor_abort("option", OPTION_TOO_LONG));
                }
                waiting.push((field.ty, at));
            }
            Kind::Enum(variants) => {
                let variant = usize::try_from(memory.word(at)).ok().and_then(|tag| variants.get(tag));
                let fields = variant.map_or(&[][..], |variant| &variant.fields);
                waiting.extend(fields.iter().map(|field| (field.ty, at + field.offset as usize)));
            }
            _ => {}
        }
        Ok(())
    }

    fn check_object(&mut self, object: Address, inner: TypeId, meter: &mut GasMeter) -> Result<(), Fault> {
        let catalog = self.env.catalog;
        let core = TypeTag::Struct(Box::new(StructTag {
            address: Address::ONE,
            module: Identifier::new_unchecked("object"),
            name: Identifier::new_unchecked("ObjectCore"),
            type_args: Vec::new(),
        }));
        let core = self.data.resolve(catalog, &core)?;
        for (ty, code) in [(core, NO_OBJECT), (inner, NO_OBJECT_RESOURCE)] {
            let item = self.data.resource(self.env, meter, object, ty)?;
            if !self.data.exists(item) {
                return Err(constructor_abort("object", code));
            }
        }
        Ok(())
    }
}

/// The abort of a constructor that was checked here instead of run.
fn constructor_abort(module: &str, code: u64) -> Fault {
    let module = ModuleId { address: Address::ONE, name: Identifier::new_unchecked(module) };
    Fault::abort(code).at(Location { module: LocationModule::Module(module), function: 0, code_offset: 0 })
}
