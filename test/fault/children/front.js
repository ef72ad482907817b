/** A stand-in for a front: answers 200 to everything. A file in the data folder tells it to
 * fail, and a path to never return to its event loop. */

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { runChild } from "../../../dist/src/supervisor/child-entry.js";

runChild(async ({ config }) => {
  if (existsSync(join(config.dataDir, "front-fails"))) throw new Error("told to fail");
  const server = createServer((request, response) => {
    if (request.url === "/hang") for (;;) {}
    response.end("{}");
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  return {
    drain: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
});
