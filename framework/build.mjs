/**
 * Builds the framework bundle from the Move sources: `npm run framework [-- --check | --extract DIR]`. See README.md.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeBundle, moduleFile, readBundleModules } from "./tool/bundle.mjs";
import { FRAMEWORK_FOLDER, isCompilerInstalled } from "./tool/packages.mjs";

const BUNDLE = path.join(FRAMEWORK_FOLDER, "build", "framework.bundle");
const DIGESTS = path.join(FRAMEWORK_FOLDER, "build", "digests.json");

const [mode, folder] = process.argv.slice(2);
if (mode === "--extract" && folder !== undefined) {
  extract(folder);
} else if (mode === undefined || mode === "--check") {
  if (!isCompilerInstalled()) stop("The Move compiler is not installed. Run: npm ci --prefix framework");
  if (mode === "--check") check();
  else build();
} else {
  stop("usage: npm run framework [-- --check | --extract DIR]");
}

function build() {
  const { bundle, digests, warnings } = makeBundle();
  if (warnings !== "") console.error(warnings);
  mkdirSync(path.dirname(BUNDLE), { recursive: true });
  writeFileSync(BUNDLE, bundle);
  writeFileSync(DIGESTS, encodeDigests(digests));
  console.log(
    `framework: ${Object.keys(digests.modules).length} modules, ${bundle.length} bytes, ${digests.bundle}`,
  );
}

function check() {
  const { bundle, digests } = makeBundle();
  if (!bundle.equals(readFileSync(BUNDLE)) || encodeDigests(digests) !== readFileSync(DIGESTS, "utf8")) {
    stop("The committed bundle differs from the sources. Run: npm run framework");
  }
  console.log(`framework: the committed bundle is what the sources make, ${digests.bundle}`);
}

function extract(target) {
  mkdirSync(target, { recursive: true });
  const modules = readBundleModules(readFileSync(BUNDLE));
  for (const module of modules) writeFileSync(path.join(target, `${moduleFile(module)}.mv`), module.code);
  console.log(`framework: ${modules.length} modules written to ${target}`);
}

function encodeDigests(digests) {
  return `${JSON.stringify(digests, null, 2)}\n`;
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
