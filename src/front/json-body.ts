/** JSON bodies of requests: parsed once, within a depth that later steps can walk. */

import { NodeError } from "../errors/index.js";

/** Deepest nesting of arrays and objects. */
const DEPTH_MAX = 64;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** @throws NodeError `web_framework_error` unless `body` is UTF-8 text of one JSON object. */
export function jsonObject(body: Buffer): Record<string, unknown> {
  const value = jsonValue(body);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed("the body must be a JSON object");
  return value as Record<string, unknown>;
}

/** @throws NodeError `web_framework_error` unless `body` is UTF-8 text of one JSON array. */
export function jsonList(body: Buffer): readonly unknown[] {
  const value = jsonValue(body);
  if (!Array.isArray(value)) throw malformed("the body must be a JSON array");
  return value;
}

function jsonValue(body: Buffer): unknown {
  try {
    const text = UTF8.decode(body);
    if (isTooDeep(text)) throw malformed(`the body nests deeper than ${DEPTH_MAX}`);
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof NodeError ? error : malformed("the body is not JSON");
  }
}

/** @throws NodeError `web_framework_error` unless the field is there and text. */
export function textField(object: Record<string, unknown>, name: string): string {
  const value = object[name];
  if (typeof value !== "string") throw malformed(`the body must have ${name}, a string`);
  return value;
}

/** Counts brackets outside strings; what is not JSON is left to the parser. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (isInString) {
      if (character === BACKSLASH) index += 1;
      else if (character === QUOTE) isInString = false;
    } else if (character === QUOTE) isInString = true;
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function malformed(message: string): NodeError {
  return new NodeError("web_framework_error", message);
}
