import type { IncomingMessage, ServerResponse } from "node:http";

import { afterAll, beforeAll, expect, test } from "vitest";

import { rawBytes } from "../../../../packages/latchkey/test/browser/raw-bytes.ts";
import { type Server, startServer } from "../../../../packages/latchkey/test/servers/server.ts";
import { fetchListener } from "./fetch-listener.ts";

let server: Server;
const caught: unknown[] = [];

beforeAll(async () => {
  const listener = fetchListener(async ({ url: address }, { incoming }) => {
    const { pathname } = new URL(address);
    if (pathname === "/throws") throw new Error("broken");
    return new Response(`${incoming.method} ${pathname}`);
  });
  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      await listener(incoming, outgoing);
    } catch (error) {
      caught.push(error);
      outgoing.writeHead(503).end("from in front");
    }
  }
  server = await startServer();
  server.serve((incoming, outgoing) => void respond(incoming, outgoing));
});

afterAll(() => server.close());

test("a handler knows the Web request and the request of Node", async () => {
  const response = await fetch(`${server.origin}/path`, { method: "PUT" });
  expect(await response.text()).toBe("PUT /path");
});

test("a request of HTTP/1.0 needs no Host [RFC 9112, section 3.2]", async () => {
  const answer = await rawBytes(server.origin, "GET /path HTTP/1.0\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*GET \/path$/);
});

test("whatever stands in front responds to what the handler throws", async () => {
  const response = await fetch(`${server.origin}/throws`);
  expect(response.status).toBe(503);
  expect(await response.text()).toBe("from in front");
  expect(caught).toMatchObject([{ message: "broken" }]);
});
