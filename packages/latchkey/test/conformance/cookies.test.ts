import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { deriveKeyRing, sealText } from "../../src/crypto/key-ring.ts";
import { createAuth, type Options } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { jarAfter, namesIn } from "../cookie-jar.ts";
import { jarOf, signIn } from "./attempt.ts";
import { casesOf, signInUnder, titled } from "./behaviour-cases.ts";
import { type HostileWorld, startHostileWorld } from "./hostile-world.ts";
import { expectAnonymous, expectRefused, expectSignedIn, profileOf } from "./oracles.ts";
import { createQuickApp, type Jar, type QuickApp } from "./quick-app.ts";
import { logsStayQuiet } from "./quiet-logs.ts";

let world: HostileWorld;
beforeAll(async () => {
  world = await startHostileWorld();
});
afterAll(() => world.close());

/** Signs in with so many characters of claims. */
async function signInWith(app: QuickApp, size: number): Promise<Response> {
  const begun = await app.begin();
  app.provider.answers.token = (good) =>
    Response.json({
      ...good,
      id_token: app.provider.sign({
        ...app.provider.goodClaims(begun.nonce),
        "urn:example:padding": "x".repeat(size),
      }),
    });
  return app.finish(begun);
}

describe("every cookie of ours", () => {
  test("is HttpOnly, Secure over https, for the host alone, with the path / and SameSite [STD-092, STD-093]", async () => {
    const app = createQuickApp({ baseURL: "https://app.example" });
    const begun = await app.ask("/api/auth/login");
    const signedIn = await app.finish(await app.begin());
    const jar = jarAfter(signedIn.headers.getSetCookie());
    const signedOut = await app.ask("/api/auth/logout", { jar });
    const lines = [begun, signedIn, signedOut].flatMap(({ headers }) => headers.getSetCookie());
    expect(lines.length).toBeGreaterThanOrEqual(5);
    for (const line of lines) {
      expect(line).toMatch(/; HttpOnly(?:;|$)/);
      expect(line).toMatch(/; Secure(?:;|$)/);
      expect(line).toMatch(/; SameSite=Lax(?:;|$)/);
      expect(line).toMatch(/; Path=\/(?:;|$)/);
      expect(line).not.toMatch(/; Domain=/i);
    }
  });

  test("is sealed where it holds tokens: nothing of the person can be read in it [STD-093]", async () => {
    const jar = await createQuickApp().signIn();
    const parts = (jar["appSession"] ?? "").split(".");
    const readable = parts.map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect(JSON.parse(readable[0] ?? "")).toMatchObject({ alg: "dir", enc: "A256GCM" });
    expect(readable.join("\n")).not.toMatch(/quick-person|Quick Person|quick-session/);
  });

  test("stays within 4,096 bytes, attributes and all, whatever the size of the session [STD-140, REL-P10]", async () => {
    const app = createQuickApp({ session: { storeIDToken: false } });
    let mostChunks = 0;
    for (let size = 1; size < 7200; size += 37) {
      const lines = (await signInWith(app, size)).headers.getSetCookie();
      const session = lines.filter((line) => line.startsWith("appSession"));
      mostChunks = Math.max(mostChunks, session.length);
      for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4096);
      const jar = jarAfter(lines);
      expect(Object.keys(jar).length).toBeGreaterThanOrEqual(session.length);
      const me = await app.ask("/api/auth/me", { jar });
      expect([size, me.status]).toEqual([size, 200]);
    }
    expect(mostChunks).toBe(3);
  });

  test("together they never exceed the documented cap: sign-in says so instead [STD-141]", async () => {
    const app = createQuickApp();
    const answer = await signInWith(app, 12_000);
    expect(answer.status).toBe(400);
    expect(namesIn(answer.headers.getSetCookie())).toEqual({
      set: [],
      cleared: ["auth_verification"],
    });
    expect(app.events.at(-1)).toMatchObject({ event: "refusal", reason: "session_too_large" });
    expect(app.events.at(-1)).toHaveProperty(
      "detail",
      expect.stringContaining("urn:example:padding"),
    );
  });
});

describe("claims beyond what cookies hold are refused with a page, when the provider", () => {
  test.each(titled(casesOf((name) => name.startsWith("STD-141"), ["code"])))(
    "%s",
    async (_, each) => {
      const attempt = await signInUnder(world, each);
      expectRefused(world, attempt, { reason: "session_too_large", noCallTo: [] });
      await expectAnonymous(world, attempt.browser);
    },
  );
});

describe("clearing", () => {
  const cookie = { path: "/shop", domain: "app.example" };
  const leftovers = Object.fromEntries(
    ["appSession", ...Array.from({ length: 13 }, (_, index) => `appSession.${index}`)].map(
      (name) => [name, "left-over"],
    ),
  );

  test("takes every chunk, also those beyond nine, with the attributes of setting [STD-142, ATK-011]", async () => {
    const app = createQuickApp({ baseURL: "https://app.example/shop", session: { cookie } });
    const me = await app.ask("/shop/api/auth/me", { jar: leftovers });
    expect(me.status).toBe(204);
    const { set, cleared } = namesIn(me.headers.getSetCookie());
    expect(set).toEqual([]);
    expect(cleared.toSorted()).toEqual(Object.keys(leftovers).toSorted());
    for (const line of me.headers.getSetCookie()) {
      expect(line).toMatch(/; Path=\/shop;/);
      expect(line).toMatch(/; Domain=app\.example;/);
      expect(line).toMatch(/; Secure; SameSite=Lax$/);
    }
  });

  test("is part of the very answer that finds a dead session: pages, APIs and errors [ATK-044, ATK-011]", async () => {
    const app = createQuickApp();
    for (const path of ["/private", "/api/things"]) {
      const headers = { cookie: "appSession=dead" };
      const guarded = await app.auth.guard(new Request(app.baseURL + path, { headers }));
      const lines = guarded.passed ? [] : guarded.response.headers.getSetCookie();
      expect(namesIn(lines)).toEqual({ set: [], cleared: ["appSession"] });
    }
  });
});

describe("left-overs in the cookies of a browser", () => {
  let app: QuickApp;
  let large: Jar;
  let small: Jar;
  beforeAll(async () => {
    app = createQuickApp({ session: { storeIDToken: false } });
    large = jarAfter((await signInWith(app, 5000)).headers.getSetCookie());
    small = jarAfter((await signInWith(app, 1)).headers.getSetCookie());
  });

  const isSignedIn = async (jar: Jar) => (await app.ask("/api/auth/me", { jar })).status === 200;

  test("a gap in the chunks, or chunks in another order, are nobody's [STD-143, ATK-108]", async () => {
    const { "appSession.0": first = "", "appSession.1": second = "" } = large;
    expect([first.length > 0, second.length > 0]).toEqual([true, true]);
    expect(await isSignedIn({ "appSession.0": first, "appSession.1": second })).toBe(true);
    expect(await isSignedIn({ "appSession.0": first })).toBe(false);
    expect(await isSignedIn({ "appSession.1": second })).toBe(false);
    expect(await isSignedIn({ "appSession.0": second, "appSession.1": first })).toBe(false);
    expect(await isSignedIn({ "appSession.0": first, "appSession.2": second })).toBe(false);
  });

  test("chunks of two sessions never make a third [STD-143, ATK-108]", async () => {
    const other = jarAfter((await signInWith(app, 5000)).headers.getSetCookie());
    const mixed = {
      "appSession.0": large["appSession.0"] ?? "",
      "appSession.1": other["appSession.1"] ?? "",
    };
    expect(await isSignedIn(mixed)).toBe(false);
  });

  test("a plain cookie beside chunks: one of the two, never a mixture [STD-143]", async () => {
    const both = { ...large, appSession: small["appSession"] ?? "" };
    const me = await app.ask("/api/auth/me", { jar: both });
    expect(me.status).toBe(200);
    const { set, cleared } = namesIn(me.headers.getSetCookie());
    expect(set.some((name) => name === "appSession") && set.includes("appSession.0")).toBe(false);
    expect([...set, ...cleared]).toContain("appSession");
    expect(await isSignedIn({ ...large, appSession: "garbage" })).toBe(true);
    expect(await isSignedIn({ ...small, "appSession.0": "garbage" })).toBe(true);
  });

  test("a cookie of the same name from a parent domain: the valid one, or none [STD-143]", async () => {
    const ask = (cookie: string) => app.ask("/api/auth/me", { headers: { cookie } });
    const own = `appSession=${small["appSession"]}`;
    expect([200, 204]).toContain((await ask(`appSession=tossed; ${own}`)).status);
    expect((await ask(`${own}; appSession=tossed`)).status).toBe(200);
  });
});

describe("whoever sends these is signed out, and nothing breaks", () => {
  const names = [
    "expired",
    "garbled",
    "of another secret",
    "of another client",
    "of another issuer",
    "of an unknown version",
    "empty",
    "percent",
    "too long",
  ] as const;

  async function cookieFor(name: (typeof names)[number]): Promise<string> {
    const signedInAt = async (options: Partial<Options>) =>
      (await createQuickApp(options).signIn())["appSession"] ?? "";
    switch (name) {
      case "expired":
        return signedInAt({ clock: () => Date.now() - 86_401_000 });
      case "garbled":
        return `${(await signedInAt({})).slice(0, -8)}AAAAAAAA`;
      case "of another secret":
        return signedInAt({ secret: "another-secret-0123456789abcdefghij" });
      case "of another client":
        return foreign({ client: "another-client" });
      case "of another issuer":
        return foreign({ issuer: "https://other.example" });
      case "of an unknown version":
        return foreign({ uat: "now" });
      case "empty":
        return "";
      case "percent":
        return "%E0%A4%A";
      case "too long":
        return "x".repeat(15_000);
    }
  }

  /** Sealed by us, with other members in the header. */
  async function foreign(header: Readonly<Record<string, unknown>>): Promise<string> {
    const ring = deriveKeyRing(["a-secret-of-the-quick-app-0123456789abcdef"], "session");
    const now = Math.floor(Date.now() / 1000);
    const good = { uat: now, iat: now, exp: now + 600, id: "x", started: now * 1000 };
    return sealText(ring, { ...good, ...header }, JSON.stringify({ user: { sub: "x" } }));
  }

  test.each(names)("a session cookie %s [ATK-003, ATK-004, ATK-118, ASVS-7.2.1]", async (name) => {
    const app = createQuickApp({ store: memoryStore() });
    const headers = { cookie: `appSession=${await cookieFor(name)}` };
    const me = await app.ask("/api/auth/me", { headers });
    const peek = await app.ask("/_auth/session.json", { headers });
    const api = await app.auth.guard(new Request(`${app.baseURL}/api/x`, { headers }));
    const page = await app.auth.guard(new Request(`${app.baseURL}/x`, { headers }));
    expect([me.status, peek.status]).toEqual([204, 200]);
    expect(await peek.text()).not.toContain("signed-in");
    expect([api, page].map((each) => (each.passed ? 200 : each.response.status))).toEqual([
      401, 302,
    ]);
  });

  test("all of these are answered alike, so that no answer tells why [ASVS-11.2.5, ATK-114]", async () => {
    const app = createQuickApp();
    const answers = new Set<string>();
    for (const name of names.filter((each) => each !== "expired" && each !== "empty")) {
      const headers = { cookie: `appSession=${await cookieFor(name)}` };
      const me = await app.ask("/api/auth/me", { headers });
      answers.add(JSON.stringify([me.status, [...me.headers], await me.text()]));
    }
    expect(answers.size).toBe(1);
  });

  test("a session that has ended, also where the browser keeps its cookie: rolling and absolute, in cookie and store [ATK-003, ATK-034]", async () => {
    for (const stateful of [false, true]) {
      let now = 1_900_000_000_000;
      const clock = () => now;
      const app = createQuickApp({ clock, store: memoryStore(clock), session: { stateful } });
      const jar = await app.signIn();
      now += 86_399_000;
      const renewed = jarAfter(
        (await app.ask("/api/auth/me", { jar })).headers.getSetCookie(),
        jar,
      );
      now += 1000;
      // In a store the session itself was renewed: its cookie names it, whatever the browser was told since.
      const expected = stateful ? 200 : 204;
      expect((await app.ask("/api/auth/me", { jar })).status).toBe(expected);
      for (let day = 1; day < 7; day += 1) {
        expect((await app.ask("/api/auth/me", { jar: renewed })).status).toBe(200);
        Object.assign(
          renewed,
          jarAfter(
            (await app.ask("/api/auth/me", { jar: renewed })).headers.getSetCookie(),
            renewed,
          ),
        );
        now += 86_399_000;
      }
      now += 10_000;
      expect((await app.ask("/api/auth/me", { jar: renewed })).status).toBe(204);
    }
  });
});

describe("no thing of ours can be used as another", () => {
  test("pending login, ID token, state, turns and logout state as a session [ATK-020, STD-086]", async () => {
    world.setUp();
    const { browser, login } = await signIn(world);
    const session = await jarOf(browser, world);
    const { searchParams } = new URL(login.location);
    const pending = await jarOf((await beginOnly()).browser, world);
    const things = [
      pending["auth_verification"],
      world.provider.mintIDToken(),
      world.provider.mintLogoutToken(),
      searchParams.get("state"),
      session["auth_turns"],
    ];
    for (const thing of things) {
      expect(thing).toBeTruthy();
      await expectAnonymous(world, `appSession=${thing}`, { clears: true });
      await expectAnonymous(world, `appSession.0=${thing}`, { clears: true });
    }
  });

  test("a session as a pending login [ATK-020]", async () => {
    world.setUp();
    const { browser, returned } = await signIn(world);
    const cookie = (await browser.cookies()).replace("appSession", "auth_verification");
    const answer = await world.browser().request(returned?.url ?? "", { headers: { cookie } });
    expect(answer.status).toBe(400);
    expect(world.events.at(-1)).toMatchObject({ reason: "state_cookie_malformed" });
  });

  test("a session cookie as an ID token [STD-086, ATK-020]", async () => {
    world.setUp();
    const session = (await jarOf((await signIn(world)).browser, world))["appSession"] ?? "";
    world.setUp({ conduct: { tokenResponse: (own) => ({ ...own, id_token: session }) } });
    expectRefused(world, await signIn(world), { reason: "id_token_malformed" });
  });

  async function beginOnly() {
    const browser = world.browser();
    await browser.request("/api/auth/login");
    return { browser };
  }
});

describe("secrets", () => {
  test("change without signing anybody out, and end what was forged with a lost one [ATK-024, ATK-118, ASVS-11.2.2]", async () => {
    const [old, fresh] = [
      "the-old-secret-0123456789abcdefghijkl",
      "the-new-secret-0123456789abcdefghijkl",
    ];
    const jar = await createQuickApp({ secret: old }).signIn();
    const status = async (secret: string | string[]) =>
      (await createQuickApp({ secret }).ask("/api/auth/me", { jar })).status;
    expect(await status([fresh, old])).toBe(200);
    expect(await status(fresh)).toBe(204);
  });

  test("that are short are allowed, and said; without a store it is said what logout cannot do [ATK-036, STD-083]", () => {
    const app = createQuickApp({ secret: "8 letters" });
    expect(app.events.map((event) => ("message" in event ? event.message : ""))).toEqual([
      expect.stringContaining("shorter than 32 bytes"),
      expect.stringContaining("no store"),
    ]);
    expect(() => createAuth({ ...app.options, secret: "7 lette" })).toThrow(
      /at least 8 characters/,
    );
  });
});

test("names of cookies are checked at start-up [ATK-073]", () => {
  const app = createQuickApp();
  for (const name of ["a b", "a;b", "a=b", "a\r\nb", "ä", ""]) {
    expect(() => createAuth({ ...app.options, session: { name } })).toThrow(/SESSION_NAME/);
    expect(() => createAuth({ ...app.options, transactionCookie: { name } })).toThrow(
      /COOKIE_NAME/,
    );
  }
});

test("control characters and letters of all kinds in claims break no header and no cookie [STD-147]", async () => {
  const strange = "a\r\nSet-Cookie: x=y\0\u2028\u2029é日本\ud83d\ude00\u202e";
  world.setUp({
    conduct: { idToken: { claims: (own) => ({ ...own, name: strange, nickname: strange }) } },
    options: { userinfo: "never" },
  });
  const attempt = await signIn(world);
  await expectSignedIn(world, attempt);
  expect(await profileOf(attempt.browser)).toMatchObject({ name: strange });
  expect(Object.keys(await jarOf(attempt.browser, world))).not.toContain("x");
});

logsStayQuiet(() => world);
