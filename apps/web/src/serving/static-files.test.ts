import type { Server } from "node:http";

import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";

import { assetForTests, builtForTests } from "./built-files.support.ts";
import { createHTTPServer, listen } from "./http-server.ts";
import { createDrain } from "./drain.ts";
import { addStaticFiles } from "./static-files.ts";

let server: Server;
let url: string;

beforeAll(async () => {
  const app = new Hono();
  addStaticFiles(app, builtForTests);
  server = createHTTPServer({
    fetch: app.fetch,
    headers: [],
  });
  url = `http://localhost:${await listen(server, 0, "localhost")}`;
});

afterAll(() => {
  server.closeAllConnections();
  return createDrain(server).begin({ delayMs: 0, limitMs: 1000 });
});

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url + path, { headers: { connection: "close", ...headers } });
}

const asset = "/assets/live-test.js";

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["identity", null],
])("an asset for a browser with the codings %s has the coding %s", async (accepted, coding) => {
  const response = await get(asset, { "accept-encoding": accepted });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-encoding")).toBe(coding);
  expect(response.headers.get("vary")).toBe("Accept-Encoding");
  expect(response.headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(await response.text()).toBe(assetForTests);
});

test("an asset may be kept forever, since its name changes with its content", async () => {
  const { headers } = await get(asset);
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

test("a file whose name stays is kept for a day", async () => {
  const { headers } = await get("/robots.txt");
  expect(headers.get("cache-control")).toBe("public, max-age=86400");
});

test.each(["br", "gzip", "identity"])(
  "a browser with the %s form of an asset gets 304, with all headers for caches",
  async (accepted) => {
    const first = await get(asset, { "accept-encoding": accepted });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    const second = await get(asset, { "accept-encoding": accepted, "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect(second.headers.get("etag")).toBe(etag);
    expect(second.headers.get("vary")).toBe("Accept-Encoding");
    expect(second.headers.get("cache-control")).toContain("immutable");
  },
);

test("each coding of an asset has an entity tag of its own", async () => {
  const tags = await Promise.all(
    ["br", "gzip", "identity"].map(async (accepted) =>
      (await get(asset, { "accept-encoding": accepted })).headers.get("etag"),
    ),
  );
  expect(new Set(tags).size).toBe(3);
});

test("HEAD describes an asset without sending it", async () => {
  const response = await fetch(url + asset, { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(Number(response.headers.get("content-length"))).toBeGreaterThan(0);
  expect(await response.text()).toBe("");
});

test.each([
  "/manifest.json",
  "/assets/nothing.js",
  "/assets/../manifest.json",
  "/assets/%2e%2e/manifest.json",
  "/assets/..%2fmanifest.json",
])("%s is not served, and not kept", async (path) => {
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(response.headers.get("cache-control")).toBeNull();
});
