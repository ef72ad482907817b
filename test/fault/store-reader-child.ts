/** A reader process that takes a snapshot, says so, and never lets go of it: its event loop is stuck. */

import fs from "node:fs";
import { openStoreReader } from "../../src/store/snapshot.js";

const [directory = ""] = process.argv.slice(2);
const reader = openStoreReader({ directory, mapBytes: 256 * 1024 * 1024 });
fs.writeSync(1, `holds ${reader.refresh().height}\n`);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
