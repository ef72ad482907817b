/** The machine and the code a figure belongs to. */

import { execFileSync } from "node:child_process";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { packageRoot } from "./node-process.js";

export function machineLines(): string[] {
  const cores = cpus();
  return [
    `machine  ${cores.length} × ${cores[0]?.model ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()} ${arch()}`,
    `Node.js  ${process.versions.node}`,
    `commit   ${commit()}`,
  ];
}

function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: packageRoot(),
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    return (
      git("rev-parse", "--short=12", "HEAD") +
      (git("status", "--porcelain") === "" ? "" : " with local changes")
    );
  } catch {
    return "unknown";
  }
}
