import { Account, Ed25519PrivateKey } from "@aptos-labs/ts-sdk";
import { describe, expect, it } from "vitest";
import { developmentAccount, minterAccount } from "../../../src/config/index.js";

describe("development keys", () => {
  it("are accounts an independent SDK derives alike", () => {
    for (const index of [0, 1, 9]) {
      const ours = developmentAccount("seed", index);
      const theirs = Account.fromPrivateKey({
        privateKey: new Ed25519PrivateKey(`0x${ours.privateKey.toString("hex")}`, false),
      });
      expect(theirs.accountAddress.toStringLong()).toBe(`0x${ours.address.toString("hex")}`);
      expect(theirs.publicKey.toUint8Array()).toEqual(new Uint8Array(ours.publicKey));
    }
  });
  it("differ by seed, by index and from the minter's", () => {
    const keys = [
      developmentAccount("a", 0),
      developmentAccount("a", 1),
      developmentAccount("b", 0),
      minterAccount("a"),
      minterAccount("b"),
    ].map((account) => account.privateKey.toString("hex"));
    expect(new Set(keys).size).toBe(keys.length);
  });
  it("are the same on every run", () => {
    expect(developmentAccount("a", 3)).toEqual(developmentAccount("a", 3));
  });
  it("leave the minter at its fixed address", () => {
    expect(minterAccount("a").address.toString("hex")).toBe(`${"0".repeat(57)}a550c18`);
  });
});
