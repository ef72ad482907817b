/** Media types that carry no maker's word. */

export const JSON_TYPE = "application/json";
export const BCS_TYPE = "application/x-bcs";
export const YAML_TYPE = "application/x-yaml";
export const HTML_TYPE = "text/html; charset=utf-8";
export const TEXT_TYPE = "text/plain; charset=utf-8";

/**
 * @param header A `Content-Type` or one entry of `Accept`.
 * @returns The media type alone: lower case, parameters and spaces cut off.
 */
export function bareMediaType(header: string): string {
  const semicolon = header.indexOf(";");
  return (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}
