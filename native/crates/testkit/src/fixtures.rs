//! Modules made by the public compiler from `fixtures/sources`, so that readers and verifiers are
//! held to bytes we did not write. `fixtures/build.cjs` makes them again (`.mv` files of version 7;
//! those of version 6 with `2.1 6` as arguments and without enums).

/// A compiled module and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct Fixture {
    /// Version and module name, for messages.
    pub name: &'static str,
    /// The module's bytes.
    pub bytes: &'static [u8],
}

macro_rules! fixtures {
    ($($path:literal)*) => {
        /// Every fixture.
        pub const ALL: &[Fixture] = &[
            $(Fixture { name: $path, bytes: include_bytes!(concat!("../fixtures/", $path, ".mv")) },)*
        ];
    };
}

fixtures! {
    "v6/signer"
    "v6/vault"
    "v6/vector"
    "v7/shapes"
    "v7/signer"
    "v7/vault"
    "v7/vector"
}

/// The bytes of one fixture.
///
/// # Panics
/// If there is none of that name.
pub fn module(name: &str) -> &'static [u8] {
    ALL.iter().find(|fixture| fixture.name == name).expect("a fixture of this name").bytes
}
