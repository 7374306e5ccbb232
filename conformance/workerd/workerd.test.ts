import { once } from "node:events";
import { createServer } from "node:net";

import { type RunningProvider, startProvider } from "@latchkey/provider";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createBrowser } from "../../packages/latchkey/test/browser.ts";
import { type Bundle, bundleWorker } from "./bundle.ts";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("the engine under workerd", () => {
  let baseURL: string;
  let provider: RunningProvider;
  let bundle: Bundle;
  let worker: Miniflare;

  function startWorker(): Miniflare {
    const [client] = provider.clients;
    return new Miniflare({
      port: Number(new URL(baseURL).port),
      modules: true,
      script: bundle.code,
      compatibilityDate: "2026-07-01",
      compatibilityFlags: ["nodejs_compat"],
      bindings: {
        baseURL,
        issuerBaseURL: provider.issuer,
        clientID: client?.id ?? "",
        clientSecret: client?.secret ?? "",
        secret: "a-secret-of-the-workerd-suite-0123456789",
      },
    });
  }

  beforeAll(async () => {
    baseURL = `http://localhost:${await freePort()}`;
    provider = await startProvider({ port: 0, appURL: baseURL });
    bundle = await bundleWorker();
    worker = startWorker();
    await worker.ready;
  });

  afterAll(async () => {
    await worker?.dispose();
    await provider?.close();
  });

  test("a person signs in, is known, and signs out", async () => {
    const browser = createBrowser(baseURL);
    const page = await browser.signIn("/private");
    expect(JSON.parse(page.text)).toEqual({ path: "/private", sub: "person-ada" });
    const me = await browser.request("/api/auth/me");
    expect(JSON.parse(me.text)).toMatchObject({ sub: "person-ada" });
    expect(me.headers.get("cache-control")).toBe("private, no-store");
    await browser.open("/api/auth/logout");
    expect((await browser.request("/api/auth/me")).status).toBe(204);
  });

  test("an API request without a session is answered 401, and a public page knows nobody", async () => {
    const browser = createBrowser(baseURL);
    expect((await browser.request("/api/orders")).status).toBe(401);
    const home = await browser.request("/");
    expect(JSON.parse(home.text)).toEqual({ path: "/", sub: null });
  });

  test("two sign-ins at a cold start do not wait for each other", async () => {
    await worker.dispose();
    worker = startWorker();
    await worker.ready;
    const people = ["person-ada", "person-ben"].map((person) =>
      createBrowser(baseURL).signIn("/private", person),
    );
    const pages = await Promise.all(people);
    expect(pages.filter(({ status }) => status === 200).length).toBe(2);
  });

  test("the bundle with the engine is at most 60 kB, compressed", () => {
    expect(bundle.gzipped).toBeLessThanOrEqual(60_000);
  });
});
