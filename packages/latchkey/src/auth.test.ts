import { describe, expect, test } from "vitest";

import { jarAfter } from "../test/cookie-jar.ts";
import { failingStore } from "../test/failing-store.ts";
import { goodSettings } from "../test/settings.ts";
import { type Auth, createAuth, type Options } from "./auth.ts";
import type { LogEvent } from "./config/log-event.ts";
import { createContext } from "./create-context.ts";
import { ConfigError } from "./errors/config-error.ts";
import type { HeaderList } from "./http/headers.ts";
import { memoryStore } from "./stores/memory.ts";
import type { Store } from "./stores/store.ts";
import { signedInCookies } from "./testing/index.ts";

const own = "https://app.example";
const session = { user: { sub: "ada", name: "Ada" }, accessToken: "at" };

/** An app with a clock of its own, and a person who is signed in to it. */
async function world(options: Partial<Options> = {}) {
  let now = 1_800_000_000_000;
  const clock = () => now;
  const all: Options = { ...goodSettings, clock, ...options };
  const auth = createAuth(all);
  const cookie = await signedInCookies({ options: all, session });
  return { auth, cookie, all, advance: (seconds: number) => void (now += seconds * 1000) };
}

function ask(cookie: string, path = "/private"): Request {
  return new Request(own + path, { headers: { cookie } });
}

function setCookiesOf(headers: HeaderList): readonly string[] {
  return headers.filter(([name]) => name === "Set-Cookie").map(([, value]) => value);
}

/** The `Cookie` header of the next request. */
function cookieAfter(headers: HeaderList): string {
  return Object.entries(jarAfter(setCookiesOf(headers)))
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
}

describe("createAuth", () => {
  test("reports every fault at once, and nothing works half", () => {
    const make = () => createAuth({ secret: "short" } as Options);
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(/5 settings need attention/);
  });

  test("calls nobody and warns once", async () => {
    const events: LogEvent[] = [];
    let calls = 0;
    const { auth, cookie } = await world({
      secret: "12345678",
      fetch: () => ((calls += 1), Promise.reject(new Error("nobody"))),
      log: (event) => events.push(event),
    });
    await auth.visit(ask(cookie));
    await auth.guard(ask(cookie));
    expect(calls).toBe(0);
    const warned = events.filter(({ event }) => event === "warning").length;
    createAuth({ ...goodSettings, secret: "12345678" });
    expect(events.filter(({ event }) => event === "warning")).toHaveLength(warned);
  });

  test.each(["/", "/private", "/apix", "/api/orders", "/_auth/signed-out", "/_auth/session.jsonx"])(
    "leaves %s to the app",
    async (path) => {
      const { auth } = await world();
      expect(await auth.handle(new Request(own + path))).toBeUndefined();
    },
  );

  test("makes 100,000 random texts of 128 bits without one repeated [ASVS 7.2.3]", async () => {
    const { auth } = await world();
    const { randomText } = createContext(auth.config, {});
    const texts = new Set(Array.from({ length: 100_000 }, () => randomText(16)));
    expect(texts.size).toBe(100_000);
    for (const text of [...texts].slice(0, 100)) expect(text).toMatch(/^[\w-]{22}$/);
  });
});

describe("a visit", () => {
  test("tells the session, its times, and what the answer must carry", async () => {
    const { auth, cookie } = await world();
    const visit = await auth.visit(ask(cookie));
    expect(visit.session).toMatchObject({ ...session, times: { createdAt: 1_800_000_000 } });
    expect(visit.headers.slice(0, 2)).toEqual([
      ["Cache-Control", "private, no-store"],
      ["Vary", "Cookie"],
    ]);
    expect(setCookiesOf(visit.headers)).toHaveLength(1);
  });

  test("is made once per request, however often and by whom it is asked", async () => {
    let reads = 0;
    const store = memoryStore();
    const counting: Store = { ...store, get: (keys) => ((reads += 1), store.get(keys)) };
    const { auth, cookie } = await world({ store: counting });
    const request = ask(cookie);
    reads = 0;
    const [one, other] = await Promise.all([auth.visit(request), auth.visit(request)]);
    await auth.guard(request);
    expect(other).toBe(one);
    expect(await auth.visit(request)).toBe(one);
    expect(reads).toBe(1);
  });

  test("is made anew for the next request", async () => {
    const { auth, cookie } = await world();
    const one = await auth.visit(ask(cookie));
    const other = await auth.visit(ask(cookie));
    expect(setCookiesOf(other.headers)).not.toEqual(setCookiesOf(one.headers));
  });

  test("is known to have been made", async () => {
    const { auth, cookie } = await world();
    const request = ask(cookie);
    expect(auth.hasVisited(request)).toBe(false);
    await auth.visit(request);
    expect(auth.hasVisited(request)).toBe(true);
  });

  test("says why there is no session", async () => {
    const { auth, cookie, advance } = await world();
    expect(await auth.visit(ask(""))).toMatchObject({ session: null });
    expect(await auth.visit(ask(""))).not.toHaveProperty("ended");
    expect((await auth.visit(ask("appSession=x"))).ended).toBe("unreadable");
    advance(86_400);
    expect((await auth.visit(ask(cookie))).ended).toBe("idle");
  });

  test("fails, and signs nobody out, while the store is down [REL-R02]", async () => {
    const store = failingStore(memoryStore());
    const { auth, cookie } = await world({ store });
    store.fail(true);
    await expect(async () => auth.visit(ask(cookie))).rejects.toMatchObject({
      reason: "store_unavailable",
    });
    const guarded = await auth.guard(ask(cookie));
    expect(guarded.passed ? 0 : guarded.response.status).toBe(503);
    store.fail(false);
    expect((await auth.visit(ask(cookie))).session?.user.sub).toBe("ada");
  });
});

describe("a peek", () => {
  test("tells the same without being a visit", async () => {
    const { auth, cookie, advance } = await world();
    const request = ask(cookie);
    expect(await auth.peek(request)).toMatchObject({ state: "signed-in", sub: "ada" });
    expect(auth.hasVisited(request)).toBe(false);
    expect(await auth.peek(ask(""))).toMatchObject({ state: "signed-out" });
    advance(86_400);
    expect(await auth.peek(request)).toMatchObject({ state: "ended", reason: "idle" });
  });
});

describe("update and touch", () => {
  test("keep other data from then on, with the session's age", async () => {
    const { auth, cookie, advance } = await world();
    advance(100);
    const request = ask(cookie);
    const visit = await auth.of(request).update((data) => ({ ...data, theme: "dark" }));
    expect(visit?.session).toMatchObject({ theme: "dark", times: { createdAt: 1_800_000_000 } });
    expect(auth.of(request).session).toHaveProperty("theme", "dark");
    const next = await auth.visit(ask(cookieAfter(visit?.headers ?? [])));
    expect(next.session).toMatchObject({ ...session, theme: "dark" });
    expect(next.session?.times.createdAt).toBe(1_800_000_000);
  });

  test("store no names that other readers of the cookie would act on", async () => {
    const { auth, cookie } = await world();
    const visit = await auth.update(ask(cookie), (data) => ({
      ...data,
      exp: 1,
      nbf: 9e9,
      iat: 1,
      iss: "x",
      aud: "x",
      times: { forged: true },
    }));
    const next = await auth.visit(ask(cookieAfter(visit?.headers ?? [])));
    expect(Object.keys(next.session ?? {}).toSorted()).toEqual(["accessToken", "times", "user"]);
    expect(next.session?.times).not.toHaveProperty("forged");
  });

  test("refuse what would be no session any more", async () => {
    const { auth, cookie } = await world();
    const withoutUser = () => ({ theme: "dark" }) as unknown as typeof session;
    await expect(auth.update(ask(cookie), withoutUser)).rejects.toThrow(
      "A session needs a user with a sub.",
    );
  });

  test("refuse what no browser would bring back, and leave the session as it was", async () => {
    const { auth, cookie } = await world();
    const request = ask(cookie);
    const notes = "n".repeat(20_000);
    await expect(auth.of(request).update((data) => ({ ...data, notes }))).rejects.toMatchObject({
      reason: "session_too_large",
      detail: expect.stringContaining("notes 20002"),
    });
    const after = await auth.visit(request);
    expect(after.session).not.toHaveProperty("notes");
    const next = await auth.visit(ask(cookieAfter(after.headers)));
    expect(next.session).toMatchObject(session);
  });

  test("touch renews, also when no renewal is due", async () => {
    const { auth, cookie, advance } = await world({ session: { renewAfter: 3600 } });
    advance(60);
    const request = ask(cookie);
    expect(setCookiesOf((await auth.visit(request)).headers)).toEqual([]);
    const touched = await auth.of(request).touch();
    expect(touched?.session?.times.updatedAt).toBe(1_800_000_060);
    expect(setCookiesOf(touched?.headers ?? [])).toHaveLength(1);
  });

  test("are nothing without a session", async () => {
    const { auth } = await world();
    expect(await auth.update(ask(""), (data) => data)).toBeNull();
    expect(await auth.touch(ask("appSession=x"))).toBeNull();
  });

  test("revive nothing that was ended meanwhile [ATK-009]", async () => {
    const { auth, cookie } = await world({ store: memoryStore(), session: { stateful: true } });
    const request = ask(cookie);
    await auth.visit(request);
    await auth.handle(ask(cookie, "/api/auth/logout"));
    expect(await auth.of(request).touch()).toBeNull();
    expect((await auth.visit(ask(cookie))).session).toBeNull();
  });
});

describe("several secrets", () => {
  const [old, fresh] = ["the-old-secret-0123456789abcdef-0", "the-new-secret-0123456789abcdef-0"];
  const withSecret = (secret: string | string[]) => world({ secret, store: memoryStore() });

  test("a session sealed with an old one goes on, and is sealed with the new one", async () => {
    const { cookie } = await withSecret(old);
    const both = await withSecret([fresh, old]);
    const visit = await both.auth.visit(ask(cookie));
    expect(visit.session?.user.sub).toBe("ada");
    const renewed = cookieAfter(visit.headers);
    const later = await withSecret(fresh);
    expect((await later.auth.visit(ask(renewed))).session?.user.sub).toBe("ada");
    expect((await later.auth.visit(ask(cookie))).ended).toBe("unreadable");
  });

  test("taking a secret away ends every session that was forged with it [ATK-024]", async () => {
    const { cookie } = await withSecret(old);
    const later = await withSecret(fresh);
    expect((await later.auth.visit(ask(cookie))).session).toBeNull();
  });
});

describe("without a store", () => {
  test("a copied cookie lives on after logout, and that was said at start-up", async () => {
    const events: LogEvent[] = [];
    const { auth, cookie } = await world({ idpLogout: false, log: (event) => events.push(event) });
    const answer = await auth.handle(ask(cookie, "/api/auth/logout"));
    expect(answer?.headers.getSetCookie()).toHaveLength(1);
    expect((await auth.visit(ask(cookie))).session?.user.sub).toBe("ada");
    expect(events.find(({ event }) => event === "warning")).toMatchObject({
      message: expect.stringContaining("stays good until it expires") as string,
    });
  });
});

describe("cookies of one kind in the place of another [ATK-020]", () => {
  test("sign nobody in", async () => {
    const { auth, cookie } = await world({ store: memoryStore() });
    const value = cookie.slice("appSession=".length);
    const provider = { authorization_endpoint: `${goodSettings.issuerBaseURL}/authorize` };
    const other = await pendingLoginOf(auth, provider);
    expect((await auth.visit(ask(`appSession=${other}`))).session).toBeNull();
    const callback = await auth.handle(
      ask(`auth_verification=${value}`, "/api/auth/callback?code=c&state=s"),
    );
    expect(callback?.status).toBe(400);
    expect(callback?.headers.getSetCookie().join()).not.toContain("appSession=ey");
  });
});

/** The value of a pending-login cookie of this app. */
async function pendingLoginOf(auth: Auth, endpoints: Record<string, string>): Promise<string> {
  const { config } = auth;
  const metadata = {
    issuer: config.issuerBaseURL,
    token_endpoint: `${config.issuerBaseURL}/token`,
    jwks_uri: `${config.issuerBaseURL}/keys`,
    ...endpoints,
  };
  const same = createAuth({
    ...goodSettings,
    fetch: () => Promise.resolve(Response.json(metadata)),
  });
  const answer = await same.handle(new Request(`${own}/api/auth/login`));
  return jarAfter(answer?.headers.getSetCookie() ?? [])["auth_verification"] ?? "";
}
