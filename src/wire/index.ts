/** Wire: every header name, media type and maker's word the interface spells. Imports nothing of ours. */

export * from "./media-types.js";
export * from "./vendor.js";
