//! Bytes on their way to JavaScript.

use std::ptr;

use napi::bindgen_prelude::{Buffer, ToNapiValue, TypeName};
use napi::{ValueType, sys};

/// Up to this length bytes are copied into memory of Node's own; lending ours needs a finalizer, which
/// costs more than the copy.
const COPIED_BYTES_MAX: usize = 64 << 10;

/// Bytes that become a `Buffer`.
#[derive(Debug, Default)]
pub struct JsBytes(pub Vec<u8>);

impl From<Vec<u8>> for JsBytes {
    fn from(bytes: Vec<u8>) -> Self {
        JsBytes(bytes)
    }
}

impl From<&[u8]> for JsBytes {
    fn from(bytes: &[u8]) -> Self {
        JsBytes(bytes.to_vec())
    }
}

impl TypeName for JsBytes {
    fn type_name() -> &'static str {
        "Buffer"
    }

    fn value_type() -> ValueType {
        ValueType::Object
    }
}

impl ToNapiValue for JsBytes {
    unsafe fn to_napi_value(env: sys::napi_env, value: Self) -> napi::Result<sys::napi_value> {
        let bytes = value.0;
        if bytes.len() > COPIED_BYTES_MAX {
            // SAFETY: same environment, handed on.
            return unsafe { Buffer::to_napi_value(env, Buffer::from(bytes)) };
        }
        let mut buffer = ptr::null_mut();
        // SAFETY: `env` is that of the call in progress; Node copies `bytes` before it returns. The copy's
        // address is not asked for.
        let status = unsafe {
            sys::napi_create_buffer_copy(
                env,
                bytes.len(),
                bytes.as_ptr().cast(),
                ptr::null_mut(),
                &mut buffer,
            )
        };
        crate::state_bridge::check(status)?;
        Ok(buffer)
    }
}
