import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { type Server, startServer } from "../../../../../packages/latchkey/test/servers/server.ts";
import { healthListener, type HealthStatus } from "./health.ts";

let status: HealthStatus;
let server: Server;
let url: string;

beforeEach(() => void (status = "ready"));

beforeAll(async () => {
  const health = { status: () => status, details: async () => ({ store: "up" }) };
  const respond = healthListener({ health, prefixes: ["/health"], token: "the-token" });
  server = await startServer();
  server.serve((incoming, outgoing) => {
    if (!respond(incoming, outgoing)) outgoing.writeHead(418).end();
  });
  url = `${server.origin}/health`;
});

afterAll(() => server.close());

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

test.each([
  ["this machine", {}, true],
  ["elsewhere, by a proxy on this machine", proxied, false],
  ["elsewhere, with another token", { ...proxied, authorization: "Bearer the-tokem" }, false],
  ["elsewhere, with the token", { ...proxied, authorization: "Bearer the-token" }, true],
])("whoever asks from %s is told details: %j", async (_, headers, isTold) => {
  const body = await (await fetch(`${url}/ready`, { headers: { ...headers } })).json();
  expect("store" in (body as object)).toBe(isTold);
});

test.each(["/health", "/health/", "/health/ready/x", "/Health/live"])(
  "%s is no probe",
  async (path) => {
    expect((await fetch(new URL(path, url))).status).toBe(418);
  },
);
