/// Vectors: growth, order, nesting, equality, and every index that is not there.
module diff::vectors {
    struct Item has copy, drop, store { id: u64, tags: vector<u8> }

    fun item(id: u64): Item {
        let tags = vector[];
        for (i in 0..id) tags.push_back((i as u8));
        Item { id, tags }
    }

    public fun grows_by_pushing(): vector<u64> {
        let v = vector[];
        for (i in 0..100) v.push_back(i * i);
        v
    }

    public fun shrinks_by_popping(): (vector<u64>, u64) {
        let v = grows_by_pushing();
        let sum = 0;
        while (v.length() > 3) sum += v.pop_back();
        (v, sum)
    }

    public fun reversed(): vector<u16> {
        let v = vector[1u16, 2, 3, 4, 5, 6, 7];
        let (i, j) = (0, v.length() - 1);
        while (i < j) { v.swap(i, j); i += 1; j -= 1; };
        v
    }

    public fun sorted(): vector<u128> {
        let v = vector[5u128, 3, 340282366920938463463374607431768211455, 0, 9, 3, 1];
        let n = v.length();
        for (i in 0..n) {
            for (j in (i + 1)..n) {
                if (v[i] > v[j]) v.swap(i, j);
            }
        };
        v
    }

    public fun nested(): vector<vector<vector<bool>>> {
        let v = vector[];
        for (i in 0..3) {
            let w = vector[];
            for (j in 0..i) w.push_back(vector[i == j, i > j]);
            v.push_back(w);
        };
        v[2][1][0] = true;
        v
    }

    public fun of_structs(): vector<Item> {
        let v = vector[item(0), item(3), item(1)];
        v[1].id = 77;
        let tags = &mut v[2].tags;
        tags.push_back(9);
        let last = v[2];
        last.id += 1;
        v.push_back(last);
        v.swap(0, 3);
        v
    }

    public fun equal_by_value(): (bool, bool, bool, bool) {
        let (a, b) = (of_structs(), of_structs());
        let same = a == b;
        b[1].tags[0] = 200;
        (same, a == b, &a[0] == &b[0], a[1] != b[1])
    }

    public fun of_addresses(): (vector<address>, bool) {
        let v = vector[@0x1, @0xd1ff, @0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff];
        let first = v[0];
        (v, first == @0x1)
    }

    public fun of_wide_integers(): vector<u256> {
        let v = vector[1u256];
        for (i in 0..30) { let last = v[i]; v.push_back(last * 257) };
        v
    }

    public fun literal_bytes(): (vector<u8>, vector<u8>, vector<u8>) { (b"bytes \n", x"00ff10", b"") }

    public fun copies_are_apart(): (vector<vector<u8>>, vector<vector<u8>>) {
        let a = vector[vector[1, 2], vector[3]];
        let b = a;
        b[0][0] = 100;
        a[1].push_back(4);
        (a, b)
    }

    fun at(v: &vector<u64>, i: u64): u64 { v[i] }

    fun set(v: &mut vector<u64>, i: u64) { v[i] = 1 }

    public fun index_at_the_length(): u64 { at(&vector[1, 2, 3], 3) }

    public fun index_far_outside(): u64 { at(&vector[1, 2, 3], 18446744073709551615) }

    public fun write_outside() { let v = vector[]; set(&mut v, 0) }

    public fun pop_of_empty(): u64 {
        let v = vector[1u64];
        v.pop_back();
        v.pop_back()
    }

    public fun swap_outside(): vector<u8> {
        let v = vector[1u8, 2];
        v.swap(1, 1);
        v.swap(0, 2);
        v
    }

    public fun destroy_what_is_not_empty() {
        let v = vector[1u8];
        v.destroy_empty();
    }

    public fun unpacked(): (u8, u8, u8) {
        let v = vector[1u8, 2, 3];
        let c = v.pop_back();
        let b = v.pop_back();
        let a = v.pop_back();
        v.destroy_empty();
        (a, b, c)
    }
}
