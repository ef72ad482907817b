/** The files of the explorer page, read from the package once each. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What the page loads besides the description. */
export const EXPLORER_ASSETS = [
  { name: "explorer.css", type: "text/css; charset=utf-8" },
  { name: "explorer.js", type: "text/javascript; charset=utf-8" },
  { name: "render.js", type: "text/javascript; charset=utf-8" },
] as const;

type AssetName = "page.html" | (typeof EXPLORER_ASSETS)[number]["name"];

/** From the package's root; the compiler leaves these files where they are written. */
const FOLDER = join("src", "front", "openapi", "explorer");

const kept = new Map<AssetName, string>();

/** @throws Error if the package lacks the file. */
export function explorerAsset(name: AssetName): string {
  let text = kept.get(name);
  if (text === undefined) {
    text = readFileSync(join(explorerFolder(), name), "utf8");
    kept.set(name, text);
  }
  return text;
}

/** Above this file, whether it runs from the sources or from the build. */
function explorerFolder(): string {
  for (let above = dirname(fileURLToPath(import.meta.url)); ; above = dirname(above)) {
    const folder = join(above, FOLDER);
    if (existsSync(folder)) return folder;
    if (dirname(above) === above) throw new Error(`the package has no folder ${FOLDER}`);
  }
}
