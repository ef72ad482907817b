/**
 * Compiles or tests one Move package, alone in its process: the compiler is a foreign library that prints and may end the process.
 * Run as `node compile.mjs <package folder> <build|test>`; it writes into the folder, so hand it a copy.
 */

import { createRequire } from "node:module";
import { FRAMEWORK_FOLDER } from "../../../../../framework/tool/packages.mjs";

const { MoveBuilder } = createRequire(`${FRAMEWORK_FOLDER}/package.json`)("@initia/builder.js");

const [folder, verb] = process.argv.slice(2);
const builder = new MoveBuilder(folder, {
  forceRecompilation: true,
  skipFetchLatestGitDeps: true,
  bytecodeVersion: 7,
  languageVersion: "2.1",
  compilerVersion: "2.1",
  ...(verb === "test" ? { devMode: true, testMode: true } : {}),
});
try {
  // Results are read from the storage that a test leaves where it ends.
  await (verb === "test" ? builder.test({ reportStorageOnError: true }) : builder.build());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
