/// Generic functions and structs, with phantom parameters and several instances of each.
module diff::generics {
    use std::vector;

    struct Pair<A, B> has copy, drop, store { first: A, second: B }

    struct Tagged<phantom T> has copy, drop, store { value: u64 }

    struct Red has drop {}

    struct Blue has drop {}

    struct Wrapper<T> has copy, drop, store { inner: T }

    fun swapped<A, B>(pair: Pair<A, B>): Pair<B, A> {
        let Pair { first, second } = pair;
        Pair { first: second, second: first }
    }

    fun repeated<T: copy + drop>(value: T, count: u64): vector<T> {
        let out = vector::empty();
        while (out.length() < count) out.push_back(value);
        out
    }

    fun index_of<T: drop>(v: &vector<T>, wanted: &T): u64 {
        let i = 0;
        while (i < v.length()) {
            if (&v[i] == wanted) return i;
            i += 1;
        };
        abort 404
    }

    fun wrapped<T>(inner: T): Wrapper<T> { Wrapper { inner } }

    fun retagged<From, To>(from: Tagged<From>): Tagged<To> { Tagged { value: from.value + 1 } }

    public fun pairs(): (Pair<u8, vector<u8>>, Pair<vector<u8>, u8>, Pair<u256, bool>) {
        let a = Pair { first: 1u8, second: b"two" };
        (a, swapped(a), swapped(Pair { first: true, second: 5u256 }))
    }

    public fun repeats(): (vector<u8>, vector<address>, vector<Pair<u16, u128>>) {
        (repeated(7, 3), repeated(@0x2, 2), repeated(Pair { first: 1u16, second: 2u128 }, 2))
    }

    public fun found(): (u64, u64) {
        (index_of(&vector[3u8, 4, 5], &5), index_of(&vector[b"a", b"b"], &b"a"))
    }

    public fun not_found(): u64 { index_of(&vector[@0x1, @0x2], &@0x3) }

    public fun wrapped_thrice(): Wrapper<Wrapper<Wrapper<u32>>> {
        let w = wrapped(wrapped(wrapped(9u32)));
        w.inner.inner.inner += 1;
        w
    }

    public fun phantoms(): (Tagged<Red>, Tagged<Blue>) {
        let red = Tagged<Red> { value: 1 };
        (red, retagged(red))
    }

    fun nest<T: copy + drop>(value: T, depth: u64): u64 {
        if (depth == 0) return 0;
        1 + nest(value, depth - 1)
    }

    public fun recursion_at_one_type(): (u64, u64) { (nest(b"x", 50), nest(1u8, 20)) }

    inline fun fold_in_place<T: copy + drop>(v: &vector<T>, f: |T, u64| u64): u64 {
        let total = 0;
        for (i in 0..v.length()) total = f(v[i], total);
        total
    }

    public fun inlined_with_a_lambda(): u64 {
        fold_in_place(&vector[1u8, 2, 3], |x, total| total * 10 + (x as u64))
    }
}
