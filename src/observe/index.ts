/** Logs and measurements. Imported by all, knows nobody. */

export * from "./logger.js";
export * from "./meter.js";
export * from "./metric-names.js";
