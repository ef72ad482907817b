/**
 * Runs one tool of the build as a step: its output goes to standard error as it comes, and while it
 * is quiet a line says that it is still at work.
 *
 * Promises: no silence above QUIET_MS_MAX plus a second; a signal sent to this process ends the tool
 * too, so that an interrupted start leaves no compiler behind.
 * Plain JavaScript, because it runs before anything is installed or compiled.
 */

import { spawn } from "node:child_process";

/** Longest silence before a heartbeat line, in milliseconds. */
const QUIET_MS_MAX = 4000;

/** What came of a step. */
/** @typedef {{ code: number, seconds: number, output: string }} StepOutcome */

/** Tools now at work, ended when this process is told to stop. */
const running = new Set();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  const stop = () => {
    if (running.size === 0) return;
    for (const tool of running) signalGroup(tool, signal);
    process.exit(signal === "SIGINT" ? 130 : signal === "SIGTERM" ? 143 : 129);
  };
  // Without a tool at work the signal belongs to whoever runs next in this process.
  stop.isStepGuard = true;
  process.on(signal, stop);
}

/** Takes the guard off again, so that signals have their default or their next owner's meaning. */
export function releaseSignals() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    for (const listener of process.listeners(signal)) {
      if (listener.isStepGuard) process.removeListener(signal, listener);
    }
  }
}

function signalGroup(tool, signal) {
  try {
    process.kill(-tool.pid, signal);
  } catch {
    // Already gone.
  }
}

/**
 * @param {string} name What the step does, as a heartbeat says it: "installing packages".
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: Record<string, string | undefined>, keepOutput?: boolean, quiet?: boolean }} options
 *   `quiet` holds the output back and shows it only if the step fails; `keepOutput` returns it.
 * @returns {Promise<StepOutcome>} Code 127 if the tool could not be started.
 */
export function runStep(name, command, args, options) {
  const startedMs = Date.now();
  return new Promise((resolve) => {
    // A group of its own: one signal reaches the tool and whatever the tool started.
    const tool = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    running.add(tool);
    let spokeMs = startedMs;
    const kept = [];
    const take = (chunk) => {
      if (options.keepOutput || options.quiet) kept.push(chunk);
      if (options.quiet) return;
      spokeMs = Date.now();
      process.stderr.write(chunk);
    };
    tool.stdout.on("data", take);
    tool.stderr.on("data", take);
    const heartbeat = setInterval(() => {
      if (Date.now() - spokeMs < QUIET_MS_MAX) return;
      spokeMs = Date.now();
      process.stderr.write(`   … still ${name} (${Math.round((spokeMs - startedMs) / 1000)} s)\n`);
    }, 500);
    const end = (code) => {
      clearInterval(heartbeat);
      running.delete(tool);
      const output = Buffer.concat(kept).toString("utf8");
      if (options.quiet && code !== 0) process.stderr.write(output);
      resolve({ code, seconds: (Date.now() - startedMs) / 1000, output });
    };
    tool.on("error", (error) => {
      kept.push(Buffer.from(`${error.message}\n`));
      end(127);
    });
    tool.on("close", (code) => end(code ?? 1));
  });
}
