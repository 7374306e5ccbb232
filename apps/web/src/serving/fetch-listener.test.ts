import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { afterAll, beforeAll, expect, test } from "vitest";

import { fetchListener } from "./fetch-listener.ts";
import { listen } from "./http-server.ts";
import { createDrain } from "./drain.ts";

let server: Server;
let url: string;
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
  server = createServer((incoming, outgoing) => void respond(incoming, outgoing));
  url = `http://localhost:${await listen(server, 0, "localhost")}`;
});

afterAll(() => createDrain(server).begin({ delayMs: 0, limitMs: 1000 }));

test("a handler knows the Web request and the request of Node", async () => {
  const response = await fetch(`${url}/path`, { method: "PUT" });
  expect(await response.text()).toBe("PUT /path");
});

test("whatever stands in front responds to what the handler throws", async () => {
  const response = await fetch(`${url}/throws`);
  expect(response.status).toBe(503);
  expect(await response.text()).toBe("from in front");
  expect(caught).toMatchObject([{ message: "broken" }]);
});
