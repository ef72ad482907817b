/// Enums: construction, matching, shared fields, change of variant, and the wrong variant.
module diff::enums {
    enum Shape has copy, drop, store {
        Dot,
        Circle { radius: u64 },
        Box { width: u64, height: u64 },
        Labelled { label: vector<u8>, width: u64 },
    }

    enum Step has copy, drop, store {
        Push(u64),
        Add,
        Times { factor: u64 },
        Swap(u64, u64),
    }

    enum Perhaps<T> has copy, drop, store {
        Nothing,
        Something(T),
    }

    fun area(shape: &Shape): u64 {
        match (shape) {
            Dot => 0,
            Circle { radius } => *radius * *radius * 3,
            Box { width, height } => *width * *height,
            Labelled { width, .. } => *width,
        }
    }

    fun shapes(): vector<Shape> {
        vector[
            Shape::Dot,
            Shape::Circle { radius: 2 },
            Shape::Box { width: 3, height: 4 },
            Shape::Labelled { label: b"label", width: 5 },
        ]
    }

    public fun matched(): vector<u64> {
        let out = vector[];
        let all = shapes();
        for (i in 0..4) out.push_back(area(&all[i]));
        out
    }

    public fun as_values(): vector<Shape> { shapes() }

    public fun tested(): vector<bool> {
        let out = vector[];
        let all = shapes();
        for (i in 0..4) {
            out.push_back(all[i] is Shape::Dot);
            out.push_back(all[i] is Shape::Box | Shape::Labelled);
        };
        out
    }

    public fun shared_field(): (u64, Shape) {
        let a = Shape::Box { width: 1, height: 2 };
        let b = Shape::Labelled { label: b"", width: 10 };
        a.width += 5;
        (a.width + b.width, a)
    }

    public fun variant_changed(): Shape {
        let s = Shape::Circle { radius: 9 };
        let r = &mut s;
        match (r) {
            Circle { radius } => { *radius += 1; },
            _ => {},
        };
        let wide = area(r);
        *r = Shape::Box { width: wide, height: 1 };
        s
    }

    public fun guarded(): vector<u64> {
        let out = vector[];
        for (i in 0..5) {
            let s = Shape::Circle { radius: i };
            out.push_back(match (s) {
                Circle { radius } if (radius > 3) => 1000,
                Circle { radius } if (radius % 2 == 0) => radius,
                Circle { radius } => radius + 100,
                _ => 0,
            });
        };
        out
    }

    fun run(steps: &vector<Step>): vector<u64> {
        let stack = vector[];
        for (i in 0..steps.length()) {
            match (&steps[i]) {
                Push(value) => stack.push_back(*value),
                Add => { let top = stack.pop_back(); let below = stack.pop_back(); stack.push_back(below + top); },
                Times { factor } => { let top = stack.pop_back(); stack.push_back(top * *factor); },
                Swap(a, b) => stack.swap(*a, *b),
            }
        };
        stack
    }

    public fun interpreted(): vector<u64> {
        run(&vector[
            Step::Push(3), Step::Push(4), Step::Add, Step::Times { factor: 6 },
            Step::Push(9), Step::Push(10), Step::Swap(0, 2), Step::Add,
        ])
    }

    public fun interpreted_too_far(): vector<u64> { run(&vector[Step::Push(1), Step::Times { factor: 2 }, Step::Add]) }

    fun or<T: drop>(value: Perhaps<T>, fallback: T): T {
        match (value) {
            Something(inner) => inner,
            Nothing => fallback,
        }
    }

    public fun generic(): (u8, vector<u8>, Perhaps<u128>) {
        (or(Perhaps::Nothing, 7), or(Perhaps::Something(b"there"), b"not"), Perhaps::Something(1))
    }

    public fun compared(): (bool, bool, bool) {
        let (a, b) = (shapes(), shapes());
        let same = a == b;
        b[0] = Shape::Circle { radius: 0 };
        (same, a[0] == b[0], a[3] == b[3])
    }

    fun radius(shape: &Shape): u64 { shape.radius }

    public fun field_of_another_variant(): u64 { radius(&Shape::Circle { radius: 4 }) + radius(&Shape::Dot) }

    public fun unpacked_as_another_variant(): u64 {
        let s = Shape::Box { width: 1, height: 2 };
        let Shape::Circle { radius } = s;
        radius
    }

    public fun written_as_another_variant(): Shape {
        let s = Shape::Dot;
        s.width = 3;
        s
    }

    public fun unmatched(): u64 {
        let s = Shape::Circle { radius: 4 };
        match (s) {
            Circle { radius } if (radius > 4) => 1,
            Circle { radius } if (radius == 4) => abort 4,
            _ => 0,
        }
    }
}
