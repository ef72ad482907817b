/** Event streams: events of one handle, by creation number or by the field that holds the handle. */

import { formatAddressShort, parseAddress, parseU64 } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Form } from "../negotiation.js";
import { BcsWalker, BcsWriter } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { resource } from "./resources.js";
import { recordAt, rendered } from "./transactions.js";

export interface EventsArgs {
  readonly address: Uint8Array;
  readonly creationNumber: bigint;
  /** Sequence number to begin at; the last page if absent. */
  readonly start: bigint | undefined;
  readonly limit: number;
  readonly form: Form;
}

export interface HandleEventsArgs {
  readonly address: Uint8Array;
  readonly type: string;
  readonly field: string;
  readonly start: bigint | undefined;
  readonly limit: number;
  readonly form: Form;
}

export function events(context: ReadContext, args: EventsArgs): ReadAnswer {
  const links = context.store.streamEvents(
    Buffer.from(args.address),
    args.creationNumber,
    args.start,
    args.limit,
  );
  if (args.form === "bcs") {
    const writer = new BcsWriter().uleb(links.length);
    for (const link of links) {
      const record = recordAt(context, link.version);
      writer.u64(link.version).bytes(eventAt(record.events, link.eventIndex));
    }
    return { form: "bcs", body: writer.finish() };
  }
  const list = links.map((link) => {
    // Only the whole transaction has a renderer; its events are the same objects without a version.
    const transaction = JSON.parse(rendered(context, recordAt(context, link.version)).toString("utf8")) as {
      events: object[];
    };
    return { version: `${link.version}`, ...transaction.events[link.eventIndex] };
  });
  return { form: "json", body: JSON.stringify(list) };
}

/** @throws NodeError `resource_not_found`, `struct_field_not_found`, `invalid_input` if the field is no handle. */
export function handleEvents(context: ReadContext, args: HandleEventsArgs): ReadAnswer {
  const holder = resource(context, {
    address: args.address,
    type: args.type,
    version: undefined,
    form: "json",
  });
  const { type, data } = JSON.parse(holder.body.toString()) as {
    type: string;
    data: Record<string, unknown>;
  };
  if (!Object.hasOwn(data, args.field)) {
    throw new NodeError(
      "struct_field_not_found",
      `field ${args.field} not found in ${type} under ${formatAddressShort(args.address)}`,
    );
  }
  const id = (data[args.field] as { guid?: { id?: { addr?: unknown; creation_num?: unknown } } } | null)?.guid
    ?.id;
  const address = parseAddress(`${id?.addr}`);
  const creationNumber = parseU64(`${id?.creation_num}`);
  if (address === undefined || creationNumber === undefined) {
    throw new NodeError("invalid_input", `field ${args.field} of ${type} is not an event handle`);
  }
  return events(context, { address, creationNumber, start: args.start, limit: args.limit, form: args.form });
}

/** Variants of `ContractEvent`. */
const HANDLE_EVENT = 0;

/** @param list BCS vector of `ContractEvent`. @returns The bytes of one of them. */
function eventAt(list: Buffer, index: number): Buffer {
  const walker = new BcsWalker(list);
  const count = walker.uleb();
  if (index >= count) throw new RangeError(`a stored link names event ${index} of ${count}`);
  for (let position = 0; ; position += 1) {
    const start = walker.offset;
    if (walker.u8() === HANDLE_EVENT) walker.take(8 + 32 + 8);
    walker.skipTypeTag();
    walker.sized();
    if (position === index) return list.subarray(start, walker.offset);
  }
}
