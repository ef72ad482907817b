//! Functions by name at run time: `0x1::function_info`, and the hooks whose call is a call of the
//! function they are given.
//!
//! `FunctionInfo { module_address: address, module_name: String, function_name: String }`.

use ledger_bytecode::{AbilitySet, FunctionDefIndex, SignatureIndex, Visibility};
use ledger_types::{Address, Identifier, ModuleId};

use super::NativeCx;
use crate::catalog::InstanceKey;
use crate::errors::{Fault, status};
use crate::link::LinkedModule;
use crate::types::{Int, ModuleIx, TypeId, TypeKey};

/// Abort code of a function that does not exist.
const INVALID_FUNCTION: u64 = 2;

/// A function that exists.
struct Named {
    module: ModuleIx,
    function: FunctionDefIndex,
}

/// What a function takes and gives under some type arguments.
type Shape = (Vec<TypeId>, Vec<TypeId>);

impl<'a> NativeCx<'a, '_> {
    /// The function that a `&FunctionInfo` names; `None` if there is none.
    fn named_function(&mut self, number: usize) -> Result<Option<Named>, Fault> {
        let at = self.target(number)?;
        let address: Address = self.address_at(at);
        let (module, function) = (self.bytes_at(at + 4), self.bytes_at(at + 5));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
        let Some((module, function)) = text(module).zip(text(function)) else { return Ok(None) };
        let Ok(name) = Identifier::new(&module) else { return Ok(None) };
        let module = match self.data.module(self.env.catalog, &ModuleId { address, name }) {
            Ok(module) => module,
            Err(fault) if fault.status() == status::LINKER_ERROR => return Ok(None),
            Err(fault) => return Err(fault),
        };
        let index = self.env.catalog.module(module).function(&function);
        Ok(index.map(|function| Named { module, function }))
    }

    fn linked(&self, named: &Named) -> &'a LinkedModule {
        self.env.catalog.module(named.module)
    }

    /// Parameters and results of a function, its type parameters standing for `arguments`.
    fn shape(&self, named: &Named, arguments: &[TypeId]) -> Result<Shape, Fault> {
        let (catalog, module) = (self.env.catalog, self.linked(named));
        let handle = module.code.handle_of(named.function);
        let types = |signature: SignatureIndex| {
            let list: &[ledger_bytecode::Type] = &module.code[signature].0;
            list.iter()
                .map(|ty| catalog.types.resolve(&catalog.modules, module, ty.nodes(), arguments))
                .collect::<Result<Vec<_>, _>>()
        };
        Ok((types(handle.parameters)?, types(handle.results)?))
    }

    /// As many types as a function has type parameters, no two alike: vectors of `int`, ever deeper.
    fn stand_ins(&self, count: usize, int: Int) -> Result<Vec<TypeId>, Fault> {
        let catalog = self.env.catalog;
        let mut list = Vec::with_capacity(count);
        let mut key = TypeKey::Int(int);
        for _ in 0..count {
            let ty = catalog.types.intern(&catalog.modules, key)?;
            list.push(ty);
            key = TypeKey::Vector(ty);
        }
        Ok(list)
    }

    fn constraints(&self, named: &Named) -> &'a [AbilitySet] {
        &self.linked(named).code.handle_of(named.function).type_parameters
    }

    fn is_public(&self, named: &Named) -> bool {
        self.linked(named).code[named.function].visibility == Visibility::Public
    }
}

/// `function_info::load_function_impl`
pub fn load(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.load_function)?;
    match cx.named_function(0)? {
        Some(_) => Ok(()),
        None => Err(Fault::abort(INVALID_FUNCTION)),
    }
}

/// `function_info::check_dispatch_type_compatibility_impl`: whether the second function, which is public,
/// may stand in for the first, which takes a `&FunctionInfo` after all that the second takes.
pub fn check_compatibility(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.dispatch_compatibility)?;
    let (Some(hook), Some(target)) = (cx.named_function(0)?, cx.named_function(1)?) else {
        return Err(Fault::abort(INVALID_FUNCTION));
    };
    let other = (hook.module, hook.function.0) != (target.module, target.function.0);
    let fits = other
        && cx.is_public(&target)
        && cx.constraints(&hook) == cx.constraints(&target)
        && same_signatures(cx, &hook, &target)?;
    cx.ret_bool(fits);
    Ok(())
}

/// Compares signatures under two sets of type arguments without a type in common: what is equal under both
/// is the same type parameter or the same type, never a type that happens to be an argument.
fn same_signatures(cx: &NativeCx<'_, '_>, hook: &Named, target: &Named) -> Result<bool, Fault> {
    let count = cx.constraints(hook).len();
    for int in [Int::U8, Int::I8] {
        let arguments = cx.stand_ins(count, int)?;
        let (hook, target) = (cx.shape(hook, &arguments)?, cx.shape(target, &arguments)?);
        let Some((_, parameters)) = hook.0.split_last() else { return Ok(false) };
        if parameters != target.0 || hook.1 != target.1 {
            return Ok(false);
        }
    }
    Ok(true)
}

fn refused(why: &str) -> Fault {
    Fault::with_message(status::RUNTIME_DISPATCH_ERROR, why)
}

/// Leaves the call to the function that the last argument names. What it takes and gives is compared
/// with this call's own types each time, whatever was checked when it was registered.
fn dispatch(cx: &mut NativeCx<'_, '_>, cost: u64) -> Result<(), Fault> {
    cx.charge(cost)?;
    let last = cx.code.parameters.len().checked_sub(1);
    let last = last.ok_or_else(|| Fault::invariant("a hook without parameters"))?;
    let Some(target) = cx.named_function(last)? else {
        return Err(Fault::with_message(
            status::FUNCTION_RESOLUTION_FAILURE,
            "the registered function does not exist",
        ));
    };
    if !cx.is_public(&target) {
        return Err(refused("the registered function is not public"));
    }
    let arguments = &cx.code.type_arguments;
    let constraints = cx.constraints(&target);
    let satisfied = constraints.len() == arguments.len()
        && constraints
            .iter()
            .zip(arguments)
            .all(|(wanted, ty)| wanted.is_subset_of(cx.env.ty(*ty).abilities));
    if !satisfied {
        return Err(refused("the registered function has other type parameters"));
    }
    let (parameters, results) = cx.shape(&target, arguments)?;
    let own = |slots: &[crate::types::FieldSlot]| slots.iter().map(|slot| slot.ty).collect::<Vec<_>>();
    if parameters != own(&cx.code.parameters[..last]) || results != own(&cx.code.results) {
        return Err(refused("the registered function has another signature"));
    }
    cx.redirect = Some(cx.env.catalog.instance(InstanceKey {
        module: target.module,
        function: target.function.0,
        arguments: arguments.clone(),
        schedule: cx.data.schedule,
    })?);
    Ok(())
}

/// The hooks of `dispatchable_fungible_asset`.
pub fn dispatch_asset(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    dispatch(cx, cx.env.costs.dispatch_asset)
}

/// `account_abstraction::dispatchable_authenticate`
pub fn dispatch_authenticate(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    dispatch(cx, cx.env.costs.dispatch_authenticate)
}
