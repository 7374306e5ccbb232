import { createServer } from "node:net";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { openStore } from "../../src/adapters/environment/open-store.ts";
import type { LogEvent } from "../../src/config/telemetry/log-event.ts";
import { type GuardedStore, guardStore } from "../../src/stores/guard/guarded-store.ts";
import { freePort } from "../programs.ts";
import { findRedis, type RunningRedis, startRedis } from "../redis.ts";
import { startProxy, type TCPProxy } from "../tcp-proxy.ts";

const program = findRedis() ?? "";
const refusal = { reason: "store_unavailable" };
const soon = Math.floor(Date.now() / 1000) + 3600;

describe.skipIf(program === "")("a Redis that fails", () => {
  let redis: RunningRedis;
  let proxy: TCPProxy;
  let store: GuardedStore;
  let events: LogEvent[];

  beforeAll(async () => {
    redis = await startRedis(program);
  });
  afterAll(() => redis.close());
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
  async function readFor(ms: number, everyMs = 10) {
    const reads: Promise<{ readonly took: number; readonly isAnswered: boolean }>[] = [];
    for (const end = performance.now() + ms; performance.now() < end;) {
      reads.push(readOnce());
      await setTimeout(everyMs);
    }
    return Promise.all(reads);
  }

  async function readOnce() {
    const start = performance.now();
    const isAnswered = await Promise.resolve(store.get(["a"])).then(
      () => true,
      () => false,
    );
    return { took: performance.now() - start, isAnswered };
  }

  test("stopped under load, it costs nobody more than a second, and is used again soon after [OP-021]", async () => {
    const busyFor = watchThread();
    redis.signal("SIGSTOP");
    const reads = await readFor(4000, 5);
    redis.signal("SIGCONT");
    const continued = performance.now();
    const busiest = busyFor();
    expect(reads.some(({ isAnswered }) => isAnswered)).toBe(false);
    expect(Math.max(...reads.map(({ took }) => took))).toBeLessThan(1400);
    const late = reads.slice(-200).map(({ took }) => took);
    expect(late.toSorted((one, other) => one - other)[190]).toBeLessThan(5);
    expect(busiest).toBeLessThan(50);
    await vi.waitFor(async () => expect((await readOnce()).isAnswered).toBe(true), 5000);
    expect(performance.now() - continued).toBeLessThan(2500);
    expect(states()).toEqual(["down", "up"]);
    expect(events.filter(({ event }) => event === "store-fault").length).toBeLessThan(4);
  }, 20_000);

  test("half a second away, it serves, and is told to be slow once [OP-022]", async () => {
    proxy.delay(500);
    const reads = await readFor(1200);
    expect(reads.every(({ isAnswered }) => isAnswered)).toBe(true);
    expect(events).toMatchObject([{ event: "store-slow", operation: "get" }]);
  });

  test("five seconds away, it is given up after one [OP-022]", async () => {
    proxy.delay(5000);
    const reads = await readFor(1500);
    expect(reads.some(({ isAnswered }) => isAnswered)).toBe(false);
    expect(Math.max(...reads.map(({ took }) => took))).toBeLessThan(1400);
    proxy.delay(0);
  });

  test("behind a wire that swallows everything, a new connection is made once the wire is good", async () => {
    proxy.swallow(true);
    await readFor(1500);
    expect(store.state()).toBe("down");
    proxy.reset();
    proxy.swallow(false);
    await vi.waitFor(async () => expect((await readOnce()).isAnswered).toBe(true), 5000);
  }, 20_000);

  test("a connection that is reset is made again", async () => {
    proxy.reset();
    await vi.waitFor(async () => expect((await readOnce()).isAnswered).toBe(true), 5000);
  });

  test("a write whose answer was lost is repeated without harm", async () => {
    proxy.cutNextAnswer();
    await expect(Promise.resolve(store.swap("a", "1", "2", soon))).rejects.toMatchObject(refusal);
    await vi.waitFor(async () => expect(await store.swap("a", "1", "2", soon)).toBe("done"), 5000);
    expect(await store.get(["a"])).toEqual(["2"]);
  });

  test("a replica is read, and writes are refused until the client has found the primary [OP-026]", async () => {
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

/**
 * Looks every 5 ms how long this thread has worked since the last look. That is no time of the clock: other processes of
 * the machine do not count.
 *
 * @returns a function that ends the watch, and tells the longest work in milliseconds
 */
function watchThread(): () => number {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }, 5);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

describe("a Redis that is not there at start [OP-020]", () => {
  test("is refused with one sentence that names host and port, and no password", async () => {
    const port = await freePort();
    const opening = openStore(`redis://someone:canary@127.0.0.1:${port}`);
    await expect(opening).rejects.toThrow(`Redis at 127.0.0.1:${port} cannot be reached`);
    await expect(opening).rejects.not.toThrow("canary");
  });

  test("is refused within ten seconds where it takes the connection and says nothing", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const start = performance.now();
    await expect(openStore(`redis://127.0.0.1:${port}`)).rejects.toThrow(`127.0.0.1:${port}`);
    expect(performance.now() - start).toBeLessThan(10_000);
    server.close();
  }, 15_000);
});
