/// Aborts: codes, asserts, places, in callees and after work was done.
module diff::aborts {
    const E_NAMED: u64 = 65537;

    fun check(x: u64) { assert!(x < 10, E_NAMED + x); }

    public fun code_zero() { abort 0 }

    public fun largest_code() { abort 18446744073709551615 }

    public fun computed_code(): u64 { let x = 20; check(3); check(x); x }

    public fun second_assert() {
        let (a, b) = (1, 2);
        assert!(a + 1 == b, 1);
        assert!(a == b, 2);
        assert!(a > b, 3);
    }

    public fun without_a_code() { let x = 4; assert!(x == 5); }

    public fun in_a_branch(): u8 {
        let v = vector[1u8, 2, 3];
        if (v[2] == 3) {
            if (v[1] == 2) abort 12;
            abort 13
        };
        v[0]
    }

    public fun in_a_loop(): u64 {
        let i = 0;
        loop {
            i += 1;
            if (i == 17) abort i;
        }
    }

    fun third(n: u64): u64 { if (n == 0) abort 333 else n }

    fun second(n: u64): u64 { third(n) + third(n - 1) }

    fun first(n: u64): u64 { let a = second(n); a + second(n - 1) }

    public fun deep_in_calls(): u64 { first(2) }

    public fun while_arguments_wait(): u64 { 1 + (2 * third(third(1) - 1)) }

    public fun code_from_a_call() { abort third(5) }

    public fun arithmetic_before_the_abort() { let x = 0u64; assert!(x - 1 == 0, 9) }
}
