/// References to locals, fields and elements, through calls and out of them.
module diff::references {
    struct Point has copy, drop, store { x: u64, y: u64 }

    struct Line has copy, drop, store { from: Point, to: Point, name: vector<u8> }

    fun line(): Line { Line { from: Point { x: 1, y: 2 }, to: Point { x: 3, y: 4 }, name: b"line" } }

    fun end(line: &mut Line, first: bool): &mut Point { if (first) &mut line.from else &mut line.to }

    fun larger(a: &u64, b: &u64): &u64 { if (*a > *b) a else b }

    fun bump(r: &mut u64): u64 { let old = *r; *r = old + 1; old }

    fun exchange<T: drop + copy>(a: &mut T, b: &mut T) {
        let t = *a;
        *a = *b;
        *b = t;
    }

    public fun to_locals(): (u64, u64, u64) {
        let x = 5;
        let a = bump(&mut x);
        let b = bump(&mut x);
        (a, b, x)
    }

    public fun to_fields(): Line {
        let l = line();
        end(&mut l, true).x = 10;
        end(&mut l, false).y = 20;
        *(&mut l.to.x) = 30;
        l
    }

    public fun to_elements(): vector<Point> {
        let v = vector[Point { x: 0, y: 0 }, Point { x: 1, y: 1 }];
        let p = &mut v[1];
        p.x = 7;
        bump(&mut p.y);
        v
    }

    public fun chosen_at_run_time(): (u64, u64) {
        let (a, b) = (3, 9);
        let first = *larger(&a, &b);
        a = 100;
        (first, *larger(&a, &b))
    }

    public fun whole_values_replaced(): Line {
        let l = line();
        let r = &mut l;
        *r = Line { from: r.to, to: r.from, name: b"back" };
        r.name.push_back(33);
        l
    }

    public fun exchanged(): (Point, Point, vector<u8>, vector<u8>) {
        let (a, b) = (Point { x: 1, y: 2 }, Point { x: 3, y: 4 });
        exchange(&mut a, &mut b);
        let (v, w) = (b"v", b"longer");
        exchange(&mut v, &mut w);
        (a, b, v, w)
    }

    public fun frozen_and_compared(): (bool, bool) {
        let (a, b) = (line(), line());
        let same = &a == &b;
        b.from.y = 0;
        let r = &mut b;
        (same, &a == freeze(r))
    }

    public fun in_a_loop(): u64 {
        let v = vector[1u64, 2, 3, 4, 5];
        let total = 0;
        for (i in 0..5) {
            let r = &mut v[i];
            *r = *r * *r;
            total += *r;
        };
        total
    }

    fun deep(r: &mut u64, depth: u64) {
        if (depth == 0) return;
        *r = *r + depth;
        deep(r, depth - 1)
    }

    public fun through_a_recursion(): u64 { let x = 0; deep(&mut x, 60); x }

    public fun failing_after_a_write(): u64 {
        let l = line();
        let r = end(&mut l, true);
        r.x = 0;
        r.y = 5 / r.x;
        r.y
    }
}
