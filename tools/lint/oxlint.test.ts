/** Proves that .oxlintrc.json rejects what CONTRIBUTING.md forbids. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "latchkey-lint-"));
const lines = (count: number, line: string) => Array(count).fill(line).join("\n");

const files: Readonly<Record<string, string>> = {
  "packages/latchkey/src/session/clock.ts": "export const now = Date.now();",
  "packages/latchkey/src/session/network.ts": 'export const response = fetch("http://localhost");',
  "packages/latchkey/src/session/argument.ts":
    "export const call = (fetch: (url: string) => number) => fetch(String(1));",
  "packages/latchkey/src/session/state.ts": "export const home = process.env;",
  "packages/latchkey/src/session/bytes.ts": 'export const bytes = Buffer.from("x");',
  "packages/latchkey/src/crypto/jwe.node.ts": 'export const bytes = Buffer.from("x");',
  "packages/latchkey/src/ambient.ts": "export const clock = () => Date.now();",
  "apps/web/src/long-function.ts": `export function long() {\n${lines(61, "  void 0;")}\n}`,
  "apps/web/src/long-file.ts": lines(401, "export {};"),
  "packages/latchkey/src/adapters/long-adapter.ts": lines(101, "export {};"),
  "apps/web/src/any.ts": "export const anything = (x: any) => String(x);",
  "tools/circle/one.ts": 'import type { Two } from "./two.ts";\nexport type One = Two;',
  "tools/circle/two.ts": 'import { type One } from "./one.ts";\nexport type Two = One[];',
  "bench/any.ts": "export const anything = (x: any) => String(x);",
  "apps/web/src/later.ts": "// xxx: later\nexport {};",
  "apps/web/src/floating.ts": "export function go() {\n  Promise.resolve(1);\n}",
};

let findings: readonly string[] = [];

beforeAll(() => {
  cpSync(path.join(root, ".oxlintrc.json"), path.join(folder, ".oxlintrc.json"));
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), `${source}\n`);
  }
  const oxlint = path.join(root, "node_modules/.bin/oxlint");
  const { stdout } = spawnSync(oxlint, ["-f", "unix"], { cwd: folder, encoding: "utf8" });
  findings = stdout.split("\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ["packages/latchkey/src/session/clock.ts", "no-restricted-properties"],
  ["packages/latchkey/src/session/network.ts", "no-restricted-globals"],
  ["packages/latchkey/src/session/state.ts", "no-restricted-globals"],
  ["packages/latchkey/src/session/bytes.ts", "no-restricted-globals"],
  ["apps/web/src/long-function.ts", "max-lines-per-function"],
  ["apps/web/src/long-file.ts", "max-lines"],
  ["packages/latchkey/src/adapters/long-adapter.ts", "max-lines"],
  ["apps/web/src/any.ts", "no-explicit-any"],
  ["tools/circle/one.ts", "no-cycle"],
  ["bench/any.ts", "no-explicit-any"],
  ["apps/web/src/later.ts", "no-warning-comments"],
  ["apps/web/src/floating.ts", "no-floating-promises"],
])("oxlint refuses %s (%s)", (file, rule) => {
  expect(findings.filter((line) => line.startsWith(file)).join("\n")).toContain(rule);
});

it.each([
  "packages/latchkey/src/session/argument.ts",
  "packages/latchkey/src/crypto/jwe.node.ts",
  "packages/latchkey/src/ambient.ts",
])("oxlint accepts %s", (file) => {
  expect(findings.filter((line) => line.startsWith(file))).toEqual([]);
});
