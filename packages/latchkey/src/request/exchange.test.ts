import { describe, expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { namesIn } from "../../test/browser/cookie-jar.ts";
import { failingStore } from "../../test/failing-store.ts";
import { began, session, signedInApp } from "../../test/sessions/signed-in-app.ts";
import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { watchedStore } from "../../test/watched-store.ts";
import type { Auth, Options } from "../host/auth.ts";
import type { Measurement, Telemetry } from "../telemetry/telemetry.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";
import type { HeaderList } from "../http/headers.ts";
import { innerExchange } from "./exchange.ts";
import type { RequestAuth } from "../host/request-auth.ts";

const own = "https://app.example";
const stateful = { session: { stateful: true } };

function handle<T>(auth: Auth, cookie: string, handler: (here: RequestAuth) => T | Promise<T>) {
  return handleRequest(auth, new Request(`${own}/`, { headers: { cookie } }), handler);
}

/** An app with its session in a store, and the queries to it since. */
async function watchedApp(options: Partial<Options> = {}) {
  const calls: string[] = [];
  const store = watchedStore(memoryStore(), (operation) => calls.push(operation));
  const app = await signedInApp({ store, ...options });
  calls.length = 0;
  return { ...app, calls };
}

const look = ({ user }: RequestAuth) => user?.sub;

describe("reading", () => {
  test("a request reads the store once, however often its handler reads the session", async () => {
    const { auth, cookie, calls } = await watchedApp();
    await handle(auth, cookie, (here) => [here.session, here.user, here.require()]);
    expect(calls).toEqual(["get"]);
  });

  test("a use of a session in the store is one question, and a write after an hour", async () => {
    const { auth, cookie, calls, advance } = await watchedApp(stateful);
    advance(3599);
    const { response } = await handle(auth, cookie, look);
    expect(calls).toEqual(["get"]);
    expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
    advance(1);
    await handle(auth, cookie, look);
    expect(calls).toEqual(["get", "get", "swap"]);
  });

  test("the next request reads anew", async () => {
    const { auth, cookie, advance } = await signedInApp();
    expect((await handle(auth, cookie, look)).made).toBe("ada");
    advance(86_400);
    expect((await handle(auth, cookie, look)).made).toBeUndefined();
  });
});

describe("the headers of the response", () => {
  test("a handler without the session leaves the response as it is", async () => {
    const { auth, cookie } = await signedInApp();
    const { response } = await handle(auth, cookie, () => null);
    expect([...response.headers.keys()]).toEqual(["content-type"]);
  });

  test("the response of a handler that read the session is not cached, also without a signed-in user", async () => {
    const { auth } = await signedInApp();
    const { response } = await handle(auth, "", look);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("vary")).toBe("Cookie");
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("a session is renewed once renewAfter has passed since its last use", async () => {
    const { auth, cookie, advance } = await signedInApp({ session: { renewAfter: 600 } });
    advance(599);
    const before = await handle(auth, cookie, look);
    expect(before.response.headers.getSetCookie()).toEqual([]);
    advance(1);
    const after = await handle(auth, cookie, look);
    expect(namesIn(after.response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
  });

  test.each<[string, Partial<Options>, string[]]>([
    ["stays, as the clock may be wrong for a moment", {}, []],
    ["of a record stays, too", { store: memoryStore(), session: { stateful: true } }, []],
    [
      "that ends with the browser is cleared",
      { session: { cookie: { transient: true } } },
      ["appSession"],
    ],
  ])("an expired cookie %s", async (_, options, cleared) => {
    const { auth, cookie, advance } = await signedInApp(options);
    advance(10 * 86_400);
    const { made, response } = await handle(auth, cookie, (its) => its.user);
    expect(made).toBe(null);
    expect(namesIn(response.headers.getSetCookie())).toEqual({ set: [], cleared });
    advance(-10 * 86_400);
    expect((await handle(auth, cookie, (its) => its.user)).made).toMatchObject({ sub: "ada" });
  });

  test("a cookie that the browser keeps beyond the idle end is cleared, with the reason", async () => {
    const { auth, cookie, advance } = await signedInApp();
    advance(86_400 + 3599);
    const { made, response } = await handle(auth, cookie, (its) => its.ended);
    expect(made).toBe("idle");
    expect(namesIn(response.headers.getSetCookie()).cleared).toEqual(["appSession"]);
  });

  test("a cookie changed but names our key is cleared", async () => {
    const { auth, cookie } = await signedInApp();
    const { made, response } = await handle(auth, `${cookie.slice(0, -4)}AAAA`, (its) => its.ended);
    expect(made).toBe("unreadable");
    expect(namesIn(response.headers.getSetCookie()).cleared).toEqual(["appSession"]);
  });

  test.each<[string, Partial<Options>]>([
    ["secret", { secret: "another-secret-0123456789abcdef-0123" }],
    ["issuer", { issuerBaseURL: "https://other.example" }],
    ["client", { clientID: "other" }],
  ])("a cookie of another %s is neither cleared nor renewed", async (_, options) => {
    const { auth } = await signedInApp();
    const { cookie } = await signedInApp(options);
    const { made, response } = await handle(auth, cookie, ({ user, ended }) => ({ user, ended }));
    expect(made).toEqual({ user: null, ended: undefined });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("a renewal the store refuses does not spoil the response", async () => {
    const store = failingStore(memoryStore());
    const { auth, cookie } = await signedInApp({ store, ...stateful });
    const { response } = await handle(auth, cookie, (here) => {
      store.fail(true);
      return here.user;
    });
    store.fail(false);
    expect([response.status, response.headers.getSetCookie().length]).toEqual([200, 1]);
    expect((await handle(auth, cookie, look)).made).toBe("ada");
  });
});

describe("after the head of the response has left", () => {
  test.each<[string, (here: RequestAuth) => Promise<unknown>]>([
    ["update", (here) => here.update((data) => ({ ...data, late: true }))],
    ["touch", (here) => here.touch()],
    ["endDevice", (here) => here.endDevice("x")],
    ["endDevices", (here) => here.endDevices("all")],
  ])("%s throws, and the session stays as it was", async (_, change) => {
    const { auth, cookie } = await signedInApp({ store: memoryStore(), ...stateful });
    const { made: here } = await handle(auth, cookie, (each) => (each.user, each));
    if (here === undefined) throw new Error("the handler was not reached");
    await expect(change(here)).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
    const next = await handle(auth, cookie, (each) => each.session);
    expect(next.made).toMatchObject(session);
    expect(next.made).not.toHaveProperty("late");
  });

  test("an update begun before throws when it ends after", async () => {
    const { auth, cookie } = await signedInApp();
    let updating: Promise<unknown> = Promise.resolve();
    await handle(auth, cookie, (here) => {
      updating = here.update((data) => ({ ...data, late: true }));
      updating.catch(() => undefined);
    });
    await expect(updating).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
  });

  test.each<[string, (here: RequestAuth) => unknown]>([
    ["update()", (here) => here.update((data) => ({ ...data, late: true }))],
    ["endDevice()", (here) => here.endDevice("x")],
    ["endDevices()", (here) => here.endDevices("all")],
    ["renameDevice()", (here) => here.renameDevice("x", "Kitchen")],
  ])("%s without await does not end the process after the head has left", async (_, change) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const { auth, cookie } = await signedInApp();
    await handle(auth, cookie, (here) => {
      // As in a callback that runs after the response.
      setTimeout(() => void change(here), 5);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("a refresh throws before it spends the refresh token", async () => {
    let calls = 0;
    const { auth, options } = await signedInApp({
      fetch: () => ((calls += 1), Promise.reject(new Error("nobody"))),
    });
    const tokens = { refreshToken: "rt", accessTokenExpiresAt: 0 };
    const cookie = await signedInCookies({ options, session: { ...session, ...tokens } });
    const { made: here } = await handle(auth, cookie, (each) => each);
    await expect(here?.accessToken()).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
    expect(calls).toBe(0);
  });

  test("the session can still be read", async () => {
    const { auth, cookie } = await signedInApp();
    const { made: here } = await handle(auth, cookie, (each) => each);
    expect(here?.user?.sub).toBe("ada");
  });
});

describe("what the steps of a request do with its session", () => {
  const cacheHeaders = ["Cache-Control", "Vary"];
  const namesOf = (headers: HeaderList) => headers.map(([name]) => name);

  test("a session cleared is gone for the steps after, whatever is still being read", async () => {
    const { ask } = await signedInExchanges();
    const exchange = ask();
    const reading = exchange.read();
    exchange.clear();
    expect([await reading, await exchange.read(), exchange.current()]).toEqual(
      Array.from({ length: 3 }, () => ({ state: "none" })),
    );
    expect(namesOf(exchange.commit())).toEqual([...cacheHeaders, "Set-Cookie"]);
  });

  test("a changed session, ended by another request meanwhile, is not sent", async () => {
    const { ask, written } = await signedInExchanges();
    const exchange = ask();
    await exchange.use();
    exchange.keep(written);
    exchange.endedMeanwhile();
    expect(namesOf(exchange.commit())).toEqual(cacheHeaders);
  });

  test("a store without an answer is a fault for every step, until one clears the session", async () => {
    const store = failingStore(memoryStore());
    const { ask } = await signedInExchanges({ store });
    store.fail(true);
    const exchange = ask();
    expect(exchange.current()).toBeNull();
    await expect(exchange.use()).rejects.toMatchObject({ reason: "store_unavailable" });
    expect(() => exchange.current()).toThrow(
      expect.objectContaining({ reason: "store_unavailable" }),
    );
    exchange.clear();
    expect(exchange.current()).toEqual({ state: "none" });
  });

  test("a session not awaited is neither renewed nor cached", async () => {
    const { ask, events } = await signedInExchanges();
    const exchange = ask();
    const using = exchange.use();
    expect(namesOf(exchange.commit())).toEqual(cacheHeaders);
    expect(events).toEqual([]);
    await using;
  });

  test("a session is renewed once, also after an earlier step of the request", async () => {
    const { ask, written } = await signedInExchanges();
    const exchange = ask(undefined, { changes: { isRenewed: true } });
    await exchange.use();
    expect(namesOf(exchange.commit())).toEqual(cacheHeaders);
    exchange.keep(written);
    expect(namesOf(exchange.commit())).toEqual([...cacheHeaders, "Set-Cookie"]);
  });

  test("without a signed-in user nothing is renewed or logged", async () => {
    const { ask, events } = await signedInExchanges();
    const exchange = ask({});
    await exchange.use();
    expect(namesOf(exchange.commit())).toEqual(cacheHeaders);
    expect(events).toEqual([]);
  });

  test("a session without rolling is not renewed", async () => {
    const { ask, advance } = await signedInExchanges({ session: { rolling: false } });
    advance(3600);
    const exchange = ask();
    await exchange.use();
    expect(namesOf(exchange.commit())).toEqual(cacheHeaders);
  });

  test("a host that commits no head takes each change at once", async () => {
    const taken: (readonly string[])[] = [];
    const changes = { write: (setCookies: readonly string[]) => void taken.push(setCookies) };
    const { ask, written } = await signedInExchanges();
    const exchange = ask(undefined, { changes });
    exchange.keep({ stored: written.stored, setCookies: null });
    expect(taken).toEqual([]);
    exchange.keep(written);
    expect(taken).toEqual([written.setCookies]);
  });

  test("a change after the head has left is logged", async () => {
    const { ask, events } = await signedInExchanges();
    const exchange = ask();
    expect(exchange.isOpen()).toBe(true);
    exchange.checkOpen();
    exchange.commit();
    expect(exchange.isOpen()).toBe(false);
    const message =
      "The head of the response has left: a change of the session could not reach the browser. Await the change before you send the response.";
    expect(() => exchange.checkOpen()).toThrow(message);
    expect(events).toEqual([{ event: "warning", message }]);
  });

  test("a failed renewal is logged, and the response is sent", async () => {
    let isBroken = false;
    const clock = () => {
      if (isBroken) throw new Error("no\ntime");
      return Date.now();
    };
    const { ask, events } = await signedInExchanges({ clock });
    const exchange = ask();
    await exchange.use();
    isBroken = true;
    expect(namesOf(exchange.commit())).toEqual(cacheHeaders);
    const message = "A session could not be renewed: Error: no time";
    expect(events).toEqual([{ event: "warning", message }]);
  });

  test.each(["use", "current"] as const)(
    "a request that the app makes to itself is private from the look at the session on: %s",
    async (method) => {
      const { ask } = await signedInExchanges();
      const outer = ask();
      const inner = innerExchange(outer, outer.request);
      await inner.read();
      expect(inner.commit()).toEqual([]);
      expect(await inner[method]()).toMatchObject({ state: "active" });
      expect(namesOf(inner.commit())).toEqual(cacheHeaders);
    },
  );
});

/** An app with telemetry of every session. */
async function measuredWorld(options: Partial<Options> = {}) {
  const reads: Measurement[] = [];
  const operations: unknown[] = [];
  const store = failingStore(memoryStore(() => began * 1000));
  const telemetry: Telemetry = {
    onMeasurement: (each) => void (each.of === "session-read" && reads.push(each)),
    async around(each, run) {
      const end = await run();
      if (each.kind === "session") operations.push({ ...each, ...end });
      return end;
    },
  };
  const world = await signedInExchanges({ store, telemetry, ...options });
  return { ...world, reads, operations, store };
}

const operation = { kind: "session", name: "visit", mode: "cookie" };

describe("a session read once", () => {
  test.each<[string, Record<string, string> | undefined, object, object[]]>([
    ["is active", undefined, { result: "live" }, [{ ...operation, outcome: "live" }]],
    ["is not there", {}, { result: "none" }, []],
    [
      "cannot be read",
      { appSession: "x" },
      { result: "ended", reason: "unreadable" },
      [{ ...operation, outcome: "ended" }],
    ],
    [
      "cannot be read and is in chunks",
      { "appSession.0": "x" },
      { result: "ended", reason: "unreadable" },
      [{ ...operation, outcome: "ended" }],
    ],
  ])("and %s is measured as that", async (_, jar, read, told) => {
    const { ask, reads, operations } = await measuredWorld();
    await ask(jar).read();
    expect(reads).toEqual([{ of: "session-read", ...read }]);
    expect(operations).toEqual(told);
  });

  test("while the store is down is measured as unavailable", async () => {
    const { ask, reads, operations, store } = await measuredWorld();
    store.fail(true);
    await expect(ask().read()).rejects.toMatchObject({ reason: "store_unavailable" });
    expect(reads).toEqual([{ of: "session-read", result: "unavailable" }]);
    const fault = { status: 503, reason: "store_unavailable" };
    expect(operations).toEqual([{ ...operation, ...fault, outcome: "unavailable" }]);
  });

  test("without a store is no operation", async () => {
    const { ask, reads, operations } = await measuredWorld({ store: undefined });
    await ask().read();
    expect(reads).toEqual([{ of: "session-read", result: "live" }]);
    expect(operations).toEqual([]);
  });
});
