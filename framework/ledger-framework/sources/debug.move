/// Printing while a program is tested. Prints nothing on a running chain.
module aptos_std::debug {
    use std::string::String;
    use aptos_std::string_utils;

    /// Prints a value.
    public fun print<T>(x: &T) {
        native_print(string_utils::debug_string(x));
    }

    /// Prints the stack.
    public fun print_stack_trace() {
        native_print(native_stack_trace());
    }

    native fun native_print(x: String);
    native fun native_stack_trace(): String;
}
