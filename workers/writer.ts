/** Process entry of the writer: store, core, local socket, block loop, in that order. */

import { WriterServer } from "../src/ipc/index.js";
import { core } from "../src/native/index.js";
import { Meter } from "../src/observe/index.js";
import { openStoreWriter } from "../src/store/commit.js";
import { runChild } from "../src/supervisor/child-entry.js";
import { Writer } from "../src/writer/index.js";

/** Age of a reader's snapshot, in milliseconds, from which the log complains. */
const READER_AGE_MS_MAX = 60_000;

runChild(async ({ config, writerSocket }, log, fail) => {
  const meter = new Meter();
  const store = await openStoreWriter({
    directory: config.dataDir,
    chainId: config.chainId,
    historyVersions: config.historyWindow,
    onReaderAge: ({ ageMs, processId, cleared }) => {
      meter.set("store_oldest_reader_ms", ageMs);
      if (cleared > 0) log.info({ cleared }, "cleared reader slots of dead processes");
      // Such a reader keeps every page since its snapshot from being used again.
      if (ageMs > READER_AGE_MS_MAX)
        log.warn({ ageMs, readerPid: processId }, "a reader holds an old snapshot");
    },
  });
  const writer = await Writer.open({
    config,
    core: core.createCore({ chainId: config.chainId }),
    store,
    log,
    meter,
    announce: (announcement) => server.announce(announcement),
    onFailure: fail,
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
