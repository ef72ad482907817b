/** Account data, resources, modules and balances. */

import { parseHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import { list, ref } from "../openapi/schema.js";
import {
  ACCOUNT_ADDRESS,
  ASSET_TYPE,
  CURSOR,
  ITEM_LIMIT,
  LEDGER_VERSION,
  MODULE_NAME,
  RESOURCE_TYPE,
} from "../parameters.js";
import { isKeyOf } from "../reads/state-keys.js";
import { defineRoute, type Route } from "./route.js";

/** Longest cursor: the longest state key of an account's item. */
const CURSOR_BYTES_MAX = 4096;

const AT_VERSION = { ledger_version: LEDGER_VERSION };
const PAGE = { ...AT_VERSION, start: CURSOR, limit: ITEM_LIMIT };

export const accountRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/accounts/:address",
    id: "get_account",
    tag: "Accounts",
    summary: "Get account",
    description: "Sequence number and authentication key of an account.",
    segments: { address: ACCOUNT_ADDRESS },
    query: AT_VERSION,
    success: {
      description: "The account",
      json: ref("AccountData"),
      bcs: "The resource 0x1::account::Account",
    },
    refusals: ["account_not_found"],
    handle(call, { address, ledger_version: version }) {
      call.read("account", { address, version, form: call.form });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/accounts/:address/resource/:resource_type",
    id: "get_account_resource",
    tag: "Accounts",
    summary: "Get account resource",
    description: "One resource of an account, be it a resource of its own or a member of a group.",
    segments: { address: ACCOUNT_ADDRESS, resource_type: RESOURCE_TYPE },
    query: AT_VERSION,
    success: { description: "The resource", json: ref("MoveResource"), bcs: "The resource" },
    refusals: ["resource_not_found", "invalid_input"],
    handle(call, { address, resource_type: type, ledger_version: version }) {
      call.read("resource", { address, type, version, form: call.form });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/accounts/:address/resources",
    id: "get_account_resources",
    tag: "Accounts",
    summary: "Get account resources",
    description: "All resources of an account in pages; the cursor header leads to the next one.",
    segments: { address: ACCOUNT_ADDRESS },
    query: PAGE,
    success: {
      description: "A page of resources",
      json: list(ref("MoveResource")),
      bcs: "map<StructTag, bytes>",
      headers: ["cursor"],
    },
    refusals: ["account_not_found", "invalid_input"],
    handle: (call, { address, ledger_version: version, start, limit }) =>
      call.readOnThread("resources", {
        address,
        version,
        start: ownCursor(address, start),
        limit,
        form: call.form,
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/accounts/:address/module/:module_name",
    id: "get_account_module",
    tag: "Accounts",
    summary: "Get account module",
    description: "One module: its bytecode and what it declares.",
    segments: { address: ACCOUNT_ADDRESS, module_name: MODULE_NAME },
    query: AT_VERSION,
    success: { description: "The module", json: ref("MoveModuleBytecode"), bcs: "The bytecode" },
    refusals: ["module_not_found", "invalid_input"],
    handle: (call, { address, module_name: name, ledger_version: version }) =>
      call.readOnThread("module", { address, name, version, form: call.form }),
  }),
  defineRoute({
    method: "GET",
    path: "/accounts/:address/modules",
    id: "get_account_modules",
    tag: "Accounts",
    summary: "Get account modules",
    description: "All modules of an account in pages; the cursor header leads to the next one.",
    segments: { address: ACCOUNT_ADDRESS },
    query: PAGE,
    success: {
      description: "A page of modules",
      json: list(ref("MoveModuleBytecode")),
      bcs: "map<string, bytes>, by module id as text",
      headers: ["cursor"],
    },
    refusals: ["account_not_found", "invalid_input"],
    handle: (call, { address, ledger_version: version, start, limit }) =>
      call.readOnThread("modules", {
        address,
        version,
        start: ownCursor(address, start),
        limit,
        form: call.form,
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/accounts/:address/balance/:asset_type",
    id: "get_account_balance",
    tag: "Accounts",
    summary: "Get account balance",
    description: "Balance of a coin, paired asset included, or of a fungible asset in the primary store.",
    segments: { address: ACCOUNT_ADDRESS, asset_type: ASSET_TYPE },
    query: AT_VERSION,
    success: { description: "The balance", json: ref("Balance"), bcs: "u64" },
    refusals: ["invalid_input", "resource_not_found"],
    handle(call, { address, asset_type: asset, ledger_version: version }) {
      call.read("balance", { address, asset, version, form: call.form });
    },
  }),
];

/** @throws NodeError `invalid_input` for a cursor that is not a state key of this account. */
function ownCursor(address: Buffer, text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const start = parseHex(text, CURSOR_BYTES_MAX);
  if (start === undefined || !isKeyOf(address, start)) {
    throw new NodeError(
      "invalid_input",
      "start is not a cursor of this account; use the value of the cursor header",
    );
  }
  return start;
}
