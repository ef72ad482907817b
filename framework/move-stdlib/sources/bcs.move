/// The canonical encoding of Move values.
///
/// Each value has exactly one encoding, which is what makes hashes and signatures over it meaningful.
module std::bcs {
    use std::option::Option;

    /// The encoding of `v`. Aborts with 0x1c5 where a value is nested too deeply to be encoded.
    native public fun to_bytes<MoveValue>(v: &MoveValue): vector<u8>;

    /// The length in bytes of the encoding of `v`, without building it.
    native public fun serialized_size<MoveValue>(v: &MoveValue): u64;

    /// The length every value of the type has, or none where it depends on the value.
    native public fun constant_serialized_size<MoveValue>(): Option<u64>;
}
