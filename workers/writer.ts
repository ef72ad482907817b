/** Process entry of the writer: store, core, local socket, block loop, in that order. */

import { NodeError } from "../src/errors/index.js";
import { WriterServer } from "../src/ipc/index.js";
import { core } from "../src/native/index.js";
import { Meter } from "../src/observe/index.js";
import { openStoreWriter } from "../src/store/commit.js";
import { runChild } from "../src/supervisor/child-entry.js";
import { Writer } from "../src/writer/index.js";

runChild(async ({ config, writerSocket }, log, fail) => {
  const store = await openStoreWriter({ directory: config.dataDir, chainId: config.chainId });
  const writer = await Writer.open({
    config,
    core: core.createCore({ chainId: config.chainId }),
    store,
    log,
    meter: new Meter(),
    announce: (announcement) => server.announce(announcement),
    onFailure: (error) => {
      // A disk that takes no more is for the operator to see to: what is there stays readable, and
      // another start would fail alike. Anything else leaves a state nobody can vouch for.
      if (!(error instanceof NodeError && error.code === "store_failed")) fail(error);
      log.fatal({ err: error }, "no further block can be made; submits are refused");
    },
  });
  const server = await WriterServer.listen(writer, { ...writerSocket, log });
  writer.begin();
  return {
    async drain() {
      await server.close();
      await writer.close();
    },
  };
});
