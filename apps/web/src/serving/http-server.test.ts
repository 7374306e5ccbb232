import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { createHTTPServer, listen } from "./http-server.ts";
import { createDrain } from "./drain.ts";

/** From here on no time passes but what the test lets pass. */
function holdTime(): void {
  const toFake = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"];
  vi.useFakeTimers({ toFake: toFake as never });
  onTestFinished(() => void vi.useRealTimers());
}

test("a request in flight gets its response before the server ends, and its connection closes [OP-060, OP-061]", async () => {
  let finish: (response: Response) => void = () => undefined;
  let started: () => void = () => undefined;
  const isStarted = new Promise<void>((resolve) => (started = resolve));
  const server = createHTTPServer({
    fetch: () => {
      started();
      return new Promise<Response>((resolve) => (finish = resolve));
    },
    headers: [],
  });
  const drain = createDrain(server);
  const port = await listen(server, 0, "localhost");
  const answering = fetch(`http://localhost:${port}/`);
  await isStarted;
  holdTime();
  const closing = drain.begin({ delayMs: 0, limitMs: 8000 });
  await vi.advanceTimersByTimeAsync(7900);
  finish(new Response("whole"));
  const answer = await answering;
  expect(answer.headers.get("connection")).toBe("close");
  expect(await answer.text()).toBe("whole");
  await vi.advanceTimersByTimeAsync(100);
  expect((await closing).cut).toBe(0);
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow("fetch failed");
});

test("a request on a connection from before the end is answered, even if it comes later", async () => {
  const server = createHTTPServer({
    fetch: () => new Response("whole"),
    headers: [],
  });
  const drain = createDrain(server);
  const port = await listen(server, 0, "localhost");
  const socket = connect(port, "localhost");
  await once(socket, "connect");
  const drained = drain.begin({ delayMs: 50, limitMs: 5000 });
  await expect.poll(() => server.listening).toBe(false);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const answer = await text(socket);
  expect(answer).toContain("whole");
  expect(answer).toMatch(/^connection: close\r$/im);
  expect((await drained).cut).toBe(0);
});

test("a drain does not wait for a connection without a request", async () => {
  const server = createHTTPServer({ fetch: () => new Response(), headers: [] });
  const drain = createDrain(server);
  const socket = connect(await listen(server, 0, "localhost"), "localhost");
  await once(server, "connection");
  const closed = once(socket, "close");
  const { cut, durationMs } = await drain.begin({ delayMs: 0, limitMs: 60_000 });
  await closed;
  expect(cut).toBe(0);
  expect(durationMs).toBeLessThan(30_000);
});

/** Sends requests to a server while it drains; requests for `/probe` are those of a balancer. */
async function drainedUnder(path: string, delayMs: number) {
  const server = createHTTPServer({ fetch: () => new Response("whole"), headers: [] });
  const drain = createDrain(server, ({ url }) => url === "/probe");
  const port = await listen(server, 0, "localhost");
  const drained = drain.begin({ delayMs, limitMs: 60_000 });
  while (server.listening) {
    await sleep(100);
    await fetch(`http://localhost:${port}${path}`).catch(() => undefined);
  }
  return drained;
}

test("a draining server listens for twice its delay while requests come, and no longer", async () => {
  const { cut, durationMs } = await drainedUnder("/", 1500);
  expect(cut).toBe(0);
  expect(durationMs).toBeGreaterThanOrEqual(3000);
  expect(durationMs).toBeLessThan(30_000);
});

test("a draining server listens for its delay, and probes do not prolong it [OP-060]", async () => {
  const { durationMs } = await drainedUnder("/probe", 4000);
  expect(durationMs).toBeGreaterThanOrEqual(4000);
  expect(durationMs).toBeLessThan(8000);
});

test("an error says in one sentence why a port is not available", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "localhost", resolve));
  const { port } = other.address() as AddressInfo;
  const server = createHTTPServer({
    fetch: () => new Response(),
    headers: [],
  });
  await expect(listen(server, port, "localhost")).rejects.toThrow(
    `Port ${port} is taken by another program. Stop that one, or choose another port with PORT.`,
  );
  await new Promise((resolve) => other.close(resolve));
});

test("a connection is kept for longer than balancers keep theirs, so they close it first", async () => {
  const server = createHTTPServer({
    fetch: () => new Response(),
    headers: [],
  });
  const port = await listen(server, 0, "localhost");
  const { headers } = await fetch(`http://localhost:${port}/`);
  expect(headers.get("keep-alive")).toBe("timeout=75");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
