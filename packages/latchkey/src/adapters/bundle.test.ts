import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";

import { goodVariables } from "../../test/settings.ts";

const root = join(import.meta.dirname, "../../../..");
/** The package and what it depends on; `redis` is not among them. */
const installed = ["cookie", "latchkey", "valibot"];

const app = `
  import { authFromEnvironment } from "latchkey/node";

  const auth = authFromEnvironment({
    ...${JSON.stringify(goodVariables)},
    LATCHKEY_STORE: process.argv[2],
  });
  await auth.ready().then(
    () => console.log("ready"),
    (error) => console.log(error.message),
  );
  await auth.close();
`;

const redis = `
  export const createClient = () => ({ on() {}, connect() {}, destroy: () => console.log("closed") });
`;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "latchkey-bundle-"));
  mkdirSync(join(folder, "node_modules"));
  for (const name of installed) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "app.js"), app);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Bundles the app and runs the bundle without any installed package. */
async function bundle(): Promise<(store: string) => string> {
  await build({
    root: folder,
    configFile: false,
    logLevel: "silent",
    resolve: { preserveSymlinks: true },
    ssr: { noExternal: true, resolve: { conditions: ["@latchkey/source", "node"] } },
    build: { ssr: "app.js", outDir: "out" },
  });
  rmSync(join(folder, "node_modules"), { recursive: true });
  return (store) =>
    execFileSync(process.execPath, [join(folder, "out/app.js"), store], { encoding: "utf8" });
}

test("an app can be bundled without the package redis, which it misses only when it needs it", async () => {
  const run = await bundle();
  expect(run("memory:")).toBe("ready\n");
  expect(run("redis://localhost:6379")).toContain(
    "LATCHKEY_STORE / store: needs the package redis (npm i redis), which cannot be loaded",
  );
});

test("the package redis becomes part of the bundle if it is installed", async () => {
  mkdirSync(join(folder, "node_modules/redis"));
  const manifest = '{ "name": "redis", "type": "module", "exports": "./index.js" }';
  writeFileSync(join(folder, "node_modules/redis/package.json"), manifest);
  writeFileSync(join(folder, "node_modules/redis/index.js"), redis);
  const run = await bundle();
  expect(run("redis://localhost:6379")).toBe("ready\nclosed\n");
});
