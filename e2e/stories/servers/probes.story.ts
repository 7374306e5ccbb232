/** An orchestrator asks each instance how it is, whatever happens to the store, the provider and the process itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { type APIRequestContext, expect, test } from "@playwright/test";
import {
  findRedis,
  type RunningRedis,
  startRedis,
} from "../../../packages/latchkey/test/servers/redis.ts";
import { type Instance, type Instances, signInAt, startInstances } from "../../instances.ts";
import { freePort } from "../../../packages/latchkey/test/servers/free-port.ts";

const blockedMs = 4000;
/** Keeps the event loop of an instance from turning when it is told to. */
const blocking = `process.on("SIGUSR2", () => {
  for (const end = Date.now() + ${blockedMs}; Date.now() < end;);
})`;

let redis: RunningRedis;
let instances: Instances;
let instance: Instance;
let cookie: string;

test.beforeEach(async ({ request }) => {
  const program = findRedis();
  test.skip(program === null, "npm test unpacks Redis");
  redis = await startRedis(program ?? "");
  const port = await freePort();
  const url = `http://localhost:${port}`;
  instances = await startInstances(url, {
    LATCHKEY_STORE: redis.url,
    LATCHKEY_SESSION_STATEFUL: "true",
    LATCHKEY_HTTP_TIMEOUT: "1000",
    // A probe comes late on a busy machine; nobody waits for the end.
    LATCHKEY_DRAIN_DELAY: "30",
    LATCHKEY_DRAIN_LIMIT: "60",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(blocking)}`,
  });
  instance = await instances.start({ PORT: String(port) });
  cookie = await signInAt(request, url);
});

test.afterEach(async () => {
  await instances?.close();
  await redis?.close();
});

interface Probed {
  readonly live: number;
  readonly ready: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Asks as somebody who is signed in, and looks that this changes nothing for them. */
async function probe({ url } = instance): Promise<Probed> {
  const ask = async (name: string) => {
    const response = await fetch(`${url}/_auth/health/${name}`, { headers: { cookie } });
    expect(response.headers.has("set-cookie")).toBe(false);
    expect(response.headers.get("cache-control")).toBe("no-store");
    return response;
  };
  const [live, ready] = [await ask("live"), await ask("ready")];
  return { live: live.status, ready: ready.status, body: await ready.json() };
}

/** The questions that the store has been asked so far. */
async function questions(): Promise<number> {
  const stats = String(await redis.command("INFO", "commandstats"));
  return Number(/cmdstat_mget:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** The same when it is asked no more: a sign-in leaves something to do that delays no response. */
async function questionsAtRest(): Promise<number> {
  for (let before = -1; ; await sleep(500)) {
    const asked = await questions();
    if (asked === before) return asked;
    before = asked;
  }
}

const visit = (request: APIRequestContext) => request.get(`${instance.url}/account`);

test("whatever happens to store and provider, probes are answered without either, and change nothing [OP-063]", async ({
  request,
}) => {
  const before = await questionsAtRest();
  for (let count = 0; count < 50; count += 1) {
    expect(await probe()).toMatchObject({ live: 200, ready: 200, body: { store: "up" } });
  }
  expect(await questions()).toBe(before);

  await redis.command("REPLICAOF", "127.0.0.1", String(await freePort()));
  await sleep(1100);
  expect((await visit(request)).status()).toBe(200);
  await expect.poll(async () => (await probe()).body["store"]).toBe("read-only");
  expect(await probe()).toMatchObject({ live: 200, ready: 200 });

  redis.signal("SIGSTOP");
  await Promise.all(Array.from({ length: 6 }, () => visit(request)));
  expect(await probe()).toMatchObject({ live: 200, ready: 200, body: { store: "down" } });
  redis.signal("SIGCONT");

  instances.pauseProvider();
  const alone = await instances.start();
  await expect.poll(async () => (await probe(alone)).body["provider"]).toBe("down");
  expect(await probe(alone)).toMatchObject({ live: 200, ready: 200 });
  instances.resumeProvider();

  instance.kill("SIGTERM");
  await expect.poll(async () => (await probe()).ready).toBe(503);
  expect(await probe()).toMatchObject({ live: 200, body: { status: "draining", draining: true } });
});

test("probes that come while the event loop stands still are answered when it turns again [OP-063, OP-070]", async () => {
  const before = await questionsAtRest();
  instance.kill("SIGUSR2");
  await sleep(100);
  const asked = performance.now();
  const all = await Promise.all(Array.from({ length: 20 }, () => probe()));
  expect(performance.now() - asked).toBeGreaterThan(blockedMs / 4);
  expect(all.every(({ live, ready }) => live === 200 && ready === 200)).toBe(true);
  expect(await questions()).toBe(before);
  await expect.poll(() => instance.lines.join()).toContain("event-loop-blocked");
});
