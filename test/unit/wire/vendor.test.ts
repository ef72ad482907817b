import { expect, test } from "vitest";
import { isVendorWord, wireNames } from "../../../src/wire/index.js";

test("the default word gives the names of the interface", () => {
  const names = wireNames("node");
  expect(Object.values(names.headers)).toEqual([
    "X-NODE-CHAIN-ID",
    "X-NODE-LEDGER-VERSION",
    "X-NODE-LEDGER-OLDEST-VERSION",
    "X-NODE-LEDGER-TIMESTAMPUSEC",
    "X-NODE-EPOCH",
    "X-NODE-BLOCK-HEIGHT",
    "X-NODE-OLDEST-BLOCK-HEIGHT",
    "X-NODE-GAS-USED",
    "X-NODE-CURSOR",
  ]);
  expect(names.signedTransactionType).toBe("application/x.node.signed_transaction+bcs");
  expect(names.viewFunctionType).toBe("application/x.node.view_function+bcs");
});

test("a word that cannot stand in a header name is refused", () => {
  expect(["node", "a", "my-chain", "x2"].every(isVendorWord)).toBe(true);
  expect(["", "Node", "a b", "a\r\n", "-a", "a".repeat(33)].some(isVendorWord)).toBe(false);
});
