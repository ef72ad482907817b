/** A stand-in for a front: answers 200 to everything. A file in the data folder tells it to end. */

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { runChild } from "../../../dist/src/supervisor/child-entry.js";

runChild(async ({ config }) => {
  if (existsSync(join(config.dataDir, "front-fails"))) throw new Error("told to fail");
  const server = createServer((_request, response) => response.end("{}"));
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
