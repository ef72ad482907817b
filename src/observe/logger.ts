/**
 * The log of one process: one JSON object per line, written synchronously so that the last words of
 * a dying process are kept.
 *
 * Promise: private keys and bodies of requests never reach a log; callers pass facts by name, and
 * the names below are cut out wherever they appear. Standard output stays free for results.
 */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { destination, type Logger, type LoggerOptions, pino } from "pino";

export type { Logger } from "pino";

/** Levels in rising order of gravity; `silent` writes nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where the log of a process goes. */
export interface LogTarget {
  /** Short name of the process: `supervisor`, `writer`, `front-0`, `faucet`. */
  readonly process: string;
  readonly level: LogLevel;
  /** File to append to; standard error if absent. The folder is made if missing. */
  readonly file?: string | undefined;
}

const SECRET_NAMES = [
  "privateKey",
  "secretKey",
  "minterKey",
  "token",
  "*.privateKey",
  "*.secretKey",
  "*.token",
];

/** Opens the log of this process. @throws the file system's error if `file` cannot be opened. */
export function openLogger(target: LogTarget): Logger {
  const options: LoggerOptions = {
    level: target.level,
    base: { process: target.process, pid: process.pid },
    redact: { paths: SECRET_NAMES, censor: "[secret]" },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
  };
  if (target.file === undefined) return pino(options, destination({ dest: 2, sync: true }));
  mkdirSync(dirname(target.file), { recursive: true });
  return pino(options, destination({ dest: target.file, append: true, sync: true }));
}

/** A log that goes nowhere, for tests and for parts that run without a process of their own. */
export function silentLogger(): Logger {
  return pino({ level: "silent" });
}
