/**
 * Runs calls of the core on a thread of its own, with the stack it was given, and sends back what each
 * answered. Loads the built package, as the node's own threads do. `workerData` is a list of calls:
 * a function, then its arguments; the functions of a core follow behind `core.`.
 */
import { parentPort, workerData } from "node:worker_threads";
import { core } from "../../../dist/src/native/index.js";

const CHAIN_ID = 4;
const machine = core.createCore({ chainId: CHAIN_ID });
const state = new Map(workerData.state);
const reader = {
  read: (key) => {
    const value = state.get(key.toString("hex"));
    return value === undefined ? undefined : Buffer.from(value);
  },
};

/** What crosses threads as bytes comes as plain arrays of bytes. */
const asBuffer = (argument) => (argument instanceof Uint8Array ? Buffer.from(argument) : argument);

function answer([name, ...args]) {
  const given = args.map(asBuffer);
  try {
    if (!name.startsWith("core.")) return { returned: core[name](...given) };
    return { returned: machine[name.slice(5)](...given, reader) };
  } catch (error) {
    return { thrown: String(error) };
  }
}

parentPort.postMessage(workerData.calls.map(answer));
