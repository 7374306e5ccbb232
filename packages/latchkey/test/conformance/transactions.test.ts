import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { deriveKeyRing, sealText } from "../../src/crypto/key-ring.ts";
import { openedText } from "../opened-text.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import type { Browser } from "../browser.ts";
import { jarAfter } from "../cookie-jar.ts";
import { type Attempt, jarOf, sendCallback, signIn, startLogin } from "./attempt.ts";
import { responseTypes } from "./behaviour-cases.ts";
import { appSecret, type HostileWorld, type SetUp, startHostileWorld } from "./hostile-world.ts";
import { expectAnonymous, expectRefused, expectSignedIn, profileOf } from "./oracles.ts";
import { createQuickApp } from "./quick-app.ts";
import { logsStayQuiet } from "./quiet-logs.ts";

let world: HostileWorld;
beforeAll(async () => {
  world = await startHostileWorld();
});
afterAll(() => world.close());

async function returnFrom({ location }: { readonly location: string }) {
  const returned = await world.provider.visit(location);
  if (returned === null) throw new Error("the provider sent the browser nowhere");
  return returned;
}

/** Begins in one browser, and finishes with what another one was given. */
async function finishElsewhere(begun: Browser, other: Browser): Promise<Attempt> {
  const login = await startLogin(world, begun);
  const returned = await returnFrom(login);
  return { browser: other, login, returned, callback: await sendCallback(world, other, returned) };
}

describe("a callback is refused, without a token request,", () => {
  const nobodys = { isOurs: false, noCallTo: ["token", "userinfo"] } as const;

  test.each(responseTypes)(
    "in a browser that never began, %s [STD-041, ATK-031, ATK-101, ASVS-10.1.2]",
    async (responseType) => {
      world.setUp({ options: { responseType } });
      const attempt = await finishElsewhere(world.browser(), world.browser());
      expectRefused(world, attempt, { ...nobodys, reason: "state_cookie_missing" });
    },
  );

  test.each(responseTypes)(
    "in a browser that began another sign-in, which goes on, %s [STD-041, ATK-031, ASVS-10.1.2]",
    async (responseType) => {
      world.setUp({ options: { responseType } });
      const other = world.browser();
      const own = await startLogin(world, other, "/private");
      const attempt = await finishElsewhere(world.browser(), other);
      expectRefused(world, attempt, { ...nobodys, reason: "state_mismatch" });
      const returned = await returnFrom(own);
      const callback = await sendCallback(world, other, returned);
      await expectSignedIn(world, { browser: other, login: own, returned, callback });
    },
  );

  test("more than an hour after its login [STD-041]", async () => {
    world.setUp();
    const browser = world.browser();
    const login = await startLogin(world, browser);
    const cookie = await browser.cookies();
    world.advance(3601);
    const { url } = await returnFrom(login);
    const answer = await world.browser().request(url, { headers: { cookie } });
    expect([answer.status, world.events.at(-1)]).toMatchObject([
      400,
      { reason: "state_cookie_missing" },
    ]);
    world.advance(-3601);
  });

  test("when its pending login was used before, also with the cookie put back [STD-041, STD-013]", async () => {
    world.setUp();
    const browser = world.browser();
    const login = await startLogin(world, browser);
    const cookie = await browser.cookies();
    const { url } = await returnFrom(login);
    expect((await browser.request(url)).status).toBe(302);
    world.provider.resetLog();
    const again = await world.browser().request(url, { headers: { cookie } });
    expect(again.status).toBe(400);
    const other = await returnFrom(login);
    const fresh = await world.browser().request(other.url, { headers: { cookie } });
    expect(fresh.status).toBe(400);
    expect(world.provider.requestsTo("token")).toEqual([]);
  });

  test("before any login, with nothing at all [STD-041]", async () => {
    world.setUp();
    const answer = await world.browser().request("/api/auth/callback");
    expect(answer.status).toBe(400);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe("a code from another browser is of no use", () => {
  /** The victim's state with the attacker's code. */
  async function inject(setUp: SetUp): Promise<Attempt> {
    world.setUp(setUp);
    const attackers = await returnFrom(await startLogin(world, world.browser()));
    const code = new URL(attackers.url).searchParams.get("code") ?? "";
    return signIn(world, {
      tamper: (returned) => {
        const url = new URL(returned.url);
        url.searchParams.set("code", code);
        return { ...returned, url: url.href };
      },
    });
  }

  test("by PKCE [STD-042, ASVS-10.2.1]", async () => {
    expectRefused(world, await inject({}), { reason: "code_rejected" });
  });

  test("by the nonce, where the provider does not look at PKCE [STD-042, ASVS-10.2.1]", async () => {
    expectRefused(world, await inject({ conduct: "STD-044" }), { reason: "id_token_nonce" });
  });

  test("by state alone, where neither is looked at [STD-041, ASVS-10.2.1]", async () => {
    world.setUp({ conduct: "STD-044" });
    const attempt = await finishElsewhere(world.browser(), world.browser());
    expectRefused(world, attempt, { isOurs: false });
  });
});

describe("none of state, nonce and verifier can be left out, alone or in pairs", () => {
  const members = ["state", "nonce", "codeVerifier"] as const;
  const pairs = members.flatMap((one) => members.map((other) => [one, other] as const));
  const blanks = [undefined, "", null] as const;

  test.each(pairs)("of the pending login: %s, %s [ATK-019]", async (one, other) => {
    const ring = deriveKeyRing([appSecret], "transaction");
    for (const blank of blanks) {
      world.setUp();
      const browser = world.browser();
      const login = await startLogin(world, browser);
      const { url } = await returnFrom(login);
      const opened = openedText(ring, (await jarOf(browser, world))["auth_verification"] ?? "");
      const pending = { ...Object(JSON.parse(opened)), [one]: blank, [other]: blank };
      const cookie = `auth_verification=${sealText(ring, {}, JSON.stringify(pending))}`;
      const answer = await world.browser().request(url, { headers: { cookie } });
      expect([blank, answer.status]).toEqual([blank, 400]);
      expect(answer.headers.getSetCookie().join()).not.toContain("appSession=ey");
    }
  });

  test.each(["", undefined, "undefined", "null"])(
    "of the answer: state %j [ATK-019]",
    async (state) => {
      world.setUp();
      const attempt = await signIn(world, {
        tamper: (returned) => {
          const url = new URL(returned.url);
          if (state === undefined) url.searchParams.delete("state");
          else url.searchParams.set("state", state);
          return { ...returned, url: url.href };
        },
      });
      expectRefused(world, attempt, { isOurs: false, noCallTo: ["token", "userinfo"] });
    },
  );
});

describe("pending logins of one browser", () => {
  test("are never more than five, nor larger than 8 KiB, the oldest goes [ATK-010, REL-L03]", async () => {
    world.setUp();
    const browser = world.browser();
    const logins = [];
    for (let count = 0; count < 20; count += 1)
      logins.push(await startLogin(world, browser, "/private"));
    const jar = Object.entries(await jarOf(browser, world));
    expect(jar).toHaveLength(5);
    expect(jar.reduce((sum, [name, value]) => sum + name.length + value.length, 0)).toBeLessThan(
      8192,
    );
    for (const login of logins.slice(-5)) {
      const returned = await returnFrom(login);
      const callback = await sendCallback(world, browser, returned);
      expect([callback.answer.status, callback.answer.location]).toEqual([
        302,
        `${world.baseURL}/private`,
      ]);
    }
    const oldest = await returnFrom(logins[14] ?? { location: "" });
    const late = await sendCallback(world, browser, oldest);
    expect(late.answer.status).toBe(400);
  });

  test.each([
    ["a prefetch of login", "/api/auth/login", { "sec-purpose": "prefetch" }],
    ["a prefetch of a page", "/private", { "sec-purpose": "prefetch" }],
    [
      "a script's request for a page",
      "/private",
      { "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" },
    ],
    ["an image", "/private.png", { "sec-fetch-mode": "no-cors", "sec-fetch-site": "same-origin" }],
    ["an API request", "/api/things", {}],
  ] as const)("are not begun by %s [ATK-010]", async (_, path, headers) => {
    const auth = world.setUp();
    const request = new Request(world.baseURL + path, { headers });
    const own = await auth.handle(request);
    const guarded = own === undefined ? await auth.guard(request) : null;
    const answer = own ?? (guarded?.passed === false ? guarded.response : null);
    expect(answer?.headers.getSetCookie()).toEqual([]);
    expect(answer?.headers.get("location")).toBeNull();
  });

  test("are not begun by HEAD [STD-130, ATK-010]", async () => {
    world.setUp();
    const answer = await world.browser().request("/api/auth/login", { method: "HEAD" });
    expect([answer.status, answer.location]).toEqual([204, ""]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("leave nothing in the store and little in memory, however many are begun [ATK-058, REL-L03]", async () => {
    const store = memoryStore();
    let writes = 0;
    const counted = {
      ...store,
      set(...args: Parameters<typeof store.set>) {
        writes += 1;
        return store.set(...args);
      },
    };
    const app = createQuickApp({ store: counted });
    for (let count = 0; count < 2000; count += 1) await app.begin();
    expect(writes).toBe(0);
  });
});

describe("the pending-login cookie", () => {
  test.each(responseTypes)(
    "crosses sites where the answer is posted, and only then, and only securely, %s [STD-144, CERT-095]",
    async (responseType) => {
      for (const baseURL of ["https://app.example", "http://localhost:3000"]) {
        const app = createQuickApp({ responseType, baseURL });
        const answer = await app.ask("/api/auth/login");
        const [line = "", ...more] = answer.headers.getSetCookie();
        const isPosted = responseType !== "code";
        expect(more).toEqual([]);
        expect(line).toMatch(/^auth_verification=[^;]+; /);
        expect(line.includes("SameSite=None")).toBe(isPosted);
        expect(line.includes("SameSite=Lax")).toBe(!isPosted);
        expect(line.includes("Secure")).toBe(isPosted || baseURL.startsWith("https:"));
        expect(line).toContain("HttpOnly");
      }
    },
  );

  test("is sealed: neither state, nonce, verifier nor return address can be read in it [STD-093, STD-062]", async () => {
    world.setUp();
    const browser = world.browser();
    const login = await startLogin(world, browser, "/a-telling-return-address");
    const [value = ""] = Object.values(await jarOf(browser, world));
    const readable = value
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString("latin1"))
      .join("\n");
    const { searchParams } = new URL(login.location);
    for (const secret of [searchParams.get("state"), searchParams.get("nonce"), "telling"]) {
      expect(value + readable).not.toContain(secret);
    }
  });
});

describe("a sign-in on top of a session", () => {
  const another: NonNullable<SetUp["conduct"]> = {
    idToken: { claims: (own) => ({ ...own, sub: "another-person", email: "other@example.com" }) },
    userinfo: () => ({ sub: "another-person" }),
  };

  test.each([false, true])(
    "ends the one before, leaves nothing of it, and is logged; stateful: %s [ATK-021, ATK-015, ATK-063, ASVS-7.2.4]",
    async (stateful) => {
      const store = memoryStore();
      const options = { store, session: { stateful } };
      world.setUp({ options });
      const { browser } = await signIn(world);
      const planted = await browser.cookies();
      const before = await profileOf(browser);
      world.setUp({ options, conduct: another });
      const second = await signIn(world, { browser });
      expect(await profileOf(browser)).toMatchObject({
        sub: "another-person",
        email: "other@example.com",
      });
      expect(Object.values(await profileOf(browser))).not.toContain(before["email"]);
      expect(second.callback?.events).toContainEqual({
        event: "sign-out",
        reason: "replaced",
        sub: before["sub"],
      });
      expect(await browser.cookies()).not.toContain(planted);
      await expectAnonymous(world, planted, { clears: true });
    },
  );

  test("whose answer is posted, so that the callback cannot see it, ends the one before as well [ATK-021]", async () => {
    world.setUp({ options: { responseType: "code id_token" } });
    const { browser } = await signIn(world);
    const planted = await browser.cookies();
    await expectSignedIn(world, await signIn(world, { browser }));
    await expectAnonymous(world, planted, { clears: true });
  });

  test("gives two sign-ins of one person two different cookies [ASVS-7.2.4]", async () => {
    const app = createQuickApp();
    const jars = [await app.signIn(), await app.signIn()];
    expect(jars[0]?.["appSession"]).not.toBe(jars[1]?.["appSession"]);
  });
});

test("the same address of e-mail does not make two people one: identity is issuer and sub [ATK-032, ASVS-10.5.2]", async () => {
  const ada = {
    idToken: { claims: (own: object) => ({ ...own, sub: "ada", email: "a@example.com" }) },
  };
  const eve = {
    idToken: { claims: (own: object) => ({ ...own, sub: "eve", email: "a@example.com" }) },
  };
  const options = { userinfo: "never" as const };
  world.setUp({ conduct: ada, options });
  const first = await signIn(world);
  world.setUp({ conduct: eve, options });
  const second = await signIn(world);
  const token = world.provider.mintLogoutToken({ sub: "eve", sid: undefined });
  await world.browser().request("/api/auth/backchannel-logout", {
    method: "POST",
    body: new URLSearchParams({ logout_token: token }),
  });
  expect(await profileOf(first.browser)).toMatchObject({ sub: "ada" });
  await expectAnonymous(world, second.browser);
});

test.each([
  "ORG_GOOD",
  "org_good ",
  "org_good.",
  "org_góod",
  " org_good",
  "org_good@evil",
  ["org_good"],
  { 0: "org_good" },
])("the organization is compared exactly: %j is not org_good [ATK-032]", async (claim) => {
  world.setUp({
    conduct: { idToken: { claims: (own) => ({ ...own, org_id: claim }) } },
    options: { organization: "org_good", userinfo: "never" },
  });
  const attempt = await signIn(world);
  expectRefused(world, attempt, { reason: "organization_mismatch" });
  await expectAnonymous(world, attempt.browser);
});

test("cookies that an answer clears are gone from the browser [STD-142]", async () => {
  const app = createQuickApp();
  const begun = await app.begin();
  const answer = await app.finish(begun);
  expect(Object.keys(jarAfter(answer.headers.getSetCookie(), begun.jar))).not.toContain(
    "auth_verification",
  );
});

logsStayQuiet(() => world);
