/// Text: a byte vector that is known to be UTF-8.
///
/// Positions are byte offsets, and must lie between two characters.
module std::string {
    use std::option::{Self, Option};
    use std::vector;

    /// The bytes are not valid UTF-8.
    const EINVALID_UTF8: u64 = 1;
    /// A position lies outside the text or inside a character.
    const EINVALID_INDEX: u64 = 2;

    /// Valid UTF-8. Only functions of this module and the transaction argument reader make one.
    struct String has copy, drop, store {
        bytes: vector<u8>
    }

    /// Reads `bytes` as text. Aborts with `EINVALID_UTF8` where they are not UTF-8.
    public fun utf8(bytes: vector<u8>): String {
        assert!(internal_check_utf8(&bytes), EINVALID_UTF8);
        String { bytes }
    }

    /// Reads `bytes` as text, or none where they are not UTF-8.
    public fun try_utf8(bytes: vector<u8>): Option<String> {
        if (internal_check_utf8(&bytes)) {
            option::some(String { bytes })
        } else {
            option::none()
        }
    }

    /// The bytes of the text.
    public fun bytes(self: &String): &vector<u8> {
        &self.bytes
    }

    /// Unpacks the text into its bytes.
    public fun into_bytes(self: String): vector<u8> {
        let String { bytes } = self;
        bytes
    }

    /// True for the empty text.
    public fun is_empty(self: &String): bool {
        vector::is_empty(&self.bytes)
    }

    /// The length in bytes.
    public fun length(self: &String): u64 {
        vector::length(&self.bytes)
    }

    /// Puts `r` at the end.
    public fun append(self: &mut String, r: String) {
        vector::append(&mut self.bytes, into_bytes(r))
    }

    /// Puts `bytes` at the end. Aborts with `EINVALID_UTF8` where they are not UTF-8.
    public fun append_utf8(self: &mut String, bytes: vector<u8>) {
        append(self, utf8(bytes))
    }

    /// Puts `o` before byte `at`. Aborts with `EINVALID_INDEX` where `at` is no character boundary.
    public fun insert(self: &mut String, at: u64, o: String) {
        let bytes = &self.bytes;
        assert!(at <= vector::length(bytes) && internal_is_char_boundary(bytes, at), EINVALID_INDEX);
        let end = length(self);
        let front = sub_string(self, 0, at);
        let back = sub_string(self, at, end);
        append(&mut front, o);
        append(&mut front, back);
        *self = front;
    }

    /// The bytes from `i` up to but without `j`. Aborts with `EINVALID_INDEX` where one is no character boundary.
    public fun sub_string(self: &String, i: u64, j: u64): String {
        let bytes = &self.bytes;
        assert!(
            j <= vector::length(bytes) && i <= j
                && internal_is_char_boundary(bytes, i)
                && internal_is_char_boundary(bytes, j),
            EINVALID_INDEX
        );
        String { bytes: internal_sub_string(bytes, i, j) }
    }

    /// The byte offset of the first occurrence of `r`, or the length where there is none.
    public fun index_of(self: &String, r: &String): u64 {
        internal_index_of(&self.bytes, &r.bytes)
    }

    native fun internal_check_utf8(v: &vector<u8>): bool;
    native fun internal_is_char_boundary(v: &vector<u8>, i: u64): bool;
    native fun internal_sub_string(v: &vector<u8>, i: u64, j: u64): vector<u8>;
    native fun internal_index_of(v: &vector<u8>, r: &vector<u8>): u64;
}
