/**
 * Hashes of the chain format, computed a second time and from nothing but SHA3-256. Plain and slow:
 * this is what the core's answers are compared with, after it has itself been held to the vectors.
 *
 * ```
 * seed(type)        = sha3(salt ‖ type)
 * accumulator node  = sha3(seed ‖ left ‖ right), a missing child being the placeholder
 * tree leaf         = sha3(seed ‖ key hash ‖ value hash)
 * tree node         = sha3(seed ‖ left ‖ right); a subtree of one leaf is that leaf, of none the placeholder
 * ```
 */
import { sha3_256 } from "@noble/hashes/sha3.js";

const SALT = "APTOS::";

export function sha3(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.from(sha3_256(Buffer.concat(parts)));
}

export function seed(type: string): Buffer {
  return sha3(Buffer.from(SALT + type, "ascii"));
}

/** Hash of a value that is hashed as its type's seed and its bytes. */
export function typedHash(type: string, bytes: Uint8Array): Buffer {
  return sha3(seed(type), bytes);
}

/** @param name At most 32 ASCII characters. */
export function placeholder(name: string): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write(name, "ascii");
  return bytes;
}

export const ACCUMULATOR_PLACEHOLDER = placeholder("ACCUMULATOR_PLACEHOLDER_HASH");
export const TREE_PLACEHOLDER = placeholder("SPARSE_MERKLE_PLACEHOLDER_HASH");

export type Accumulator = "TransactionAccumulator" | "EventAccumulator";

export function accumulatorRoot(kind: Accumulator, leaves: readonly Buffer[]): Buffer {
  const salt = seed(kind);
  let level = leaves.length === 0 ? [ACCUMULATOR_PLACEHOLDER] : leaves;
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      above.push(sha3(salt, level[index] as Buffer, level[index + 1] ?? ACCUMULATOR_PLACEHOLDER));
    }
    level = above;
  }
  return level[0] as Buffer;
}

/** @param siblings From the leaf upward. */
export function accumulatorRootFromProof(
  kind: Accumulator,
  leaf: Buffer,
  index: number,
  siblings: readonly Buffer[],
): Buffer {
  const salt = seed(kind);
  return siblings.reduce(
    (node, sibling, height) =>
      Math.floor(index / 2 ** height) % 2 === 0 ? sha3(salt, node, sibling) : sha3(salt, sibling, node),
    leaf,
  );
}

export interface TreeLeaf {
  /** Hash of the state key, 32 bytes. */
  readonly key: Buffer;
  /** Hash of the state value, 32 bytes. */
  readonly valueHash: Buffer;
}

const LEAF_SEED = seed("SparseMerkleLeafNode");
const INTERNAL_SEED = seed("SparseMerkleInternal");

export function treeLeafHash({ key, valueHash }: TreeLeaf): Buffer {
  return sha3(LEAF_SEED, key, valueHash);
}

/** @param leaves In any order, keys all different. */
export function treeRoot(leaves: readonly TreeLeaf[], depth = 0): Buffer {
  const [first, second] = leaves;
  if (first === undefined) return TREE_PLACEHOLDER;
  if (second === undefined) return treeLeafHash(first);
  const isRight = (leaf: TreeLeaf) => bitAt(leaf.key, depth) === 1;
  const left = treeRoot(
    leaves.filter((leaf) => !isRight(leaf)),
    depth + 1,
  );
  return sha3(INTERNAL_SEED, left, treeRoot(leaves.filter(isRight), depth + 1));
}

/** @param siblings From the leaf upward. */
export function treeRootFromProof(key: Buffer, node: Buffer, siblings: readonly Buffer[]): Buffer {
  return siblings.reduce((below, sibling, index) => {
    const depth = siblings.length - 1 - index;
    return bitAt(key, depth) === 1
      ? sha3(INTERNAL_SEED, sibling, below)
      : sha3(INTERNAL_SEED, below, sibling);
  }, node);
}

function bitAt(key: Buffer, depth: number): number {
  return ((key[depth >> 3] as number) >> (7 - (depth & 7))) & 1;
}
