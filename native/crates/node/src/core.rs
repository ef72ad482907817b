//! The stateful face: one core per process or worker thread.

use napi::Env;
use napi::bindgen_prelude::{BufferSlice, Function};
use napi_derive::napi;

use crate::state_bridge::StateBridge;

/// One core with its own memory, bound to the thread that made it.
#[napi]
pub struct AddonCore {
    bridge: StateBridge,
}

#[napi]
impl AddonCore {
    /// Makes a core whose state reads go through the given request buffer and callbacks.
    #[napi(constructor)]
    pub fn new(
        env: Env,
        _chain_id: u8,
        request: BufferSlice,
        read_state: Function<u32>,
        read_long_state: Function<BufferSlice>,
    ) -> napi::Result<AddonCore> {
        Ok(AddonCore { bridge: StateBridge::new(&env, request, &read_state, &read_long_state)? })
    }
}
