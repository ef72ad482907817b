/// Canonical abort codes: a category in the third byte and a module's own reason in the two bytes below it.
///
/// A code built here is `(category << 16) | reason`, with `reason` below 65536. Clients show the category without
/// knowing the module; the reason is looked up in the module's error map.
module std::error {
    /// The caller gave an argument that is wrong whatever the state.
    const INVALID_ARGUMENT: u64 = 0x1;
    /// A number lies outside the range that is valid.
    const OUT_OF_RANGE: u64 = 0x2;
    /// The state does not permit the operation.
    const INVALID_STATE: u64 = 0x3;
    /// The caller could not be identified.
    const UNAUTHENTICATED: u64 = 0x4;
    /// The caller is known but has no right to do this.
    const PERMISSION_DENIED: u64 = 0x5;
    /// Something that was named does not exist.
    const NOT_FOUND: u64 = 0x6;
    /// The operation collided with another one.
    const ABORTED: u64 = 0x7;
    /// Something that was to be created exists.
    const ALREADY_EXISTS: u64 = 0x8;
    /// A quota or a balance is used up.
    const RESOURCE_EXHAUSTED: u64 = 0x9;
    /// The operation was called off.
    const CANCELLED: u64 = 0xA;
    /// An invariant of the system is broken.
    const INTERNAL: u64 = 0xB;
    /// The operation is not implemented or not switched on.
    const NOT_IMPLEMENTED: u64 = 0xC;
    /// The operation cannot be served at present.
    const UNAVAILABLE: u64 = 0xD;

    /// Builds the abort code of `category` and `reason`.
    public fun canonical(category: u64, reason: u64): u64 {
        (category << 16) + reason
    }

    /// The code for a wrong argument.
    public fun invalid_argument(r: u64): u64 { canonical(INVALID_ARGUMENT, r) }

    /// The code for a number out of range.
    public fun out_of_range(r: u64): u64 { canonical(OUT_OF_RANGE, r) }

    /// The code for a state that forbids the operation.
    public fun invalid_state(r: u64): u64 { canonical(INVALID_STATE, r) }

    /// The code for a caller who could not be identified.
    public fun unauthenticated(r: u64): u64 { canonical(UNAUTHENTICATED, r) }

    /// The code for a caller without the right.
    public fun permission_denied(r: u64): u64 { canonical(PERMISSION_DENIED, r) }

    /// The code for something that does not exist.
    public fun not_found(r: u64): u64 { canonical(NOT_FOUND, r) }

    /// The code for a collision with another operation.
    public fun aborted(r: u64): u64 { canonical(ABORTED, r) }

    /// The code for something that exists already.
    public fun already_exists(r: u64): u64 { canonical(ALREADY_EXISTS, r) }

    /// The code for a used-up quota.
    public fun resource_exhausted(r: u64): u64 { canonical(RESOURCE_EXHAUSTED, r) }

    /// The code for an operation that was called off.
    public fun cancelled(r: u64): u64 { canonical(CANCELLED, r) }

    /// The code for a broken invariant.
    public fun internal(r: u64): u64 { canonical(INTERNAL, r) }

    /// The code for an operation that is not implemented.
    public fun not_implemented(r: u64): u64 { canonical(NOT_IMPLEMENTED, r) }

    /// The code for an operation that cannot be served at present.
    public fun unavailable(r: u64): u64 { canonical(UNAVAILABLE, r) }
}
