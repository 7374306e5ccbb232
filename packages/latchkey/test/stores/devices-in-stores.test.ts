import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { openStore } from "../../src/adapters/environment/open-store.ts";
import { createAuth, type Options } from "../../src/auth.ts";
import type { RequestAuth } from "../../src/access/request-auth.ts";
import type { Store } from "../../src/stores/store.ts";
import { signedInCookies } from "../../src/testing/index.ts";
import { handleRequest } from "../handle-request.ts";
import { findPostgres, startPostgres } from "../servers/postgres.ts";
import { findRedis, startRedis } from "../servers/redis.ts";
import { goodSettings } from "../settings.ts";

/** Two processes of one app, each with a connection of its own to the same store. */
async function twoProcesses(open: () => Promise<Store>) {
  const stores = [await open(), await open()] as const;
  let now = Date.now();
  const optionsOf = (store: Store): Options => ({
    ...goodSettings,
    session: { stateful: true },
    clock: () => now,
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
    advance: (seconds: number) => void (now += seconds * 1000),
    async close() {
      for (const auth of auths) await auth.close();
      for (const store of stores) await store.close();
    },
  };
}

/** What a person does with a device of theirs, each step at another process; and what they are told of it. */
async function endsAndUndoes(open: () => Promise<Store>) {
  const { here, there, by, advance, close } = await twoProcesses(open);
  const devices = (process: 0 | 1) => by(process, here, (its) => its.devices());
  const [, device] = (await devices(0)) ?? [];
  const id = device?.id ?? "";
  expect(await by(0, here, (its) => its.renameDevice(id, "Küche"))).toMatchObject({
    name: "Küche",
  });

  await by(0, here, (its) => its.endDevice(id, { afterSeconds: 5 }));
  expect((await devices(1))?.[1]).toMatchObject({ name: "Küche", ending: { canUndo: true } });
  expect(await by(0, there, (its) => its.undoEnds())).toEqual([]);
  expect(await by(1, here, (its) => its.undoEnds([id]))).toHaveLength(1);
  expect((await devices(0))?.[1]).toMatchObject({ ending: null });

  await by(1, here, (its) => its.endDevice(id, { afterSeconds: 1 }));
  expect(await by(0, there, async (its) => its.user?.sub)).toBe("ada");
  advance(2);
  expect(await by(0, there, async (its) => its.user?.sub)).toBeUndefined();
  expect(await devices(1)).toHaveLength(1);
  expect(await by(0, here, (its) => its.undoEnds([id]))).toEqual([]);
  const activity = await by(0, here, (its) => its.activity());
  await close();
  return activity;
}

const told = [{ kind: "signed-out-elsewhere", device: { userAgent: "Test", name: "Küche" } }];

describe("a device is named, ended later and kept, each step by another process", () => {
  test("with SQLite in a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-devices-"));
    expect(
      await endsAndUndoes(() => openStore(`sqlite:${join(folder, "store.db")}`)),
    ).toMatchObject(told);
    rmSync(folder, { recursive: true });
  });

  const redis = findRedis();
  test.skipIf(redis === null)("with Redis", async () => {
    const server = await startRedis(redis ?? "");
    expect(await endsAndUndoes(() => openStore(`redis://127.0.0.1:${server.port}`))).toMatchObject(
      told,
    );
    await server.close();
  });

  const postgres = findPostgres();
  test.skipIf(postgres === null)("with PostgreSQL", async () => {
    const server = await startPostgres(postgres ?? "");
    expect(await endsAndUndoes(() => openStore(server.url))).toMatchObject(told);
    await server.close();
  });
});
