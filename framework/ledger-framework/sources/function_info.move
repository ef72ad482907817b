/// The names of functions, as values: what a module registers to be called back by.
module aptos_framework::function_info {
    use std::error;
    use std::signer;
    use std::string::{Self, String};

    friend aptos_framework::fungible_asset;
    friend aptos_framework::dispatchable_fungible_asset;

    /// A name is not an identifier of the language.
    const EINVALID_IDENTIFIER: u64 = 1;
    /// The function does not exist.
    const EINVALID_FUNCTION: u64 = 2;
    /// The function's module has not been loaded for dispatch.
    const ENOT_ACTIVATED: u64 = 3;

    /// The full name of a function.
    struct FunctionInfo has copy, drop, store {
        module_address: address,
        module_name: String,
        function_name: String
    }

    /// The name of a function in a module of the calling account.
    public fun new_function_info(
        module_signer: &signer, module_name: String, function_name: String
    ): FunctionInfo {
        new_function_info_from_address(signer::address_of(module_signer), module_name, function_name)
    }

    /// The name of a function in a module of any account.
    public(friend) fun new_function_info_from_address(
        module_address: address, module_name: String, function_name: String
    ): FunctionInfo {
        assert!(is_identifier(string::bytes(&module_name)), error::invalid_argument(EINVALID_IDENTIFIER));
        assert!(is_identifier(string::bytes(&function_name)), error::invalid_argument(EINVALID_IDENTIFIER));
        FunctionInfo { module_address, module_name, function_name }
    }

    /// True where `dispatch_target` can stand in for `framework_function`: same signature, but for the last parameter of the latter,
    /// which names the target.
    public(friend) fun check_dispatch_type_compatibility(
        framework_function: &FunctionInfo, dispatch_target: &FunctionInfo
    ): bool {
        load_function_impl(dispatch_target);
        check_dispatch_type_compatibility_impl(framework_function, dispatch_target)
    }

    /// Loads the function's module, for which the transaction pays. Must come before a dispatch to it.
    public(friend) fun load_module_from_function(f: &FunctionInfo) {
        load_function_impl(f)
    }

    native fun check_dispatch_type_compatibility_impl(lhs: &FunctionInfo, r: &FunctionInfo): bool;
    native fun is_identifier(s: &vector<u8>): bool;
    native fun load_function_impl(f: &FunctionInfo);
}
