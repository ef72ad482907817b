import { describe, expect, it } from "vitest";
import {
  formatAddress,
  formatAddressShort,
  formatHex,
  isSpecialAddress,
  parseAddress,
  parseHex,
  parseU64,
} from "../../../src/domain/index.js";

describe("u64 text", () => {
  const rows: [string, bigint | undefined, string][] = [
    ["0", 0n, "zero"],
    ["18446744073709551615", 18446744073709551615n, "largest"],
    ["18446744073709551616", undefined, "one above the largest"],
    ["007", 7n, "leading zeros"],
    ["", undefined, "nothing"],
    ["-1", undefined, "sign"],
    ["1.0", undefined, "point"],
    ["0x10", undefined, "hexadecimal"],
    ["1 ", undefined, "space"],
    ["9".repeat(100_000), undefined, "long text costs nothing"],
  ];
  it.each(rows)("%.30s reads as %s (%s)", (text, value) => {
    expect(parseU64(text)).toBe(value);
  });
});

describe("hexadecimal text", () => {
  it.each([
    ["0x", ""],
    ["0x00ff", "00ff"],
    ["00FF", "00ff"],
  ])("%s is read", (text, digits) => {
    expect(parseHex(text)?.toString("hex")).toBe(digits);
  });
  it.each(["0x0", "0xzz", "0x00gg", "0X00", " 00", "00 "])("%j is refused", (text) => {
    expect(parseHex(text)).toBeUndefined();
  });
  it("more bytes than the bound are refused", () => {
    expect(parseHex("0x0011", 2)).toBeDefined();
    expect(parseHex("0x001122", 2)).toBeUndefined();
  });
  it("bytes are written with every zero", () => {
    expect(formatHex(Uint8Array.of(0, 1, 0xab))).toBe("0x0001ab");
    expect(formatHex(new Uint8Array(8).subarray(2, 3))).toBe("0x00");
  });
});

describe("addresses", () => {
  it.each([
    ["1", "0x1"],
    ["0x1", "0x1"],
    ["0x0", "0x0"],
    ["0xF", "0xf"],
    ["0x10", `0x${"0".repeat(62)}10`],
    ["A550C18", `0x${"0".repeat(57)}a550c18`],
  ])("%s is written %s", (text, written) => {
    const address = parseAddress(text);
    expect(address).toBeDefined();
    expect(formatAddress(address as Buffer)).toBe(written);
  });
  it.each(["", "0x", "0xg", "1".repeat(65), "0x 1"])("%j is refused", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
  it("the short form drops leading zeros only", () => {
    expect(formatAddressShort(parseAddress("0x0100") as Buffer)).toBe("0x100");
  });
  it("0xf is special and 0x10 is not", () => {
    expect(isSpecialAddress(parseAddress("f") as Buffer)).toBe(true);
    expect(isSpecialAddress(parseAddress("10") as Buffer)).toBe(false);
  });
});
