/** What a run of the bench can be told. */

export interface Parameters {
  /** Accounts made before anything is measured. */
  readonly accounts: number;
  /** How many of them sign transfers. */
  readonly senders: number;
  /** Transfers of one run. */
  readonly transfers: number;
  /** Keep-alive connections of every load. */
  readonly connections: number;
  /** Length of one run of a read load, seconds. */
  readonly seconds: number;
  /** Runs of each load; the report shows the least, the middle and the most. */
  readonly runs: number;
  /** Flags for the node, as they would be typed. */
  readonly nodeFlags: readonly string[];
}

const DEFAULTS = {
  accounts: 100_000,
  senders: 1000,
  transfers: 10_000,
  connections: 64,
  seconds: 4,
  runs: 3,
};

export const USAGE = `Usage: npm run bench -- [--accounts N] [--senders N] [--transfers N] [--connections N] [--seconds N] [--runs N] [-- node flags]
Defaults: ${Object.entries(DEFAULTS)
  .map(([name, value]) => `${name} ${value}`)
  .join(", ")}.`;

/** @throws RangeError for an unknown name or a value that is not a positive whole number. */
export function readParameters(args: readonly string[]): Parameters {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const values: Record<string, number> = { ...DEFAULTS };
  for (let index = 0; index < own.length; index += 2) {
    const name = (own[index] as string).replace(/^--/, "");
    const text = own[index + 1] ?? "";
    if (!Object.hasOwn(DEFAULTS, name) || !/^[1-9][0-9]{0,8}$/.test(text)) throw new RangeError(USAGE);
    values[name] = Number(text);
  }
  const read = values as unknown as typeof DEFAULTS;
  return {
    ...read,
    senders: Math.min(read.senders, read.accounts),
    nodeFlags: end < 0 ? [] : args.slice(end + 1),
  };
}
