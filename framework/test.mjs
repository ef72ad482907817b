/**
 * Runs the Move unit tests of both packages in the compiler's own virtual machine, and prints how many passed: `node framework/test.mjs`.
 *
 * That machine lacks some of a public node's native functions: `tool/test-machine.mjs` says what stands in for them.
 */

import { isCompilerInstalled, PACKAGES, runCompiler, withCopy } from "./tool/packages.mjs";
import { fitToTestMachine } from "./tool/test-machine.mjs";

if (!isCompilerInstalled()) {
  console.error("The Move compiler is not installed. Run: npm ci --prefix framework");
  process.exit(1);
}

let failed = 0;
for (const pack of PACKAGES) {
  const { ok, output } = withCopy((copy) => {
    fitToTestMachine(copy);
    return runCompiler(copy, pack, "test");
  });
  const result = /Total tests: (\d+); passed: (\d+); failed: (\d+)/.exec(output);
  if (result === null || !ok) console.error(output);
  if (result === null) {
    failed += 1;
    continue;
  }
  failed += Number(result[3]);
  console.log(`${pack.name}: ${result[2]} passed, ${result[3]} failed`);
}
process.exitCode = failed > 0 ? 1 : 0;
