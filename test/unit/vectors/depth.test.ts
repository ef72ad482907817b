/**
 * The deepest input that is legal and the next deeper one, and depths that only an attacker sends, on a
 * worker thread: with Node's own stack and with a quarter of it. What recursed over its input would end
 * the process here.
 */
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { CHAIN_ID, genesisState } from "./genesis-state.js";
import { callOf, signedWithoutProof } from "./transaction-bytes.js";

/** Vectors and structs around one another in a type. */
const TYPE_DEPTH_MAX = 8;
/** Arrays and objects around one another in the JSON of a value. */
const JSON_DEPTH_MAX = 64;
/** Far beyond any stack, if each level took a frame. */
const ABYSS = 60_000;

const VECTOR = Buffer.of(6);
const U8 = Buffer.of(1);
/** `0x1::m::S` with one type argument, up to that argument. */
const STRUCT = Buffer.concat([
  Buffer.of(7),
  Buffer.alloc(31),
  Buffer.of(1, 1, "m".charCodeAt(0), 1, "S".charCodeAt(0), 1),
]);
/** A function without parameters but for one by value, up to its type. */
const FUNCTION = Buffer.of(11, 1, 2);
/** Behind that type: no results, no abilities. */
const FUNCTION_END = Buffer.of(0, 0);

function nested(level: Buffer, depth: number, end = Buffer.alloc(0)): Buffer {
  const levels = Array.from({ length: depth }, () => level);
  return Buffer.concat([...levels, U8, ...Array.from({ length: depth }, () => end)]);
}

const signedWith = (tag: Buffer) => signedWithoutProof({ payload: callOf({ typeArgs: [tag] }) });
const text = (open: string, depth: number, close: string) => open.repeat(depth) + close;
const vectors = (depth: number) => `${"vector<".repeat(depth)}bool${">".repeat(depth)}`;
const structs = (depth: number) => `${"0x1::m::S<".repeat(depth)}u8${">".repeat(depth)}`;
const options = (depth: number) => `${"0x1::option::Option<".repeat(depth)}u8${">".repeat(depth)}`;
const maps = (depth: number) => `${"0x1::simple_map::SimpleMap<u8, ".repeat(depth)}u8${">".repeat(depth)}`;

const arrays = (depth: number) => Buffer.from("[".repeat(depth) + "]".repeat(depth));
const objects = (depth: number) => Buffer.from(`${'{"vec":['.repeat(depth)}7${"]}".repeat(depth)}`);
const mapJson = (depth: number) =>
  Buffer.from(`${'{"data":[{"key":1,"value":'.repeat(depth)}7${"}]}".repeat(depth)}`);

/** A submission whose one argument is this JSON. */
function submission(argument: Buffer): Buffer {
  const head = {
    sender: "0x1",
    sequence_number: "0",
    max_gas_amount: "200000",
    gas_unit_price: "100",
    expiration_timestamp_secs: "1893456000",
  };
  const payload = `{"type":"entry_function_payload","function":"0x1::aptos_account::transfer","type_arguments":[],"arguments":["0x1",${argument}]}`;
  const signature = '{"type":"no_account_signature"}';
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"payload":${payload},"signature":${signature}}`);
}

const balance = Buffer.from(
  '{"function":"0x1::coin::balance","type_arguments":["0x1::aptos_coin::AptosCoin"],"arguments":["0x7"]}',
);

type Call = readonly [name: string, ...args: (string | boolean | number | Uint8Array)[]];

/** `true`: answered; `false`: refused as data. */
const cases: readonly (readonly [title: string, isLegal: boolean, call: Call])[] = [
  ["8 vectors in a signed transaction", true, ["inspectSigned", signedWith(nested(VECTOR, TYPE_DEPTH_MAX))]],
  ["9 vectors", false, ["inspectSigned", signedWith(nested(VECTOR, TYPE_DEPTH_MAX + 1))]],
  ["vectors without end", false, ["inspectSigned", signedWith(nested(VECTOR, ABYSS))]],
  ["8 structs", true, ["inspectSigned", signedWith(nested(STRUCT, TYPE_DEPTH_MAX))]],
  ["9 structs", false, ["inspectSigned", signedWith(nested(STRUCT, TYPE_DEPTH_MAX + 1))]],
  ["structs without end", false, ["inspectSigned", signedWith(nested(STRUCT, ABYSS))]],
  ["8 functions", true, ["inspectSigned", signedWith(nested(FUNCTION, TYPE_DEPTH_MAX, FUNCTION_END))]],
  ["9 functions", false, ["inspectSigned", signedWith(nested(FUNCTION, TYPE_DEPTH_MAX + 1, FUNCTION_END))]],
  ["functions without end", false, ["inspectSigned", signedWith(nested(FUNCTION, ABYSS, FUNCTION_END))]],
  ["8 structs, shown", true, ["core.renderPending", signedWith(nested(STRUCT, TYPE_DEPTH_MAX))]],
  ["9 structs, shown", false, ["core.renderPending", signedWith(nested(STRUCT, TYPE_DEPTH_MAX + 1))]],
  ["8 vectors as text", true, ["canonicalType", vectors(TYPE_DEPTH_MAX)]],
  ["9 vectors as text", false, ["canonicalType", vectors(TYPE_DEPTH_MAX + 1)]],
  ["8 structs as text", true, ["canonicalType", structs(TYPE_DEPTH_MAX)]],
  ["9 structs as text", false, ["canonicalType", structs(TYPE_DEPTH_MAX + 1)]],
  ["text that only opens", false, ["canonicalType", text("vector<", ABYSS, "")]],
  ["short text that only opens", false, ["canonicalType", text("vector<", 9000, "")]],
  ["text that only closes", false, ["canonicalType", text("", 0, ">".repeat(ABYSS))]],
  ["a value in 8 vectors", true, ["core.encodeValue", vectors(8), arrays(8)]],
  ["a value in 9 vectors", false, ["core.encodeValue", vectors(9), arrays(9)]],
  ["arrays deeper than their type", false, ["core.encodeValue", vectors(8), arrays(9)]],
  ["8 vectors of nothing, shown", true, ["core.renderValue", vectors(8), Buffer.of(1, 1, 1, 1, 1, 1, 1, 0)]],
  ["9 vectors of nothing, shown", false, ["core.renderValue", vectors(9), Buffer.alloc(9, 1)]],
  ["a value in 8 options", true, ["core.encodeValue", options(8), objects(8)]],
  ["a value in 8 maps", true, ["core.encodeValue", maps(8), mapJson(8)]],
  ["a value in 9 maps", false, ["core.encodeValue", maps(9), mapJson(9)]],
  ["8 maps, shown", true, ["core.renderValue", maps(8), Buffer.from([...Array(16).fill(1), 7])]],
  ["JSON of 64 levels that is no number", false, ["core.encodeValue", "u64", arrays(JSON_DEPTH_MAX)]],
  ["JSON of 65 levels", false, ["core.encodeValue", "u64", arrays(JSON_DEPTH_MAX + 1)]],
  ["JSON without end", false, ["core.encodeValue", "u64", arrays(ABYSS)]],
  ["JSON that only opens", false, ["core.encodeValue", "u64", Buffer.alloc(1 << 20, "[")]],
  ["objects that only open", false, ["core.encodeValue", options(8), Buffer.from('{"vec":['.repeat(ABYSS))]],
  ["a submission", true, ["core.encodeSubmission", submission(Buffer.from('"7"')), CHAIN_ID]],
  ["a submission of 60 levels", false, ["core.encodeSubmission", submission(arrays(60)), CHAIN_ID]],
  ["a submission without end", false, ["core.encodeSubmission", submission(arrays(ABYSS)), CHAIN_ID]],
  ["a signed one without end", false, ["core.signedFromJson", submission(arrays(ABYSS)), CHAIN_ID]],
  ["a submission that only opens", false, ["core.encodeSubmission", Buffer.alloc(1 << 20, "["), CHAIN_ID]],
  ["a view without end", false, ["core.view", arrays(ABYSS), true, true, 1_000_000]],
  ["a view, which runs Move code", true, ["core.view", balance, true, true, 1_000_000]],
  ["a resource in 8 structs", true, ["core.locateResource", Buffer.alloc(32), structs(8)]],
  ["a resource in 9 structs", false, ["core.locateResource", Buffer.alloc(32), structs(9)]],
];

type Answer = { readonly returned?: unknown; readonly thrown?: string };

/** @param stackSizeMb Of the thread; Node's own default where absent. */
function onThread(stackSizeMb: number | undefined): Promise<Answer[]> {
  const { values } = genesisState();
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("depth-thread.js", import.meta.url), {
      workerData: { state: [...values], calls: cases.map(([, , call]) => call) },
      ...(stackSizeMb === undefined ? {} : { resourceLimits: { stackSizeMb } }),
    });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread ended with ${code}`)));
  });
}

function outcome({ returned, thrown }: Answer): string {
  if (thrown !== undefined) return `thrown: ${thrown}`;
  if (returned === undefined) return "refused";
  const failure = returned as { kind?: string; code?: string; message?: string };
  if (failure.kind !== "failure") return "answered";
  const isClientsFault = failure.code === "invalid_input" || failure.code === "web_framework_error";
  return isClientsFault ? "refused" : `${failure.code}: ${failure.message}`;
}

describe.each([
  ["Node's own stack", undefined],
  ["1 MiB of stack", 1],
])("on a thread with %s", (_, stackSizeMb) => {
  it("every depth is answered or refused as data", async () => {
    const answers = await onThread(stackSizeMb);
    const expected = cases.map(([title, isLegal]) => [title, isLegal ? "answered" : "refused"]);
    expect(cases.map(([title], index) => [title, outcome(answers[index] as Answer)])).toEqual(expected);
  });
});
