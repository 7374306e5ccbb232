import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { createHTTPServer, listen } from "./http-server.ts";
import { closeGracefully } from "./shutdown.ts";

test("a handler that fails leads to a response of 500, and its error is reported", async () => {
  const told: unknown[] = [];
  const server = createHTTPServer({
    handler: () => Promise.reject(new Error("broken")),
    headers: [["X-Content-Type-Options", "nosniff"]],
    onError: (error) => told.push(error),
  });
  const port = await listen(server, 0, "localhost");
  const response = await fetch(`http://localhost:${port}/`);
  expect(response.status).toBe(500);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await response.text()).not.toContain("broken");
  expect(told).toHaveLength(1);
  await closeGracefully(server);
});

test.each([
  [
    "synchronously",
    () => {
      throw new Error("broken");
    },
  ],
  ["later", () => Promise.reject(new Error("broken"))],
])("a request that fails %s on the shorter way goes the longer way", async (_, direct) => {
  const server = createHTTPServer({
    handler: () => new Response("whole"),
    headers: [],
    onError: () => undefined,
    direct,
  });
  const port = await listen(server, 0, "localhost");
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe("whole");
  await closeGracefully(server);
});

test("a response that fails half-way ends its connection, and its error is reported", async () => {
  const told: unknown[] = [];
  const server = createHTTPServer({
    handler: () => new Response("whole"),
    headers: [["X-Content-Type-Options", "nosniff"]],
    onError: (error) => told.push(error),
    direct(_request, response) {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("half");
      throw new Error("broken");
    },
  });
  const port = await listen(server, 0, "localhost");
  const reading = fetch(`http://localhost:${port}/`).then(async (response) => response.text());
  await expect(reading).rejects.toThrow(/fetch failed|terminated/);
  expect(told).toHaveLength(1);
  await closeGracefully(server);
});

test("a request in flight gets its response before the server ends", async () => {
  let finish: (response: Response) => void = () => undefined;
  let started: () => void = () => undefined;
  const isStarted = new Promise<void>((resolve) => (started = resolve));
  const server = createHTTPServer({
    handler: () => {
      started();
      return new Promise<Response>((resolve) => (finish = resolve));
    },
    headers: [],
    onError: () => undefined,
  });
  const port = await listen(server, 0, "localhost");
  const answering = fetch(`http://localhost:${port}/`);
  await isStarted;
  const closing = closeGracefully(server);
  finish(new Response("whole"));
  expect(await (await answering).text()).toBe("whole");
  await closing;
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow("fetch failed");
});

test("an error says in one sentence that a port is taken", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "localhost", resolve));
  const { port } = other.address() as AddressInfo;
  const server = createHTTPServer({
    handler: () => new Response(),
    headers: [],
    onError: () => undefined,
  });
  await expect(listen(server, port, "localhost")).rejects.toThrow(
    `Port ${port} is taken by another program. Stop that one, or choose another port with PORT.`,
  );
  await new Promise((resolve) => other.close(resolve));
});
