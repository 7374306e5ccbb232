import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";

import { type Answer, type Browser, isSignedIn } from "../../../test/browser/browser.ts";
import { createQuickApp } from "../../../test/worlds/quick-app.ts";
import { changedFetch } from "../../../test/worlds/changed-fetch.ts";
import { logoutTokenFor, withHMAC } from "../../../test/worlds/signed-by-secret.ts";
import {
  showSession,
  startWorld,
  type World,
  type WorldSettings,
} from "../../../test/worlds/world.ts";
import type { Options } from "../../host/auth.ts";
import type { Session } from "../../session/session.ts";
import { type Operation, watchedStore } from "../../../test/watched-store.ts";
import { chanceOf } from "../../../test/refresh/two-instances.ts";
import { memoryStore } from "../../stores/memory.ts";

const settings: WorldSettings = { ...withHMAC, app: showSession };
const world = await startWorld(settings);

const tokenFor = (subject: { sub?: string; sid?: string; iat?: number }, at: World = world) =>
  logoutTokenFor(at, subject);

/**
 * The provider's clock counts whole seconds. One that starts between a sign-in and the token makes
 * no difference then.
 */
const nextSecond = () => Math.floor(Date.now() / 1000) + 1;

/** What a provider's server sends: no cookie, no browser. */
function deliver(token: string, at: World = world): Promise<Answer> {
  return at.browser().request("/api/auth/backchannel-logout", {
    method: "POST",
    body: new URLSearchParams({ logout_token: token }),
    headers: { accept: "*/*" },
  });
}

async function sidOf(browser: Browser): Promise<string> {
  const { user } = JSON.parse((await browser.request("/private")).text) as Session;
  return user.sid ?? "";
}

describe("a logout token", () => {
  test("gets an empty 204 without caching [STD-113]", async () => {
    const answer = await deliver(await tokenFor({ sub: "unknown-user" }));
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("works immediately for profile, API and pages, and the cookie is cleared", async () => {
    const browser = await world.signedIn();
    const cookie = await browser.cookies();
    await deliver(await tokenFor({ sid: await sidOf(browser) }));
    const statuses: Record<string, number> = {};
    for (const path of ["/api/auth/me", "/api/orders", "/private"]) {
      const answer = await world.browser().request(path, { headers: { cookie } });
      statuses[path] = answer.status;
      expect(answer.headers.getSetCookie()[0]).toMatch(/^appSession=; .*1970/);
    }
    expect(statuses).toEqual({ "/api/auth/me": 204, "/api/orders": 401, "/private": 302 });
    const look = await world.browser().request("/_auth/session.json", { headers: { cookie } });
    expect(JSON.parse(look.text)).toMatchObject({ state: "ended", reason: "elsewhere" });
  });

  test("succeeds for a session already ended [STD-110]", async () => {
    const browser = await world.signedIn();
    const sid = await sidOf(browser);
    await browser.request("/api/auth/logout");
    expect((await deliver(await tokenFor({ sid }))).status).toBe(204);
  });

  test("is logged with its subject and session", async () => {
    await deliver(await tokenFor({ sid: "some-sid" }));
    expect(world.events.at(-1)).toEqual({
      event: "sign-out",
      reason: "backchannel",
      sid: "some-sid",
      cause: expect.any(String),
    });
  });
});

describe("the session id of the provider", () => {
  /** The sid of the ID token, whatever became of `user.sid`. */
  function sidOfToken(session: Session): string {
    return String(decodeJwt(session.idToken ?? "")["sid"]);
  }

  const ways: [string, NonNullable<WorldSettings["options"]>][] = [
    ["a filter takes the sid away", { identityClaimFilter: ["sid"] }],
    [
      "a hook changes the sid and the sub",
      {
        hooks: {
          afterCallback: ({ user, ...rest }) => ({
            ...rest,
            user: { ...user, sub: `app|${user.sub}`, sid: "other" },
          }),
        },
      },
    ],
    [
      "userinfo brings another sid",
      {
        userinfo: "always",
        refetchUserinfo: true,
        fetch: changedFetch("/me", (claims) => ({ ...claims, sid: "of-userinfo" })),
      },
    ],
  ];

  for (const isStateful of [false, true]) {
    test.each(ways)(
      `comes from the ID token for a logout token if %s, ${isStateful ? "in the store" : "in the cookie"} [Back-Channel Logout 1.0, section 2.7]`,
      async (_, options) => {
        const other = await startWorld({
          ...settings,
          options: { ...settings.options, ...options, session: { stateful: isStateful } },
        });
        const [one, two] = [await other.signedIn("person-ada"), await other.signedIn("person-ada")];
        for (const browser of [one, two]) await browser.request("/api/auth/me");
        const session = JSON.parse((await one.request("/private")).text) as Session;
        expect(session.user.sid).not.toBe(sidOfToken(session));
        await deliver(await tokenFor({ sid: sidOfToken(session) }, other), other);
        const page = async (browser: Browser) => (await browser.request("/private")).status;
        expect([await page(one), await page(two)]).toEqual([302, 200]);
        await deliver(await tokenFor({ sub: "person-ada" }, other), other);
        expect(await page(two)).toBe(302);
      },
    );
  }
});

describe("the time of a logout token", () => {
  test("spares later sign-ins, and keeps earlier ones ended [STD-111, CONF-05]", async () => {
    const before = await world.signedIn();
    const copy = await before.cookies();
    await deliver(await tokenFor({ sub: "person-ada" }));
    const after = await world.signedIn();
    expect([await isSignedIn(before), await isSignedIn(after)]).toEqual([false, true]);
    expect(await world.isSignedIn(copy)).toBe(false);
  });

  test("also ends a sign-in whose callback comes later", async () => {
    const other = await startWorld(settings);
    const browser = other.browser();
    const { address } = await browser.untilCallback();
    await deliver(await tokenFor({ sub: "person-ada", iat: nextSecond() }, other), other);
    expect((await browser.request(address)).status).toBe(302);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("counts for the longest life of such a session", async () => {
    const other = await startWorld({
      ...settings,
      options: {
        ...settings.options,
        // The provider's clock does not move.
        clockTolerance: 600,
        session: { rolling: false, absoluteDuration: 300 },
      },
    });
    const browser = other.browser();
    const { address } = await browser.untilCallback();
    await deliver(await tokenFor({ sub: "person-ada", iat: nextSecond() }, other), other);
    other.advance(500);
    expect((await browser.request(address)).status).toBe(302);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe("a repeated logout token", () => {
  test("is rejected the second time, and ends nothing more", async () => {
    const token = await tokenFor({ sub: "person-ada" });
    expect((await deliver(token)).status).toBe(204);
    const browser = await world.signedIn();
    const again = await deliver(token);
    expect(again.status).toBe(400);
    expect(JSON.parse(again.text)).toEqual({
      error: "invalid_request",
      error_description: "This logout token has been used before.",
    });
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("is accepted once for ten concurrent requests", async () => {
    const token = await tokenFor({ sub: "unknown-user" });
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(token)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });
});

describe("a logout token whose write to the store", () => {
  /** A store in which the first write of a token's id fails, and perhaps taking it back. */
  async function worldWithFault(isWritten: boolean, failing: readonly Operation[]) {
    const left = new Set(failing);
    const store = memoryStore();
    const faulty = watchedStore(store, (operation, given) => {
      if (!String(given[0]).startsWith("jti|") || !left.delete(operation)) return;
      if (operation === "lease" && isWritten)
        void store.lease(...(given as Parameters<typeof store.lease>));
      throw new Error("the reply was lost");
    });
    const options = { ...settings.options, store: faulty, random: chanceOf(0) };
    return { its: await startWorld({ ...settings, options }), store };
  }

  test.each<[string, boolean, Operation[]]>([
    ["fails", false, ["lease"]],
    ["arrives, and whose reply is lost", true, ["lease"]],
    ["arrives, and is taken back later", true, ["lease", "release"]],
  ])("%s works again when it is sent again, once", async (_, isWritten, failing) => {
    const { its, store } = await worldWithFault(isWritten, failing);
    const token = await tokenFor({ sub: "person-ada" }, its);
    const first = await deliver(token, its);
    expect([first.status, JSON.parse(first.text)]).toMatchObject([
      400,
      { error: "application_error" },
    ]);
    await expect.poll(() => store.list("jti|")).toEqual([]);
    expect((await deliver(token, its)).status).toBe(204);
    expect((await deliver(token, its)).status).toBe(400);
  });
});

describe("an invalid logout token", () => {
  const post = (init: RequestInit) =>
    world.browser().request("/api/auth/backchannel-logout", { method: "POST", ...init });

  test.each([
    ["nothing", {}, "Missing Logout Token"],
    ["an empty token", { logout_token: "" }, "Missing Logout Token"],
    ["garbage", { logout_token: "a.b.c" }, "The logout token is not a well-formed JWT."],
  ])("gets a 400 with error and description: %s", async (_, form, description) => {
    const answer = await post({ body: new URLSearchParams(form) });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(JSON.parse(answer.text)).toEqual({
      error: "invalid_request",
      error_description: description,
    });
    expect(world.events.at(-1)).toMatchObject({ event: "refusal", kind: "logout_token" });
  });

  test("gets invalid_request for two tokens, another content type or a body of 70 kB [STD-100]", async () => {
    const token = await tokenFor({ sub: "person-ada" });
    const browser = await world.signedIn();
    const bodies: RequestInit[] = [
      {
        body: new URLSearchParams([
          ["logout_token", token],
          ["logout_token", token],
        ]),
      },
      {
        body: JSON.stringify({ logout_token: token }),
        headers: { "content-type": "application/json" },
      },
      { body: `logout_token=${token}`, headers: { "content-type": "text/plain" } },
      { body: new URLSearchParams({ logout_token: token, padding: "x".repeat(70_000) }) },
    ];
    for (const init of bodies) {
      const answer = await post(init);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ error: "invalid_request" });
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("is valid beside other fields", async () => {
    const body = new URLSearchParams({ logout_token: await tokenFor({ sub: "x" }), other: "1" });
    expect((await post({ body })).status).toBe(204);
  });

  test("gets application_error, and may be sent again, if the provider's keys are unavailable", async () => {
    const { ask, provider, events } = createQuickApp({
      idTokenSigningAlg: "RS256",
      backchannelLogout: true,
      store: memoryStore(),
    });
    provider.answers.keys = () => new Response("", { status: 500 });
    const token = provider.sign({}, { alg: "RS256" });
    const body = new URLSearchParams({ logout_token: token });
    const answer = await ask("/api/auth/backchannel-logout", { method: "POST", body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: "application_error" });
    const route = "backchannel-logout";
    expect(events.at(-1)).toMatchObject({ event: "refusal", route, reason: "provider_failed" });
  });

  test("gets unknown_error, without details, for a fault of ours", async () => {
    let isBroken = false;
    const clock = () => {
      if (isBroken) throw new Error("no time for this");
      return Date.now();
    };
    const other = await startWorld({ ...settings, options: { ...settings.options, clock } });
    const token = await tokenFor({ sub: "person-ada" }, other);
    await deliver(await tokenFor({ sub: "warm" }, other), other);
    isBroken = true;
    const answer = await deliver(token, other);
    isBroken = false;
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ error: "unknown_error" });
    expect(answer.text).not.toContain("no time for this");
  });
});

test.each<[Partial<Options>, number, string, object]>([
  [
    { backchannelLogout: false },
    404,
    "Back-Channel Logout is not enabled.",
    {
      event: "warning",
      message: expect.stringContaining("set LATCHKEY_BACKCHANNEL_LOGOUT=true"),
    },
  ],
  [{ backchannelLogoutStatus: 200 }, 200, "", { event: "sign-out" }],
])(
  "with the settings %j responds to a logout token with %i",
  async (more, status, text, logged) => {
    const options = { ...settings.options, ...more };
    const other = await startWorld({ ...settings, options });
    const answer = await deliver(await tokenFor({ sub: "person-ada" }, other), other);
    expect([answer.status, answer.text]).toEqual([status, text]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(other.events.at(-1)).toMatchObject(logged);
  },
);

test.each([
  ["with a store, the log says once how to enable it", memoryStore(), 1],
  ["without a store, it says nothing after the start", undefined, 0],
])("of logout tokens while they are off: %s", async (_, store, warnings) => {
  const options = { ...settings.options, store, backchannelLogout: false };
  const other = await startWorld({ ...settings, options });
  for (const sub of ["person-ada", "person-ada", "person-grace"]) {
    expect((await deliver(await tokenFor({ sub }, other), other)).status).toBe(404);
  }
  const notes = other.events.filter((each) => JSON.stringify(each).includes("Back-Channel Logout"));
  expect(notes).toHaveLength(warnings);
});
