/** An orchestrator probes each instance while the store, the provider or the process fails. */
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
/** Blocks the event loop of an instance on a signal. */
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
    // A use of a session is written after a tenth of this time.
    LATCHKEY_SESSION_ROLLING_DURATION: "50",
    LATCHKEY_HTTP_TIMEOUT: "1000",
    // A probe may come late on a busy machine. The test does not wait for the end.
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

/** Probes with the cookie of a signed-in person, and expects no change of the session. */
async function probe({ url } = instance): Promise<Probed> {
  const probeOne = async (name: string) => {
    const response = await fetch(`${url}/_auth/health/${name}`, { headers: { cookie } });
    expect(response.headers.has("set-cookie")).toBe(false);
    expect(response.headers.get("cache-control")).toBe("no-store");
    return response;
  };
  const [live, ready] = [await probeOne("live"), await probeOne("ready")];
  return { live: live.status, ready: ready.status, body: await ready.json() };
}

/** Counts the reads of the store so far. */
async function countReads(): Promise<number> {
  const stats = String(await redis.command("INFO", "commandstats"));
  return Number(/cmdstat_mget:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** Waits until a sign-in has finished its work in the background, and counts the reads. */
async function countReadsAtRest(): Promise<number> {
  for (let before = -1; ; await sleep(500)) {
    const reads = await countReads();
    if (reads === before) return reads;
    before = reads;
  }
}

const visit = (request: APIRequestContext) => request.get(`${instance.url}/account`);

test("an instance answers probes without store and provider, and changes nothing [OP-063]", async ({
  request,
}) => {
  const before = await countReadsAtRest();
  for (let count = 0; count < 50; count += 1) {
    expect(await probe()).toMatchObject({ live: 200, ready: 200, body: { store: "up" } });
  }
  expect(await countReads()).toBe(before);

  await redis.command("REPLICAOF", "127.0.0.1", String(await freePort()));
  await sleep(5100);
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

test("an instance answers probes after its event loop was blocked [OP-070]", async () => {
  const before = await countReadsAtRest();
  instance.kill("SIGUSR2");
  await sleep(100);
  const probedAt = performance.now();
  const all = await Promise.all(Array.from({ length: 20 }, () => probe()));
  expect(performance.now() - probedAt).toBeGreaterThan(blockedMs / 4);
  expect(all.every(({ live, ready }) => live === 200 && ready === 200)).toBe(true);
  expect(await countReads()).toBe(before);
  await expect.poll(() => instance.lines.join()).toContain("event-loop-blocked");
});
