/// The addresses with a special meaning, and the checks that a caller speaks for one of them.
///
/// `0x0` is the virtual machine, `0x1` the framework, `0x1` to `0xa` are reserved for system code, and `0xa550c18` is the account
/// that mints on development chains.
module aptos_framework::system_addresses {
    use std::error;
    use std::signer;

    /// The caller is not the account that mints on development chains.
    const ENOT_CORE_RESOURCE_ADDRESS: u64 = 1;
    /// The caller is not the virtual machine.
    const EVM: u64 = 2;
    /// The caller is not the framework account.
    const ENOT_APTOS_FRAMEWORK_ADDRESS: u64 = 3;
    /// The address is not one of those reserved for the framework.
    const ENOT_FRAMEWORK_RESERVED_ADDRESS: u64 = 4;

    /// Aborts unless `account` is the minting account of a development chain.
    public fun assert_core_resource(account: &signer) {
        assert_core_resource_address(signer::address_of(account))
    }

    /// Aborts unless `addr` is the minting account of a development chain.
    public fun assert_core_resource_address(addr: address) {
        assert!(is_core_resource_address(addr), error::permission_denied(ENOT_CORE_RESOURCE_ADDRESS))
    }

    /// True for the minting account of a development chain.
    public fun is_core_resource_address(addr: address): bool {
        addr == @core_resources
    }

    /// Aborts unless `account` is the framework account.
    public fun assert_aptos_framework(account: &signer) {
        assert!(
            is_aptos_framework_address(signer::address_of(account)),
            error::permission_denied(ENOT_APTOS_FRAMEWORK_ADDRESS)
        )
    }

    /// Aborts unless `account` is one of the reserved accounts.
    public fun assert_framework_reserved_address(account: &signer) {
        assert_framework_reserved(signer::address_of(account));
    }

    /// Aborts unless `addr` is one of the reserved addresses.
    public fun assert_framework_reserved(addr: address) {
        assert!(is_framework_reserved_address(addr), error::permission_denied(ENOT_FRAMEWORK_RESERVED_ADDRESS))
    }

    /// True for `0x1` to `0xa`.
    public fun is_framework_reserved_address(addr: address): bool {
        is_aptos_framework_address(addr)
            || addr == @0x2 || addr == @0x3 || addr == @0x4 || addr == @0x5 || addr == @0x6
            || addr == @0x7 || addr == @0x8 || addr == @0x9 || addr == @0xa
    }

    /// True for the framework's own address.
    public fun is_aptos_framework_address(addr: address): bool {
        addr == @aptos_framework
    }

    /// Aborts unless `account` is the virtual machine.
    public fun assert_vm(account: &signer) {
        assert!(is_vm(account), error::permission_denied(EVM))
    }

    /// True where `account` is the virtual machine.
    public fun is_vm(account: &signer): bool {
        is_vm_address(signer::address_of(account))
    }

    /// True for the virtual machine's address.
    public fun is_vm_address(addr: address): bool {
        addr == @vm_reserved
    }

    /// True for the virtual machine's and the framework's addresses.
    public fun is_reserved_address(addr: address): bool {
        is_aptos_framework_address(addr) || is_vm_address(addr)
    }
}
