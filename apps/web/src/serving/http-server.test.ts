import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { createHTTPServer, listen } from "./http-server.ts";
import { closeGracefully } from "./shutdown.ts";

test("a handler that fails makes an answer of 500, and is told", async () => {
  const told: unknown[] = [];
  const server = createHTTPServer({
    handler: () => Promise.reject(new Error("broken")),
    headers: [["X-Content-Type-Options", "nosniff"]],
    onError: (error) => told.push(error),
  });
  const port = await listen(server, 0, "localhost");
  const answer = await fetch(`http://localhost:${port}/`);
  expect(answer.status).toBe(500);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await answer.text()).not.toContain("broken");
  expect(told).toHaveLength(1);
  await closeGracefully(server);
});

test.each([
  [
    "at once",
    () => {
      throw new Error("broken");
    },
  ],
  ["later", () => Promise.reject(new Error("broken"))],
])("what fails %s on the shorter way goes the longer one", async (_, direct) => {
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

test("an answer that fails when it is half written ends its connection, and is told", async () => {
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
  const reading = fetch(`http://localhost:${port}/`).then(async (answer) => answer.text());
  await expect(reading).rejects.toThrow(/fetch failed|terminated/);
  expect(told).toHaveLength(1);
  await closeGracefully(server);
});

test("a request that is being answered is finished before the end", async () => {
  let finish: (answer: Response) => void = () => undefined;
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

test("a port that is taken is told in one sentence", async () => {
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
