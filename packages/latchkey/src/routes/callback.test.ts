import { describe, expect, test } from "vitest";

import { namesIn } from "../../test/browser/cookie-jar.ts";
import { problemIn, secret, showSession, startWorld, type World } from "../../test/worlds/world.ts";
import { openedText } from "../../test/sessions/opened-text.ts";
import { words } from "../../test/words.ts";
import { sealText } from "../crypto/jwe.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import type { Session } from "../session/session.ts";

// Whatever the provider gives, sessions live in the cookie here.
const inCookies = { session: { stateful: false } };
const world = await startWorld({ app: showSession, options: inCookies });

async function sessionOf(browser: { request: ReturnType<World["browser"]>["request"] }) {
  return JSON.parse((await browser.request("/private")).text) as Session;
}

describe("a finished sign-in", () => {
  test("redirects by 302 to the user's destination, with no caching [STD-048]", async () => {
    const browser = world.browser();
    const answer = await browser.callback("/reports?year=2026&q=a%20b%26c");
    expect(answer.status).toBe(302);
    expect(answer.location).toBe(`${world.baseURL}/reports?year=2026&q=a%20b%26c`);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("vary")).toBe("Cookie");
    expect(answer.text).toBe("");
  });

  test("sets appSession with HttpOnly and SameSite=Lax, and clears the transaction", async () => {
    const browser = world.browser();
    const setCookies = (await browser.callback()).headers.getSetCookie();
    expect(namesIn(setCookies)).toEqual({
      set: ["auth_loop", "appSession"],
      cleared: ["auth_verification"],
    });
    const session = setCookies.find((line) => line.startsWith("appSession=")) ?? "";
    expect(session).toMatch(
      /^appSession=eyJ[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const expires = Date.parse(/Expires=([^;]+)/.exec(session)?.[1] ?? "");
    // An hour longer: only the small cookie may know of the last use.
    expect(Math.abs(expires - Date.now() - 90_000_000)).toBeLessThan(60_000);
  });

  test("is logged once, with subject, issuer, session and duration, and nothing else", async () => {
    const browser = world.browser();
    const before = world.events.length;
    await browser.signIn();
    expect(world.events.slice(before).filter(({ event }) => event === "sign-in")).toEqual([
      {
        event: "sign-in",
        sub: "person-ada",
        issuer: world.provider.issuer,
        session: expect.stringMatching(/^[\w-]{22}$/),
        sid: expect.any(String),
        durationMs: expect.any(Number),
      },
    ]);
  });

  test("leads home if the same browser opens the address again", async () => {
    const browser = world.browser();
    const { address } = await browser.untilCallback();
    await browser.request(address);
    const again = await browser.request(address);
    expect(again.status).toBe(400);
    expect(problemIn(again).redirectTo).toBe(`${world.baseURL}/`);
    expect(again.headers.get("refresh")).toBe(`0; url=${world.baseURL}/`);
    expect((await sessionOf(browser)).user.sub).toBe("person-ada");
  });
});

describe("the destination", () => {
  const foreign = ["https://evil.example/", "http://localhost:1/", "/api/auth/logout"];
  test.each(foreign)(
    "is checked again at the end: %s in a transaction leads home [RFC 9700, section 4.11]",
    async (returnTo) => {
      const browser = world.browser();
      const { address } = await browser.untilCallback("/private");
      const cookies = (await browser.cookies()).split("; ");
      const pending = cookies.find((pair) => pair.startsWith("auth_verification=")) ?? "";
      const ring = deriveKeyRing([secret], "transaction");
      const opened = openedText(ring, pending.slice("auth_verification=".length));
      const transaction = JSON.parse(opened) as object;
      const value = sealText(ring, {}, JSON.stringify({ ...transaction, returnTo }));
      const answer = await browser.request(address, {
        headers: { cookie: `auth_verification=${value}` },
      });
      expect([answer.status, answer.location]).toEqual([302, `${world.baseURL}/`]);
    },
  );
});

describe("the session", () => {
  test("holds the claims of the ID token, apart from those about the token itself", async () => {
    const browser = world.browser();
    await browser.signIn();
    const { user } = await sessionOf(browser);
    const filtered = "aud iss iat exp nbf nonce azp auth_time s_hash at_hash c_hash".split(" ");
    expect(Object.keys(user).filter((name) => filtered.includes(name))).toEqual([]);
    expect(user.sid).toEqual(expect.any(String));
  });

  test("holds the tokens, their scope and their expiry", async () => {
    const browser = world.browser();
    await browser.signIn();
    const session = await sessionOf(browser);
    expect(Object.keys(session).toSorted()).toEqual(words`
      accessToken accessTokenExpiresAt accessTokenScope idToken refreshToken times user
    `);
    expect(session.accessTokenScope).toBe("openid profile email");
    const now = Math.floor(Date.now() / 1000);
    expect(session.accessTokenExpiresAt).toBeGreaterThan(now + 3540);
    expect(session.accessTokenExpiresAt).toBeLessThanOrEqual(now + 3600);
    expect(session.idToken?.split(".")).toHaveLength(3);
  });
});

describe("several tabs", () => {
  test("finish in any order, each at its own destination, up to five [REL-C03]", async () => {
    const browser = world.browser();
    const tabs = [];
    for (const page of ["/one", "/two", "/three", "/four", "/five"]) {
      tabs.push({ page, next: await browser.untilCallback(page) });
    }
    for (const index of [3, 0, 4, 2, 1]) {
      const tab = tabs[index];
      const answer = await browser.request(tab?.next.address ?? "");
      expect(answer.location).toBe(world.baseURL + (tab?.page ?? ""));
    }
    expect(await browser.cookies()).not.toContain("auth_verification");
  });
});

describe("identical concurrent responses", () => {
  test("create one session, with one token request for 50 responses [REL-C06, STD-013]", async () => {
    const browser = world.browser();
    const { address } = await browser.untilCallback();
    const cookie = await browser.cookies();
    world.provider.clearRequests();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.browser().request(address, { headers: { cookie } })),
    );
    const made = answers.filter(({ headers }) =>
      headers.getSetCookie().some((line) => line.startsWith("appSession=ey")),
    );
    expect(made).toHaveLength(1);
    expect(answers.map(({ location }) => location)).toEqual(
      Array.from({ length: 50 }, () => `${world.baseURL}/`),
    );
    expect(world.provider.requests.filter(({ path }) => path === "/token")).toHaveLength(1);
  });
});

describe("a large session", () => {
  test("is stored in chunks accepted by each browser, without an ID token if so configured", async () => {
    const other = await startWorld({
      app: showSession,
      options: { session: { ...inCookies.session, storeIDToken: false } },
    });
    const browser = other.browser();
    const answer = await browser.callback("/private", "person-maximiliane");
    const lines = answer.headers.getSetCookie().filter((line) => line.startsWith("appSession"));
    expect(namesIn(lines).set).toEqual(["appSession.0", "appSession.1"]);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(4096);
    const session = await sessionOf(browser);
    expect(session.user["groups"]).toHaveLength(60);
    expect(session).not.toHaveProperty("idToken");
  });
});

describe("hooks", () => {
  test("change the session before it is stored, or throw to reject it", async () => {
    const other = await startWorld({
      app: showSession,
      options: {
        hooks: {
          afterCallback(session, request) {
            if (session.user.sub === "person-ben") throw new Error("not this person");
            return { ...session, came: new URL(request.url).pathname };
          },
          beforeSave: ({ idToken: _left, ...session }) => ({
            ...session,
            exp: 1,
            iat: 2,
            saved: true,
          }),
        },
      },
    });
    const ada = other.browser();
    await ada.signIn();
    const session = await sessionOf(ada);
    expect(session).toMatchObject({ came: "/api/auth/callback", saved: true });
    expect(Object.keys(session)).not.toContain("idToken");
    expect(Object.keys(session)).not.toContain("exp");

    const ben = other.browser();
    const answer = await ben.callback("/private", "person-ben");
    expect(answer.status).toBe(500);
    expect(problemIn(answer)).toMatchObject({
      code: "ERR_CALLBACK_HANDLER_FAILURE",
      reason: "internal",
    });
    expect(answer.text).not.toContain("not this person");
    expect(namesIn(answer.headers.getSetCookie()).set).toEqual([]);
  });
});
