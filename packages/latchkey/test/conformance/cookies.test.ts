import { describe, expect, test } from "vitest";

import { sealText } from "../../src/crypto/jwe.ts";
import { deriveKeyRing } from "../../src/crypto/key-ring.ts";
import type { Options } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { jarAfter, namesIn, jarOf } from "../browser/cookie-jar.ts";
import { signIn } from "./world/attempt.ts";
import { signInUnder, titledCases } from "./world/behavior-cases.ts";
import { subjects } from "./world/behavior-subjects.ts";
import { startHostileWorld } from "./world/hostile-world.ts";
import { expectAnonymous, expectRefused, expectSignedIn, profileOf } from "./world/oracles.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

describe("every cookie set by sign-in", () => {
  test("is HttpOnly, Secure over https, host-only, with the path / and SameSite=Lax (RFC 6265bis, 4.1.2) [STD-092, STD-093]", async () => {
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
});

const [largeSessions] = subjects["cookies.test.ts"];
const tooLarge = titledCases(largeSessions, ["code"])("either");

describe("the app without a store rejects a session too large for cookies, and names its largest parts, when the provider", () => {
  test.each(tooLarge)("%s", async (_, each) => {
    const options = { store: undefined, backchannelLogout: false };
    const attempt = await signInUnder(world, each, options);
    const event = expectRefused(world, attempt, { reason: "session_too_large", noCallTo: [] });
    expect(event.detail).toMatch(/largest parts: \S+ \d+/);
    await expectAnonymous(world, attempt.browser);
  });
});

describe("the app with a store keeps a session too large for cookies there when the provider", () => {
  test.each(tooLarge)("%s", async (_, each) => {
    const attempt = await signInUnder(world, each);
    await expectSignedIn(world, attempt);
    expect(jarOf(await attempt.browser.cookies())["appSession"]).toMatch(/^[\w.-]{43,100}$/);
  });
});

describe("the app treats a browser as signed out if its session cookie is", () => {
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
    "%s, with the same response for every cause [ASVS-11.2.5, ATK-114]",
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
});

describe("a text sealed for one purpose serves no other:", () => {
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
});

test("the app keeps headers and cookies intact with control characters and any other characters in claims [STD-147]", async () => {
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
