/** Blocks and the state they leave, both as functions of the height alone. */

import { address, buildBlock, pathKey } from "../unit/store/block-builder.js";

export const TRANSACTIONS = 4;
const KEYS = 40;

export const keyOf = (index: number) => pathKey(address(index % 7), 1, `0x1::m::R${index}`);

/** Key written by a version, out of KEYS: some often, some rarely. */
const keyIndex = (version: number) => (version % 3 === 0 ? 0 : (version * 31) % KEYS);

export function blockOfHeight(height: number) {
  const first = height * TRANSACTIONS;
  const transactions = Array.from({ length: TRANSACTIONS }, (_, index) => {
    const version = first + index;
    const value = version % 11 === 0 ? undefined : Buffer.alloc(50 + (version % 300), version);
    return {
      writes: [{ key: keyOf(keyIndex(version)), value }],
      sender: address(version % 5),
      sequenceNumber: Math.floor(version / 5),
    };
  });
  return buildBlock(height, first, transactions);
}

/** Value of each key at a version, by replaying from nothing. */
export function stateAt(version: number): Map<number, Buffer> {
  const state = new Map<number, Buffer>();
  for (let at = 0; at <= version; at++) {
    if (at % 11 === 0) state.delete(keyIndex(at));
    else state.set(keyIndex(at), Buffer.alloc(50 + (at % 300), at));
  }
  return state;
}

export const KEY_COUNT = KEYS;
