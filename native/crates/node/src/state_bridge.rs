//! State reads that leave the core: one call back into JavaScript per key.
//!
//! The request buffer belongs to JavaScript and lives as long as the bridge; a key is written into it
//! and the callback gets its length. The answer is a buffer that JavaScript owns, valid until the next
//! read: it is looked at in place, before anything else runs. The other side is
//! src/native/state-bridge.ts.
//!
//! The calls are made through the plain interface of Node rather than through napi's typed functions:
//! this is the hottest crossing there is, and a typed call allocates twice.

use std::cell::Cell;
use std::{ptr, slice};

use ledger_bcs::Decode;
use ledger_executor::state_view::StateView;
use ledger_types::{StateKey, StateValue};
use ledger_vm::StateError;
use napi::bindgen_prelude::{BufferSlice, Function};
use napi::{Env, JsValue, sys};

/// The reader threw. Its exception is kept, and thrown again when the call into the core ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadFailed;

/// One core's line to its reader. Lives on the thread that made it, as everything of Node's does.
pub struct StateBridge {
    request: *mut u8,
    request_length: usize,
    /// Keeps the request buffer's memory alive. Never deleted: one core lives as long as its thread.
    _request_ref: sys::napi_ref,
    read_state: sys::napi_ref,
    read_long_state: sys::napi_ref,
    exception: Cell<sys::napi_ref>,
}

/// A bridge while a call from JavaScript lasts: the only time at which state can be read.
pub struct OpenBridge<'a> {
    bridge: &'a StateBridge,
    env: sys::napi_env,
    receiver: sys::napi_value,
    read_state: sys::napi_value,
    read_long_state: sys::napi_value,
}

impl StateBridge {
    /// Remembers the request buffer and the two callbacks of one core.
    ///
    /// # Errors
    /// When Node refuses a reference (out of memory).
    pub fn new(
        env: &Env,
        mut request: BufferSlice,
        read_state: &Function<u32>,
        read_long_state: &Function<BufferSlice>,
    ) -> napi::Result<StateBridge> {
        let memory: &mut [u8] = &mut request;
        let (start, length) = (memory.as_mut_ptr(), memory.len());
        Ok(StateBridge {
            request: start,
            request_length: length,
            _request_ref: reference(env.raw(), request.raw())?,
            read_state: reference(env.raw(), read_state.raw())?,
            read_long_state: reference(env.raw(), read_long_state.raw())?,
            exception: Cell::new(ptr::null_mut()),
        })
    }

    /// Readies the bridge for the call that `env` belongs to.
    ///
    /// # Errors
    /// When the references are gone, which is a bug.
    pub fn open<'a>(&'a self, env: &Env) -> napi::Result<OpenBridge<'a>> {
        let env = env.raw();
        let mut receiver = ptr::null_mut();
        // SAFETY: `env` is that of the call in progress; the out pointer is a local.
        check(unsafe { sys::napi_get_undefined(env, &mut receiver) })?;
        Ok(OpenBridge {
            bridge: self,
            env,
            receiver,
            read_state: referent(env, self.read_state)?,
            read_long_state: referent(env, self.read_long_state)?,
        })
    }
}

impl OpenBridge<'_> {
    /// Reads the value of the storage-encoded key that `write_key` writes.
    ///
    /// `write_key` gets `key_length` bytes to fill. `take` sees the answer in place; `None` means that
    /// there is no such key.
    ///
    /// # Errors
    /// [`ReadFailed`] if the reader threw or answered with something that is not a buffer.
    pub fn read<T>(
        &self,
        key_length: usize,
        write_key: impl FnOnce(&mut [u8]),
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, ReadFailed> {
        let mut scope = ptr::null_mut();
        // SAFETY: `env` is that of the call in progress. The scope is closed below on every path: the
        // only panics in between are those of `write_key` and `take`, which end the process's use.
        unsafe { sys::napi_open_handle_scope(self.env, &mut scope) };
        let result = self.call(key_length, write_key).and_then(|answer| self.look_at(answer, take));
        // SAFETY: `scope` was opened above and no handle of it outlives this line; a kept exception is
        // held by a reference of its own.
        unsafe { sys::napi_close_handle_scope(self.env, scope) };
        result
    }

    /// Throws the reader's exception again, if it threw one during this call.
    pub fn rethrow(&self) -> bool {
        let kept = self.bridge.exception.replace(ptr::null_mut());
        if kept.is_null() {
            return false;
        }
        let mut error = ptr::null_mut();
        // SAFETY: `kept` was made by `keep_exception` on this environment and is deleted exactly once.
        unsafe {
            sys::napi_get_reference_value(self.env, kept, &mut error);
            sys::napi_delete_reference(self.env, kept);
            sys::napi_throw(self.env, error);
        }
        true
    }

    fn call(
        &self,
        key_length: usize,
        write_key: impl FnOnce(&mut [u8]),
    ) -> Result<sys::napi_value, ReadFailed> {
        let mut argument = ptr::null_mut();
        let mut answer = ptr::null_mut();
        if key_length <= self.bridge.request_length {
            // SAFETY: `request` points at the memory of a buffer that `_request_ref` keeps alive and
            // that Node never moves; JavaScript runs on this thread only, so nobody else looks at it
            // while this slice lives.
            write_key(unsafe { slice::from_raw_parts_mut(self.bridge.request, key_length) });
            // SAFETY: plain value constructor on the environment of the call in progress.
            unsafe { sys::napi_create_uint32(self.env, key_length as u32, &mut argument) };
            self.invoke(self.read_state, argument, &mut answer)?;
        } else {
            let mut memory = ptr::null_mut();
            // SAFETY: out pointers are locals; the memory is `key_length` bytes on success.
            let made = unsafe { sys::napi_create_buffer(self.env, key_length, &mut memory, &mut argument) };
            if made != sys::Status::napi_ok {
                return Err(ReadFailed);
            }
            // SAFETY: fresh memory of `key_length` bytes that nobody else has seen yet.
            write_key(unsafe { slice::from_raw_parts_mut(memory.cast(), key_length) });
            self.invoke(self.read_long_state, argument, &mut answer)?;
        }
        Ok(answer)
    }

    fn invoke(
        &self,
        function: sys::napi_value,
        argument: sys::napi_value,
        answer: &mut sys::napi_value,
    ) -> Result<(), ReadFailed> {
        // SAFETY: function, receiver and argument are live handles of this environment.
        let status =
            unsafe { sys::napi_call_function(self.env, self.receiver, function, 1, &argument, answer) };
        if status == sys::Status::napi_ok {
            return Ok(());
        }
        self.keep_exception();
        Err(ReadFailed)
    }

    fn keep_exception(&self) {
        let mut error = ptr::null_mut();
        let mut kept = ptr::null_mut();
        // SAFETY: out pointers are locals. An exception that is not an object cannot be referenced;
        // `kept` then stays null and the caller reports a read failure without it.
        unsafe {
            sys::napi_get_and_clear_last_exception(self.env, &mut error);
            if sys::napi_create_reference(self.env, error, 1, &mut kept) != sys::Status::napi_ok {
                kept = ptr::null_mut();
            }
        }
        let earlier = self.bridge.exception.replace(kept);
        if !earlier.is_null() {
            // SAFETY: made by an earlier turn of this function, deleted nowhere else.
            unsafe { sys::napi_delete_reference(self.env, earlier) };
        }
    }

    fn look_at<T>(
        &self,
        answer: sys::napi_value,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, ReadFailed> {
        let mut start = ptr::null_mut();
        let mut length = 0;
        // SAFETY: out pointers are locals; the call only inspects `answer`.
        let status = unsafe { sys::napi_get_buffer_info(self.env, answer, &mut start, &mut length) };
        if status != sys::Status::napi_ok {
            let mut kind = 0;
            // SAFETY: as above.
            unsafe { sys::napi_typeof(self.env, answer, &mut kind) };
            let is_absent = kind == sys::ValueType::napi_undefined || kind == sys::ValueType::napi_null;
            return if is_absent { Ok(None) } else { Err(ReadFailed) };
        }
        if length == 0 {
            return Ok(Some(take(&[])));
        }
        // SAFETY: the buffer is alive (its handle is in the open scope) and no JavaScript runs while
        // `take` looks at it, so that nothing writes to it.
        Ok(Some(take(unsafe { slice::from_raw_parts(start.cast(), length) })))
    }
}

impl StateView for OpenBridge<'_> {
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError> {
        let storage = key.to_storage();
        let answer = self.read(storage.len(), |out| out.copy_from_slice(&storage), StateValue::from_bytes);
        match answer {
            Ok(None) => Ok(None),
            Ok(Some(Ok(value))) => Ok(Some(value)),
            Ok(Some(Err(error))) => Err(StateError(format!("a stored value does not decode: {error}"))),
            Err(ReadFailed) => Err(StateError("the reader failed".to_owned())),
        }
    }
}

fn reference(env: sys::napi_env, value: sys::napi_value) -> napi::Result<sys::napi_ref> {
    let mut kept = ptr::null_mut();
    // SAFETY: `value` is a live handle of `env`; the out pointer is a local.
    check(unsafe { sys::napi_create_reference(env, value, 1, &mut kept) })?;
    Ok(kept)
}

fn referent(env: sys::napi_env, kept: sys::napi_ref) -> napi::Result<sys::napi_value> {
    let mut value = ptr::null_mut();
    // SAFETY: `kept` is a strong reference made on this environment, so that its value is alive.
    check(unsafe { sys::napi_get_reference_value(env, kept, &mut value) })?;
    Ok(value)
}

/// Turns a status of Node's into a result.
///
/// # Errors
/// For every status but success.
pub fn check(status: sys::napi_status) -> napi::Result<()> {
    if status == sys::Status::napi_ok {
        Ok(())
    } else {
        Err(napi::Error::from_reason(format!("Node refused a call of the core (status {status})")))
    }
}
