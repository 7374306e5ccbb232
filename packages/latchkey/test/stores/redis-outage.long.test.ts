import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";

import type { Auth } from "../../src/host/auth.ts";
import { openStore } from "../../src/stores/open-store.ts";
import { guardStore } from "../../src/stores/guard/guarded-store.ts";
import type { Store } from "../../src/stores/store.ts";
import { type IdleTimer, ownTime, startIdleTimer, watchEventLoop } from "../own-time.ts";
import { freePort } from "../servers/free-port.ts";
import { findRedis, startRedis } from "../servers/redis.ts";
import { signedInApp } from "../sessions/signed-in-app.ts";

const program = findRedis() ?? "";

describe.skipIf(program === "")("a Redis lost by its instances for a while", () => {
  const stoppedMs = 30_000;

  test("delays no request more than a second in a stop of 30 s under 200 reads a second, and serves within two seconds of its return [OP-021]", async () => {
    const redis = await startRedis(program);
    const store = await openStore(redis.url);
    const { auth, cookie, events } = await signedInApp({ store, session: { stateful: true } });
    const lost: Promise<TimedAnswer>[] = [];
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

    const answers = await Promise.all(lost);
    expect(answers.length).toBeGreaterThan(5900);
    expect(answers.filter(({ status, keepsCookie }) => status !== 503 || !keepsCookie)).toEqual([]);
    expect(Math.max(...answers.map(({ waited }) => waited))).toBeLessThan(1100);
    const knownSince = Math.min(...answers.map(({ endedAt }) => endedAt)) + 100;
    const known = answers.filter(({ startedAt }) => startedAt > knownSince);
    const times = known.map(({ took }) => took);
    // After a pause of the machine, many requests start together, and the last of them waits for
    // the others.
    expect(shareOf(0.5, times)).toBeLessThan(5);
    expect(shareOf(0.99, times)).toBeLessThan(100);
    // The longest first: 99 of 100 are shorter.
    expect(pauses[Math.floor(pauses.length / 100)]).toBeLessThan(50);
    const states = events.flatMap((each) => (each.event === "store-state" ? [each.state] : []));
    expect(states).toEqual(["down", "up"]);
    await auth.close();
    await redis.close();
  });

  const instances = 100;
  const goneMs = 6000;

  test("sees a hundred instances return over more than two seconds, with one connection attempt each at a time [OP-028]", async () => {
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
    // An attempt without a response ends after 900 ms, before the next one.
    for (const { sentAt } of asking) {
      expect(sentAt.length).toBeGreaterThan(0);
      expect(sentAt.length).toBeLessThanOrEqual(1 + passed / 900);
    }

    // If the machine pauses at this moment, all waits end together. This happens at most once.
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

interface TimedAnswer {
  readonly status: number;
  readonly keepsCookie: boolean;
  /** Milliseconds, by {@link ownTime} and by an idle timer. */
  readonly took: number;
  readonly waited: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

async function ask(auth: Auth, cookie: string, idle: IdleTimer): Promise<TimedAnswer> {
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
