import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";

import type { Auth } from "../../src/auth.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { handleRequest } from "../handle-request.ts";
import { ownTime, pausesOfMachine, watchEventLoop } from "../own-time.ts";
import { untilSaid } from "../servers/programs.ts";
import { began, signedInApp } from "../sessions/signed-in-app.ts";

const askingMs = 1500;
const folder = mkdtempSync(join(tmpdir(), "latchkey-locked-"));
const file = join(folder, "store.db");

afterAll(() => rmSync(folder, { recursive: true }));

/** Another process takes the write lock of the file, and ends when its standard input does. */
async function lockElsewhere(): Promise<ChildProcessWithoutNullStreams> {
  const program = `
    import { DatabaseSync } from "node:sqlite";
    const database = new DatabaseSync(${JSON.stringify(file)}, { timeout: 5000 });
    database.exec("BEGIN IMMEDIATE");
    console.log("locked");
    process.stdin.on("end", () => database.exec("COMMIT")).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  await untilSaid(child.stdout, /locked/);
  return child;
}

interface Asked {
  readonly status: number;
  /** Milliseconds by {@link ownTime}, and by the ordinary clock. */
  readonly took: number;
  readonly waited: number;
}

async function ask(auth: Auth, cookie: string, isWrite: boolean): Promise<Asked> {
  const start = { own: ownTime(), wall: performance.now() };
  const request = new Request(`${auth.config.baseURL}/`, { headers: { cookie } });
  const { response } = await handleRequest(auth, request, async (here) => {
    expect(here.user?.sub).toBe("ada");
    if (isWrite) await here.update((data) => ({ ...data, at: start.wall }));
  });
  const took = ownTime() - start.own;
  return { status: response.status, took, waited: performance.now() - start.wall };
}

test("while another process holds the lock, reads go on, writes are 503 after a second, and nothing blocks [OP-111]", async () => {
  const clock = () => began * 1000;
  const store = sqliteStore(file, clock);
  const { auth, cookie } = await signedInApp({ store, clock, session: { stateful: true } });
  await ask(auth, cookie, true);
  const locker = await lockElsewhere();
  const unlocked = once(locker, "exit");
  const blocked = watchEventLoop();
  const reads: Promise<Asked>[] = [];
  const writes: Promise<Asked>[] = [];
  for (const end = performance.now() + askingMs; performance.now() < end; await sleep(10)) {
    reads.push(ask(auth, cookie, false));
    if (reads.length % 10 === 0) writes.push(ask(auth, cookie, true));
  }
  const [read, written] = await Promise.all([Promise.all(reads), Promise.all(writes)]);
  // A driver that waits does so with every write, for most of a second.
  expect(blocked()[pausesOfMachine]).toBeLessThan(200);

  expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200]));
  // Each is answered without waiting for the lock, though each also renews the session.
  expect(Math.max(...read.map(({ took }) => took))).toBeLessThan(300);
  expect(new Set(written.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.min(...written.map(({ waited }) => waited))).toBeGreaterThan(500);
  expect(Math.max(...written.map(({ took }) => took))).toBeLessThan(1100);

  locker.stdin.end();
  await unlocked;
  expect((await ask(auth, cookie, true)).status).toBe(200);
  await auth.close();
});
