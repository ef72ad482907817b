// Writes the two packages the publishing and compiling measurements use.
// usage: node gen.cjs <dir>   (makes <dir>/big and <dir>/many)
const fs = require("node:fs");
const path = require("node:path");
const root = process.argv[2];

function fn(m, i, callee) {
  // a mix of loops, branches, vectors, structs and references
  return `
    fun work_${i}(n: u64, v: &mut vector<u64>, r: &mut Rec): u64 {
        let s = ${i + m};
        let i = 0;
        while (i < n) {
            if (s % ${3 + (i % 7)} == 0) {
                vector::push_back(v, s);
                r.total = r.total + ((s % 97) as u128);
            } else if (s % 5 == ${i % 5}) {
                r.inner.a = r.inner.a + i;
                r.inner.b = (r.inner.b ^ s) & ${0xffff + i};
            } else {
                s = s + *vector::borrow(v, i % vector::length(v));
            };
            i = i + 1;
        };
        let Inner { a, b } = r.inner;
        assert!(a + b + s < ${1000000000 + i}, ${100 + i});
        ${callee}
    }
`;
}

function module_(pkg, name, index, fns, uses) {
  let s = `module ${pkg}::${name} {\n    use std::vector;\n    use std::signer;\n`;
  for (const u of uses) s += `    use ${pkg}::${u};\n`;
  s += `
    struct Inner has copy, drop, store { a: u64, b: u64 }
    struct Rec has key, copy, drop, store { total: u128, inner: Inner, names: vector<u8> }

    public fun mark(): u64 { 0x5eed5eed5eed5eed }

    public entry fun open(s: &signer) {
        move_to(s, Rec { total: 0, inner: Inner { a: 1, b: 2 }, names: b"${name}" });
    }

    public entry fun add(s: &signer, n: u64) acquires Rec {
        let r = borrow_global_mut<Rec>(signer::address_of(s));
        r.total = r.total + (n as u128);
    }
`;
  for (const u of uses)
    s += `
    public fun ask_${u}(): u64 { ${u}::mark() }
`;
  for (let i = 0; i < fns; i++) {
    s += fn(index, i, i === 0 ? "s" : `s + work_${i - 1}(n / 2, v, r)`);
  }
  s += `
    public fun run(n: u64): u64 {
        let v = vector::empty<u64>();
        vector::push_back(&mut v, 1);
        let r = Rec { total: 0, inner: Inner { a: 1, b: 2 }, names: b"" };
        work_${fns - 1}(n, &mut v, &mut r)
    }
}
`;
  return s;
}

function pack(dir, name, address, modules) {
  fs.mkdirSync(path.join(dir, "sources"), { recursive: true });
  fs.writeFileSync(
    path.join(dir, "Move.toml"),
    `[package]\nname = "${name}"\nversion = "0.0.0"\n\n[addresses]\n${name} = "${address}"\n\n[dependencies]\nministd = { local = "../std" }\n`,
  );
  for (const [m, text] of modules) fs.writeFileSync(path.join(dir, "sources", `${m}.move`), text);
}

pack(path.join(root, "big"), "big", "0xb16", [["big", module_("big", "big", 0, 160, [])]]);
const many = [];
for (let k = 0; k < 50; k++) {
  const uses = [];
  for (const back of [1, 2, 5]) if (k - back >= 0) uses.push(`m${k - back}`);
  many.push([`m${k}`, module_("many", `m${k}`, k, 12, uses)]);
}
pack(path.join(root, "many"), "many", "0xb16", many);
