import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";

import { openStore } from "../../src/stores/open-store.ts";
import { createAuth, type Options } from "../../src/host/auth.ts";
import type { RequestAuth } from "../../src/host/request-auth.ts";
import type { Store } from "../../src/stores/store.ts";
import { signedInCookies } from "../../src/testing/index.ts";
import { handleRequest } from "../handle-request.ts";
import { findPostgres, startPostgres } from "../servers/postgres.ts";
import { findRedis, startRedis } from "../servers/redis.ts";
import { goodSettings } from "../settings.ts";

/** Two processes of one app, each with a connection of its own to the same store. */
async function twoProcesses(open: () => Promise<Store>) {
  const stores = [await open(), await open()] as const;
  const optionsOf = (store: Store): Options => ({
    ...goodSettings,
    session: { stateful: true },
    activity: true,
    store,
    log: () => undefined,
  });
  const [one, other] = [optionsOf(stores[0]), optionsOf(stores[1])] as const;
  const auths = [createAuth(one), createAuth(other)] as const;
  const signIn = (options: Options) =>
    signedInCookies({ options, session: { user: { sub: "ada" }, device: { userAgent: "Test" } } });
  return {
    here: await signIn(one),
    there: await signIn(other),
    async by<T>(process: 0 | 1, cookie: string, handler: (auth: RequestAuth) => Promise<T>) {
      const request = new Request(goodSettings.baseURL, { headers: { cookie } });
      return (await handleRequest(auths[process], request, handler)).made;
    },
    async close() {
      for (const auth of auths) await auth.close();
      for (const store of stores) await store.close();
    },
  };
}

/** Renames and ends a device, each step in another process; returns the recorded activity. */
async function renameAndEndDevice(open: () => Promise<Store>) {
  const { here, there, by, close } = await twoProcesses(open);
  const devices = (process: 0 | 1) => by(process, here, (its) => its.devices());
  const [, device] = (await devices(0)) ?? [];
  const id = device?.id ?? "";
  expect(await by(0, here, (its) => its.renameDevice(id, "Küche"))).toMatchObject({
    name: "Küche",
  });

  expect((await devices(1))?.[1]).toMatchObject({ name: "Küche" });
  expect(await by(0, there, async (its) => its.user?.sub)).toBe("ada");
  await by(1, here, (its) => its.endDevice(id));
  expect(await by(0, there, async (its) => its.user?.sub)).toBeUndefined();
  expect(await devices(1)).toHaveLength(1);
  // Activity is written in the background.
  const activity = await vi.waitUntil(
    async () => {
      const found = await by(0, here, (its) => its.activity());
      return found?.length === 0 ? null : found;
    },
    { timeout: 20_000, interval: 50 },
  );
  await close();
  return activity;
}

const activity = [{ kind: "signed-out-elsewhere", device: { userAgent: "Test", name: "Küche" } }];

describe("a device is renamed and ended by different processes", () => {
  test("with SQLite in a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-devices-"));
    expect(
      await renameAndEndDevice(() => openStore(`sqlite:${join(folder, "store.db")}`)),
    ).toMatchObject(activity);
    rmSync(folder, { recursive: true });
  });

  const redis = findRedis();
  test.skipIf(redis === null)("with Redis", async () => {
    const server = await startRedis(redis ?? "");
    expect(
      await renameAndEndDevice(() => openStore(`redis://127.0.0.1:${server.port}`)),
    ).toMatchObject(activity);
    await server.close();
  });

  const postgres = findPostgres();
  test.skipIf(postgres === null)("with PostgreSQL", async () => {
    const server = await startPostgres(postgres ?? "");
    expect(await renameAndEndDevice(() => openStore(server.url))).toMatchObject(activity);
    await server.close();
  });
});
