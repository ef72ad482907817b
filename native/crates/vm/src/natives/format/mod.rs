//! `0x1::string_utils`: values as text.

mod list;
mod text;

use super::NativeCx;
use crate::errors::Fault;
use text::{Place, Style, Text};

/// `string_utils::native_format`
pub fn format(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let flag = |cx: &NativeCx<'_, '_>, number| Ok::<_, Fault>(cx.word(number)? != 0);
    let style = Style {
        type_tags: flag(cx, 1)?,
        full_addresses: flag(cx, 2)?,
        single_line: flag(cx, 3)?,
        integer_types: flag(cx, 4)?,
    };
    let ty = cx.type_argument(0)?;
    let place = Place::behind(ty, cx.target(0)?);
    let mut text = Text::new(cx, style);
    text.value(ty, place, 0)?;
    let out = text.finish();
    cx.ret_bytes(out.as_bytes())
}

/// `string_utils::native_format_list`
pub fn format_list(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let bytes = cx.bytes_behind(0)?;
    let ty = cx.type_argument(0)?;
    let place = Place::behind(ty, cx.target(1)?);
    let out = list::fill(cx, &bytes, ty, place)?;
    cx.ret_bytes(out.as_bytes())
}
