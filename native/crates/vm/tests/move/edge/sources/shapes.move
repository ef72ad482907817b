/// Enums, vectors of vectors, and structs too wide for a frame, as values and as resources.
module edge::shapes {
    use std::vector;
    use std::signer;
    use std::bcs;

    enum Shape has copy, drop, store {
        Empty,
        Dot { x: u8 },
        Line { from: u64, to: u64, name: vector<u8> },
        Nest { inner: vector<Shape2>, x: u8 }
    }

    enum Shape2 has copy, drop, store { A { v: vector<u64> }, B(u128, bool) }

    /// 4 slots an address: 44 in all.
    struct Wide has copy, drop, store, key {
        a: address, b: address, c: address, d: address, e: address, f: address, g: address, h: address, i: address,
        j: address, n: u64, v: vector<u8>, k: u8, l: u16
    }

    enum WideChoice has copy, drop, store { No, Yes { w: Wide, big: vector<Wide> } }

    struct Store has key { shapes: vector<Shape>, wide: Wide, count: u64 }

    fun area(s: &Shape): u64 {
        match (s) {
            Shape::Empty => 0,
            Shape::Dot { x } => (*x as u64),
            Shape::Line { from, to, name } => *to - *from + vector::length(name),
            Shape::Nest { inner, x } => vector::length(inner) * 1000 + (*x as u64)
        }
    }

    fun sample(): vector<Shape> {
        vector[
            Shape::Empty,
            Shape::Dot { x: 250 },
            Shape::Line { from: 10, to: 30, name: b"abc" },
            Shape::Nest { inner: vector[Shape2::A { v: vector[1, 2] }, Shape2::B(5, true)], x: 3 }
        ]
    }

    public fun enums() {
        let all = sample();
        let sum = 0;
        let i = 0;
        while (i < vector::length(&all)) {
            sum = sum + area(&all[i]);
            i = i + 1;
        };
        assert!(sum == 250 + 23 + 2003, sum);
        let again = copy all;
        assert!(all == again && all[1] != all[0], 2);
        if (&all[1] is Shape::Dot) { all[1].x = 9; };
        all[3].x = 77;
        assert!(area(&all[1]) == 9 && area(&again[1]) == 250 && area(&all[3]) == 2077, 3);
        all[2] = Shape::Empty;
        assert!(area(&all[2]) == 0 && all[2] == all[0] && all != again, 4);
        let last = vector::pop_back(&mut again);
        let Shape::Nest { inner, x: _ } = last;
        let Shape2::A { v } = &mut inner[0];
        vector::push_back(v, 3);
        assert!(inner[0] == Shape2::A { v: vector[1, 2, 3] } && inner[1] == Shape2::B(5, true), 5);
        assert!(bcs::to_bytes(&inner) == x"020003010000000000000002000000000000000300000000000000010500000000000000000000000000000001", 6);
    }

    fun wide(n: u64): Wide {
        Wide {
            a: @0xa, b: @0xb, c: @0xc, d: @0xd, e: @0xe, f: @0xf, g: @0x10, h: @0x11, i: @0x12, j: @0x13, n,
            v: b"wide", k: 5, l: 6
        }
    }

    fun set_n(w: &mut Wide, n: u64) { w.n = n; w.k = ((n % 256) as u8); }

    fun by_value(w: Wide): u64 { let Wide { a: _, b: _, c: _, d: _, e: _, f: _, g: _, h: _, i: _, j, n, v, k, l } = w;
        if (j == @0x13) n + vector::length(&v) + (k as u64) + (l as u64) else 0 }

    public fun wide_structs() {
        let w = wide(1);
        let x = copy w;
        assert!(w == x, 1);
        set_n(&mut w, 300);
        w.v[0] = 87;
        w.l = 1000;
        assert!(w != x && x.n == 1 && x.v == b"wide" && w.v == b"Wide" && w.k == 44 && w.l == 1000, 2);
        assert!(by_value(w) == 300 + 4 + 44 + 1000 && by_value(x) == 1 + 4 + 5 + 6, 3);
        let many = vector[w, x];
        vector::push_back(&mut many, wide(9));
        vector::swap(&mut many, 0, 2);
        set_n(&mut many[1], 11);
        assert!(many[0].n == 9 && many[1].n == 11 && many[2].n == 300 && w.n == 300, 4);
        let choice = WideChoice::Yes { w, big: many };
        let other = copy choice;
        choice.w.n = 5;
        choice.big[0].n = 6;
        assert!(choice != other && other.w.n == 300 && other.big[0].n == 9 && choice.big[0].n == 6, 5);
        let WideChoice::Yes { w: inner, big } = choice;
        assert!(inner.n == 5 && vector::length(&big) == 3, 6);
        choice = WideChoice::No;
        assert!((choice is WideChoice::No) && choice != other, 7);
        *(&mut inner) = wide(8);
        assert!(inner.n == 8 && bcs::to_bytes(&inner) == bcs::to_bytes(&wide(8)), 8);
    }

    public fun vectors() {
        let vv = vector[vector[1u64], vector[], vector[2, 3]];
        let copied = copy vv;
        vector::push_back(&mut vv[1], 9);
        vv[0] = vector[5, 5];
        assert!(vv == vector[vector[5, 5], vector[9], vector[2, 3]] && copied[1] == vector[], 1);
        vector::swap(&mut vv, 0, 2);
        assert!(vector::pop_back(&mut vv) == vector[5, 5] && vv[0] == vector[2, 3], 2);
        let bytes = vector[];
        let i = 0;
        while (i < 300) {
            vector::push_back(&mut bytes, (i % 256 as u8));
            i = i + 1;
        };
        assert!(bytes[255] == 255 && bytes[299] == 43 && vector::length(&bytes) == 300, 3);
        vector::swap(&mut bytes, 0, 299);
        assert!(bytes[0] == 43 && vector::pop_back(&mut bytes) == 0, 4);
        let addresses = vector[@0x1, @0x2];
        vector::swap(&mut addresses, 0, 1);
        vector::swap(&mut addresses, 1, 1);
        assert!(addresses == vector[@0x2, @0x1], 5);
        let empty: vector<vector<u8>> = vector[];
        vector::destroy_empty(empty);
        let r = &mut vv;
        *r = vector[vector[4]];
        assert!(vv[0][0] == 4, 6);
    }

    public fun open(s: &signer) {
        move_to(s, Store { shapes: sample(), wide: wide(3), count: 0 });
        move_to(s, wide(4));
    }

    public fun change(s: &signer) acquires Store, Wide {
        let at = signer::address_of(s);
        let store = borrow_global_mut<Store>(at);
        store.shapes[1].x = 8;
        set_n(&mut store.wide, 99);
        store.count = store.count + 1;
        assert!(area(&borrow_global<Store>(at).shapes[1]) == 8 && exists<Wide>(at), 1);
        let w = move_from<Wide>(at);
        assert!(!exists<Wide>(at) && w.n == 4, 2);
        w.n = 40;
        move_to(s, w);
        assert!(borrow_global<Wide>(at).n == 40, 3);
    }

    /// Borrows for writing without writing.
    public fun look(at: address): u64 acquires Store, Wide {
        let wide = borrow_global_mut<Wide>(at);
        let store = borrow_global<Store>(at);
        store.count * 1000 + wide.n
    }

    public fun twice(s: &signer) { move_to(s, wide(1)); move_to(s, wide(2)); }

    public fun absent(at: address): u64 acquires Wide { borrow_global<Wide>(at).n }

    public fun index_out(): u64 { let v = vector[1, 2]; v[2] }

    public fun pop_empty(): u64 { let v = vector[]; vector::pop_back(&mut v) }

    public fun wrong_variant(): u64 { let s = Shape2::B(1, true); let Shape2::A { v } = s; v[0] }

    public fun wrong_field(): u8 { let s = Shape::Empty; s.x }

    #[test] fun t1() { enums() }
    #[test] fun t2() { wide_structs() }
    #[test] fun t3() { vectors() }
    #[test(s = @0x77)] fun t4(s: &signer) acquires Store, Wide { open(s); change(s); assert!(look(@0x77) == 1040, 1); }
    #[test(s = @0x77)] #[expected_failure] fun f1(s: &signer) { twice(s); }
    #[test] #[expected_failure] fun f2() acquires Wide { absent(@0x5); }
    #[test] #[expected_failure(vector_error, minor_status = 1, location = Self)] fun f3() { index_out(); }
    #[test] #[expected_failure(vector_error, minor_status = 2, location = Self)] fun f4() { pop_empty(); }
    #[test] #[expected_failure] fun f5() { wrong_variant(); }
    #[test] #[expected_failure] fun f6() { wrong_field(); }
}
