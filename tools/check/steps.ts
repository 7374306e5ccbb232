import type { Step } from "./step.ts";

/** The projects for `tsc`: the built ones, and those for tests only. */
const typeProjects = [
  ".",
  "packages/latchkey/tsconfig.test.json",
  "packages/latchkey/src/react/typed-claims",
  "packages/latchkey/src/react/typed-claims/server",
  "packages/nextjs-auth0/tsconfig.test.json",
  "packages/provider/tsconfig.test.json",
  "apps/web",
  "bench",
  "tsconfig.check.json",
];

/** Two checkers, for two cores, and a rarer collection of garbage: a quarter less of CPU. */
const types: Step = {
  name: "types",
  command: ["tsc", "-b", "--checkers", "2", ...typeProjects],
  env: { GOGC: "300" },
};

/** Fails if a script or a style exceeds its budget. Writes the same files as `types`. */
export const build: Step = {
  name: "build",
  command: ["node", "tools/build/main.ts"],
  after: types,
};

const notFiles = "--exclude=dependencies,exports,types,duplicates";

/** The checks without running the sources. */
export const staticChecks: readonly Step[] = [
  types,
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "layers", command: ["node", "tools/layers/main.ts"] },
  { name: "what must be known", command: ["node", "tools/census/main.ts"], isPrinted: true },
  { name: "language", command: ["node", "tools/lint/main.ts"] },
  { name: "dead exports", command: ["knip", "--no-progress", "--no-config-hints"] },
  {
    name: "files that only tests use",
    command: ["knip", "--no-progress", "--no-config-hints", "--production", notFiles],
  },
  build,
  { name: "pictures", command: ["node", "tools/pictures/main.ts", "--check"], after: build },
  // These read the declarations written by `types`.
  { name: "code blocks", command: ["node", "tools/docs/compile-code-blocks.ts"], after: types },
  { name: "lint", command: ["oxlint"], after: types },
];

/** What a release needs and `npm test` leaves out: `npm run ci` runs it after the tests. */
export const releaseChecks: readonly Step[] = [
  { name: "packed packages", command: ["node", "tools/pack-check/main.ts"] },
  { name: "public names and types", command: ["node", "tools/api-report/main.ts", "--check"] },
];

/**
 * @param reportFile - path of the JSON report
 * @param only - files or projects of vitest.config.ts. Default: all
 */
export function unitTests(reportFile: string, only: readonly string[]): Step {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  return {
    name: "unit and integration tests",
    command: ["vitest", "run", ...only, ...reporters],
  };
}
