import { expect, test, vi } from "vitest";

import type { Fetch } from "../provider-fetch.ts";
import { createReachability } from "./reachability.ts";

const page = "https://op.example/authorize?x=1";

function world(respond: Fetch) {
  let now = 0;
  const fetch = vi.fn<Fetch>(respond);
  const reachability = createReachability({ clock: () => now, fetch });
  return { ...reachability, fetch, advance: (ms: number) => void (now += ms) };
}

/** A server that has responded, but not lately. */
function knownWorld(respond: Fetch) {
  const known = world(respond);
  known.responded(page);
  known.advance(250);
  return known;
}

test("a response proves for a quarter of a second that its server can be reached", async () => {
  const { responded, check, fetch, advance } = world(async () => new Response());
  responded("https://op.example/keys");
  advance(249);
  await check(page);
  expect(fetch).not.toHaveBeenCalled();
  advance(1);
  await check(page);
  await check(page);
  expect(fetch.mock.calls.map(([address, { method }]) => `${method} ${address}`)).toEqual([
    "HEAD https://op.example/",
  ]);
});

test("checks at the same time share one request", async () => {
  const response = Promise.withResolvers<Response>();
  const { check, fetch } = knownWorld(() => response.promise);
  const checks = Promise.all([check(page), check("https://op.example/logout"), check(page)]);
  response.resolve(new Response());
  await checks;
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("checks at the same time share a refusal, and the next check calls again", async () => {
  const { check, fetch } = knownWorld(() => Promise.reject(new TypeError("connection refused")));
  const checks = await Promise.allSettled([check(page), check(page)]);
  expect(checks.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(fetch).toHaveBeenCalledTimes(1);
  await expect(check(page)).rejects.toMatchObject({ reason: "provider_unreachable" });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("a check makes a request of its own when a shared one does not end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const never = Promise.withResolvers<Response>();
    const { check, fetch } = knownWorld(async () => new Response());
    fetch.mockReturnValueOnce(never.promise);
    void check(page).catch(() => undefined);
    const second = check(page);
    await vi.advanceTimersByTimeAsync(1100);
    await expect(second).resolves.toBeUndefined();
    expect(fetch).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test("a check calls a server again if a call to it has failed since its last response", async () => {
  const { responded, failed, check, fetch } = world(async () => new Response());
  responded("https://op.example/keys");
  failed("https://op.example/token");
  await check(page);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a check does not call a server without any response so far: only browsers may reach it", async () => {
  const { responded, check, fetch } = world(() => Promise.reject(new TypeError("no route")));
  responded("https://keys.op.example/");
  await expect(check(page)).resolves.toBeUndefined();
  expect(fetch).not.toHaveBeenCalled();
});

test("a check rejects a server that refuses connections, and calls it again the next time", async () => {
  const { check, fetch } = knownWorld(() => Promise.reject(new TypeError("connection refused")));
  for (let count = 0; count < 2; count += 1) {
    await expect(check(page)).rejects.toMatchObject({ reason: "provider_unreachable" });
  }
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("a check repeats a call on a connection that the server has just closed", async () => {
  const closed = new TypeError("fetch failed", {
    cause: Object.assign(new Error("closed"), { code: "ECONNRESET" }),
  });
  const { check, fetch } = knownWorld(async () => new Response());
  fetch.mockRejectedValueOnce(closed);
  await expect(check(page)).resolves.toBeUndefined();
});

test.each([
  ["an error", () => new Response("", { status: 500 })],
  ["a busy server", () => new Response("", { status: 503 })],
  ["a redirect", () => new Response("", { status: 302, headers: { location: "/home" } })],
])("a server that responds with %s can be reached", async (_, respond) => {
  const { check } = knownWorld(async () => respond());
  await expect(check(page)).resolves.toBeUndefined();
});

test("a check rejects a server that does not respond within a second", async () => {
  const { check } = knownWorld(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  );
  await expect(check(page)).rejects.toMatchObject({ reason: "provider_timeout" });
});
