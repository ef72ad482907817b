/// Locals, copies and moves: what a lowering that forwards copies gets wrong first.
///
/// Each public function aborts unless it computes what its asserts say; each failing one says how in
/// its test attribute. The same file is run by the compiler's own machine.
module edge::locals {
    struct Pair has copy, drop { x: u64, y: u64 }

    struct Deep has copy, drop { a: Pair, v: vector<u64>, b: Pair }

    fun bump(r: &mut u64) { *r = *r + 1; }

    fun two(a: u64, b: u64): (u64, u64) { (b, a) }

    public fun copy_before_borrow() {
        let x = 5;
        let y = x;
        let r = &mut x;
        *r = 9;
        assert!(y == 5 && x == 9, 1);
        let z = x + { bump(&mut x); x } * 100;
        assert!(z == 1009 && x == 10, 2);
    }

    public fun swapped_parts() {
        let p = Pair { x: 1, y: 2 };
        p = Pair { x: p.y, y: p.x };
        assert!(p.x == 2 && p.y == 1, 1);
        let (px, py) = (p.y, p.x);
        p.x = px;
        p.y = py;
        assert!(p.x == 1 && p.y == 2, 2);
        let (a, b) = two(p.x, p.y);
        (a, b) = (b, a);
        assert!(a == 1 && b == 2, 3);
        let i = 0;
        while (i < 5) {
            let t = a;
            a = b;
            b = t + a;
            i = i + 1;
        };
        assert!(a == 13 && b == 21, 4);
    }

    public fun nested_fields() {
        let d = Deep { a: Pair { x: 1, y: 2 }, v: vector[3, 4], b: Pair { x: 5, y: 6 } };
        let e = copy d;
        d.b.y = d.a.x + d.b.x;
        d.v[1] = 40;
        bump(&mut d.a.y);
        let Deep { a: Pair { x: ax, y: ay }, v, b } = d;
        assert!(ax == 1 && ay == 3 && v == vector[3, 40] && b == Pair { x: 5, y: 6 }, 1);
        assert!(e.v == vector[3, 4] && e.b.y == 6 && e.a.y == 2, 2);
        let q = &e.b;
        let whole = *q;
        e.b.x = 77;
        assert!(whole.x == 5 && e.b.x == 77, 3);
    }

    fun eat(v: vector<u64>): u64 { v[0] }

    public fun moved_on_one_path(flag: bool): u64 {
        let v = vector[7, 8];
        let n = 1;
        if (flag) { n = eat(v); };
        n
    }

    public fun replaced_in_a_loop() {
        let v = vector[0];
        let i = 0;
        let sum = 0;
        while (i < 1000) {
            if (i % 3 == 0) { v = vector[i, i + 1]; } else if (i % 3 == 1) { sum = sum + eat(copy v); } else {
                let w = v;
                v = vector[w[0]];
            };
            i = i + 1;
        };
        assert!(sum == 165834, sum);
        assert!(v[0] == 999 && moved_on_one_path(true) == 7 && moved_on_one_path(false) == 1, 2);
    }

    public fun short_circuit() {
        let n = 0;
        let r = &mut n;
        let yes = { *r = *r + 1; true } || { *r = *r + 10; true };
        let no = { *r = *r + 100; false } && { *r = *r + 1000; true };
        assert!(yes && !no && n == 101, 1);
        let c = 3;
        let answer = if (c > 2) { if (c == 3) 10 else 20 } else 30;
        assert!(answer == 10, 2);
    }

    fun pick<T: copy + drop>(flag: bool, a: T, b: T): T { if (flag) a else b }

    fun is_even(n: u64): bool { if (n == 0) true else is_odd(n - 1) }

    fun is_odd(n: u64): bool { if (n == 0) false else is_even(n - 1) }

    public fun generics_and_recursion() {
        assert!(pick(true, 1u8, 2) == 1 && pick(false, @0x1, @0x2) == @0x2, 1);
        assert!(pick(false, vector[1u16], vector[2, 3]) == vector[2, 3], 2);
        assert!(pick(true, Pair { x: 1, y: 2 }, Pair { x: 3, y: 4 }).y == 2, 3);
        assert!(is_even(500) && !is_odd(500), 4);
    }

    fun larger(a: &mut Pair, b: &mut Pair): &mut u64 {
        if (a.x > b.x) &mut a.y else &mut b.y
    }

    public fun references_from_functions() {
        let a = Pair { x: 1, y: 2 };
        let b = Pair { x: 3, y: 4 };
        *larger(&mut a, &mut b) = 50;
        assert!(a.y == 2 && b.y == 50, 1);
        let r = &a.x;
        let s = &b.x;
        assert!(*r + *s == 4 && r != s && &a.y == &2, 2);
    }

    public fun loops_with_exits() {
        let sum = 0;
        let i = 0;
        'outer: while (i < 10) {
            i = i + 1;
            let j = 0;
            loop {
                j = j + 1;
                if (j == i) continue 'outer;
                if (j * i > 20) break 'outer;
                sum = sum + j;
            };
        };
        assert!(i == 6 && sum == 26, sum);
    }

    public fun overflow_in_a_loop() {
        let i = 18446744073709551610u64;
        while (i > 0) { i = i + 1; }
    }

    public fun aborts_in_a_callee(n: u64): u64 {
        if (n == 0) abort 42;
        aborts_in_a_callee(n - 1) + 1
    }

    public fun runs_too_deep(n: u64): u64 { runs_too_deep(n + 1) + 1 }

    #[test] fun t1() { copy_before_borrow() }
    #[test] fun t2() { swapped_parts() }
    #[test] fun t3() { nested_fields() }
    #[test] fun t4() { replaced_in_a_loop() }
    #[test] fun t5() { short_circuit() }
    #[test] fun t6() { generics_and_recursion() }
    #[test] fun t7() { references_from_functions() }
    #[test] fun t8() { loops_with_exits() }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f1() { overflow_in_a_loop() }
    #[test] #[expected_failure(abort_code = 42, location = Self)] fun f2() { aborts_in_a_callee(3); }
}
