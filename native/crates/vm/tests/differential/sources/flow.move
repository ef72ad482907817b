/// Loops, branches, labels and recursion.
module diff::flow {
    public fun collatz(): (u64, u64) {
        let (n, steps, highest) = (27, 0, 0);
        while (n != 1) {
            n = if (n % 2 == 0) n / 2 else 3 * n + 1;
            if (n > highest) highest = n;
            steps += 1;
        };
        (steps, highest)
    }

    fun fib(n: u64): u64 { if (n < 2) n else fib(n - 1) + fib(n - 2) }

    public fun fibonacci(): u64 { fib(15) }

    fun is_even(n: u64): bool { if (n == 0) true else is_odd(n - 1) }

    fun is_odd(n: u64): bool { if (n == 0) false else is_even(n - 1) }

    public fun mutual_recursion(): (bool, bool) { (is_even(40), is_even(41)) }

    public fun labels(): (u64, u64) {
        let (rounds, hits) = (0, 0);
        'outer: loop {
            rounds += 1;
            let i = 0;
            while (true) {
                i += 1;
                if (i == rounds) continue 'outer;
                if (i * rounds == 42) break 'outer;
                if (i % 3 == 0) { hits += 1; continue };
            };
        };
        (rounds, hits)
    }

    public fun primes(): vector<u64> {
        let found = vector[];
        for (n in 2..60) {
            let prime = true;
            let i = 0;
            while (i < found.length() && found[i] * found[i] <= n) {
                if (n % found[i] == 0) { prime = false; break };
                i += 1;
            };
            if (prime) found.push_back(n);
        };
        found
    }

    fun note(log: &mut vector<u8>, id: u8, answer: bool): bool { log.push_back(id); answer }

    public fun short_circuits(): (vector<u8>, bool, bool) {
        let log = vector[];
        let a = note(&mut log, 1, false) && note(&mut log, 2, true) || note(&mut log, 3, true);
        let b = note(&mut log, 4, true) || note(&mut log, 5, false) && note(&mut log, 6, false);
        (log, a, b)
    }

    public fun blocks_as_values(): u64 {
        let x = { let y = 3; y * y };
        let z = if (x > 8) { x + 1 } else { abort 1 };
        loop { if (z > 20) break; z += 4; };
        z
    }

    public fun empty_range(): u64 {
        let n = 0;
        for (i in 5..5) n += i + 1;
        for (i in 6..3) n += i + 1;
        n
    }

    public fun power_modulo(): u128 {
        let (base, exponent, modulus, result) = (3u128, 1000u64, 1000000007u128, 1u128);
        while (exponent > 0) {
            if (exponent & 1 == 1) result = result * base % modulus;
            base = base * base % modulus;
            exponent >>= 1;
        };
        result
    }

    public fun many_values(): (u8, u16, u32, u64, u128, u256, bool, address) {
        let (a, b, c) = (1, 2, 3);
        (c, b, a, 4, 5, 6, !(a == 1), @0xd1ff)
    }

    fun forever(n: u64): u64 { 1 + forever(n + 1) }

    public fun recursion_without_end(): u64 { forever(0) }
}
