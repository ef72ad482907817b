//! Faults of borrowing, each beside its nearest good neighbour.

mod common;

use common::{Row, run};
use ledger_bytecode::StatusCode as S;

#[test]
fn locals_and_their_borrows() {
    let rows: &[Row<'_>] = &[
        (
            "moved while borrowed",
            Some(S::MOVELOC_EXISTS_BORROW_ERROR),
            "fun f(u64) { locals &u64 ImmBorrowLoc 0 StLoc 1 MoveLoc 0 Pop MoveLoc 1 Pop Ret }",
        ),
        (
            "moved after the borrow",
            None,
            "fun f(u64) { locals &u64 ImmBorrowLoc 0 StLoc 1 MoveLoc 1 Pop MoveLoc 0 Pop Ret }",
        ),
        (
            "overwritten while borrowed",
            Some(S::STLOC_UNSAFE_TO_DESTROY_ERROR),
            "fun f(u64) { locals &u64 ImmBorrowLoc 0 StLoc 1 LdU64 1 StLoc 0 MoveLoc 1 Pop Ret }",
        ),
        (
            "copied while borrowed mutably",
            Some(S::COPYLOC_EXISTS_BORROW_ERROR),
            "fun f(u64) { locals &mut u64 MutBorrowLoc 0 StLoc 1 CopyLoc 0 Pop MoveLoc 1 Pop Ret }",
        ),
        (
            "copied while borrowed",
            None,
            "fun f(u64) { locals &u64 ImmBorrowLoc 0 StLoc 1 CopyLoc 0 Pop MoveLoc 1 Pop Ret }",
        ),
        (
            "borrowed while borrowed mutably",
            Some(S::BORROWLOC_EXISTS_BORROW_ERROR),
            "fun f(u64) { locals &mut u64 MutBorrowLoc 0 StLoc 1 ImmBorrowLoc 0 Pop MoveLoc 1 Pop Ret }",
        ),
        (
            "returned borrow of a local",
            Some(S::UNSAFE_RET_LOCAL_OR_RESOURCE_STILL_BORROWED),
            "fun f(u64): &u64 { ImmBorrowLoc 0 Ret }",
        ),
        ("returned borrow of a parameter", None, "fun f(&C): &u64 { MoveLoc 0 ImmBorrowField C.x Ret }"),
        (
            "borrow kept round a loop",
            Some(S::STLOC_UNSAFE_TO_DESTROY_ERROR),
            "fun f(bool, u64) { locals &u64 ImmBorrowLoc 1 StLoc 2
             a: LdU64 1 StLoc 1 CopyLoc 0 BrTrue a MoveLoc 2 Pop Ret }",
        ),
        (
            "borrow on one way only",
            Some(S::MOVELOC_EXISTS_BORROW_ERROR),
            "fun f(bool, u64, u64) { locals &u64
             CopyLoc 0 BrTrue a ImmBorrowLoc 1 StLoc 3 Branch b a: ImmBorrowLoc 2 StLoc 3
             b: MoveLoc 1 Pop MoveLoc 3 Pop Ret }",
        ),
        (
            "reference gone on one way is gone",
            None,
            "fun f(bool, u64) { locals &u64 ImmBorrowLoc 1 StLoc 2
             CopyLoc 0 BrTrue a MoveLoc 2 Pop a: MoveLoc 1 Pop Ret }",
        ),
    ];
    run(rows);
}

#[test]
fn fields_and_references() {
    let rows: &[Row<'_>] = &[
        ("two fields mutably", None,
            "fun f(&mut C) { locals &mut u64 CopyLoc 0 MutBorrowField C.x StLoc 1 MoveLoc 0 MutBorrowField C.y
             LdU64 1 MoveLoc 1 WriteRef Pop Ret }"),
        ("whole written while a field is borrowed", Some(S::WRITEREF_EXISTS_BORROW_ERROR),
            "fun f(&mut C, C) { locals &mut u64 CopyLoc 0 MutBorrowField C.x StLoc 2
             MoveLoc 1 MoveLoc 0 WriteRef LdU64 1 MoveLoc 2 WriteRef Ret }"),
        ("whole read while a field is borrowed mutably", Some(S::READREF_EXISTS_MUTABLE_BORROW_ERROR),
            "fun f(&mut C): C { locals &mut u64 CopyLoc 0 MutBorrowField C.x StLoc 1
             MoveLoc 0 ReadRef LdU64 1 MoveLoc 1 WriteRef Ret }"),
        ("same field borrowed while borrowed mutably", Some(S::BORROWFIELD_EXISTS_MUTABLE_BORROW_ERROR),
            "fun f(&mut C) { locals &mut u64 CopyLoc 0 MutBorrowField C.x StLoc 1
             MoveLoc 0 ImmBorrowField C.x Pop LdU64 1 MoveLoc 1 WriteRef Ret }"),
        ("other field borrowed while borrowed mutably", None,
            "fun f(&mut C) { locals &mut u64 CopyLoc 0 MutBorrowField C.x StLoc 1
             MoveLoc 0 ImmBorrowField C.y Pop LdU64 1 MoveLoc 1 WriteRef Ret }"),
        ("frozen while a copy is mutable", Some(S::FREEZEREF_EXISTS_MUTABLE_BORROW_ERROR),
            "fun f(&mut u64) { locals &mut u64 CopyLoc 0 StLoc 1 MoveLoc 0 FreezeRef Pop
             LdU64 1 MoveLoc 1 WriteRef Ret }"),
        ("field of what a copy borrows whole", Some(S::BORROWFIELD_EXISTS_MUTABLE_BORROW_ERROR),
            "fun f(&mut C) { locals &mut C CopyLoc 0 StLoc 1 MoveLoc 0 MutBorrowField C.x Pop
             MoveLoc 1 Pop Ret }"),
        ("compared while written elsewhere", Some(S::READREF_EXISTS_MUTABLE_BORROW_ERROR),
            "fun f(&mut C, &mut C): bool { locals &mut u64 CopyLoc 0 MutBorrowField C.x StLoc 2
             MoveLoc 0 MoveLoc 1 Eq MoveLoc 2 Pop Ret }"),
        ("variant tested while a field is borrowed mutably", Some(S::READREF_EXISTS_MUTABLE_BORROW_ERROR),
            "fun f(&mut E): bool { locals &mut u64 CopyLoc 0 MutBorrowVariantField E::{B}.0 StLoc 1
             MoveLoc 0 TestVariant E::A MoveLoc 1 Pop Ret }"),
        ("returned while borrowed from", Some(S::RET_BORROWED_MUTABLE_REFERENCE_ERROR),
            "fun f(&mut C): &mut C, &mut u64 { locals &mut u64 CopyLoc 0 MutBorrowField C.x StLoc 1
             MoveLoc 0 MoveLoc 1 Ret }"),
    ];
    run(rows);
}

#[test]
fn resources() {
    let rows: &[Row<'_>] = &[
        ("borrowed twice", Some(S::GLOBAL_REFERENCE_ERROR),
            "fun f(address) acquires R { locals &mut R CopyLoc 0 MutBorrowGlobal R StLoc 1
             MoveLoc 0 MutBorrowGlobal R Pop MoveLoc 1 Pop Ret }"),
        ("borrowed twice immutably", None,
            "fun f(address) acquires R { locals &R CopyLoc 0 ImmBorrowGlobal R StLoc 1
             MoveLoc 0 ImmBorrowGlobal R Pop MoveLoc 1 Pop Ret }"),
        ("two instances are one resource", Some(S::GLOBAL_REFERENCE_ERROR),
            "fun f(address) acquires Res { locals &mut Res<u8> CopyLoc 0 MutBorrowGlobalGeneric Res<u8> StLoc 1
             MoveLoc 0 MutBorrowGlobalGeneric Res<u64> Pop MoveLoc 1 Pop Ret }"),
        ("taken while borrowed", Some(S::GLOBAL_REFERENCE_ERROR),
            "fun f(address): R acquires R { locals &R CopyLoc 0 ImmBorrowGlobal R StLoc 1
             MoveLoc 0 MoveFrom R MoveLoc 1 Pop Ret }"),
        ("returned", Some(S::UNSAFE_RET_LOCAL_OR_RESOURCE_STILL_BORROWED),
            "fun f(address): &R acquires R { MoveLoc 0 ImmBorrowGlobal R Ret }"),
        ("acquired by a callee while borrowed", Some(S::GLOBAL_REFERENCE_ERROR),
            "fun g(address) acquires R { MoveLoc 0 MutBorrowGlobal R Pop Ret }
             fun f(address) acquires R { locals &R CopyLoc 0 ImmBorrowGlobal R StLoc 1
             MoveLoc 0 Call g MoveLoc 1 Pop Ret }"),
        ("existence asked while borrowed", None,
            "fun f(address): bool acquires R { locals &R CopyLoc 0 ImmBorrowGlobal R StLoc 1
             MoveLoc 0 Exists R MoveLoc 1 Pop Ret }"),
    ];
    run(rows);
}

#[test]
fn vectors_and_calls() {
    let rows: &[Row<'_>] = &[
        (
            "pushed while an element is borrowed",
            Some(S::VEC_UPDATE_EXISTS_MUTABLE_BORROW_ERROR),
            "fun f(&mut vector<u8>) { locals &mut u8 CopyLoc 0 LdU64 0 VecMutBorrow u8 StLoc 1
             MoveLoc 0 LdU8 1 VecPushBack u8 MoveLoc 1 Pop Ret }",
        ),
        (
            "two elements mutably",
            Some(S::VEC_BORROW_ELEMENT_EXISTS_MUTABLE_BORROW_ERROR),
            "fun f(&mut vector<u8>) { locals &mut u8 CopyLoc 0 LdU64 0 VecMutBorrow u8 StLoc 1
             MoveLoc 0 LdU64 1 VecMutBorrow u8 Pop MoveLoc 1 Pop Ret }",
        ),
        (
            "two elements",
            None,
            "fun f(&vector<u8>) { locals &u8 CopyLoc 0 LdU64 0 VecImmBorrow u8 StLoc 1
             MoveLoc 0 LdU64 1 VecImmBorrow u8 Pop MoveLoc 1 Pop Ret }",
        ),
        (
            "passed on while borrowed from",
            Some(S::CALL_BORROWED_MUTABLE_REFERENCE_ERROR),
            "fun g(&mut C) { Ret }
             fun f(&mut C) { locals &mut u64 CopyLoc 0 MutBorrowField C.x StLoc 1 MoveLoc 0 Call g
             MoveLoc 1 Pop Ret }",
        ),
        (
            "same reference passed twice",
            Some(S::CALL_BORROWED_MUTABLE_REFERENCE_ERROR),
            "fun g(&mut C, &mut C) { Ret } fun f(&mut C) { CopyLoc 0 MoveLoc 0 Call g Ret }",
        ),
        (
            "result may point into an argument",
            Some(S::WRITEREF_EXISTS_BORROW_ERROR),
            "fun g(&mut C): &mut u64 { MoveLoc 0 MutBorrowField C.x Ret }
             fun f(&mut C, C) { locals &mut u64 CopyLoc 0 Call g StLoc 2 MoveLoc 1 MoveLoc 0 WriteRef
             MoveLoc 2 Pop Ret }",
        ),
        (
            "result does not point into a value",
            None,
            "fun g(&mut C): u64 { MoveLoc 0 ImmBorrowField C.x ReadRef Ret }
             fun f(&mut C, C) { locals u64 CopyLoc 0 Call g StLoc 2 MoveLoc 1 MoveLoc 0 WriteRef Ret }",
        ),
        (
            "mutable result comes from mutable arguments only",
            None,
            "native fun g(&C, &mut C): &mut u64
             fun f(C, &mut C): &mut u64 { ImmBorrowLoc 0 MoveLoc 1 Call g Ret }",
        ),
        (
            "immutable result comes from all arguments",
            Some(S::UNSAFE_RET_LOCAL_OR_RESOURCE_STILL_BORROWED),
            "native fun g(&C, &mut C): &u64
             fun f(C, &mut C): &u64 { ImmBorrowLoc 0 MoveLoc 1 Call g Ret }",
        ),
        (
            "closure result may point into an argument",
            Some(S::UNSAFE_RET_LOCAL_OR_RESOURCE_STILL_BORROWED),
            "fun f(C, |&C|(&u64) has drop): &u64 { ImmBorrowLoc 0 MoveLoc 1 CallClosure |&C|(&u64) Ret }",
        ),
    ];
    run(rows);
}
