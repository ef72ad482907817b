/** A stand-in for the faucet process: holds its three ports. */

import { createServer } from "node:http";
import { runChild } from "../../../dist/src/supervisor/child-entry.js";

runChild(async ({ config }) => {
  for (const port of [config.faucetPort, config.indexerPort, config.readyPort]) {
    const server = createServer((_request, response) => response.end("{}"));
    await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, config.faucetHost, resolve);
    });
  }
  return { drain: async () => {} };
});
