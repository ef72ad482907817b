/**
 * Test suites as vitest projects, so that the runner can time and count each on its own.
 *
 * The suites that start processes run their files one after another: they share two cores with the
 * processes they start, and their deadlines are about those.
 */

import { defineConfig } from "vitest/config";

const quick = (name: string, include: string[]) => ({
  test: { name, include, testTimeout: 60_000, hookTimeout: 60_000 },
});

const processes = (name: string, include: string[]) => ({
  test: {
    name,
    include,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    pool: "forks" as const,
  },
});

export default defineConfig({
  test: {
    projects: [
      quick("unit", ["test/unit/**/*.test.ts", "test/*.test.ts"]),
      quick("property", ["test/property/**/*.test.ts"]),
      quick("api", ["test/api/**/*.test.ts"]),
      processes("e2e", ["test/e2e/**/*.test.ts"]),
      processes("fault", ["test/fault/**/*.test.ts"]),
    ],
  },
});
