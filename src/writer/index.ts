/** The one process that writes, as parts. */

export { Writer, type WriterParts } from "./writer.js";
