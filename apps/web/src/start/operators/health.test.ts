import type { Server } from "node:http";

import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { createHTTPServer, listen } from "../../serving/http-server.ts";
import { addHealth, type HealthStatus } from "./health.ts";
import type { OperatorEnv } from "./operator-apps.ts";

let status: HealthStatus;
let server: Server;
let url: string;

beforeEach(() => void (status = "ready"));
beforeAll(async () => {
  const health = { status: () => status, details: async () => ({ store: "up" }) };
  const app = new Hono<OperatorEnv>();
  const options = { health, token: "the-token" };
  addHealth(app, { ...options, prefixes: ["/health"], trustsLoopback: true });
  addHealth(app, { ...options, prefixes: ["/public/health"], trustsLoopback: false });
  server = createHTTPServer({ fetch: app.fetch, headers: [] });
  url = `http://localhost:${await listen(server, 0, "localhost")}/health`;
});
afterAll(() => void server.close());

const proxied = { "x-forwarded-for": "203.0.113.7" };

test.each([
  ["starting", 200, 503],
  ["ready", 200, 200],
  ["draining", 200, 503],
] as const)("while %s, live is %i and ready is %i [OP-063]", async (now, live, ready) => {
  status = now;
  expect((await fetch(`${url}/live`)).status).toBe(live);
  const response = await fetch(`${url}/ready?x`, { headers: { cookie: "appSession=x" } });
  expect(response.status).toBe(ready);
  expect(await response.json()).toMatchObject({ status: now });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.has("set-cookie")).toBe(false);
});

const wrongToken = { ...proxied, authorization: "Bearer the-tokem" };
const rightToken = { ...proxied, authorization: "Bearer the-token" };

test.each([
  ["/health", "this machine", {}, true],
  ["/health", "elsewhere, by a proxy on this machine", proxied, false],
  ["/health", "elsewhere, with another token", wrongToken, false],
  ["/health", "elsewhere, with the token", rightToken, true],
  ["/public/health", "a silent proxy of a public address", {}, false],
  ["/public/health", "a proxy of a public address, with the token", rightToken, true],
])("%s shows details to a request from %s: %j %s", async (path, _, headers, showsDetails) => {
  const response = await fetch(new URL(`${path}/ready`, url), { headers: { ...headers } });
  expect("store" in ((await response.json()) as object)).toBe(showsDetails);
});

test.each(["/health", "/health/", "/health/ready/x", "/Health/live"])(
  "%s is no probe",
  async (path) => {
    expect((await fetch(new URL(path, url))).status).toBe(404);
  },
);
