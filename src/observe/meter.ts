/**
 * Counters and gauges of one process, as plain numbers. How they are shown is not decided here.
 */

import type { MetricName } from "./metric-names.js";

/** Values by name; absent means never touched. */
export type MetricValues = Partial<Record<MetricName, number>>;

/** The measurements of this process. */
export class Meter {
  readonly #values: MetricValues = {};

  /** Raises a counter by `by`, 1 if not given. */
  add(name: MetricName, by = 1): void {
    this.#values[name] = (this.#values[name] ?? 0) + by;
  }

  /** Sets a gauge. */
  set(name: MetricName, value: number): void {
    this.#values[name] = value;
  }

  /** @returns a copy. */
  values(): MetricValues {
    return { ...this.#values };
  }
}
