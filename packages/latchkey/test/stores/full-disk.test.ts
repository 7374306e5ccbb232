import { type ChildProcess, execFileSync, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningProvider, startProvider } from "@latchkey/provider";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { LogEvent } from "../../src/telemetry/log-event.ts";
import { type Browser, createBrowser } from "../browser/browser.ts";
import { freePort } from "../servers/free-port.ts";
import type { FullDiskSettings } from "./full-disk-app.ts";

const script = join(import.meta.dirname, "full-disk-app.ts");
const execArgv = ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"];

let app: ChildProcess;
let provider: RunningProvider;
let baseURL: string;
const folder = mkdtempSync(join(tmpdir(), "latchkey-full-disk-"));
const events: LogEvent[] = [];

beforeAll(async () => {
  const port = await freePort();
  baseURL = `http://localhost:${port}`;
  provider = await startProvider({ appURL: baseURL });
  const [client] = provider.clients;
  const settings: FullDiskSettings = {
    port,
    file: join(folder, "sessions.db"),
    issuer: provider.issuer,
    clientID: client?.id ?? "",
    clientSecret: client?.secret ?? "",
  };
  app = fork(script, [JSON.stringify(settings)], { execArgv });
  app.on("message", (event: LogEvent) => events.push(event));
  await once(app, "message");
  events.length = 0;
});

afterAll(async () => {
  app.kill();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Limits the files of the app to so many bytes: every further write fails, as on a full disk. */
function limitFiles(bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(app.pid), `--fsize=${bytes}:unlimited`]);
}

async function timesOf(browser: Browser): Promise<{ readonly updatedAt: number }> {
  const answer = await browser.request("/private");
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text) as { updatedAt: number };
}

async function statusOfMe(cookie: string): Promise<number> {
  return (await fetch(`${baseURL}/api/auth/me`, { headers: { cookie } })).status;
}

const storeStates = () =>
  events.flatMap((each) => (each.event === "store-state" ? [each.state] : []));
const signOuts = () => events.filter(({ event }) => event.startsWith("sign-out"));
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1100));

test("while the disk is full, sessions are read and renewed, and a sign-out stays pending [OP-112]", async () => {
  const [staying, leaving] = [createBrowser(baseURL), createBrowser(baseURL)];
  await staying.signIn("/private");
  await leaving.signIn("/private", "person-ben");
  const copy = await leaving.cookies();
  const before = await timesOf(staying);

  limitFiles(1);
  await aSecond();
  const renewed = [];
  for (let count = 0; count < 20; count += 1) renewed.push(await timesOf(staying));
  expect(renewed.at(-1)?.updatedAt).toBeGreaterThan(before.updatedAt);
  const left = await leaving.request("/api/auth/logout");
  expect(left.status).toBe(302);
  expect(await leaving.cookies()).not.toContain("appSession");
  expect(signOuts()).toMatchObject([{ event: "sign-out", pending: true }]);
  expect((await createBrowser(baseURL).request("/api/auth/login")).status).toBe(302);
  expect(storeStates()).toEqual(["read-only"]);
  expect(await statusOfMe(copy)).toBe(204);

  limitFiles("unlimited");
  await expect
    .poll(() => signOuts().at(-1))
    .toMatchObject({ event: "sign-out-completed", reason: "logout" });
  expect(await statusOfMe(copy)).toBe(204);
  await timesOf(staying);
  expect((await timesOf(staying)).updatedAt).toBeGreaterThan(before.updatedAt);
  await expect.poll(storeStates).toEqual(["read-only", "up"]);
});

test("the start of an app reports a full disk", () => {
  const module = JSON.stringify(join(import.meta.dirname, "../../src/stores/sqlite.ts"));
  const file = JSON.stringify(join(folder, "new.db"));
  const program = `import { sqliteStore } from ${module}; sqliteStore(${file});`;
  const node = [process.execPath, ...execArgv, "--input-type=module", "--eval", program];
  const { stderr } = spawnSync("prlimit", ["--fsize=1:unlimited", ...node], { encoding: "utf8" });
  expect(stderr).toContain("Error: The disk is full.");
});
