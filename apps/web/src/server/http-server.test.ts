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
