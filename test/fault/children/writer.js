/**
 * A stand-in for the writer: holds the data folder's lock and the local socket, makes no blocks.
 * Files in the data folder tell it to misbehave.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { WriterServer } from "../../../dist/src/ipc/index.js";
import { FolderLock } from "../../../dist/src/store/folder-lock.js";
import { runChild } from "../../../dist/src/supervisor/child-entry.js";

runChild(async ({ config, writerSocket }, log) => {
  const lock = FolderLock.take(config.dataDir);
  const service = {
    submit: () => [],
    pendingByHash: () => undefined,
    newest: { height: 0, version: 0, timestampUsecs: 0 },
  };
  const server = await WriterServer.listen(service, { ...writerSocket, log });
  if (existsSync(join(config.dataDir, "writer-never-serves"))) await new Promise(() => {});
  return {
    async drain() {
      if (existsSync(join(config.dataDir, "writer-never-ends"))) await new Promise(() => {});
      await server.close();
      lock.release();
    },
  };
});
