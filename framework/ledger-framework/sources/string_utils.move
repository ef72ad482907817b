/// Values as text, for people.
module aptos_std::string_utils {
    use std::string::String;

    /// There are more or fewer values than places for them.
    const EARGS_MISMATCH: u64 = 1;
    /// The format has a brace that opens nothing.
    const EINVALID_FORMAT: u64 = 2;
    /// The value is still being computed by another transaction and cannot be shown.
    const EUNABLE_TO_FORMAT_DELAYED_FIELD: u64 = 3;

    /// The value as text, on one line.
    public fun to_string<T>(s: &T): String {
        native_format(s, false, false, true, false)
    }

    /// The value as text with addresses in full, on one line.
    public fun to_string_with_canonical_addresses<T>(s: &T): String {
        native_format(s, false, true, true, false)
    }

    /// The value as text with the types of its integers, on one line.
    public fun to_string_with_integer_types<T>(s: &T): String {
        native_format(s, false, true, true, true)
    }

    /// The value as text over several lines, with its type.
    public fun debug_string<T>(s: &T): String {
        native_format(s, true, false, false, false)
    }

    /// `fmt` with its first `{}` replaced by the value.
    public fun format1<T0: drop>(fmt: &vector<u8>, a: T0): String {
        native_format_list(fmt, &list1(a))
    }

    /// `fmt` with each `{}` replaced by the next value.
    public fun format2<T0: drop, T1: drop>(fmt: &vector<u8>, a: T0, b: T1): String {
        native_format_list(fmt, &list2(a, b))
    }

    /// `fmt` with each `{}` replaced by the next value.
    public fun format3<T0: drop, T1: drop, T2: drop>(fmt: &vector<u8>, a: T0, b: T1, c: T2): String {
        native_format_list(fmt, &list3(a, b, c))
    }

    /// `fmt` with each `{}` replaced by the next value.
    public fun format4<T0: drop, T1: drop, T2: drop, T3: drop>(
        fmt: &vector<u8>, a: T0, b: T1, c: T2, d: T3
    ): String {
        native_format_list(fmt, &list4(a, b, c, d))
    }

    /// A value and the ones after it. `N` is the type of the list from here on, which the node checks for itself.
    struct Cons<T, N> has copy, drop, store {
        car: T,
        cdr: N
    }

    /// The end of a list.
    struct NIL has copy, drop, store {}

    fun cons<T, N>(car: T, cdr: N): Cons<T, N> {
        Cons { car, cdr }
    }

    fun list1<T0>(a: T0): Cons<T0, NIL> {
        cons(a, NIL {})
    }

    fun list2<T0, T1>(a: T0, b: T1): Cons<T0, Cons<T1, NIL>> {
        cons(a, list1(b))
    }

    fun list3<T0, T1, T2>(a: T0, b: T1, c: T2): Cons<T0, Cons<T1, Cons<T2, NIL>>> {
        cons(a, list2(b, c))
    }

    fun list4<T0, T1, T2, T3>(a: T0, b: T1, c: T2, d: T3): Cons<T0, Cons<T1, Cons<T2, Cons<T3, NIL>>>> {
        cons(a, list3(b, c, d))
    }

    native fun native_format<T>(
        s: &T, type_tag: bool, canonicalize: bool, single_line: bool, include_int_types: bool
    ): String;
    native fun native_format_list<T>(fmt: &vector<u8>, val: &T): String;
}
