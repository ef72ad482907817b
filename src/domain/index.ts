/** The words every room shares. Pure; imports nothing of ours. */

export * from "./address.js";
export * from "./hex.js";
export * from "./scalars.js";
