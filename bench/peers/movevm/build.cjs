// Compiles a package with the npm package's compiler, and says how long it took.
// usage: node build.cjs <package dir> [language version] [bytecode version]
const path = require("node:path");
const { MoveBuilder } = require("@initia/builder.js");
(async () => {
  const dir = path.resolve(process.argv[2]);
  const opt = { forceRecompilation: true, skipFetchLatestGitDeps: true };
  if (process.argv[3]) {
    opt.languageVersion = process.argv[3];
  }
  if (process.argv[4]) opt.bytecodeVersion = Number(process.argv[4]);
  const c0 = process.cpuUsage(),
    t0 = process.hrtime.bigint();
  await new MoveBuilder(dir, opt).build();
  const ms = Number(process.hrtime.bigint() - t0) / 1e6,
    c = process.cpuUsage(c0);
  const all = await new MoveBuilder(dir, opt).getAll();
  const n = Object.keys(all).length;
  let bytes = 0;
  for (const k in all) bytes += all[k].length;
  console.log(
    JSON.stringify({
      package: path.basename(dir),
      modules: n,
      bytes,
      wall_ms: +ms.toFixed(1),
      cpu_ms: +((c.user + c.system) / 1e3).toFixed(1),
    }),
  );
})().catch((e) => {
  console.error("compile failed:", String(e.message || e));
  process.exit(1);
});
