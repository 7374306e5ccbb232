/** Operators replace, stop and configure instances, and users do not notice. */
import { spawn } from "node:child_process";
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

function eventsOf({ lines }: Instance, event: string): Record<string, unknown>[] {
  const parsed = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return parsed.filter((line) => line.event === event);
}

async function readiness({ url: at }: Instance): Promise<number> {
  return (await fetch(`${at}/_auth/health/ready`)).status;
}

test("an instance replaced under load refuses and cuts no request [OP-060]", async ({
  request,
}) => {
  const settings = { LATCHKEY_DRAIN_DELAY: "4" };
  const [leaving, staying] = [await instances.start(settings), await instances.start(settings)];
  balancer.use([leaving.port, staying.port]);
  const cookies = await signInAt(request, url);
  const statuses = new Map<number, number>();
  const paths = ["/", "/account", "/api/auth/me", "/_auth/session.json"];
  async function send(path: string): Promise<void> {
    const { status } = await fetch(url + path, {
      headers: { cookie: cookies },
      redirect: "manual",
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const sent: Promise<void>[] = [];
  const load = setInterval(() => sent.push(send(paths[sent.length % 4] ?? "")), 10);
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
  await Promise.all(sent);
  expect(balancer.failures).toEqual([]);
  expect([...statuses.keys()]).toEqual([200]);
  expect(eventsOf(leaving, "ended")).toMatchObject([{ requestsCut: 0, cause: "signal" }]);
});

test("a second signal ends an instance immediately", async () => {
  const app = await instances.start({ LATCHKEY_DRAIN_DELAY: "40", LATCHKEY_DRAIN_LIMIT: "85" });
  app.kill("SIGTERM");
  await expect.poll(() => readiness(app)).toBe(503);
  // Two signals in quick succession count as one.
  await sleep(500);
  app.kill("SIGTERM");
  expect(await app.ended).toBe(1);
});

test("an uncaught error is logged, requests are finished, and the process ends with 1 [OP-069]", async () => {
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

test("an instance that starts before its store is ready when the store answers", async () => {
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

test("the start ends with 1 if the store cannot be opened, with a sentence that names it without its password", async () => {
  await writeFile(`${instances.folder}/taken`, "");
  const closed = `127.0.0.1:${await freePort()}`;
  const stores = [
    [`sqlite:${instances.folder}/taken/store.db`, "taken"],
    [`redis://someone:canary@${closed}`, closed],
    [`redis+cluster://someone:canary@${closed}`, closed],
    [`redis+sentinel://someone:canary@${closed}/sessions`, closed],
    [`postgres://someone:canary@${closed}/app`, closed],
  ] as const;
  const starts = stores.map(async ([address, named]) => {
    const starting = instances.start({ NODE_ENV: "production", LATCHKEY_STORE: address });
    const message = await starting.then(() => "it started", String);
    expect(message).toMatch(
      /^Error: It ended with 1:\nThe app cannot start\. .*\n +LATCHKEY_STORE.*$/,
    );
    expect(message).toContain(named);
    expect(message).not.toContain("canary");
  });
  await Promise.all(starts);
});

test("LATCHKEY_HEALTH_PORT moves the probes to a port of their own", async () => {
  const healthPort = await freePort();
  const app = await instances.start({ LATCHKEY_HEALTH_PORT: String(healthPort) });
  const at = (port: number) => fetch(`http://localhost:${port}/_auth/health/ready`);
  expect((await at(healthPort)).status).toBe(200);
  expect((await at(app.port)).status).toBe(404);
  expect((await fetch(`http://localhost:${healthPort}/account`)).status).toBe(404);
});

test("one instance finishes the sign-in begun at another, in both directions [OP-062]", async ({
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

test("metrics are off by default, and need a token or a port of their own", async () => {
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

test("LATCHKEY_AUDIT names the file of the audit, which contains no names", async ({ request }) => {
  const file = `${instances.folder}/audit/lines.json`;
  const app = await instances.start({
    LATCHKEY_AUDIT: file,
    LATCHKEY_AUDIT_KEY: "a-key-of-the-audit",
  });
  balancer.use([app.port]);
  await signInAt(request, url);
  await request.get(`${url}/api/auth/logout`, { maxRedirects: 0 });
  const lines = () => readFile(file, "utf8");
  await expect.poll(lines).toMatch(/"sign-in".*\n.*"sign-out"/);
  expect(await lines()).not.toContain("Ada");
});

test("the start ends with the name of the variable if the audit file cannot be opened", async () => {
  const LATCHKEY_AUDIT = `${instances.folder}/taken/lines.json`;
  await writeFile(`${instances.folder}/taken`, "");
  const started = instances.start({ LATCHKEY_AUDIT, LATCHKEY_AUDIT_KEY: "a-key-of-the-audit" });
  const sentence = /LATCHKEY_AUDIT: names a file that cannot be opened: .*taken.* Name a file/;
  await expect(started).rejects.toThrow(sentence);
});

test("an instance greets on standard error, because standard output is for JSON", async () => {
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
