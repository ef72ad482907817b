//! What programs can ask about types.

use ledger_types::TypeTag;

use super::{NativeCx, by_length};
use crate::errors::Fault;

/// Abort code of `type_of` on something that is no struct.
const NOT_A_STRUCT: u64 = 0x1_0001;

/// `type_info::type_of`: address, module name, struct name with its type arguments.
pub fn type_of(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    cx.charge(costs.type_of_base)?;
    let TypeTag::Struct(tag) = cx.type_tag(0)? else { return Err(Fault::abort(NOT_A_STRUCT)) };
    let name = match tag.type_args.as_slice() {
        [] => tag.name.to_string(),
        arguments => {
            let list: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            format!("{}<{}>", tag.name, list.join(", "))
        }
    };
    cx.charge(by_length(0, costs.type_of_per_byte, name.len() + tag.module.len()))?;
    cx.ret_address(&tag.address);
    cx.ret_bytes(tag.module.as_bytes())?;
    cx.ret_bytes(name.as_bytes())
}

/// `type_info::type_name`
pub fn type_name(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.type_name_base)?;
    let name = cx.type_tag(0)?.to_string();
    cx.charge(by_length(0, cx.env.costs.type_name_per_byte, name.len()))?;
    cx.ret_bytes(name.as_bytes())
}

/// `type_info::chain_id_internal`
pub fn chain_id(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.chain_id)?;
    ret_chain_id(cx)
}

/// `transaction_context::chain_id_internal`
pub fn transaction_chain_id(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.txn_chain_id)?;
    ret_chain_id(cx)
}

fn ret_chain_id(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.ret_word(u64::from(cx.data.context.chain_id));
    Ok(())
}
