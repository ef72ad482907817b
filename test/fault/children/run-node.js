/**
 * A supervisor as a process of its own over the stand-ins beside this file, so that it can be killed.
 * Prints one line of JSON once it serves. Arguments: flags of the node.
 */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "../../../dist/src/config/index.js";
import { startNode } from "../../../dist/src/supervisor/index.js";

const line = readCommandLine({
  args: process.argv.slice(2),
  environment: {},
  workingDir: process.cwd(),
});
const node = await startNode(line.config, { entryDir: dirname(fileURLToPath(import.meta.url)) });
console.log(JSON.stringify({ urls: node.urls, pids: node.children.map(({ pid }) => pid) }));
process.on("SIGTERM", () => node.stop().then(() => process.exit(0)));
