/// The address a `signer` speaks for.
///
/// A signer is made by the virtual machine only; holding one proves that the account agreed to the transaction.
module std::signer {
    /// Borrows the address inside `s` without copying it.
    native public fun borrow_address(s: &signer): &address;

    /// The address `s` speaks for.
    public fun address_of(s: &signer): address {
        *borrow_address(s)
    }
}
