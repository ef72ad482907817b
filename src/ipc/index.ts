/** The local line between fronts and the writer. */

export * from "./messages.js";
export { prepareSocketPath, removeEmptySocketFolder, removeSocketPath } from "./socket-folder.js";
export { connectWriter, type WriterClientOptions } from "./writer-client.js";
export { WriterServer, type WriterServerOptions, type WriterService } from "./writer-server.js";
