/** Status numbers to the line HTTP writes. */

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  202: "Accepted",
  204: "No Content",
  206: "Partial Content",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  410: "Gone",
  411: "Length Required",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};

const LINES = new Map(
  Object.entries(REASONS).map(([status, reason]) => [Number(status), `${status} ${reason}`]),
);

/** @returns Number and reason phrase, such as `404 Not Found`. */
export function statusLine(status: number): string {
  return LINES.get(status) ?? `${status}`;
}
