/** Figures of several runs as one line each. */

/** One run of one load. */
export interface Measured {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of all the node's processes, microseconds. */
  readonly cpuMicros: number;
  /** Answers that were not successes, and connections that failed. */
  readonly errors: number;
}

const HEADINGS = ["load", "generator", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", "errors"];
const WIDTHS = [22, 11, 28, 20, 20, 22, 8];

export function headingLines(): string[] {
  return [row(HEADINGS), row(WIDTHS.map((width) => "-".repeat(width - 1)))];
}

export function resultLine(load: string, generator: string, runs: readonly Measured[]): string {
  const spread = (pick: (run: Measured) => number, digits: number) => {
    const sorted = runs.map(pick).sort((left, right) => left - right);
    const shown = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
    return shown
      .map((value) => (value ?? 0).toLocaleString("en-US", { maximumFractionDigits: digits }))
      .join(" / ");
  };
  return row([
    load,
    generator,
    spread((run) => run.requests / run.seconds, 0),
    spread((run) => run.p50Ms, 2),
    spread((run) => run.p99Ms, 2),
    spread((run) => run.cpuMicros / Math.max(1, run.requests), 1),
    `${runs.reduce((sum, run) => sum + run.errors, 0)}`,
  ]);
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join(" ")
    .trimEnd();
}
