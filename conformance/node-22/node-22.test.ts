import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser/browser.ts";
import { freePort } from "../../packages/latchkey/test/servers/free-port.ts";
import { hostFolder, sharedWorld } from "../suite/world.ts";

const root = path.join(hostFolder, "../..");
const node = path.join(hostFolder, "node_modules/node/bin/node");
const places = [path.dirname(node), path.join(root, "node_modules/.bin"), process.env["PATH"]];
/** Whatever is started finds the lowest Node as `node`. */
const env = { HOME: process.env["HOME"], PATH: places.join(path.delimiter) };

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "latchkey-node-22-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Starts a script of the repository on the lowest Node; it ends with the test. */
function start(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const child = spawn(node, args, { cwd: root, env: { ...env, ...settings } });
  onTestFinished(() => void child.kill());
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (written += text));
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { output: () => written, ended, end: () => child.kill() };
}

describe("the lowest Node", () => {
  const world = sharedWorld();

  test("is the one promised by the package, and the one that serves here", () => {
    const manifest = readFileSync(path.join(hostFolder, "node_modules/latchkey/package.json"));
    const { engines } = JSON.parse(manifest.toString()) as { engines: { node: string } };
    const lowest = `${engines.node.replace(">=", "")}.0`;
    expect(world().app.output()).toContain(`Node v${lowest}\n`);
  });
});

describe("what npm start starts", () => {
  test("signs in, keeps the session when it is started again, shows devices, and signs out", async () => {
    const folder = temporaryFolder();
    const [port, providerPort] = [await freePort(), await freePort()];
    const settings = {
      PORT: `${port}`,
      LATCHKEY_PROVIDER_PORT: `${providerPort}`,
      // Empty: whatever a file of settings says, the local provider is used.
      LATCHKEY_ISSUER_BASE_URL: "",
      LATCHKEY_BASE_URL: "",
      LATCHKEY_PROVIDER_DATA: folder,
      LATCHKEY_STORE: `sqlite:${path.join(folder, "latchkey.db")}`,
    };
    const browser = createBrowser(`http://localhost:${port}`);
    const endFirst = await npmStart(settings);
    expect((await browser.signIn("/account")).text).toContain("Ada Okafor");
    await endFirst();

    const endSecond = await npmStart(settings);
    const devices = await browser.open("/devices");
    expect([devices.status, devices.url.pathname]).toEqual([200, "/devices"]);
    expect(devices.text).toContain("This device");
    const signedOut = await browser.open("/api/auth/logout");
    expect([signedOut.status, signedOut.url.pathname]).toEqual([200, "/_auth/signed-out"]);
    expect((await browser.request("/account")).status).toBe(302);
    await endSecond();
  });
});

/** Resolves when the application is ready. */
async function npmStart(settings: Readonly<Record<string, string>>) {
  const started = start(["tools/start/main.ts"], settings);
  await expect.poll(started.output, { timeout: 100_000 }).toContain("Latchkey is ready");
  expect(started.output()).not.toMatch(/error|warning/i);
  return async () => {
    started.end();
    await started.ended;
  };
}

const run = promisify(execFile);

test("the command copies a store in a file, and puts the copy back", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "latchkey.db");
  const change = (statement: string) => {
    const script = `
      import { sqliteStore } from "latchkey/sqlite";
      const store = sqliteStore(${JSON.stringify(file)});
      await ${statement};
      await store.close();`;
    return run(node, ["--input-type=module", "--eval", script], { cwd: hostFolder, env });
  };
  await change('store.set("a", "1", Date.now() / 1000 + 3600)');
  const latchkey = (action: string) =>
    run(path.join(hostFolder, "node_modules/.bin/latchkey"), ["store", action, `${file}.copy`], {
      env: { ...env, LATCHKEY_STORE: `sqlite:${file}` },
    });
  expect((await latchkey("backup")).stdout).toMatch(/^1 entry is in /);
  await change('store.delete("a")');
  expect((await latchkey("restore")).stdout).toContain(
    "1 entry is back. Sign-outs since then stay.",
  );
});

/** What of the sources knows the runtime; the rest is the language alone. */
const sources = ["crypto", "adapters", "cli", "stores"].map((name) => `latchkey/src/${name}/`);
const servers = ["src/serving", "src/start"].map((name) => `apps/web/${name}/`);

test.each([
  ["of all hosts", ["published"], []],
  [
    "of what knows the runtime",
    ["quick", "isolated", "thorough"],
    [...sources, ...servers, "latchkey/test/stores/sqlite"],
  ],
])("the tests %s pass", { timeout: 900_000 }, async (_, projects, files) => {
  const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
  const names = projects.map((name) => `--project=${name}`);
  const { ended, output } = start([vitest, "run", ...names, ...files]);
  const exitCode = await ended;
  expect([exitCode, exitCode === 0 ? "" : output()]).toEqual([0, ""]);
});
