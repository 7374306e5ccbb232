import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from "vitest";

import type { Auth } from "../../src/auth.ts";
import { openStore } from "../../src/adapters/environment/open-store.ts";
import type { LogEvent } from "../../src/config/telemetry/log-event.ts";
import { type GuardedStore, guardStore } from "../../src/stores/guard/guarded-store.ts";
import type { Store } from "../../src/stores/store.ts";
import { type IdleTimer, ownTime, startIdleTimer, watchEventLoop } from "../own-time.ts";
import { freePort } from "../servers/free-port.ts";
import { findRedis, type RunningRedis, startRedis } from "../servers/redis.ts";
import { signedInApp } from "../sessions/signed-in-app.ts";
import { startProxy, type TCPProxy } from "../servers/tcp-proxy.ts";

const program = findRedis() ?? "";
const refusal = { reason: "store_unavailable" };
const soon = Math.floor(Date.now() / 1000) + 3600;

describe.skipIf(program === "")("a Redis that fails", () => {
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
  async function readFor(ms: number, everyMs = 10) {
    const reads: Promise<{ readonly waited: number; readonly isAnswered: boolean }>[] = [];
    for (const end = performance.now() + ms; performance.now() < end;) {
      reads.push(readOnce());
      await setTimeout(everyMs);
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
    expect(Math.max(...reads.map(({ waited }) => waited))).toBeLessThan(1100);
    proxy.delay(0);
  });

  test("behind a wire that swallows everything, a new connection is made once the wire is good", async () => {
    proxy.swallow(true);
    await readFor(1500);
    expect(store.state()).toBe("down");
    proxy.reset();
    proxy.swallow(false);
    await expect.poll(async () => (await readOnce()).isAnswered).toBe(true);
  });

  test("a connection that is reset is made again, and what is read or written meanwhile waits for it", async () => {
    const sentBefore = Array.from({ length: 5 }, readOnce);
    proxy.reset();
    const reads = await Promise.all(sentBefore);
    await Promise.all(Array.from({ length: 5 }, async () => store.set("b", "1", soon)));
    expect(reads.every(({ isAnswered }) => isAnswered)).toBe(true);
    expect(events).toEqual([]);
  });

  test("a write whose answer was lost is repeated without harm", async () => {
    proxy.cutNextAnswer();
    await expect(Promise.resolve(store.swap("a", "1", "2", soon))).rejects.toMatchObject(refusal);
    await expect.poll(async () => store.swap("a", "1", "2", soon)).toBe("done");
    expect(await store.get(["a"])).toEqual(["2"]);
  });

  test("closed while its client is replaced, it leaves no connection open", async () => {
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
    // That of the store of all tests, and that of this question.
    await expect.poll(clients).toHaveLength(2);
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

describe.skipIf(program === "")("a Redis that instances lose and get back", () => {
  const stoppedMs = 30_000;

  test("stopped for 30 s under 200 reads a second, it costs nobody more than a second, and is used again within two [OP-021]", async () => {
    const redis = await startRedis(program);
    const store = await openStore(redis.url);
    const { auth, cookie, events } = await signedInApp({ store, session: { stateful: true } });
    const lost: Promise<Asked>[] = [];
    const blocked = watchEventLoop();
    const idle = startIdleTimer();
    onTestFinished(idle.stop);
    redis.signal("SIGSTOP");
    while (idle.passedMs() < stoppedMs) {
      for (const due = idle.passedMs() / 5; lost.length < due;) lost.push(ask(auth, cookie, idle));
      await setTimeout(2);
    }
    redis.signal("SIGCONT");
    const continuedAt = idle.passedMs();
    const pauses = blocked();
    await expect.poll(async () => (await ask(auth, cookie, idle)).status).toBe(200);
    expect(idle.passedMs() - continuedAt).toBeLessThan(2000);

    const asked = await Promise.all(lost);
    expect(asked.length).toBeGreaterThan(5900);
    expect(asked.filter(({ status, keepsCookie }) => status !== 503 || !keepsCookie)).toEqual([]);
    expect(Math.max(...asked.map(({ waited }) => waited))).toBeLessThan(1100);
    const knownSince = Math.min(...asked.map(({ endedAt }) => endedAt)) + 100;
    const known = asked.filter(({ startedAt }) => startedAt > knownSince);
    const times = known.map(({ took }) => took);
    // After a pause of the machine many are asked in the same moment, and the last of them waits for the others.
    expect(shareOf(0.5, times)).toBeLessThan(5);
    expect(shareOf(0.99, times)).toBeLessThan(100);
    // The longest first: 99 of 100 are shorter.
    expect(pauses[Math.floor(pauses.length / 100)]).toBeLessThan(50);
    const told = events.flatMap((each) => (each.event === "store-state" ? [each.state] : []));
    expect(told).toEqual(["down", "up"]);
    await auth.close();
    await redis.close();
  });

  const instances = 100;
  const goneMs = 6000;

  test("a hundred instances come back to it over two seconds and more, and each asks for it once at a time [OP-028]", async () => {
    const port = await freePort();
    const lost = await startRedis(program, { port });
    const connectedAt: number[] = [];
    const onReady = () => void connectedAt.push(performance.now());
    const asking = await Promise.all(
      Array.from({ length: instances }, async () => countingStore(await openStore(lost.url))),
    );
    subscribe(connectionReady, onReady);
    const load = setInterval(() => asking.forEach(({ read }) => read()), 50);

    lost.signal("SIGSTOP");
    await expect.poll(() => asking.every(({ isDown }) => isDown())).toBe(true);
    await setTimeout(1000);
    for (const { sentAt } of asking) sentAt.length = 0;
    const since = performance.now();
    await setTimeout(4000);
    const passed = performance.now() - since;
    // A question that nobody answers is given up after 900 ms; only then the next one is sent.
    for (const { sentAt } of asking) {
      expect(sentAt.length).toBeGreaterThan(0);
      expect(sentAt.length).toBeLessThanOrEqual(1 + passed / 900);
    }

    // Where the machine stands still in that moment, all waits end together: that happens once, and not again.
    let server = lost;
    let spread = 0;
    for (let losses = 0; spread <= 2000 && losses < 3; losses += 1) {
      await server.close();
      await setTimeout(goneMs);
      connectedAt.length = 0;
      server = await startRedis(program, { port });
      await expect.poll(() => asking.some(({ isDown }) => isDown())).toBe(false);
      expect(connectedAt).toHaveLength(instances);
      spread = Math.max(...connectedAt) - Math.min(...connectedAt);
    }
    expect(spread).toBeGreaterThan(2000);

    clearInterval(load);
    unsubscribe(connectionReady, onReady);
    await Promise.all(asking.map(async ({ close }) => close()));
    await server.close();
  });
});

/** Of node-redis: a connection can be used. */
const connectionReady = "node-redis:connection:ready";

interface Asked {
  readonly status: number;
  readonly keepsCookie: boolean;
  /** Milliseconds, by {@link ownTime} and by an idle timer. */
  readonly took: number;
  readonly waited: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

async function ask(auth: Auth, cookie: string, idle: IdleTimer): Promise<Asked> {
  const [startedAt, begun, waitsSince] = [performance.now(), ownTime(), idle.passedMs()];
  const request = new Request(`${auth.config.baseURL}/private`, { headers: { cookie } });
  const { status, headers } = await auth.respond(request, () => new Response("page"));
  const keepsCookie = !headers.has("set-cookie");
  const [took, waited] = [ownTime() - begun, idle.passedMs() - waitsSince];
  return { status, keepsCookie, took, waited, startedAt, endedAt: performance.now() };
}

function shareOf(part: number, times: readonly number[]): number | undefined {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * part)];
}

/** The store of an instance, and when it has sent a question. */
function countingStore(opened: Store) {
  const sentAt: number[] = [];
  const counted: Store = {
    ...opened,
    get(keys) {
      sentAt.push(performance.now());
      return opened.get(keys);
    },
  };
  const clock = () => performance.now();
  const store = guardStore(counted, { log: () => undefined, clock, fraction: Math.random });
  return {
    sentAt,
    read: () => void Promise.resolve(store.get(["a"])).catch(() => undefined),
    isDown: () => store.state() === "down",
    close: () => store.close(),
  };
}

describe("a Redis that is not there at start [OP-020]", () => {
  test("is refused with one sentence that names host and port, and no password", async () => {
    const port = await freePort();
    const opening = openStore(`redis://someone:canary@127.0.0.1:${port}`);
    await expect(opening).rejects.toThrow(`Redis at 127.0.0.1:${port} cannot be reached`);
    await expect(opening).rejects.not.toThrow("canary");
  });

  test.each(["redis://one", "redis+cluster://one,other", "redis+sentinel://one,other/sessions"])(
    "is refused within ten seconds where it takes the connection and says nothing: %s",
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
