//! The vector natives called as functions: the same values as a vector of the host, at every element width.

#[path = "common/calls.rs"]
mod calls;
mod common;

use calls::{assembled, call_paid};
use common::{context, gas};
use ledger_vm::status;

const VECTOR: &str = "module 0x1::vector
native public fun empty<T0>(): vector<T0>
native public fun length<T0>(&vector<T0>): u64
native public fun borrow<T0>(&vector<T0>, u64): &T0
native public fun borrow_mut<T0>(&mut vector<T0>, u64): &mut T0
native public fun push_back<T0>(&mut vector<T0>, T0)
native public fun pop_back<T0>(&mut vector<T0>): T0
native public fun destroy_empty<T0>(vector<T0>)
native public fun swap<T0>(&mut vector<T0>, u64, u64)
public fun build<T0>(T0, T0, T0): vector<T0> {
  locals vector<T0>
  CallGeneric empty<T0>
  StLoc 3
  MutBorrowLoc 3
  MoveLoc 0
  CallGeneric push_back<T0>
  MutBorrowLoc 3
  MoveLoc 1
  CallGeneric push_back<T0>
  MutBorrowLoc 3
  MoveLoc 2
  CallGeneric push_back<T0>
  MutBorrowLoc 3
  LdU64 0
  LdU64 2
  CallGeneric swap<T0>
  MoveLoc 3
  Ret
}
public fun at<T0: copy+drop>(vector<T0>, u64): T0, u64 {
  ImmBorrowLoc 0
  MoveLoc 1
  CallGeneric borrow<T0>
  ReadRef
  ImmBorrowLoc 0
  CallGeneric length<T0>
  Ret
}
public fun set<T0: copy+drop>(vector<T0>, u64, T0): vector<T0>, T0 {
  MoveLoc 2
  MutBorrowLoc 0
  MoveLoc 1
  CallGeneric borrow_mut<T0>
  WriteRef
  MutBorrowLoc 0
  CallGeneric pop_back<T0>
  StLoc 2
  MoveLoc 0
  MoveLoc 2
  Ret
}
public fun destroy<T0>(vector<T0>) {
  MoveLoc 0
  CallGeneric destroy_empty<T0>
  Ret
}";

#[test]
fn vectors_are_built_read_and_changed() {
    let (state, mut vm) = assembled(&[VECTOR]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let of_width = |value: u8, width: usize| vec![value; width];
    let with = |tag: &str, values: [Vec<u8>; 3]| (tag.to_owned(), values);
    let mut rows: Vec<(String, [Vec<u8>; 3])> =
        [("u8", 1), ("u16", 2), ("u32", 4), ("u64", 8), ("u128", 16), ("u256", 32), ("address", 32)]
            .into_iter()
            .map(|(tag, width)| with(tag, [1, 2, 3].map(|value| of_width(value, width))))
            .collect();
    rows.push(with("bool", [vec![1], vec![0], vec![0]]));
    rows.push(with("vector<u8>", [vec![0], vec![1, 7], vec![3, 1, 2, 3]]));
    for (tag, [a, b, c]) in rows {
        let tags = [tag.parse().unwrap()];
        let mut run = |function: &str, arguments: &[Vec<u8>]| {
            call_paid(&mut session, "vector", function, &tags, arguments).0
        };
        let index = |i: u64| i.to_le_bytes().to_vec();
        let list = |parts: &[&Vec<u8>]| {
            parts.iter().fold(vec![parts.len() as u8], |all, part| [all, part.to_vec()].concat())
        };
        let built = run("build", &[a.clone(), b.clone(), c.clone()]).unwrap().remove(0);
        assert_eq!(built, list(&[&c, &b, &a]), "{tag}");
        assert_eq!(run("at", &[built.clone(), index(1)]).unwrap(), [b.clone(), index(3)], "{tag}");
        let changed = run("set", &[built.clone(), index(0), b.clone()]).unwrap();
        assert_eq!(changed, [list(&[&b, &b]), a.clone()], "{tag}");
        let outside = run("at", &[built.clone(), index(3)]).unwrap_err();
        assert_eq!((outside.status, outside.sub_status), (status::VECTOR_OPERATION_ERROR, Some(1)));
        let full = run("destroy", &[built]).unwrap_err();
        assert_eq!((full.status, full.sub_status), (status::VECTOR_OPERATION_ERROR, Some(3)));
        assert_eq!(run("destroy", &[vec![0]]).unwrap(), Vec::<Vec<u8>>::new());
    }
}
