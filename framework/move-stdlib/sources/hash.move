/// SHA-2 and SHA-3 with 32 bytes of output, computed by the node.
module std::hash {
    /// SHA2-256 of `data`.
    native public fun sha2_256(data: vector<u8>): vector<u8>;

    /// SHA3-256 of `data`.
    native public fun sha3_256(data: vector<u8>): vector<u8>;
}
