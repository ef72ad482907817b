//! Tells the linker that Node itself provides the addon interface.

fn main() {
    napi_build::setup();
}
