import { afterAll, beforeAll, expect, test } from "vitest";

import { type Server, startServer } from "../../../../packages/latchkey/test/servers/server.ts";
import { shortestRun } from "../../../../packages/latchkey/test/own-time.ts";
import { acceptsGzip } from "./accepts-gzip.ts";
import { compressPages } from "./compress-pages.ts";

const page = `<!doctype html>${"<p>Hello</p>".repeat(500)}`;
let server: Server;

beforeAll(async () => {
  server = await startServer();
  server.serve(
    compressPages((incoming, outgoing) => {
      const type = incoming.url === "/data" ? "application/json" : "text/html; charset=utf-8";
      outgoing.statusCode = 404;
      outgoing.setHeader("Set-Cookie", ["a=1", "b=2"]);
      outgoing.setHeader("Content-Type", type);
      outgoing.setHeader("Content-Length", Buffer.byteLength(page));
      outgoing.setHeader("Vary", "Cookie");
      outgoing.end(page);
    }),
  );
});

afterAll(() => server.close());

function get(path: string, acceptEncoding: string, accept = "text/html"): Promise<Response> {
  return fetch(server.origin + path, { headers: { accept, "accept-encoding": acceptEncoding } });
}

test.each([
  ["gzip, deflate, br", "gzip"],
  ["br;q=0, GZIP;q=0.5", "gzip"],
  ["gzip;q=0.05, br", "gzip"],
  ["br, gzip;q=0", null],
  ["identity", null],
])("a page for a browser that accepts %s has the coding %s and is whole", async (given, coding) => {
  const response = await get("/", given);
  expect(response.status).toBe(404);
  expect(response.headers.get("content-encoding")).toBe(coding);
  expect(response.headers.get("vary")).toBe(coding === null ? "Cookie" : "Cookie, Accept-Encoding");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await response.text()).toBe(page);
});

test("a weight of 30,000 digits is read in a moment", async () => {
  const read = () => acceptsGzip(`gzip;q=.${"1".repeat(30_000)}x`);
  expect(read()).toBe(false);
  expect(await shortestRun(read)).toBeLessThan(100);
});

test("a client that asks for no page, and what is no page, get no coding", async () => {
  for (const response of [await get("/", "gzip", "*/*"), await get("/data", "gzip")]) {
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(await response.text()).toBe(page);
  }
});
