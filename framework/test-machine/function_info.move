/// Names of functions that are never looked up, standing in for those of the node: no test registers one.
module aptos_framework::function_info {
    use std::signer;
    use std::string::String;

    friend aptos_framework::fungible_asset;
    friend aptos_framework::dispatchable_fungible_asset;

    struct FunctionInfo has copy, drop, store {
        module_address: address,
        module_name: String,
        function_name: String
    }

    public fun new_function_info(
        module_signer: &signer, module_name: String, function_name: String
    ): FunctionInfo {
        new_function_info_from_address(signer::address_of(module_signer), module_name, function_name)
    }

    public(friend) fun new_function_info_from_address(
        module_address: address, module_name: String, function_name: String
    ): FunctionInfo {
        FunctionInfo { module_address, module_name, function_name }
    }

    public(friend) fun check_dispatch_type_compatibility(_hook: &FunctionInfo, _target: &FunctionInfo): bool {
        abort 0xdead
    }

    public(friend) fun load_module_from_function(_f: &FunctionInfo) {
        abort 0xdead
    }
}
