//! Faults inside function bodies, each beside its nearest good neighbour.

mod common;

use common::{Row, run, run_with};
use ledger_bytecode::StatusCode as S;
use ledger_testkit::assemble;
use ledger_verifier::Limits;

#[test]
fn control_flow() {
    let rows: &[Row<'_>] = &[
        ("no code", Some(S::EMPTY_CODE_UNIT), "fun f() {}"),
        ("falls off the end", Some(S::INVALID_FALL_THROUGH), "fun f() { Nop }"),
        ("ends in a conditional branch", Some(S::INVALID_FALL_THROUGH), "fun f() { a: LdTrue BrTrue a }"),
        ("ends in an abort", None, "fun f() { LdU64 1 Abort }"),
        ("endless loop", None, "fun f() { a: Branch a }"),
        ("unreachable code", None, "fun f() { Ret Nop Ret }"),
        (
            "two entries into a loop",
            Some(S::INVALID_LOOP_SPLIT),
            "fun f(bool) { CopyLoc 0 BrTrue b a: Nop b: CopyLoc 0 BrTrue a Ret }",
        ),
        (
            "one entry into a loop",
            None,
            "fun f(bool) { CopyLoc 0 BrTrue b a: Nop CopyLoc 0 BrTrue a b: Ret }",
        ),
        (
            "loops 5 deep",
            None,
            "fun f(bool) {
            a: b: Nop c: Nop d: Nop e: Nop CopyLoc 0 BrTrue e CopyLoc 0 BrTrue d CopyLoc 0 BrTrue c
            CopyLoc 0 BrTrue b2 Ret b2: CopyLoc 0 BrTrue a Ret }",
        ),
        (
            "loops 6 deep",
            Some(S::LOOP_MAX_DEPTH_REACHED),
            "fun f(bool) {
            a: Nop b: Nop c: Nop d: Nop e: Nop g: CopyLoc 0 BrTrue g CopyLoc 0 BrTrue e CopyLoc 0 BrTrue d
            CopyLoc 0 BrTrue c CopyLoc 0 BrTrue b CopyLoc 0 BrTrue a Ret }",
        ),
    ];
    run(rows);
}

#[test]
fn textual_control_flow_of_version_5() {
    let make = |text: &str| assemble(&format!("module 0x42::m version 5 {text}"));
    let rows: &[Row<'_>] = &[
        ("plain loop", None, "fun f(bool) { a: CopyLoc 0 BrTrue a Ret }"),
        (
            "back to an outer loop",
            Some(S::INVALID_LOOP_CONTINUE),
            "fun f(bool) { a: Nop b: CopyLoc 0 BrTrue a CopyLoc 0 BrTrue b CopyLoc 0 BrTrue a Ret }",
        ),
        (
            "out to right behind the end",
            None,
            "fun f(bool) { a: CopyLoc 0 BrTrue out CopyLoc 0 BrTrue a out: Ret }",
        ),
        (
            "out to somewhere else",
            Some(S::INVALID_LOOP_BREAK),
            "fun f(bool) { a: CopyLoc 0 BrTrue out CopyLoc 0 BrTrue a Nop out: Ret }",
        ),
        (
            "into the middle of a loop",
            Some(S::INVALID_LOOP_SPLIT),
            "fun f(bool) { CopyLoc 0 BrTrue in a: Nop in: CopyLoc 0 BrTrue a Ret }",
        ),
        ("to the head of a loop", None, "fun f(bool) { CopyLoc 0 BrTrue a Nop a: CopyLoc 0 BrTrue a Ret }"),
        (
            "loops 6 deep",
            Some(S::LOOP_MAX_DEPTH_REACHED),
            "fun f(bool) {
            a: Nop b: Nop c: Nop d: Nop e: Nop g: CopyLoc 0 BrTrue g CopyLoc 0 BrTrue e CopyLoc 0 BrTrue d
            CopyLoc 0 BrTrue c CopyLoc 0 BrTrue b CopyLoc 0 BrTrue a Ret }",
        ),
    ];
    run_with(rows, make, &Limits::default());
}

#[test]
fn stack_usage() {
    let rows: &[Row<'_>] = &[
        ("pop of nothing", Some(S::NEGATIVE_STACK_SIZE_WITHIN_BLOCK), "fun f() { Pop Ret }"),
        ("value left at return", Some(S::POSITIVE_STACK_SIZE_AT_BLOCK_END), "fun f() { LdU64 1 Ret }"),
        (
            "value across a branch",
            Some(S::POSITIVE_STACK_SIZE_AT_BLOCK_END),
            "fun f() { LdU64 1 Branch a a: Pop Ret }",
        ),
        (
            "value left at an abort",
            Some(S::POSITIVE_STACK_SIZE_AT_BLOCK_END),
            "fun f() { LdU64 1 LdU64 1 Abort }",
        ),
        ("result missing", Some(S::NEGATIVE_STACK_SIZE_WITHIN_BLOCK), "fun f(): u64 { Ret }"),
        (
            "unreachable blocks count too",
            Some(S::NEGATIVE_STACK_SIZE_WITHIN_BLOCK),
            "fun f() { Ret Pop Ret }",
        ),
    ];
    run(rows);

    let unpack_and_pack = |count: usize, rounds: usize| {
        let round = format!("LdConst vector<u8> 0x00 VecUnpack u8 {count} VecPack u8 {count} Pop ");
        format!("fun f() {{ {} Ret }}", round.repeat(rounds))
    };
    let rows: &[Row<'_>] = &[
        ("stack of 1024", None, &unpack_and_pack(1024, 1)),
        ("stack of 1025", Some(S::VALUE_STACK_OVERFLOW), &unpack_and_pack(1025, 1)),
        ("under 10000 pushes", None, &unpack_and_pack(900, 11)),
        ("over 10000 pushes", Some(S::VALUE_STACK_PUSH_OVERFLOW), &unpack_and_pack(1000, 10)),
    ];
    run(rows);
}

#[test]
fn types_of_locals_references_and_branches() {
    let rows: &[Row<'_>] = &[
        ("pop without drop", Some(S::POP_WITHOUT_DROP_ABILITY), "fun f(N) { MoveLoc 0 Pop Ret }"),
        ("branch on a number", Some(S::BR_TYPE_MISMATCH_ERROR), "fun f() { LdU64 1 BrTrue a a: Ret }"),
        ("abort with a u8", Some(S::ABORT_TYPE_MISMATCH_ERROR), "fun f() { LdU8 1 Abort }"),
        (
            "abort message of numbers",
            Some(S::ABORT_TYPE_MISMATCH_ERROR),
            "fun f() { LdU64 1 LdU64 1 AbortMsg }",
        ),
        ("abort with a message", None, "fun f() { LdU64 1 LdConst vector<u8> 0x0141 AbortMsg }"),
        ("store of another type", Some(S::STLOC_TYPE_MISMATCH_ERROR), "fun f(u64) { LdU8 1 StLoc 0 Ret }"),
        ("return of another type", Some(S::RET_TYPE_MISMATCH_ERROR), "fun f(): u64 { LdU8 1 Ret }"),
        (
            "freeze of a value",
            Some(S::FREEZEREF_TYPE_MISMATCH_ERROR),
            "fun f(u64) { MoveLoc 0 FreezeRef Pop Ret }",
        ),
        (
            "freeze twice",
            Some(S::FREEZEREF_TYPE_MISMATCH_ERROR),
            "fun f(&mut u64) { MoveLoc 0 FreezeRef FreezeRef Pop Ret }",
        ),
        ("copy without copy", Some(S::COPYLOC_WITHOUT_COPY_ABILITY), "fun f(&R, N): N { CopyLoc 1 Ret }"),
        (
            "copy of a parameter without copy",
            Some(S::COPYLOC_WITHOUT_COPY_ABILITY),
            "fun f<T0: drop>(T0) { CopyLoc 0 Pop Ret }",
        ),
        ("copy of a parameter with copy", None, "fun f<T0: copy+drop>(T0) { CopyLoc 0 Pop Ret }"),
        (
            "borrow of a reference",
            Some(S::BORROWLOC_REFERENCE_ERROR),
            "fun f(&u64) { ImmBorrowLoc 0 Pop Ret }",
        ),
        ("read of a value", Some(S::READREF_TYPE_MISMATCH_ERROR), "fun f(u64) { MoveLoc 0 ReadRef Pop Ret }"),
        (
            "read without copy",
            Some(S::READREF_WITHOUT_COPY_ABILITY),
            "fun f(&N): N { MoveLoc 0 ReadRef Ret }",
        ),
        (
            "write through &",
            Some(S::WRITEREF_NO_MUTABLE_REFERENCE_ERROR),
            "fun f(&u64) { LdU64 1 MoveLoc 0 WriteRef Ret }",
        ),
        (
            "write without drop",
            Some(S::WRITEREF_WITHOUT_DROP_ABILITY),
            "fun f(&mut N, N) { MoveLoc 1 MoveLoc 0 WriteRef Ret }",
        ),
        (
            "write of another type",
            Some(S::WRITEREF_TYPE_MISMATCH_ERROR),
            "fun f(&mut u64) { LdU8 1 MoveLoc 0 WriteRef Ret }",
        ),
        ("write", None, "fun f(&mut u64) { LdU64 1 MoveLoc 0 WriteRef Ret }"),
    ];
    run(rows);
}

#[test]
fn types_of_arithmetic() {
    let rows: &[Row<'_>] = &[
        ("two widths", Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR), "fun f() { LdU64 1 LdU8 1 Add Pop Ret }"),
        ("two signs", Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR), "fun f() { LdI8 1 LdU8 1 Add Pop Ret }"),
        ("sum of booleans", Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR), "fun f() { LdTrue LdTrue Add Pop Ret }"),
        ("signed sum", None, "fun f(): i256 { LdI256 -1 LdI256 1 Add Ret }"),
        ("signed bits", Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR), "fun f() { LdI8 1 LdI8 1 Xor Pop Ret }"),
        ("shift by u64", Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR), "fun f() { LdU64 1 LdU64 1 Shl Pop Ret }"),
        ("shift by u8", None, "fun f() { LdU256 1 LdU8 1 Shl Pop Ret }"),
        ("signed shift", Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR), "fun f() { LdI64 1 LdU8 1 Shl Pop Ret }"),
        ("negated unsigned", Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR), "fun f() { LdU64 1 Negate Pop Ret }"),
        ("negated signed", None, "fun f(): i64 { LdI64 1 Negate Ret }"),
        ("cast of a boolean", Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR), "fun f() { LdTrue CastU8 Pop Ret }"),
        ("cast", None, "fun f(): u8 { LdI256 1 CastU8 Ret }"),
        (
            "compared booleans",
            Some(S::INTEGER_OP_TYPE_MISMATCH_ERROR),
            "fun f() { LdTrue LdTrue Lt Pop Ret }",
        ),
        ("not of a number", Some(S::BOOLEAN_OP_TYPE_MISMATCH_ERROR), "fun f() { LdU64 1 Not Pop Ret }"),
        (
            "and of numbers",
            Some(S::BOOLEAN_OP_TYPE_MISMATCH_ERROR),
            "fun f() { LdU64 1 LdU64 1 And Pop Ret }",
        ),
        (
            "equality of two types",
            Some(S::EQUALITY_OP_TYPE_MISMATCH_ERROR),
            "fun f() { LdU64 1 LdU8 1 Eq Pop Ret }",
        ),
        (
            "equality without drop",
            Some(S::EQUALITY_OP_TYPE_MISMATCH_ERROR),
            "fun f(N, N): bool { MoveLoc 0 MoveLoc 1 Eq Ret }",
        ),
        ("equality of references", None, "fun f(&N, &N): bool { MoveLoc 0 MoveLoc 1 Eq Ret }"),
    ];
    run(rows);
}

#[test]
fn types_of_structs_and_variants() {
    let rows: &[Row<'_>] = &[
        ("pack of another type", Some(S::PACK_TYPE_MISMATCH_ERROR), "fun f(): N { LdU8 1 Pack N Ret }"),
        ("pack of an enum", Some(S::PACK_TYPE_MISMATCH_ERROR), "fun f(): E { Pack E Ret }"),
        (
            "unpack of another type",
            Some(S::UNPACK_TYPE_MISMATCH_ERROR),
            "fun f(R) { MoveLoc 0 Unpack N Pop Ret }",
        ),
        (
            "unpack of a reference",
            Some(S::UNPACK_TYPE_MISMATCH_ERROR),
            "fun f(&N) { MoveLoc 0 Unpack N Pop Ret }",
        ),
        (
            "field of another type",
            Some(S::BORROWFIELD_TYPE_MISMATCH_ERROR),
            "fun f(&N) { MoveLoc 0 ImmBorrowField C.x Pop Ret }",
        ),
        (
            "mutable field through &",
            Some(S::BORROWFIELD_TYPE_MISMATCH_ERROR),
            "fun f(&C) { MoveLoc 0 MutBorrowField C.x Pop Ret }",
        ),
        ("immutable field through &mut", None, "fun f(&mut C) { MoveLoc 0 ImmBorrowField C.x Pop Ret }"),
        (
            "field of another instance",
            Some(S::BORROWFIELD_TYPE_MISMATCH_ERROR),
            "fun f(&Box<u8>) { MoveLoc 0 ImmBorrowFieldGeneric Box<u64>.t Pop Ret }",
        ),
        ("variant field", None, "fun f(&E): &u64 { MoveLoc 0 ImmBorrowVariantField E::{A, B}.0 Ret }"),
        (
            "variant fields of two types",
            Some(S::BORROWFIELD_TYPE_MISMATCH_ERROR),
            "fun f(&E): &u64 { MoveLoc 0 ImmBorrowVariantField E::{A, D}.0 Ret }",
        ),
        (
            "field of no variant",
            Some(S::ZERO_VARIANTS_ERROR),
            "fun f(&E): &u64 { MoveLoc 0 ImmBorrowVariantField E::{}.0 Ret }",
        ),
        ("variant pack", None, "fun f(): E { LdU64 1 LdTrue PackVariant E::A Ret }"),
        (
            "variant pack of another type",
            Some(S::PACK_TYPE_MISMATCH_ERROR),
            "fun f(): E { LdU64 1 PackVariant E::D Ret }",
        ),
        ("variant unpack", None, "fun f(E): u64 { MoveLoc 0 UnpackVariant E::B Ret }"),
        (
            "variant test of a value",
            Some(S::TEST_VARIANT_TYPE_MISMATCH_ERROR),
            "fun f(E): bool { MoveLoc 0 TestVariant E::A Ret }",
        ),
        ("variant test", None, "fun f(&E): bool { MoveLoc 0 TestVariant E::A Ret }"),
    ];
    run(rows);
}

#[test]
fn types_of_globals() {
    let rows: &[Row<'_>] = &[
        (
            "exists at a number",
            Some(S::EXISTS_WITHOUT_KEY_ABILITY_OR_BAD_ARGUMENT),
            "fun f(): bool { LdU64 1 Exists R Ret }",
        ),
        (
            "exists of no resource",
            Some(S::EXISTS_WITHOUT_KEY_ABILITY_OR_BAD_ARGUMENT),
            "fun f(address): bool { MoveLoc 0 Exists N Ret }",
        ),
        ("exists", None, "fun f(address): bool { MoveLoc 0 ExistsGeneric Res<u64> Ret }"),
        (
            "borrow at a number",
            Some(S::BORROWGLOBAL_TYPE_MISMATCH_ERROR),
            "fun f() acquires R { LdU64 1 ImmBorrowGlobal R Pop Ret }",
        ),
        (
            "borrow of no resource",
            Some(S::BORROWGLOBAL_WITHOUT_KEY_ABILITY),
            "fun f(address) acquires N { MoveLoc 0 ImmBorrowGlobal N Pop Ret }",
        ),
        (
            "move from a number",
            Some(S::MOVEFROM_TYPE_MISMATCH_ERROR),
            "fun f(): R acquires R { LdU64 1 MoveFrom R Ret }",
        ),
        (
            "move from of no resource",
            Some(S::MOVEFROM_WITHOUT_KEY_ABILITY),
            "fun f(address): N acquires N { MoveLoc 0 MoveFrom N Ret }",
        ),
        (
            "move to of no resource",
            Some(S::MOVETO_WITHOUT_KEY_ABILITY),
            "fun f(&signer, N) { MoveLoc 0 MoveLoc 1 MoveTo N Ret }",
        ),
        (
            "move to at an address",
            Some(S::MOVETO_TYPE_MISMATCH_ERROR),
            "fun f(address, R) { MoveLoc 0 MoveLoc 1 MoveTo R Ret }",
        ),
        (
            "move to at &mut signer",
            Some(S::MOVETO_TYPE_MISMATCH_ERROR),
            "fun f(&mut signer, R) { MoveLoc 0 MoveLoc 1 MoveTo R Ret }",
        ),
        ("move to", None, "fun f(&signer, R) { MoveLoc 0 MoveLoc 1 MoveTo R Ret }"),
    ];
    run(rows);
}

#[test]
fn types_of_vectors() {
    let rows: &[Row<'_>] = &[
        ("pack of another type", Some(S::TYPE_MISMATCH), "fun f(): vector<u64> { LdU8 1 VecPack u64 1 Ret }"),
        (
            "length of another vector",
            Some(S::TYPE_MISMATCH),
            "fun f(&vector<u8>): u64 { MoveLoc 0 VecLen u64 Ret }",
        ),
        ("length of a value", Some(S::TYPE_MISMATCH), "fun f(vector<u8>): u64 { MoveLoc 0 VecLen u8 Ret }"),
        ("length", None, "fun f(&mut vector<u8>): u64 { MoveLoc 0 VecLen u8 Ret }"),
        (
            "element at a u8",
            Some(S::TYPE_MISMATCH),
            "fun f(&vector<u8>): &u8 { MoveLoc 0 LdU8 0 VecImmBorrow u8 Ret }",
        ),
        (
            "mutable element through &",
            Some(S::TYPE_MISMATCH),
            "fun f(&vector<u8>): &mut u8 { MoveLoc 0 LdU64 0 VecMutBorrow u8 Ret }",
        ),
        (
            "push through &",
            Some(S::TYPE_MISMATCH),
            "fun f(&vector<u8>) { MoveLoc 0 LdU8 0 VecPushBack u8 Ret }",
        ),
        ("push", None, "fun f(&mut vector<u8>) { MoveLoc 0 LdU8 0 VecPushBack u8 Ret }"),
        ("pop through &", Some(S::TYPE_MISMATCH), "fun f(&vector<u8>): u8 { MoveLoc 0 VecPopBack u8 Ret }"),
        (
            "swap at booleans",
            Some(S::TYPE_MISMATCH),
            "fun f(&mut vector<u8>) { MoveLoc 0 LdTrue LdTrue VecSwap u8 Ret }",
        ),
        (
            "unpack of another vector",
            Some(S::TYPE_MISMATCH),
            "fun f(vector<u8>): u64 { MoveLoc 0 VecUnpack u64 1 Ret }",
        ),
        (
            "two element types",
            Some(S::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH),
            "fun f(&vector<u8>): u64 { MoveLoc 0 VecLen u8, u8 Ret }",
        ),
        ("reference element", Some(S::INVALID_SIGNATURE_TOKEN), "fun f() { VecPack &u8 0 Pop Ret }"),
        ("too many elements", Some(S::CONSTRAINT_NOT_SATISFIED), "fun f() { VecPack u8 65536 Pop Ret }"),
    ];
    run(rows);
}

#[test]
fn types_of_calls_and_closures() {
    let callees = "
        public fun g(u64, u8): bool attributes [persistent] { LdTrue Ret }
        fun p(u64): u64 { MoveLoc 0 Ret }
        fun r(&u64): u64 { MoveLoc 0 ReadRef Ret }
        fun id<T0>(T0): T0 { MoveLoc 0 Ret }
        fun k<T0: key>(T0): T0 { MoveLoc 0 Ret }
    ";
    let make = |text: &str| common::module(&format!("{callees} {text}"));
    let rows: &[Row<'_>] = &[
        (
            "arguments in the wrong order",
            Some(S::CALL_TYPE_MISMATCH_ERROR),
            "fun f(): bool { LdU8 1 LdU64 1 Call g Ret }",
        ),
        ("call", None, "fun f(): bool { LdU64 1 LdU8 1 Call g Ret }"),
        (
            "generic call of another type",
            Some(S::CALL_TYPE_MISMATCH_ERROR),
            "fun f(): u8 { LdU64 1 CallGeneric id<u8> Ret }",
        ),
        (
            "type argument without the ability",
            Some(S::CONSTRAINT_NOT_SATISFIED),
            "fun f(): u8 { LdU8 1 CallGeneric k<u8> Ret }",
        ),
        (
            "type arguments missing",
            Some(S::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH),
            "fun f(): u8 { LdU8 1 CallGeneric id<> Ret }",
        ),
        (
            "reference as type argument",
            Some(S::INVALID_SIGNATURE_TOKEN),
            "fun f(&u8): &u8 { MoveLoc 0 CallGeneric id<&u8> Ret }",
        ),
        (
            "plain call of a generic function",
            Some(S::GENERIC_MEMBER_OPCODE_MISMATCH),
            "fun f(): u8 { LdU8 1 Call id Ret }",
        ),
        (
            "generic call of a plain function",
            Some(S::GENERIC_MEMBER_OPCODE_MISMATCH),
            "fun f(): u64 { LdU64 1 CallGeneric p<> Ret }",
        ),
        (
            "closure over a persistent function",
            None,
            "fun f(): |u64|(bool) has copy+drop+store { LdU8 1 PackClosure g 2 Ret }",
        ),
        (
            "closure over a private function may be stored",
            Some(S::RET_TYPE_MISMATCH_ERROR),
            "fun f(): |u64|(u64) has copy+drop+store { PackClosure p 0 Ret }",
        ),
        ("closure over a private function", None, "fun f(): |u64|(u64) has drop { PackClosure p 0 Ret }"),
        (
            "captured argument of another type",
            Some(S::PACK_TYPE_MISMATCH_ERROR),
            "fun f(): |u64|(bool) { LdU64 1 PackClosure g 2 Ret }",
        ),
        (
            "captured reference",
            Some(S::PACK_TYPE_MISMATCH_ERROR),
            "fun f(&u64): ||(u64) { MoveLoc 0 PackClosure r 1 Ret }",
        ),
        (
            "captured parameter not there",
            Some(S::INVALID_CLOSURE_MASK),
            "fun f(): |u64|(u64) { PackClosure p 2 Ret }",
        ),
        (
            "captured value lowers abilities",
            Some(S::RET_TYPE_MISMATCH_ERROR),
            "fun t(C2): u64 { MoveLoc 0 Unpack C2 Ret } struct C2 has drop { x: u64 }
             fun f(C2): ||(u64) has copy { MoveLoc 0 PackClosure t 1 Ret }",
        ),
        (
            "closure call",
            None,
            "fun f(|u64|(u64) has drop): u64 { LdU64 1 MoveLoc 0 CallClosure |u64|(u64) Ret }",
        ),
        (
            "closure call of another type",
            Some(S::CALL_TYPE_MISMATCH_ERROR),
            "fun f(|u64|(u64) has drop): u64 { LdU64 1 MoveLoc 0 CallClosure |u8|(u64) Ret }",
        ),
        (
            "closure call with another argument",
            Some(S::CALL_TYPE_MISMATCH_ERROR),
            "fun f(|u64|(u64) has drop): u64 { LdU8 1 MoveLoc 0 CallClosure |u64|(u64) Ret }",
        ),
        (
            "closure call that names a number",
            Some(S::CLOSURE_CALL_REQUIRES_FUNCTION),
            "fun f(|u64|(u64) has drop): u64 { LdU64 1 MoveLoc 0 CallClosure u64 Ret }",
        ),
    ];
    run_with(rows, make, &Limits::default());
}

#[test]
fn locals() {
    let rows: &[Row<'_>] = &[
        ("copy before set", Some(S::COPYLOC_UNAVAILABLE_ERROR), "fun f(): u64 { locals u64 CopyLoc 0 Ret }"),
        ("move twice", Some(S::MOVELOC_UNAVAILABLE_ERROR), "fun f(u64): u64 { MoveLoc 0 Pop MoveLoc 0 Ret }"),
        (
            "borrow after move",
            Some(S::BORROWLOC_UNAVAILABLE_ERROR),
            "fun f(u64) { MoveLoc 0 Pop ImmBorrowLoc 0 Pop Ret }",
        ),
        (
            "set on one way only",
            Some(S::COPYLOC_UNAVAILABLE_ERROR),
            "fun f(bool): u64 { locals u64 CopyLoc 0 BrTrue a LdU64 1 StLoc 1 a: CopyLoc 1 Ret }",
        ),
        (
            "set on both ways",
            None,
            "fun f(bool): u64 { locals u64 CopyLoc 0 BrTrue a LdU64 1 StLoc 1 Branch b a: LdU64 2 StLoc 1
             b: CopyLoc 1 Ret }",
        ),
        (
            "overwrite without drop",
            Some(S::STLOC_UNSAFE_TO_DESTROY_ERROR),
            "fun f(N, N): N { MoveLoc 0 StLoc 1 MoveLoc 1 Ret }",
        ),
        (
            "return with a value without drop",
            Some(S::UNSAFE_RET_UNUSED_VALUES_WITHOUT_DROP),
            "fun f(N) { Ret }",
        ),
        (
            "return with one on some way",
            Some(S::UNSAFE_RET_UNUSED_VALUES_WITHOUT_DROP),
            "fun f(bool, N) { CopyLoc 0 BrTrue a MoveLoc 1 Unpack N Pop a: Ret }",
        ),
        ("abort with a value without drop", None, "fun f(N) { LdU64 1 Abort }"),
        (
            "moved in a loop",
            Some(S::MOVELOC_UNAVAILABLE_ERROR),
            "fun f(bool, u64) { a: MoveLoc 1 Pop CopyLoc 0 BrTrue a Ret }",
        ),
    ];
    run(rows);
}

#[test]
fn acquires() {
    let rows: &[Row<'_>] = &[
        (
            "not listed",
            Some(S::MISSING_ACQUIRES_ANNOTATION),
            "fun f(address) { MoveLoc 0 ImmBorrowGlobal R Pop Ret }",
        ),
        (
            "of a callee not listed",
            Some(S::MISSING_ACQUIRES_ANNOTATION),
            "fun g(address) acquires R { MoveLoc 0 ImmBorrowGlobal R Pop Ret }
             fun f(address) { MoveLoc 0 Call g Ret }",
        ),
        (
            "of a callee",
            None,
            "fun g(address) acquires R { MoveLoc 0 ImmBorrowGlobal R Pop Ret }
             fun f(address) acquires R { MoveLoc 0 Call g Ret }",
        ),
        (
            "listed in vain",
            Some(S::EXTRANEOUS_ACQUIRES_ANNOTATION),
            "fun f(address): bool acquires R { MoveLoc 0 Exists R Ret }",
        ),
        (
            "listed twice",
            Some(S::DUPLICATE_ACQUIRES_ANNOTATION),
            "fun f(address) acquires R, R { MoveLoc 0 ImmBorrowGlobal R Pop Ret }",
        ),
        ("no resource", Some(S::INVALID_ACQUIRES_ANNOTATION), "native fun f(address) acquires N"),
    ];
    run(rows);
}
