import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { listen } from "../../test/browser/event-stream.ts";
import { failingStore } from "../../test/failing-store.ts";
import { goodSettings } from "../../test/settings.ts";
import { ownTime } from "../../test/own-time.ts";
import { protect } from "../adapters/node.ts";
import { type Auth, createAuth, type Options } from "../host/auth.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";

const store = failingStore(memoryStore());
const servers: Server[] = [];
let options: Options;

/** An instance of the app; all of them share one store. */
async function instance(more: Partial<Options> = {}) {
  const server = createServer();
  servers.push(server);
  await once(server.listen(0, "localhost"), "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const auth: Auth = createAuth({ ...options, baseURL: origin, ...more });
  server.on(
    "request",
    protect(auth, (_request, response) => response.end("a page")),
  );
  return { auth, origin, server };
}

beforeEach(() => {
  options = { ...goodSettings, production: false, store, streams: 3, log: () => undefined };
});
afterEach(() => {
  vi.useRealTimers();
  store.fail(false);
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

function cookiesOf(sub: string, origin: string, more: Partial<Options> = {}): Promise<string> {
  return signedInCookies({
    options: { ...options, baseURL: origin, ...more },
    session: { user: { sub } },
  });
}

const end = (auth: Auth, sub: string) => auth.endUser(sub, { operator: "the test" });
/** A sign-in of the very millisecond of a mark is a later one. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("an open page is notified of the end of its session", () => {
  test.each([false, true])(
    "within a second, by any instance (stateful: %s) [OP-093]",
    async (stateful) => {
      options = { ...options, session: { stateful } };
      const [one, other] = [await instance(), await instance()];
      const [ada, ben] = [await cookiesOf("ada", one.origin), await cookiesOf("ben", one.origin)];
      const [forAda, forBen] = [
        await listen(one.origin, { cookie: ada }),
        await listen(one.origin, { cookie: ben }),
      ];
      await aMoment();
      await end(other.auth, "ada");
      const started = ownTime();
      await forAda.ended;
      expect(forAda.text()).toContain("data: ended\n\n");
      expect(ownTime() - started).toBeLessThan(1000);
      expect(forBen.text()).not.toContain("ended");
      forBen.leave();
    },
  );

  test("by a stream without buffering, caching or renewal [OP-095]", async () => {
    const { origin } = await instance({ session: { rollingDuration: 3600, renewAfter: 0 } });
    const { response, text, leave } = await listen(origin, {
      cookie: await cookiesOf("ada", origin),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.getSetCookie()).toEqual([]);
    await expect.poll(text).toMatch(/^retry: [1-5]\d{3}\n\n/);
    leave();
  });

  test("at the time known from its request, by the end of the stream without an event [OP-095]", async () => {
    const { origin } = await instance();
    const soon = { session: { rollingDuration: 1, absoluteDuration: 600 } };
    const listening = await listen(origin, { cookie: await cookiesOf("ada", origin, soon) });
    await listening.ended;
    expect(listening.text()).not.toContain("data:");
  });
});

test("the server ends the stream after an hour, and reads a continuing session anew when the browser reconnects [OP-095]", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const origin = "http://localhost:3000";
  const auth = createAuth({ ...options, baseURL: origin });
  const headers = { cookie: await cookiesOf("ada", origin) };
  const request = new Request(`${origin}/_auth/session-events`, { headers });
  const response = await auth.respond(request, () => new Response("a page"));
  const ended = vi.fn<(text: string) => void>();
  void response.text().then(ended);
  await vi.advanceTimersByTimeAsync(3_590_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  await expect.poll(() => ended.mock.calls).toEqual([[expect.not.stringContaining("data:")]]);
});

describe("no stream is opened", () => {
  test("without a session, from another site, or with streams off", async () => {
    const on = await instance();
    const off = await instance({ streams: 0 });
    const cookie = await cookiesOf("ada", on.origin);
    const status = async (origin: string, headers: Record<string, string>) =>
      (await listen(origin, headers)).response.status;
    expect(await status(on.origin, {})).toBe(204);
    expect(await status(on.origin, { cookie, "sec-fetch-site": "cross-site" })).toBe(204);
    expect(await status(off.origin, { cookie })).toBe(204);
  });

  test("beyond the limit: the browser polls every minute until a stream ends [OP-097]", async () => {
    const { origin } = await instance();
    const open = [];
    for (const sub of ["ada", "ben", "cleo"]) {
      open.push(await listen(origin, { cookie: await cookiesOf(sub, origin) }));
    }
    const cookie = await cookiesOf("dora", origin);
    const { response } = await listen(origin, { cookie });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "60"]);
    open[0]?.leave();
    const statusAgain = async () => {
      const again = await listen(origin, { cookie });
      again.leave();
      return again.response.status;
    };
    await expect.poll(statusAgain).toBe(200);
    for (const { leave } of open) leave();
  });
});

test("a server that stops closes all streams, and makes browsers reconnect within seconds", async () => {
  const { auth, origin, server } = await instance();
  const cookie = await cookiesOf("ada", origin);
  const listening = await listen(origin, { cookie });
  auth.endStreams();
  await listening.ended;
  const late = await listen(origin, { cookie });
  await late.ended;
  // Any other status would end the browser's attempts to reconnect.
  expect(late.response.status).toBe(200);
  expect(late.text()).toMatch(/^retry: [1-5]\d{3}\n\n$/);
  expect(await auth.status()).toMatchObject({ openStreams: 0 });
  const closed = once(server, "close");
  server.close();
  await closed;
});
