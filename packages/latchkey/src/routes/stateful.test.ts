import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import type { Browser } from "../../test/browser/browser.ts";
import { handleRequest } from "../../test/handle-request.ts";
import { failingStore } from "../../test/failing-store.ts";
import { problemIn, startWorld } from "../../test/worlds/world.ts";
import { createAuth } from "../auth.ts";
import { memoryStore } from "../stores/memory.ts";
import { sqliteStore } from "../stores/sqlite.ts";

const store = failingStore(memoryStore());
const world = await startWorld({ options: { session: { stateful: true }, store } });

const sessionCookie = async (browser: Browser) =>
  (await browser.cookies()).split("; ").find((pair) => pair.startsWith("appSession")) ?? "";

describe("sessions that are kept in the store", () => {
  test("a sign-in is not begun while the store is down, and the way back in keeps its destination [OP-024]", async () => {
    const before = world.provider.requests.length;
    store.fail(true);
    const answer = await world.browser().request("/api/auth/login?returnTo=/orders");
    store.fail(false);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    const { reason, signInURL } = problemIn(answer);
    expect(reason).toBe("store_unavailable");
    expect(new URL(signInURL).searchParams.get("returnTo")).toContain("/orders");
    expect(world.provider.requests).toHaveLength(before);
  });

  test("a callback while the store is down spends no code, and leads back in [OP-024]", async () => {
    const browser = world.browser();
    const { address, init } = await browser.untilCallback("/orders");
    const before = world.provider.requests.length;
    store.fail(true);
    const answer = await browser.request(address, init);
    store.fail(false);
    expect(answer.status).toBe(503);
    const { reason, signInURL } = problemIn(answer);
    expect(reason).toBe("store_unavailable");
    expect(world.provider.requests).toHaveLength(before);
    await browser.open(signInURL);
    expect((await browser.request("/api/auth/me")).status).toBe(200);
  });

  test("they are served while the store takes no writes, and keep the times they had", async () => {
    const browser = await world.signedIn();
    for (const write of ["set", "swap", "delete"] as const) {
      store.fail(new Error("READONLY You can't write against a read only replica."), write);
      expect((await browser.request("/private")).status).toBe(200);
    }
    store.fail(false);
    expect((await browser.request("/private")).status).toBe(200);
  });

  test("they survive a restart of the app where the store does", async () => {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-restart-"));
    const file = join(folder, "sessions.db");
    const first = sqliteStore(file);
    const other = await startWorld({ options: { session: { stateful: true }, store: first } });
    const browser = await other.signedIn();
    const cookie = await sessionCookie(browser);
    await first.close();
    const second = sqliteStore(file);
    const restarted = createAuth({ ...other.options, store: second });
    const request = new Request(`${other.baseURL}/private`, { headers: { cookie } });
    const { made } = await handleRequest(restarted, request, ({ user }) => user?.sub);
    expect(made).toBe("person-ada");
    await second.close();
    rmSync(folder, { recursive: true });
  });
});
