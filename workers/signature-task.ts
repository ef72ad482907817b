/** Pool task: signatures of a batch of BCS signed transactions. */

import { type PackedBatch, unpack } from "../src/front/packed-batch.js";
import { core } from "../src/native/index.js";

/** @returns 1 for each transaction whose every signature holds, else 0. */
export default function verifySignatures(batch: PackedBatch): Uint8Array {
  return core.verifySigned(unpack(batch));
}
