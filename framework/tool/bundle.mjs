/**
 * Makes the bundle from the sources, and reads a bundle back. The layout is drawn in the framework's README.
 *
 * Promises the same bytes for the same sources and compiler, whatever the machine, folder or time.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { BcsWriter } from "./bcs-writer.mjs";
import { ByteReader } from "./byte-reader.mjs";
import { readMetadata, readModule, readModuleIds, withMetadata, writeModule } from "./module-tables.mjs";
import {
  FRAMEWORK_FOLDER,
  NAMED_ADDRESSES,
  PACKAGES,
  readSources,
  runCompiler,
  withCopy,
} from "./packages.mjs";
import { encodePublicMetadata, PUBLIC_METADATA_KEY } from "./public-metadata.mjs";
import { readSourceAttributes } from "./source-attributes.mjs";

const MAGIC = Buffer.from("LNFRAME1");
/** Compatible upgrades: what the framework's packages allow. */
const UPGRADE_POLICY_COMPATIBLE = 1;
/** Written by the compiler on its own account, under a key no node of ours reads. */
const KEPT_METADATA_KEYS = ["compilation_metadata"];

/** SHA3-256 as lower-case hex. */
export function digest(bytes) {
  return createHash("sha3-256").update(bytes).digest("hex");
}

/**
 * Compiles everything. Returns `{ bundle: Buffer, digests: object, warnings: string }`.
 * Throws with the compiler's output where it refuses the sources.
 */
export function makeBundle() {
  const sources = PACKAGES.map(readSources);
  const attributes = new Map(
    sources.flatMap((files, i) =>
      files.flatMap(({ text }) =>
        [...readSourceAttributes(text, NAMED_ADDRESSES)].map(([name, items]) => [
          moduleKey(PACKAGES[i].address, name),
          items,
        ]),
      ),
    ),
  );
  const { modules, warnings } = compileAll();
  const finished = sortByDependency(modules.map((module) => finish(module, attributes)));
  const compiler = compilerName();
  const packages = PACKAGES.map((pack, i) => ({
    name: pack.name,
    metadata: encodePackageMetadata(
      pack,
      sourceDigest(sources[i]),
      finished.filter(({ owner }) => owner === pack),
    ),
  }));
  const bundle = Buffer.concat([
    MAGIC,
    new BcsWriter()
      .string(compiler)
      .list(finished, (w, { id, code }) => w.raw(Buffer.from(id.address, "hex")).string(id.name).blob(code))
      .list(packages, (w, { name, metadata }) => w.string(name).blob(metadata))
      .blob(encodeGasSchedule())
      .list(readFeatures(), (w, feature) => w.u64(feature))
      .bytes(),
  ]);
  const digests = {
    bundle: digest(bundle),
    compiler,
    modules: Object.fromEntries(finished.map(({ id, code }) => [moduleFile(id), digest(code)])),
    sources: Object.fromEntries(sources.flat().map(({ path: file, text }) => [file, digest(text)])),
  };
  return { bundle, digests, warnings };
}

/** The modules of a bundle in order, `{ address, name, code }`. Throws where the bytes are no bundle. */
export function readBundleModules(bytes) {
  const reader = new ByteReader(bytes);
  if (!reader.raw(MAGIC.length).equals(MAGIC)) throw new Error("not a framework bundle: wrong magic");
  reader.string();
  return reader.list((r) => ({ address: r.raw(32).toString("hex"), name: r.string(), code: r.blob() }));
}

/** The compiler's modules, `{ owner, bytes }`. Compiling the last package compiles the ones before it. */
function compileAll() {
  return withCopy((copy) => {
    const last = PACKAGES.at(-1);
    const { ok, output } = runCompiler(copy, last, "build");
    if (!ok) throw new Error(`the compiler refused the framework:\n${output}`);
    const built = path.join(copy, last.folder, "build", last.name, "bytecode_modules");
    const modules = PACKAGES.flatMap((owner) => {
      const { name } = owner;
      const folder = name === last.name ? built : path.join(built, "dependencies", name);
      const files = readdirSync(folder)
        .filter((file) => file.endsWith(".mv"))
        .toSorted();
      return files.map((file) => ({ owner, bytes: readFileSync(path.join(folder, file)) }));
    });
    return { modules, warnings: output.includes("warning") ? output : "" };
  });
}

/** Gives a module the metadata that public nodes read, in place of the compiler's own. */
function finish({ owner, bytes }, attributes) {
  const module = readModule(bytes);
  if (!writeModule(module).equals(bytes))
    throw new Error("a module does not come back as the compiler wrote it");
  const { self: id, imports } = readModuleIds(module);
  if (id.address !== owner.address)
    throw new Error(`module ${id.name} of ${owner.name} is at another address`);
  const entries = readMetadata(module).filter(([key]) => KEPT_METADATA_KEYS.includes(key));
  const value = encodePublicMetadata(attributes.get(moduleKey(id.address, id.name)));
  if (value !== undefined) entries.push([PUBLIC_METADATA_KEY, value]);
  return { owner, id, imports, code: writeModule(withMetadata(module, entries)) };
}

/** Every module after those it links to; alphabetical where that leaves a choice. */
function sortByDependency(modules) {
  const key = ({ address, name }) => moduleKey(address, name);
  const waiting = modules.toSorted((a, b) => (key(a.id) < key(b.id) ? -1 : 1));
  const placed = new Set();
  const order = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ imports }) => imports.every((id) => placed.has(key(id))));
    if (next < 0)
      throw new Error(`modules depend on each other: ${waiting.map(({ id }) => id.name).join(", ")}`);
    const [module] = waiting.splice(next, 1);
    placed.add(key(module.id));
    order.push(module);
  }
  return order;
}

/** BCS of 0x1::code::PackageMetadata. Sources and manifest are left empty: they are in the repository, and their digest is here. */
function encodePackageMetadata({ name, deps }, sourcesDigest, modules) {
  return new BcsWriter()
    .string(name)
    .u8(UPGRADE_POLICY_COMPATIBLE)
    .u64(0)
    .string(sourcesDigest.toUpperCase())
    .blob([])
    .list(modules, (w, { id }) => w.string(id.name).blob([]).blob([]).u8(0))
    .list(deps, (w, dep) => w.raw(addressOf(dep)).string(dep))
    .u8(0)
    .bytes();
}

function addressOf(packageName) {
  return Buffer.from(PACKAGES.find(({ name }) => name === packageName).address, "hex");
}

/** A module's full name, of which none is repeated. */
function moduleKey(address, name) {
  return `${address}::${name}`;
}

/** What a module's file is called: its name, after the last digit of its address where that is not 1. */
export function moduleFile({ address, name }) {
  const short = address.replace(/^0+/, "");
  return short === "1" ? name : `${short}-${name}`;
}

/** One digest over a package's files, from a list of their paths and digests. */
function sourceDigest(sources) {
  return digest(sources.map(({ path: file, text }) => `${digest(text)}  ${file}\n`).join(""));
}

function encodeGasSchedule() {
  const { feature_version: version, entries } = readJson("gas-schedule.json");
  return new BcsWriter()
    .u64(version)
    .list(Object.entries(entries), (w, [key, value]) => w.string(key).u64(value))
    .bytes();
}

/** Numbers of the features that are on, ascending. */
function readFeatures() {
  return readJson("features.json")
    .enabled.map(({ number }) => number)
    .toSorted((a, b) => a - b);
}

/** Name and version of the compiler, as locked. */
function compilerName() {
  const { version } = readJson("package-lock.json").packages["node_modules/@initia/builder.js"];
  return `@initia/builder.js ${version}`;
}

function readJson(name) {
  return JSON.parse(readFileSync(path.join(FRAMEWORK_FOLDER, name), "utf8"));
}
