/** Whoever runs the application replaces, stops and rotates it; whoever uses it does not notice. */
import { execFileSync, spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { startBalancer } from "../../balancer.ts";
import type { Balancer } from "../../balancer.ts";
import {
  beginSignIn,
  instanceClient,
  instanceSecret,
  signInAt,
  startInstances,
} from "../../instances.ts";
import type { Instance, Instances } from "../../instances.ts";
import { startIdleTimer } from "../../../packages/latchkey/test/own-time.ts";
import { freePort } from "../../../packages/latchkey/test/servers/free-port.ts";

/** A machine under load takes longer for a sign-in than an instance waits for the provider by default. */
const patient = { LATCHKEY_HTTP_TIMEOUT: "20000", LATCHKEY_DRAIN_LIMIT: "85" };

let balancer: Balancer;
let instances: Instances;
let url: string;

test.beforeEach(async () => {
  balancer = await startBalancer(3000);
  url = `http://localhost:${balancer.port}`;
  instances = await startInstances(url);
});

test.afterEach(async () => {
  await instances.close();
  await balancer.close();
});

/** What an instance has logged under this event. */
function eventsOf({ lines }: Instance, event: string): Record<string, unknown>[] {
  const parsed = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return parsed.filter((line) => line.event === event);
}

async function readiness({ url: at }: Instance): Promise<number> {
  return (await fetch(`${at}/_auth/health/ready`)).status;
}

test("an instance that is replaced under load refuses and cuts nobody [OP-060]", async ({
  request,
}) => {
  const settings = { LATCHKEY_DRAIN_DELAY: "4" };
  const [leaving, staying] = [await instances.start(settings), await instances.start(settings)];
  balancer.use([leaving.port, staying.port]);
  const cookies = await signInAt(request, url);
  const statuses = new Map<number, number>();
  const paths = ["/", "/account", "/api/auth/me", "/_auth/session.json"];
  async function ask(path: string): Promise<void> {
    const { status } = await fetch(url + path, {
      headers: { cookie: cookies },
      redirect: "manual",
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const asking: Promise<void>[] = [];
  const load = setInterval(() => asking.push(ask(paths[asking.length % 4] ?? "")), 10);
  await sleep(1000);
  leaving.kill("SIGTERM");
  const idle = startIdleTimer();
  await expect.poll(() => readiness(leaving)).toBe(503);
  for (const path of [...paths, "/_auth/health/live", "/favicon.ico"]) {
    const late = await fetch(leaving.url + path, { redirect: "manual" });
    expect([path, late.headers.get("connection")]).toEqual([path, "close"]);
  }
  expect((await fetch(`${leaving.url}/_auth/health/live`)).status).toBe(200);
  expect(await leaving.ended).toBe(0);
  idle.stop();
  expect(idle.passedMs()).toBeLessThan(10_000);
  await sleep(500);
  clearInterval(load);
  await Promise.all(asking);
  expect(balancer.failures).toEqual([]);
  expect([...statuses.keys()]).toEqual([200]);
  expect(eventsOf(leaving, "ended")).toMatchObject([{ requestsCut: 0, cause: "signal" }]);
});

test("a sign-in that waits nine seconds for the provider is finished before the instance ends [OP-061]", async ({
  request,
}) => {
  const app = await instances.start({ LATCHKEY_DRAIN_DELAY: "5", ...patient });
  balancer.use([app.port]);
  const callback = await beginSignIn(request, url);
  instances.pauseProvider();
  const answer = request.get(callback, { maxRedirects: 0 });
  await sleep(300);
  app.kill("SIGTERM");
  await sleep(9000);
  instances.resumeProvider();
  expect((await answer).status()).toBe(302);
  expect((await answer).headers()["set-cookie"]).toContain("appSession=");
  expect(await app.ended).toBe(0);
});

test("a second signal ends an instance immediately", async () => {
  const app = await instances.start({ LATCHKEY_DRAIN_DELAY: "40", LATCHKEY_DRAIN_LIMIT: "85" });
  app.kill("SIGTERM");
  await expect.poll(() => readiness(app)).toBe(503);
  // Signals that come together are one.
  await sleep(500);
  app.kill("SIGTERM");
  expect(await app.ended).toBe(1);
});

test("an error that nobody has caught is logged, requests are finished, and the process ends with 1 [OP-069]", async () => {
  const escaping = 'process.once("SIGUSR2", () => Promise.reject(new Error("escaped")))';
  const app = await instances.start({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(escaping)}`,
  });
  expect(await readiness(app)).toBe(200);
  app.kill("SIGUSR2");
  expect(await app.ended).toBe(1);
  expect(eventsOf(app, "uncaught")).toMatchObject([{ level: "fatal" }]);
  expect(eventsOf(app, "ended")).toMatchObject([{ cause: "fault", requestsCut: 0 }]);
});

test("an instance may start before its store, and is ready when that answers [OP-063]", async () => {
  const folder = `${instances.folder}/later`;
  const port = await freePort();
  const starting = instances.start({
    PORT: String(port),
    LATCHKEY_STORE: `sqlite:${folder}/store.db`,
    LATCHKEY_START_WITHOUT_STORE: "true",
  });
  await writeFile(folder, "a file where the store wants its folder");
  const health = `http://localhost:${port}/_auth/health`;
  const statusOf = async (path: string) => (await fetch(path)).status;
  await expect.poll(() => statusOf(`${health}/live`).catch(() => 0)).toBe(200);
  expect(await statusOf(`${health}/ready`)).toBe(503);
  expect(await statusOf(`http://localhost:${port}/`)).toBe(503);
  await rm(folder);
  await starting;
  expect(await statusOf(`${health}/ready`)).toBe(200);
});

test("a store that cannot be opened ends the start within ten seconds, with 1 and a sentence that names it and no password [OP-020]", async () => {
  await writeFile(`${instances.folder}/taken`, "");
  const nobody = `127.0.0.1:${await freePort()}`;
  for (const [address, named] of [
    [`sqlite:${instances.folder}/taken/store.db`, "taken"],
    [`redis://someone:canary@${nobody}`, nobody],
    [`redis+cluster://someone:canary@${nobody}`, nobody],
    [`redis+sentinel://someone:canary@${nobody}/sessions`, nobody],
    [`postgres://someone:canary@${nobody}/app`, nobody],
  ] as const) {
    const idle = startIdleTimer();
    const starting = instances.start({ NODE_ENV: "production", LATCHKEY_STORE: address });
    const told = await starting.then(() => "it started", String);
    idle.stop();
    expect(idle.passedMs()).toBeLessThan(10_000);
    expect(told).toMatch(
      /^Error: It ended with 1:\nThe app cannot start\. .*\n +LATCHKEY_STORE.*$/,
    );
    expect(told).toContain(named);
    expect(told).not.toContain("canary");
  }
});

test("probes have a port of their own where one is set [OP-063]", async () => {
  const healthPort = await freePort();
  const app = await instances.start({ LATCHKEY_HEALTH_PORT: String(healthPort) });
  const at = (port: number) => fetch(`http://localhost:${port}/_auth/health/ready`);
  expect((await at(healthPort)).status).toBe(200);
  expect((await at(app.port)).status).toBe(404);
  expect((await fetch(`http://localhost:${healthPort}/account`)).status).toBe(404);
});

test("a sign-in begun at one instance is finished at another, in both directions [OP-062]", async ({
  playwright,
}) => {
  const [one, other] = [await instances.start(), await instances.start()];
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const browser = await playwright.request.newContext();
    balancer.use([first.port]);
    const callback = await beginSignIn(browser, url);
    balancer.use([second.port]);
    expect((await browser.get(callback)).url()).toBe(`${url}/account`);
    await browser.dispose();
  }
});

for (const stateful of ["false", "true"]) {
  test(`a secret is changed in three steps over two instances without a sign-out, stateful ${stateful} [OP-081]`, async ({
    request,
  }) => {
    const [old, fresh] = ["old-".repeat(8), "new-".repeat(8)];
    const start = (secret: string) =>
      instances.start({ LATCHKEY_SECRET: secret, LATCHKEY_SESSION_STATEFUL: stateful });
    let running = [await start(old), await start(old)];
    balancer.use(running.map(({ port }) => port));
    await signInAt(request, url);
    const seen = new Set<number>();
    const ask = async () => seen.add((await request.get(`${url}/api/auth/me`)).status());
    for (const secret of [`${old} ${fresh}`, `${fresh} ${old}`, fresh]) {
      for (const leaving of running) {
        await ask();
        const replacement = await start(secret);
        const others = running.filter((each) => each !== leaving);
        running = [...others, replacement];
        balancer.use(running.map(({ port }) => port));
        for (let count = 0; count < 6; count += 1) await ask();
        leaving.kill("SIGTERM");
        expect(await leaving.ended).toBe(0);
        expect(eventsOf(leaving, "unknown-key")).toEqual([]);
      }
    }
    expect([...seen]).toEqual([200]);
  });

  test(`an instance that lacks a secret leaves the session alone, stateful ${stateful} [OP-080]`, async ({
    request,
  }) => {
    const settings = { LATCHKEY_SESSION_STATEFUL: stateful };
    const ahead = await instances.start({ ...settings, LATCHKEY_SECRET: "new-".repeat(8) });
    const behind = await instances.start({ ...settings, LATCHKEY_SECRET: "old-".repeat(8) });
    balancer.use([ahead.port]);
    await signInAt(request, url);
    balancer.use([behind.port]);
    const refused = await request.get(`${url}/api/auth/me`);
    expect(refused.status()).toBe(204);
    expect(refused.headers()["set-cookie"]).toBeUndefined();
    const page = await request.get(`${url}/account`, { maxRedirects: 0 });
    expect(page.status()).toBe(302);
    expect(eventsOf(behind, "unknown-key")).toMatchObject([
      { keyId: expect.stringMatching(/^[\w-]{8}$/) },
    ]);
    balancer.use([ahead.port]);
    expect((await request.get(`${url}/api/auth/me`)).status()).toBe(200);
  });
}

test("metrics are read on a port of their own or with a token, and are off by default [OP-131]", async () => {
  const port = await freePort();
  const [off, own, guarded] = [
    await instances.start(),
    await instances.start({ LATCHKEY_METRICS_PORT: String(port) }),
    await instances.start({ LATCHKEY_METRICS_TOKEN: "a-token" }),
  ];
  const metrics = (at: string, headers = {}) =>
    fetch(`${at}/metrics`, { headers, redirect: "manual" });
  expect((await metrics(off.url)).status).toBe(302);
  expect((await metrics(own.url)).status).toBe(302);
  expect((await metrics(guarded.url)).status).toBe(401);
  expect((await metrics(guarded.url, { authorization: "Bearer another" })).status).toBe(401);
  const answer = await metrics(guarded.url, { authorization: "Bearer a-token" });
  expect(answer.headers.get("content-type")).toContain("version=0.0.4");
  expect(await answer.text()).toContain("latchkey_provider_state 0");
  expect(await (await metrics(`http://localhost:${port}`)).text()).toContain(
    "latchkey_store_state 0",
  );
});

test("an audit tells who was signed in and out, by a hash [OP-135]", async ({ request }) => {
  const file = `${instances.folder}/audit/lines.json`;
  const app = await instances.start({
    LATCHKEY_AUDIT: file,
    LATCHKEY_AUDIT_KEY: "a-key-of-the-audit",
  });
  balancer.use([app.port]);
  await signInAt(request, url);
  await request.get(`${url}/api/auth/logout`, { maxRedirects: 0 });
  const records = async () =>
    (await readFile(file, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  await expect.poll(async () => (await records()).length).toBe(2);
  const [signIn, signOut] = await records();
  expect(signIn).toMatchObject({ v: 1, action: "sign-in", outcome: "success" });
  expect(signOut).toMatchObject({ action: "sign-out", reason: "logout", person: signIn.person });
  expect(JSON.stringify([signIn, signOut])).not.toContain("Ada");
});

test("an audit whose disk is full keeps nobody out, and is whole when there is room again [OP-134]", async () => {
  const file = `${instances.folder}/audit/lines.json`;
  const app = await instances.start({
    LATCHKEY_STORE: "memory:",
    LATCHKEY_AUDIT: file,
    LATCHKEY_AUDIT_KEY: "a-key-of-the-audit",
  });
  const limitFiles = (bytes: number | "unlimited") =>
    execFileSync("prlimit", ["--pid", String(app.pid), `--fsize=${bytes}:unlimited`]);
  const refuse = async () => {
    await (await fetch(`${app.url}/api/auth/callback?code=x&state=y`)).text();
  };
  limitFiles(1);
  for (let count = 0; count < 3; count += 1) await refuse();
  await expect.poll(() => eventsOf(app, "audit-fault").length).toBe(1);
  expect((await fetch(`${app.url}/`)).status).toBe(200);
  limitFiles("unlimited");
  await refuse();
  const actions = async () =>
    (await readFile(file, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).action);
  await expect.poll(actions).toEqual(Array.from({ length: 4 }, () => "sign-in-refused"));
  app.kill("SIGTERM");
  expect(await app.ended).toBe(0);
});

test("an audit file that cannot be opened ends the start, which names its variable", async () => {
  const LATCHKEY_AUDIT = `${instances.folder}/taken/lines.json`;
  await writeFile(`${instances.folder}/taken`, "");
  const started = instances.start({ LATCHKEY_AUDIT, LATCHKEY_AUDIT_KEY: "a-key-of-the-audit" });
  const sentence = /LATCHKEY_AUDIT: names a file that cannot be opened: .*taken.* Name a file/;
  await expect(started).rejects.toThrow(sentence);
});

test("a reader of standard output that stops keeps nobody waiting, and costs lines of the log but none of the audit [OP-134]", async () => {
  const app = await instances.start({
    LATCHKEY_AUDIT: "stdout",
    LATCHKEY_AUDIT_KEY: "a-key-of-the-audit",
  });
  const refuse = async () => {
    // Each is refused: a line of the log, and one of the audit.
    const state = "y".repeat(200);
    const answer = await fetch(`${app.url}/api/auth/callback?code=x&state=${state}`);
    await answer.text();
  };
  app.pauseReading();
  const refusals = 4000;
  // A write that waits for the reader would wait for ever.
  for (let count = 0; count < refusals; count += 10) {
    await Promise.all(Array.from({ length: 10 }, refuse));
  }
  app.resumeReading();
  const audited = () => app.lines.filter((line) => line.includes('"action":"sign-in-refused"'));
  await expect.poll(() => audited().length).toBe(refusals);
  // Where there is room again, the next line tells how many are missing.
  await refuse();
  const missing = () =>
    eventsOf(app, "lines-dropped").reduce((sum, { count }) => sum + Number(count), 0);
  await expect.poll(() => eventsOf(app, "refusal").length + missing()).toBe(refusals + 1);
  expect(missing()).toBeGreaterThan(0);
  app.kill("SIGTERM");
  expect(await app.ended).toBe(0);
});

test("an instance greets on standard error: standard output is for lines of JSON", async () => {
  const env = {
    PORT: String(await freePort()),
    LATCHKEY_ISSUER_BASE_URL: instances.issuer,
    LATCHKEY_CLIENT_ID: instanceClient.id,
    LATCHKEY_CLIENT_SECRET: instanceClient.secret,
    LATCHKEY_SECRET: instanceSecret,
    LATCHKEY_STORE: "memory:",
  };
  const child = spawn(process.execPath, ["apps/web/dist/server/main.js"], { env });
  child.stderr.once("data", () => child.kill());
  const [output, greeting] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(greeting).toContain(`is ready: open http://localhost:${env.PORT}`);
  expect(
    output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ event: "ended" }]);
});
