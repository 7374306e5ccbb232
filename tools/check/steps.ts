import type { Step } from "./step.ts";

/** The projects that `tsc` checks: what is built, and what only runs in tests. */
const typeProjects = [
  ".",
  "packages/latchkey/tsconfig.test.json",
  "packages/provider/tsconfig.test.json",
  "apps/web",
  "bench",
  "tsconfig.check.json",
];

const types: Step = { name: "types", command: ["tsc", "-b", ...typeProjects] };

/** It fails where a script or a style has become too heavy. The compiler writes the same files as in `types`. */
export const build: Step = {
  name: "build",
  command: ["node", "tools/build/main.ts"],
  after: types,
};

/** The checks that run no code of the sources. */
export const staticChecks: readonly Step[] = [
  types,
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "layers", command: ["node", "tools/layers/main.ts"] },
  { name: "dead exports", command: ["knip", "--no-progress", "--no-config-hints"] },
  { name: "code blocks", command: ["node", "tools/docs/compile-code-blocks.ts"] },
  build,
  // Rules that know types read the declarations that the check of types writes.
  { name: "lint", command: ["oxlint"], after: types },
];

/**
 * @param reportFile - where the JSON report goes
 * @param only - files or projects of vitest.config.ts; all of them by default
 */
export function unitTests(reportFile: string, only: readonly string[] = []): Step {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  return {
    name: "unit and integration tests",
    command: ["vitest", "run", ...only, ...reporters],
  };
}
