//! `0x1::randomness`: what makes draws of one transaction differ, and who may draw.

use super::NativeCx;
use crate::errors::Fault;

/// `randomness::fetch_and_increment_txn_counter`: draws so far, eight bytes, least first.
pub fn fetch_and_increment_counter(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.random_counter)?;
    let draws = cx.data.natives.random_draws;
    cx.data.natives.random_draws = draws.wrapping_add(1);
    cx.ret_bytes(&draws.to_le_bytes())
}

/// `randomness::is_unbiasable`: whether the transaction entered through a function that only transactions
/// can call and that says that it draws, so that nobody can abort on an outcome they dislike.
pub fn is_unbiasable(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let unbiasable = cx.data.natives.unbiasable;
    cx.ret_bool(unbiasable);
    Ok(())
}
