import { describe, expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { namesIn } from "../../test/cookie-jar.ts";
import { failingStore } from "../../test/failing-store.ts";
import { session, signedInApp } from "../../test/signed-in-app.ts";
import type { Options } from "../auth.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Store } from "../stores/store.ts";
import { signedInCookies } from "../testing/index.ts";
import type { RequestAuth } from "./request-auth.ts";

const own = "https://app.example";
const stateful = { session: { stateful: true } };

function ask(cookie: string): Request {
  return new Request(`${own}/`, { headers: { cookie } });
}

/** A store that tells which of its operations were called. */
function watchedStore(): { store: Store; calls: string[] } {
  const inner = memoryStore();
  const calls: string[] = [];
  const store: Store = {
    ...inner,
    get: (keys) => (calls.push("get"), inner.get(keys)),
    set: (...entry) => (calls.push("set"), inner.set(...entry)),
    swap: (...entry) => (calls.push("swap"), inner.swap(...entry)),
    delete: (key) => (calls.push("delete"), inner.delete(key)),
    members: (index) => (calls.push("members"), inner.members(index)),
  };
  return { store, calls };
}

const look = ({ user }: RequestAuth) => user?.sub;

describe("reading", () => {
  test("the store is asked once for a request, however often its handler asks", async () => {
    const { store, calls } = watchedStore();
    const { auth, cookie } = await signedInApp({ store });
    calls.length = 0;
    await handleRequest(auth, ask(cookie), (here) => [here.session, here.user, here.require()]);
    expect(calls).toEqual(["get"]);
  });

  test("a session in the store costs one question and one renewal", async () => {
    const { store, calls } = watchedStore();
    const { auth, cookie } = await signedInApp({ store, ...stateful });
    calls.length = 0;
    await handleRequest(auth, ask(cookie), look);
    expect(calls).toEqual(["get", "swap"]);
  });

  test("the next request reads anew", async () => {
    const { auth, cookie, advance } = await signedInApp();
    expect((await handleRequest(auth, ask(cookie), look)).made).toBe("ada");
    advance(86_400);
    expect((await handleRequest(auth, ask(cookie), look)).made).toBeUndefined();
  });
});

describe("the headers of the response", () => {
  test("a handler that did not ask for the session leaves the response as it is", async () => {
    const { auth, cookie } = await signedInApp();
    const { response } = await handleRequest(auth, ask(cookie), () => null);
    expect([...response.headers.keys()]).toEqual(["content-type"]);
  });

  test("a handler that asked for the session is not cached, also where nobody is signed in", async () => {
    const { auth } = await signedInApp();
    const { response } = await handleRequest(auth, ask(""), look);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("vary")).toBe("Cookie");
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("a session is renewed once renewAfter has passed since its last use", async () => {
    const { auth, cookie, advance } = await signedInApp({ session: { renewAfter: 600 } });
    advance(599);
    const before = await handleRequest(auth, ask(cookie), look);
    expect(before.response.headers.getSetCookie()).toEqual([]);
    advance(1);
    const after = await handleRequest(auth, ask(cookie), look);
    expect(namesIn(after.response.headers.getSetCookie()).set).toEqual(["appSession"]);
  });

  test("a cookie whose session has ended is cleared", async () => {
    const { auth } = await signedInApp();
    const { response } = await handleRequest(auth, ask("appSession=x"), ({ ended }) => ended);
    expect(namesIn(response.headers.getSetCookie()).cleared).toEqual(["appSession"]);
  });

  test("a cookie that was changed but names our key is cleared", async () => {
    const { auth, cookie } = await signedInApp();
    const { made, response } = await handleRequest(
      auth,
      ask(`${cookie.slice(0, -4)}AAAA`),
      ({ ended }) => ended,
    );
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
    const { made, response } = await handleRequest(auth, ask(cookie), ({ user, ended }) => ({
      user,
      ended,
    }));
    expect(made).toEqual({ user: null, ended: undefined });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("a renewal that the store refuses does not spoil the response", async () => {
    const store = failingStore(memoryStore());
    const { auth, cookie } = await signedInApp({ store, ...stateful });
    const { response } = await handleRequest(auth, ask(cookie), (here) => {
      store.fail(true);
      return here.user;
    });
    store.fail(false);
    expect([response.status, response.headers.getSetCookie().length]).toEqual([200, 1]);
    expect((await handleRequest(auth, ask(cookie), look)).made).toBe("ada");
  });

  test("the response that an app made cacheable is private when the handler asked for the session", async () => {
    const { auth, cookie } = await signedInApp();
    const response = await auth.respond(ask(cookie), (request) => {
      expect(auth.of(request).user?.sub).toBe("ada");
      return new Response("page", {
        headers: [
          ["Cache-Control", "public, max-age=3600"],
          ["CDN-Cache-Control", "max-age=3600"],
          ["Vary", "Accept"],
          ["Set-Cookie", "own=1"],
        ],
      });
    });
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.has("cdn-cache-control")).toBe(false);
    expect(response.headers.get("vary")).toBe("Accept, Cookie");
    expect(namesIn(response.headers.getSetCookie()).set).toEqual(["own", "appSession"]);
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
    const { made: here } = await handleRequest(auth, ask(cookie), (each) => (each.user, each));
    if (here === undefined) throw new Error("the handler was not reached");
    await expect(change(here)).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
    const next = await handleRequest(auth, ask(cookie), (each) => each.session);
    expect(next.made).toMatchObject(session);
    expect(next.made).not.toHaveProperty("late");
  });

  test("an update that was begun before throws when it ends after", async () => {
    const { auth, cookie } = await signedInApp();
    let updating: Promise<unknown> = Promise.resolve();
    await handleRequest(auth, ask(cookie), (here) => {
      updating = here.update((data) => ({ ...data, late: true }));
      updating.catch(() => undefined);
    });
    await expect(updating).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
  });

  test("a refresh throws before it spends the refresh token", async () => {
    let calls = 0;
    const { auth, options } = await signedInApp({
      fetch: () => ((calls += 1), Promise.reject(new Error("nobody"))),
    });
    const tokens = { refreshToken: "rt", accessTokenExpiresAt: 0 };
    const cookie = await signedInCookies({ options, session: { ...session, ...tokens } });
    const { made: here } = await handleRequest(auth, ask(cookie), (each) => each);
    await expect(here?.accessToken()).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
    expect(calls).toBe(0);
  });

  test("the session can still be read", async () => {
    const { auth, cookie } = await signedInApp();
    const { made: here } = await handleRequest(auth, ask(cookie), (each) => each);
    expect(here?.user?.sub).toBe("ada");
  });
});
