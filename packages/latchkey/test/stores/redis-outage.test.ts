import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { openStore } from "../../src/stores/open-store.ts";
import type { LogEvent } from "../../src/telemetry/log-event.ts";
import { type GuardedStore, guardStore } from "../../src/stores/guard/guarded-store.ts";
import { type IdleTimer, ownTime, startIdleTimer } from "../own-time.ts";
import { freePort } from "../servers/free-port.ts";
import { findRedis, type RunningRedis, startRedis } from "../servers/redis.ts";
import { startProxy, type TCPProxy } from "../servers/tcp-proxy.ts";

const program = findRedis() ?? "";
const refusal = { reason: "store_unavailable" };
const soon = Math.floor(Date.now() / 1000) + 3600;

/** Resolves when a client of node-redis has a usable connection. */
function connectionReady(): Promise<void> {
  const channel = "node-redis:connection:ready";
  return new Promise((resolve) => {
    subscribe(channel, function onReady() {
      unsubscribe(channel, onReady);
      resolve();
    });
  });
}

describe.skipIf(program === "")("a failing Redis", () => {
  let redis: RunningRedis;
  let proxy: TCPProxy;
  let store: GuardedStore;
  let events: LogEvent[];
  let idle: IdleTimer;

  beforeAll(async () => {
    redis = await startRedis(program);
    idle = startIdleTimer();
  });
  afterAll(() => {
    idle.stop();
    return redis.close();
  });
  beforeEach(async () => {
    proxy = await startProxy(redis.port);
    events = [];
    const opened = await openStore(`redis://127.0.0.1:${proxy.port}`);
    store = guardStore(opened, {
      log: (event) => events.push(event),
      clock: () => performance.now(),
      fraction: Math.random,
    });
    await store.set("a", "1", soon);
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  const states = () => events.flatMap((each) => (each.event === "store-state" ? [each.state] : []));

  /** Reads so often, side by side, for so long; how long each took, and whether it was answered. */
  async function readFor(ms: number) {
    const reads: Promise<{ readonly waited: number; readonly isAnswered: boolean }>[] = [];
    for (const end = performance.now() + ms; performance.now() < end;) {
      reads.push(readOnce());
      await setTimeout(10);
    }
    return Promise.all(reads);
  }

  async function readOnce() {
    const start = idle.passedMs();
    const isAnswered = await Promise.resolve(store.get(["a"])).then(
      () => true,
      () => false,
    );
    return { waited: idle.passedMs() - start, isAnswered };
  }

  test("serves from half a second away, and is reported as slow once [OP-022]", async () => {
    proxy.delay(500);
    const reads = await readFor(1200);
    expect(reads.every(({ isAnswered }) => isAnswered)).toBe(true);
    expect(events).toMatchObject([{ event: "store-slow", operation: "get" }]);
  });

  test("is given up after one second when five seconds away [OP-022]", async () => {
    proxy.delay(5000);
    const reads = await readFor(1500);
    expect(reads.some(({ isAnswered }) => isAnswered)).toBe(false);
    expect(Math.max(...reads.map(({ waited }) => waited))).toBeLessThan(1100);
    proxy.delay(0);
  });

  test("gets a new connection after its network has lost all data for a while", async () => {
    proxy.swallow(true);
    await readFor(1500);
    expect(store.state()).toBe("down");
    proxy.reset();
    proxy.swallow(false);
    await expect.poll(async () => (await readOnce()).isAnswered).toBe(true);
  });

  /** Resets the connection under five reads, then writes. */
  async function resetConnection() {
    events.length = 0;
    const resetAt = performance.now();
    const backAfterMs = connectionReady().then(() => performance.now() - resetAt);
    const reads = Array.from({ length: 5 }, readOnce);
    proxy.reset();
    const areAnswered = (await Promise.all(reads)).every(({ isAnswered }) => isAnswered);
    return { areAnswered, backAfterMs: await backAfterMs };
  }

  test("gets a new connection after a reset, and reads and writes wait for it", async () => {
    let round = await resetConnection();
    // Commands wait for half a second. If a busy machine connects later, the round proves nothing.
    while (round.backAfterMs > 400) round = await resetConnection();
    expect(round.areAnswered).toBe(true);
    await Promise.all(Array.from({ length: 5 }, async () => store.set("b", "1", soon)));
    expect(events).toEqual([]);
  });

  test("repeats a write with a lost response without harm", async () => {
    proxy.cutNextAnswer();
    await expect(Promise.resolve(store.swap("a", "1", "2", soon))).rejects.toMatchObject(refusal);
    await expect.poll(async () => store.swap("a", "1", "2", soon)).toBe("done");
    expect(await store.get(["a"])).toEqual(["2"]);
  });

  test("leaves no connection open if closed during the replacement of its client", async () => {
    const closing = await openStore(`redis://127.0.0.1:${proxy.port}`);
    await redis.command("REPLICAOF", "127.0.0.1", `${await freePort()}`);
    await expect(Promise.resolve(closing.set("b", "1", soon))).rejects.toThrow("READONLY");
    await closing.close();
    await redis.command("REPLICAOF", "NO", "ONE");
    await setTimeout(200);
    const clients = async () => {
      const listed = String(await redis.command("CLIENT", "LIST", "TYPE", "normal"));
      return listed.trim().split("\n");
    };
    // The connection of the shared store, and the one of this query.
    await expect.poll(clients).toHaveLength(2);
  });

  test("reads from a replica, and rejects writes until the client has found the primary [OP-026]", async () => {
    await redis.command("REPLICAOF", "127.0.0.1", `${await freePort()}`);
    expect((await readOnce()).isAnswered).toBe(true);
    await expect(Promise.resolve(store.set("b", "1", soon))).rejects.toMatchObject(refusal);
    expect(store.state()).toBe("read-only");
    expect((await readFor(300)).every(({ isAnswered }) => isAnswered)).toBe(true);
    await redis.command("REPLICAOF", "NO", "ONE");
    await store.set("b", "1", soon);
    expect(states()).toEqual(["read-only", "up"]);
  });
});

test.skipIf(program === "")(
  "a client whose server has become a replica finds the primary under the same name, and writes there [OP-026]",
  async () => {
    const [former, primary] = [await startRedis(program), await startRedis(program)];
    const proxy = await startProxy(former.port);
    const store = await openStore(`redis://127.0.0.1:${proxy.port}`);
    await store.set("a", "1", soon);
    await former.command("REPLICAOF", "127.0.0.1", `${primary.port}`);
    proxy.leadTo(primary.port);
    const write = async () => store.set("b", "1", soon);
    await expect(write()).rejects.toThrow("READONLY");
    await expect.poll(() => write().then(() => "written", String)).toBe("written");
    expect(await primary.command("EXISTS", "latchkey:b")).toBe(1);
    await store.close();
    await proxy.close();
    await former.close();
    await primary.close();
  },
);

describe("a missing Redis at the start [OP-020]", () => {
  test("is rejected with one sentence about host and port, without the password", async () => {
    const port = await freePort();
    const opening = openStore(`redis://someone:canary@127.0.0.1:${port}`);
    await expect(opening).rejects.toThrow(`Redis at 127.0.0.1:${port} cannot be reached`);
    await expect(opening).rejects.not.toThrow("canary");
  });

  const addresses = [
    "redis://one",
    "redis+cluster://one,other",
    "redis+sentinel://one,other/sessions",
  ];
  test.concurrent.each(addresses)(
    "is rejected within ten seconds if it accepts the connection but stays silent: %s",
    async (address) => {
      const silent = async () => {
        const server = createServer().listen(0, "127.0.0.1");
        await once(server, "listening");
        const bound = server.address();
        const port = typeof bound === "object" ? bound?.port : 0;
        return { host: `127.0.0.1:${port}`, close: () => server.close() };
      };
      const [one, other] = [await silent(), await silent()];
      const start = ownTime();
      const opening = openStore(address.replace("one", one.host).replace("other", other.host));
      await expect(opening).rejects.toThrow(one.host);
      expect(ownTime() - start).toBeLessThan(10_000);
      one.close();
      other.close();
    },
  );
});
