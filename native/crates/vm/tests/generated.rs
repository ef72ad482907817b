//! Generated programs: whatever verified bytecode does, every combination of lowering's shortcuts does the
//! same, down to gas and place. The plainest combination puts every operand into its home at once, so it
//! is the reading against which the clever ones are held.
//!
//! Programs keep copies on the operand stack while they borrow, write and call, move locals on some paths
//! only, and loop: the places where forwarding copies goes wrong first. `GENERATED=10000 cargo test ...`
//! runs more of them; a failure names the seed.

mod common;

use std::fmt::Write as _;

use common::{context, gas, machine_with};
use ledger_testkit::random::Random;
use ledger_vm::{CallMode, GasLimits, GasMeter, Lowering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Bool,
    U8,
    U16,
    U64,
    U128,
    U256,
    Numbers,
    Bytes,
    Address,
    Pair,
    Deep,
    Choice,
    /// Wider than a frame takes: boxed.
    Wide,
    Pairs,
    Deeps,
}
use Type::*;

const TYPES: [Type; 15] =
    [Bool, U8, U16, U64, U128, U256, Numbers, Bytes, Address, Pair, Deep, Choice, Wide, Pairs, Deeps];
/// Two parameters, then locals: two of each type.
const PARAMETERS: usize = 2;

impl Type {
    fn text(self) -> &'static str {
        match self {
            Bool => "bool",
            U8 => "u8",
            U16 => "u16",
            U64 => "u64",
            U128 => "u128",
            U256 => "u256",
            Numbers => "vector<u64>",
            Bytes => "vector<u8>",
            Pair => "Pair",
            Deep => "Deep",
            Choice => "Choice",
            Address => "address",
            Wide => "Wide",
            Pairs => "vector<Pair>",
            Deeps => "vector<Deep>",
        }
    }

    fn is_integer(self) -> bool {
        matches!(self, U8 | U16 | U64 | U128 | U256)
    }
}

fn local_type(local: usize) -> Type {
    if local < PARAMETERS { U64 } else { TYPES[(local - PARAMETERS) / 2] }
}

/// Locals behind all others: three loop counters, then three references.
const LOCALS: usize = PARAMETERS + 2 * TYPES.len();

const DECLARATIONS: &str = "
    struct Pair has copy+drop { x: u16, y: u128 }
    struct Deep has copy+drop { a: u64, b: u8, v: vector<u64>, p: Pair, c: u64 }
    enum Choice has copy+drop { A { x: u64 }, B { y: u8, v: vector<u64>, x: u64 }, C {} }
    struct Wide has copy+drop { a: address, b: address, c: address, d: address, e: address, f: address,
        g: address, h: address, i: address, n: u64, v: vector<u8>, k: u8 }
    fun bump(&mut u64) { CopyLoc 0 ReadRef LdU64 3 Xor MoveLoc 0 WriteRef Ret }
    fun swap(u64, u64): u64, u64 { MoveLoc 1 MoveLoc 0 Ret }
    fun total(vector<u64>): u64 {
        locals u64, u64
        LdU64 0 StLoc 1 LdU64 0 StLoc 2
        head: CopyLoc 1 ImmBorrowLoc 0 VecLen u64 Lt BrFalse out
        CopyLoc 2 ImmBorrowLoc 0 CopyLoc 1 VecImmBorrow u64 ReadRef Xor StLoc 2
        CopyLoc 1 LdU64 1 Add StLoc 1 Branch head
        out: MoveLoc 2 Ret
    }
    fun same<T0>(T0): T0 { MoveLoc 0 Ret }
    fun field(&mut Deep): &mut u64 { MoveLoc 0 MutBorrowField Deep.c Ret }
";

struct Program {
    random: Random,
    text: String,
    stack: Vec<Type>,
    set: Vec<bool>,
    labels: usize,
    loops: usize,
    /// Whether values come from constants alone.
    constants_only: bool,
}

impl Program {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            text: String::new(),
            stack: Vec::new(),
            set: (0..LOCALS).map(|local| local < PARAMETERS).collect(),
            labels: 0,
            loops: 0,
            constants_only: false,
        }
    }

    fn module(seed: u64) -> String {
        let mut program = Self::new(seed);
        program.body();
        let locals: Vec<&str> = (PARAMETERS..LOCALS).map(|local| local_type(local).text()).collect();
        format!(
            "module 0x9e4::generated {DECLARATIONS}
            public fun run(u64, u64): u64, Deep, vector<u64>, vector<u8>, Choice, Wide,
                vector<Pair>, vector<Deep> {{
            locals {}, u64, u64, u64, &mut u64, &Deep, &mut u128 {} }}",
            locals.join(", "),
            program.text
        )
    }

    fn say(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push('\n');
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    fn body(&mut self) {
        for local in PARAMETERS..LOCALS {
            if !self.one_in(4) {
                self.constant(local_type(local));
                self.store(local);
            }
        }
        for _ in 0..1 + self.random.below(4) {
            self.statement(0);
        }
        self.value(U64);
        for local in 0..LOCALS {
            if local_type(local) == U64 && self.set[local] {
                self.say(&format!("CopyLoc {local} Xor"));
            }
        }
        for ty in [Deep, Numbers, Bytes, Choice, Wide, Pairs, Deeps] {
            self.value(ty);
        }
        self.say("Ret");
    }

    fn statement(&mut self, depth: usize) {
        match if depth > 1 { 0 } else { self.random.below(4) } {
            0 | 1 => self.straight(),
            2 => {
                let (other, end) = (self.label(), self.label());
                self.value(Bool);
                let word = if self.one_in(2) { "BrTrue" } else { "BrFalse" };
                self.stack.pop();
                self.say(&format!("{word} {other}"));
                let before = self.set.clone();
                self.statement(depth + 1);
                let after = std::mem::replace(&mut self.set, before);
                self.say(&format!("Branch {end}\n{other}:"));
                self.statement(depth + 1);
                for (set, too) in self.set.iter_mut().zip(after) {
                    *set &= too;
                }
                self.say(&format!("{end}: Nop"));
            }
            _ if self.loops < 3 => {
                let counter = LOCALS + self.loops;
                self.loops += 1;
                let (head, out) = (self.label(), self.label());
                let turns = 1 + self.random.below(4);
                self.say(&format!(
                    "LdU64 0 StLoc {counter}\n{head}: CopyLoc {counter} LdU64 {turns} Lt BrFalse {out}"
                ));
                let before = self.set.clone();
                self.statement(depth + 1);
                // What the next turn expects to be set.
                self.constants_only = true;
                for (local, was_set) in before.iter().enumerate() {
                    if *was_set && !self.set[local] {
                        self.constant(local_type(local));
                        self.store(local);
                    }
                }
                self.constants_only = false;
                self.set = before;
                self.say(&format!("CopyLoc {counter} LdU64 1 Add StLoc {counter} Branch {head}\n{out}: Nop"));
            }
            _ => self.straight(),
        }
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    /// A run of instructions that leaves the stack empty.
    fn straight(&mut self) {
        for _ in 0..3 + self.random.below(14) {
            self.step();
        }
        while let Some(ty) = self.stack.last().copied() {
            match self.local(ty, false) {
                Some(local) if !self.one_in(4) => self.store(local),
                _ => {
                    self.stack.pop();
                    self.say("Pop");
                }
            }
        }
    }

    /// Some local of a type; one that is set, where asked for.
    fn local(&mut self, ty: Type, set: bool) -> Option<usize> {
        let all: Vec<usize> =
            (0..LOCALS).filter(|local| local_type(*local) == ty && (!set || self.set[*local])).collect();
        (!all.is_empty()).then(|| all[self.random.below(all.len())])
    }

    fn store(&mut self, local: usize) {
        assert_eq!(self.stack.pop(), Some(local_type(local)));
        self.set[local] = true;
        self.say(&format!("StLoc {local}"));
    }

    fn push(&mut self, ty: Type, words: &str) {
        self.stack.push(ty);
        self.say(words);
    }

    fn constant(&mut self, ty: Type) {
        let small = self.random.below(6);
        let words = match ty {
            Bool => if small < 3 { "LdTrue" } else { "LdFalse" }.to_owned(),
            U8 => format!("LdU8 {}", [0, 1, 2, 7, 200, 255][small]),
            U16 => format!("LdU16 {}", [0, 1, 2, 300, 65_000, 65_535][small]),
            U64 => format!("LdU64 {}", [0, 1, 2, 70_000, 1 << 40, u64::MAX][small]),
            U128 => format!("LdU128 {}", [0, 1, 9, 1 << 40, 1 << 100, u128::MAX][small]),
            U256 => format!("LdU256 {}", [0, 1, 9, 1 << 40, 1 << 100, 1u128 << 126][small]),
            Numbers => {
                let count = self.random.below(4);
                let items: String = (0..count).map(|i| format!("LdU64 {} ", i * 5 + small)).collect();
                format!("{items} VecPack u64 {count}")
            }
            Bytes => {
                let count = self.random.below(4);
                let items: String = (0..count).map(|i| format!("LdU8 {} ", i * 50 + small)).collect();
                format!("{items} VecPack u8 {count}")
            }
            Address => format!("LdConst address 0x{:0>64x}", 1u64 << (small * 9)),
            Pairs | Deeps => {
                let element = if ty == Pairs { Pair } else { Deep };
                let count = self.random.below(3);
                for _ in 0..count {
                    self.value(element);
                }
                self.stack.truncate(self.stack.len() - count);
                format!("VecPack {} {count}", element.text())
            }
            Pair | Deep | Choice | Wide => return self.compose(ty),
        };
        self.push(ty, &words);
    }

    /// A struct or enum out of values.
    fn compose(&mut self, ty: Type) {
        let (parts, words): (&[Type], &str) = match ty {
            Pair => (&[U16, U128], "Pack Pair"),
            Deep => (&[U64, U8, Numbers, Pair, U64], "Pack Deep"),
            Wide => (
                &[
                    Address, Address, Address, Address, Address, Address, Address, Address, Address, U64,
                    Bytes, U8,
                ],
                "Pack Wide",
            ),
            _ => match self.random.below(3) {
                0 => (&[U64], "PackVariant Choice::A"),
                1 => (&[U8, Numbers, U64], "PackVariant Choice::B"),
                _ => (&[], "PackVariant Choice::C"),
            },
        };
        for part in parts {
            self.value(*part);
        }
        self.stack.truncate(self.stack.len() - parts.len());
        self.push(ty, words);
    }

    /// A value of this type, from a local where there is one.
    fn value(&mut self, ty: Type) {
        match self.local(ty, true) {
            Some(local) if !self.constants_only && !self.one_in(3) => {
                if self.one_in(4) {
                    self.set[local] = false;
                    self.push(ty, &format!("MoveLoc {local}"));
                } else {
                    self.push(ty, &format!("CopyLoc {local}"));
                }
            }
            _ => self.constant(ty),
        }
    }

    /// One instruction, or a few that belong together.
    fn step(&mut self) {
        let top = self.stack.last().copied();
        let below = self.stack.len().checked_sub(2).map(|at| self.stack[at]);
        match self.random.below(20) {
            0..=2 => {
                let ty = TYPES[self.random.below(TYPES.len())];
                self.value(ty);
            }
            3 => {
                if let Some(local) = top.and_then(|ty| self.local(ty, false)) {
                    self.store(local);
                }
            }
            4 | 5 => match (top, below) {
                (Some(ty), Some(other)) if ty == other && ty.is_integer() => {
                    let words =
                        ["Xor", "BitAnd", "BitOr", "Xor", "BitAnd", "Sub", "Add", "Mul", "Div", "Mod"];
                    let word = words[self.random.below(words.len())];
                    self.stack.pop();
                    self.say(word);
                }
                (Some(Bool), Some(Bool)) => {
                    self.stack.pop();
                    let word = ["And", "Or", "Eq", "Neq"][self.random.below(4)];
                    self.say(word);
                }
                (Some(Bool), _) => self.say("Not"),
                (Some(ty), _) if ty.is_integer() => {
                    self.value(ty);
                    self.stack.pop();
                    self.say("Xor");
                }
                _ => {}
            },
            6 => {
                if let Some(ty) = top {
                    self.value(ty);
                    self.stack.truncate(self.stack.len() - 2);
                    let words: &[&str] =
                        if ty.is_integer() { &["Lt", "Le", "Gt", "Ge", "Eq", "Neq"] } else { &["Eq", "Neq"] };
                    let word = words[self.random.below(words.len())];
                    self.push(Bool, word);
                }
            }
            7 => {
                if top.is_some_and(Type::is_integer) {
                    let shift = self.random.below(8);
                    let word = if self.one_in(2) { "Shl" } else { "Shr" };
                    self.say(&format!("LdU8 {shift} {word}"));
                    // Mostly to wider types, since a narrowing may fail.
                    let (to, word) = match self.random.below(8) {
                        0 => (U8, "CastU8"),
                        1 => (U64, "CastU64"),
                        2 => (U128, "CastU128"),
                        3 => (U256, "CastU256"),
                        _ => return,
                    };
                    self.stack.pop();
                    self.push(to, word);
                }
            }
            8 => self.read_place(),
            9 => self.write_place(),
            10 => self.vector_step(),
            11 => {
                if let Some(local) = self.local(U64, true) {
                    self.say(&format!("MutBorrowLoc {local} Call bump"));
                }
            }
            12 => {
                if let (Some(U64), Some(U64)) = (top, below) {
                    self.say("Call swap");
                } else if let Some(ty) = top {
                    self.say(&format!("CallGeneric same<{}>", ty.text()));
                }
            }
            13 => match top {
                Some(Numbers) => {
                    self.stack.pop();
                    self.push(U64, "Call total");
                }
                Some(Pair) => {
                    self.stack.pop();
                    self.stack.push(U16);
                    self.push(U128, "Unpack Pair");
                }
                Some(Deep) => {
                    self.stack.pop();
                    self.stack.extend([U64, U8, Numbers, Pair]);
                    self.push(U64, "Unpack Deep");
                }
                Some(Wide) => {
                    self.stack.pop();
                    self.stack.extend([Address; 9]);
                    self.stack.extend([U64, Bytes]);
                    self.push(U8, "Unpack Wide");
                }
                Some(Choice) if self.one_in(3) => {
                    self.stack.pop();
                    self.push(U64, "UnpackVariant Choice::A");
                }
                _ => {
                    let ty = [Pair, Deep, Choice, Wide][self.random.below(4)];
                    self.compose(ty);
                }
            },
            16 => self.reference_step(),
            17 => {
                let ty = [Deep, Numbers, Wide, Choice, U8, U64, Pairs][self.random.below(7)];
                if let (Some(one), Some(other)) = (self.local(ty, true), self.local(ty, true)) {
                    let word = if self.one_in(2) { "Eq" } else { "Neq" };
                    self.push(Bool, &format!("ImmBorrowLoc {one} ImmBorrowLoc {other} {word}"));
                }
            }
            14 => {
                if let Some(local) = self.local(Choice, true) {
                    let variant = ["A", "B", "C"][self.random.below(3)];
                    self.push(Bool, &format!("ImmBorrowLoc {local} TestVariant Choice::{variant}"));
                }
            }
            15 => {
                if let Some(local) = self.local(Deep, true) {
                    self.say(&format!("MutBorrowLoc {local} Call field Call bump"));
                }
            }
            _ => {
                // Through a local and back: what compilers do all the time.
                if let Some(local) = top.and_then(|ty| self.local(ty, false)) {
                    let ty = local_type(local);
                    self.store(local);
                    self.set[local] = false;
                    self.push(ty, &format!("MoveLoc {local}"));
                }
            }
        }
    }

    fn read_place(&mut self) {
        let places: [(Type, Type, &str); 15] = [
            (Deep, U64, "ImmBorrowField Deep.a"),
            (Deep, U8, "ImmBorrowField Deep.b"),
            (Deep, Numbers, "ImmBorrowField Deep.v"),
            (Deep, Pair, "ImmBorrowField Deep.p"),
            (Deep, U128, "ImmBorrowField Deep.p ImmBorrowField Pair.y"),
            (Pair, U16, "ImmBorrowField Pair.x"),
            (Choice, U64, "ImmBorrowVariantField Choice::{A}.0"),
            (U64, U64, ""),
            (Wide, U64, "ImmBorrowField Wide.n"),
            (Wide, Bytes, "ImmBorrowField Wide.v"),
            (Wide, Address, "ImmBorrowField Wide.i"),
            (Wide, Wide, ""),
            (Pairs, U128, "LdU64 0 VecImmBorrow Pair ImmBorrowField Pair.y"),
            (Pairs, U16, "LdU64 0 VecImmBorrow Pair ImmBorrowField Pair.x"),
            (Deeps, Deep, "LdU64 0 VecImmBorrow Deep"),
        ];
        let (of, ty, path) = places[self.random.below(places.len())];
        if let Some(local) = self.local(of, true) {
            self.push(ty, &format!("ImmBorrowLoc {local} {path} ReadRef"));
        }
    }

    fn write_place(&mut self) {
        let places: [(Type, Type, &str); 15] = [
            (Deep, U64, "MutBorrowField Deep.c"),
            (Deep, U8, "MutBorrowField Deep.b"),
            (Deep, Numbers, "MutBorrowField Deep.v"),
            (Deep, Pair, "MutBorrowField Deep.p"),
            (Deep, U16, "MutBorrowField Deep.p MutBorrowField Pair.x"),
            (Pair, U128, "MutBorrowField Pair.y"),
            (Numbers, Numbers, ""),
            (U8, U8, ""),
            (Wide, U64, "MutBorrowField Wide.n"),
            (Wide, Bytes, "MutBorrowField Wide.v"),
            (Wide, U8, "MutBorrowField Wide.k"),
            (Wide, Wide, ""),
            (Pairs, U128, "LdU64 0 VecMutBorrow Pair MutBorrowField Pair.y"),
            (Pairs, Pair, "LdU64 0 VecMutBorrow Pair"),
            (Deeps, Deep, "LdU64 0 VecMutBorrow Deep"),
        ];
        let (of, ty, path) = places[self.random.below(places.len())];
        self.value(ty);
        match self.local(of, true) {
            Some(local) => {
                self.stack.pop();
                self.say(&format!("MutBorrowLoc {local} {path} WriteRef"));
            }
            None => {
                self.stack.pop();
                self.say("Pop");
            }
        }
    }

    /// A reference in a local, used while the stack holds what was copied before.
    fn reference_step(&mut self) {
        let (numbers, deep, wide) = (LOCALS + 3, LOCALS + 4, LOCALS + 5);
        let change = self.random.below(9);
        match self.random.below(4) {
            0 => {
                if let Some(local) = self.local(U64, true) {
                    self.say(&format!(
                        "MutBorrowLoc {local} StLoc {numbers} LdU64 {change} CopyLoc {numbers} ReadRef Xor
                        MoveLoc {numbers} WriteRef"
                    ));
                }
            }
            1 => {
                if let Some(local) = self.local(Deep, true) {
                    self.say(&format!(
                        "MutBorrowLoc {local} MutBorrowField Deep.p MutBorrowField Pair.y StLoc {wide}
                        LdU128 {change} CopyLoc {wide} ReadRef Xor MoveLoc {wide} WriteRef"
                    ));
                }
            }
            2 => {
                if let Some(local) = self.local(Deep, true) {
                    self.push(
                        U64,
                        &format!(
                            "ImmBorrowLoc {local} StLoc {deep} CopyLoc {deep} ImmBorrowField Deep.a ReadRef"
                        ),
                    );
                    self.push(U64, &format!("MoveLoc {deep} ImmBorrowField Deep.v VecLen u64"));
                }
            }
            _ => {
                if let Some(local) = self.local(Numbers, true) {
                    self.say(&format!(
                        "MutBorrowLoc {local} LdU64 0 VecMutBorrow u64 StLoc {numbers} LdU64 {change}
                        CopyLoc {numbers} WriteRef MoveLoc {numbers} Call bump"
                    ));
                }
            }
        }
    }

    fn vector_step(&mut self) {
        let (vector, element) =
            [(Numbers, U64), (Bytes, U8), (Pairs, Pair), (Deeps, Deep)][self.random.below(4)];
        let Some(local) = self.local(vector, true) else { return };
        let (text, index) = (element.text(), self.random.below(3));
        match self.random.below(8) {
            0 => self.push(U64, &format!("ImmBorrowLoc {local} VecLen {text}")),
            1 => {
                self.push(element, &format!("ImmBorrowLoc {local} LdU64 {index} VecImmBorrow {text} ReadRef"))
            }
            2 => {
                self.value(element);
                self.stack.pop();
                // Making the value may have moved other locals, never this one: it has another type.
                match self.set[local] {
                    true => {
                        self.say(&format!("MutBorrowLoc {local} LdU64 {index} VecMutBorrow {text} WriteRef"))
                    }
                    false => self.say("Pop"),
                }
            }
            3 | 4 => {
                self.constants_only = true;
                let (depth, start) = (self.stack.len(), self.text.len());
                self.constant(element);
                let constant = self.text.split_off(start);
                self.stack.truncate(depth);
                self.constants_only = false;
                self.say(&format!("MutBorrowLoc {local} {constant} VecPushBack {text}"));
            }
            5 => self.say(&format!("MutBorrowLoc {local} LdU64 0 LdU64 {index} VecSwap {text}")),
            6 if self.one_in(3) => {
                self.set[local] = false;
                self.say(&format!("MoveLoc {local} VecUnpack {text} 2"));
                self.stack.extend([element, element]);
            }
            _ => self.push(element, &format!("MutBorrowLoc {local} VecPopBack {text}")),
        }
    }
}

/// What one program does under one lowering, in words.
fn outcomes(bytes: &[u8], lowering: Lowering) -> Vec<String> {
    let module = ledger_bytecode::CompiledModule::deserialize(bytes).unwrap();
    let (state, mut vm) = machine_with(&[bytes.to_vec()], lowering);
    let gas = gas();
    let mut outcomes = Vec::new();
    for (a, b) in [(3u64, 1u64 << 63), (0, 0)] {
        for balance in [1u64 << 40, 90_000, 400_000, 1_300_000] {
            let limits = GasLimits { balance, execution_max: 1 << 60, io_max: 1 << 60 };
            let mut meter = GasMeter::new(limits);
            let mut session = vm.session(&state, &gas, context());
            let arguments: [&[u8]; 2] = [&a.to_le_bytes(), &b.to_le_bytes()];
            let result = session.call(&module.id(), "run", &[], &arguments, CallMode::Bypass, &mut meter);
            if result.is_ok() {
                assert_eq!(session.live_bytes(), 0, "values were lost or freed twice");
            }
            let mut outcome = String::new();
            write!(outcome, "run({a}, {b}) {} of {balance}: {result:?}", meter.execution_used()).unwrap();
            outcomes.push(outcome);
        }
    }
    outcomes
}

#[test]
fn generated_programs_do_the_same_under_every_combination_of_shortcuts() {
    let count = std::env::var("GENERATED").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let limits = ledger_verifier::Limits::default();
    let (mut ended, mut failed) = (0, 0);
    for seed in 1..=count {
        let text = Program::module(seed);
        let module = ledger_testkit::assemble(&text);
        if let Err(error) = ledger_verifier::verify_module(&module, &limits) {
            panic!("seed {seed}: the generator made a bad program: {error:?}\n{text}");
        }
        let bytes = module.serialize();
        let plain = Lowering { forward: false, fuse: false, copy_heads: false, far: true };
        let expected = outcomes(&bytes, plain);
        for outcome in &expected {
            if outcome.contains("Ok(") {
                ended += 1
            } else {
                failed += 1
            }
            assert!(!outcome.contains("status: 2000"), "seed {seed}: {outcome}\n{text}");
        }
        for bits in 0..8u8 {
            let on = |bit: u8| bits >> bit & 1 == 1;
            let lowering = Lowering { forward: true, fuse: on(0), copy_heads: on(1), far: on(2) };
            for (expected, found) in expected.iter().zip(outcomes(&bytes, lowering)) {
                assert_eq!(*expected, found, "seed {seed} {lowering:?}\n{text}");
            }
        }
    }
    assert!(ended > 100 && failed > 100, "{ended} ended well, {failed} did not");
}
