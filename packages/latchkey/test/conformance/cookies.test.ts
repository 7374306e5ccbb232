import { describe, expect, test } from "vitest";

import { sealText } from "../../src/crypto/jwe.ts";
import { deriveKeyRing } from "../../src/crypto/key-ring.ts";
import type { Options } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { type Jar, jarAfter, namesIn, jarOf } from "../browser/cookie-jar.ts";
import { signIn } from "./world/attempt.ts";
import { casesOf, signInUnder, titled } from "./world/behaviour-cases.ts";
import { startHostileWorld } from "./world/hostile-world.ts";
import { expectAnonymous, expectRefused, expectSignedIn, profileOf } from "./world/oracles.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

describe("every cookie that sign-in sets", () => {
  test("is HttpOnly, Secure over https, for the host alone, with the path / and SameSite=Lax (RFC 6265bis, 4.1.2) [STD-092, STD-093]", async () => {
    const app = createQuickApp({ baseURL: "https://app.example" });
    const begun = await app.ask("/api/auth/login");
    const signedIn = await app.finish(await app.begin());
    const jar = jarAfter(signedIn.headers.getSetCookie());
    const signedOut = await app.ask("/api/auth/logout", { jar });
    const lines = [begun, signedIn, signedOut].flatMap(({ headers }) => headers.getSetCookie());
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) {
      expect(line).toMatch(/; HttpOnly(?:;|$)/);
      expect(line).toMatch(/; Secure(?:;|$)/);
      expect(line).toMatch(/; SameSite=Lax(?:;|$)/);
      expect(line).toMatch(/; Path=\/(?:;|$)/);
      expect(line).not.toMatch(/; Domain=/i);
    }
  });

  test("shows nothing of the user where it holds a session [STD-093]", async () => {
    const jar = await createQuickApp().signIn();
    const parts = (jar["appSession"] ?? "").split(".");
    const readable = parts.map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect(JSON.parse(readable[0] ?? "")).toMatchObject({ alg: "dir", enc: "A256GCM" });
    expect(readable.join("\n")).not.toMatch(/quick-person|Quick Person|quick-session/);
  });
});

const tooLarge = titled(casesOf((name) => name.startsWith("STD-141"), ["code"]));

describe("without a store, a session too large for cookies is refused, its largest parts named, when the provider", () => {
  test.each(tooLarge)("%s", async (_, each) => {
    const options = { store: undefined, backchannelLogout: false };
    const attempt = await signInUnder(world, each, options);
    const event = expectRefused(world, attempt, { reason: "session_too_large", noCallTo: [] });
    expect(event.detail).toMatch(/largest parts: \S+ \d+/);
    await expectAnonymous(world, attempt.browser);
  });
});

describe("with a store, a session too large for cookies is kept there when the provider", () => {
  test.each(tooLarge)("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    await expectSignedIn(world, attempt);
    expect(jarOf(await attempt.browser.cookies())["appSession"]).toMatch(/^[\w.-]{43,100}$/);
  });
});

test("the response that refuses an unreadable session clears its cookie, with the attributes of setting [ATK-044, ATK-011]", async () => {
  const cookie = { path: "/shop", domain: "app.example" };
  const app = createQuickApp({ baseURL: "https://app.example/shop", session: { cookie } });
  for (const path of ["/shop/private", "/shop/api/things", "/shop/api/auth/me"]) {
    const answer = await app.open(path, { headers: { cookie: "appSession=unreadable" } });
    const [line = "", ...more] = answer.headers.getSetCookie();
    expect(namesIn([line, ...more])).toEqual({ set: [], cleared: ["appSession"] });
    expect(line).toMatch(/; Domain=app\.example; Path=\/shop; .*; Secure; SameSite=Lax$/);
  }
});

describe("the app treats a browser as signed out whose session cookie is", () => {
  const signedInAt = async (options: Partial<Options>) =>
    (await createQuickApp(options).signIn())["appSession"] ?? "";

  const cookies = {
    expired: () => signedInAt({ clock: () => Date.now() - 86_401_000 }),
    garbled: async () => `${(await signedInAt({})).slice(0, -8)}AAAAAAAA`,
    "of another secret": () => signedInAt({ secret: "another-secret-0123456789abcdefghij" }),
    "of another client": () => foreign({ client: "another-client" }),
    "of another issuer": () => foreign({ issuer: "https://other.example" }),
    "of an unknown version": () => foreign({ uat: "now" }),
    empty: () => "",
    "a broken escape": () => "%E0%A4%A",
    "too long": () => "x".repeat(15_000),
  };

  /** Sealed with our key, with other members in the header. */
  function foreign(header: Readonly<Record<string, unknown>>): string {
    const ring = deriveKeyRing(["a-secret-of-the-quick-app-0123456789abcdef"], "session");
    const now = Math.floor(Date.now() / 1000);
    const good = { uat: now, iat: now, exp: now + 600, id: "x", started: now * 1000 };
    return sealText(ring, { ...good, ...header }, JSON.stringify({ user: { sub: "x" } }));
  }

  test.each(Object.entries(cookies))(
    "%s [ATK-003, ATK-004, ATK-118, ASVS-7.2.1]",
    async (_, made) => {
      const app = createQuickApp({ store: memoryStore() });
      const headers = { cookie: `appSession=${await made()}` };
      const me = await app.ask("/api/auth/me", { headers });
      const peek = await app.ask("/_auth/session.json", { headers });
      const api = await app.open("/api/x", { headers });
      const page = await app.open("/x", { headers });
      expect([me.status, peek.status]).toEqual([204, 200]);
      expect(await peek.text()).not.toContain("signed-in");
      expect([api.status, page.status]).toEqual([401, 302]);
    },
  );

  const unreadable = ["garbled", "of an unknown version", "a broken escape", "too long"] as const;

  test.each([
    ["unreadable", unreadable, ["appSession"]],
    ["foreign", ["of another secret", "of another client", "of another issuer"], []],
  ] as const)(
    "%s, and the response is the same whatever makes it so [ASVS-11.2.5, ATK-114]",
    async (_, kinds, cleared) => {
      const app = createQuickApp();
      const answers = new Set<string>();
      for (const name of kinds) {
        const headers = { cookie: `appSession=${await cookies[name]()}` };
        const me = await app.ask("/api/auth/me", { headers });
        answers.add(JSON.stringify([me.status, [...me.headers], await me.text()]));
        expect(namesIn(me.headers.getSetCookie())).toEqual({ set: [], cleared });
      }
      expect(answers.size).toBe(1);
    },
  );

  test("kept by the browser beyond the rolling or the absolute end of its session [ATK-003, ATK-034]", async () => {
    for (const stateful of [false, true]) {
      let now = 1_900_000_000_000;
      const clock = () => now;
      const app = createQuickApp({ clock, store: memoryStore(clock), session: { stateful } });
      const jar = await app.signIn();
      now += 86_399_000;
      const me = async (its: Jar) => {
        const { status, headers } = await app.ask("/api/auth/me", { jar: its });
        return { status, next: jarAfter(headers.getSetCookie(), its) };
      };
      let { next: renewed } = await me(jar);
      now += 1000;
      // In a store the session itself was renewed: its cookie names it, whatever the browser was told since.
      expect((await me(jar)).status).toBe(stateful ? 200 : 204);
      for (let day = 1; day < 7; day += 1) {
        const { status, next } = await me(renewed);
        expect(status).toBe(200);
        renewed = next;
        now += 86_399_000;
      }
      now += 10_000;
      expect((await me(renewed)).status).toBe(204);
    }
  });
});

describe("a text that sign-in has made for one purpose serves no other:", () => {
  test("a transaction, a token, a state or a loop counter is no session (RFC 8725, 3.11) [ATK-020, STD-086]", async () => {
    world.setUp();
    const { browser, login } = await signIn(world);
    const session = jarOf(await browser.cookies());
    const { searchParams } = new URL(login.location);
    const other = world.browser();
    await other.request("/api/auth/login");
    const pending = jarOf(await other.cookies());
    const things = [
      // Other keys have sealed these two: such cookies are left alone.
      { thing: pending["auth_verification"], clears: false },
      { thing: session["auth_loop"], clears: false },
      { thing: world.provider.mintIDToken(), clears: true },
      { thing: world.provider.mintLogoutToken(), clears: true },
      { thing: searchParams.get("state"), clears: true },
    ];
    for (const { thing, clears } of things) {
      expect(thing).toBeTruthy();
      await expectAnonymous(world, `appSession=${thing}`, { clears });
      await expectAnonymous(world, `appSession.0=${thing}`, { clears });
    }
  });

  test("a session cookie is no ID token (RFC 8725, 3.11) [STD-086, ATK-020]", async () => {
    world.setUp();
    const session = jarOf(await (await signIn(world)).browser.cookies())["appSession"] ?? "";
    world.setUp({ conduct: { tokenResponse: (own) => ({ ...own, id_token: session }) } });
    expectRefused(world, await signIn(world), { reason: "id_token_malformed" });
  });
});

describe("a secret", () => {
  test("can be replaced without signing anybody out, and taken away to end every session that it sealed [ATK-024, ATK-118, ASVS-11.2.2]", async () => {
    const [old, fresh] = ["the-old-secret-0123456789abcdefgh", "the-new-secret-0123456789abcdefgh"];
    const jar = await createQuickApp({ secret: old }).signIn();
    const status = async (secret: string | string[]) =>
      (await createQuickApp({ secret }).ask("/api/auth/me", { jar })).status;
    expect(await status([fresh, old])).toBe(200);
    expect(await status(fresh)).toBe(204);
  });
});

test("control characters and any other characters in claims break no header and no cookie [STD-147]", async () => {
  const strange = "a\r\nSet-Cookie: x=y\0\u2028\u2029é日本\ud83d\ude00\u202e";
  world.setUp({
    conduct: { idToken: { claims: (own) => ({ ...own, name: strange, nickname: strange }) } },
    options: { userinfo: "never" },
  });
  const attempt = await signIn(world);
  await expectSignedIn(world, attempt);
  expect(await profileOf(attempt.browser)).toMatchObject({ name: strange });
  expect(Object.keys(jarOf(await attempt.browser.cookies()))).not.toContain("x");
});

logsStayQuiet(world);
