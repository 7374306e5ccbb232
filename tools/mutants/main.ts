/**
 * `npm run mutants -- [folder or file below packages/latchkey/src, or from apps on …]`: mutation
 * tests of the folders with checks. Each mutant runs the tests of its own part, so a survivor is a
 * rule without a test beside it.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { onShutdown } from "../on-shutdown.mjs";
import { ownProgram } from "../own-program.ts";

const folders = [
  "api",
  "mcp",
  "token-exchange",
  "apps/web/src/check",
  "session",
  "activity",
  "devices",
  "ends",
  "refresh",
  "request",
  "http",
  "transaction",
  "oidc",
  "host",
  "adapters",
  "routes",
  "crypto",
];

const source = "packages/latchkey/src";
const conformance = "packages/latchkey/test/conformance";
const connections = "packages/latchkey/test/connections";

/** Parts with tests outside of their folder. */
const provedElsewhere: Readonly<Record<string, readonly string[]>> = {
  "apps/web/src/check": ["apps/web/src/start/**/check*.test.ts"],
  devices: [
    `${source}/activity/activity.test.ts`,
    `${source}/ends/revoke-tokens.test.ts`,
    `${source}/routes/logout/logout.test.ts`,
    `${source}/session/device-binding.test.ts`,
  ],
  refresh: [
    `${connections}/tightened.test.ts`,
    `${source}/routes/session-expiry.test.ts`,
    `${source}/token-exchange/**/*.test.ts`,
  ],
  request: [`${source}/host/**/*.test.ts`],
  routes: [
    `${conformance}/authorization-response.test.ts`,
    `${conformance}/**/logout*.test.ts`,
    `${conformance}/third-party-login.test.ts`,
    `${conformance}/transactions.test.ts`,
    ...["choose", "ends", "gone", "one-issuer", "proofs"].map(
      (name) => `${connections}/${name}.test.ts`,
    ),
    `${source}/session/shared-computer.test.ts`,
  ],
  session: ["packages/latchkey/test/properties/**/*.test.ts"],
};

const root = path.join(import.meta.dirname, "../..");
/** @throws Error when a place does not exist */
function patterns(places: readonly string[]): string[] {
  const chosen = places.length > 0 ? places : folders.filter(exists);
  const missing = chosen.find((place) => !exists(place));
  if (missing !== undefined) throw new Error(`There is no ${fromRoot(missing)}.`);
  const files = chosen
    .map(fromRoot)
    .map((place) => (place.endsWith(".ts") ? place : `${place}/**/*.ts`));
  // Commas part the patterns, so none may stand within braces.
  return [...files, "!**/*.test.ts", "!**/*.support.ts"];
}

/** The tests for the parts of these places. */
function testPatterns(places: readonly string[]): string[] {
  const chosen = places.length > 0 ? places : folders;
  const parts = new Set(chosen.map(partOf));
  return [...parts].flatMap((part) => [
    `${fromRoot(part)}/**/*.test.ts`,
    ...(provedElsewhere[part] ?? []),
  ]);
}

/** Only places of the engine are named without its folder. */
function fromRoot(place: string): string {
  return place.startsWith("apps/") ? place : `${source}/${place}`;
}

/** Returns `oidc` for `oidc/tokens`, and `apps/web/src/check` for a file of it. */
function partOf(place: string): string {
  return place
    .split("/")
    .slice(0, place.startsWith("apps/") ? 4 : 1)
    .join("/");
}

function exists(place: string): boolean {
  return existsSync(path.join(root, fromRoot(place)));
}

try {
  const places = process.argv.slice(2);
  const mutate = patterns(places).join(",");
  const stryker = ownProgram(
    import.meta.dirname,
    "@stryker-mutator/core/bin/stryker.js",
    "the mutation tester",
  );
  const args = [stryker, "run", "tools/mutants/stryker.config.mjs", "--mutate", mutate];
  args.push("--testFiles", testPatterns(places).join(","));
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  onShutdown(() => child.kill("SIGTERM"));
  child.once("exit", (code) => (process.exitCode = code ?? 1));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
