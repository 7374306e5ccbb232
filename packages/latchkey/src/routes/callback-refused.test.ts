import { beforeEach, describe, expect, test } from "vitest";

import { createAuth, type Options } from "../host/auth.ts";
import type { Answer, Browser } from "../../test/browser/browser.ts";
import { namesIn } from "../../test/browser/cookie-jar.ts";
import { problemIn, startWorld } from "../../test/worlds/world.ts";

const world = await startWorld();
let browser: Browser;
beforeEach(() => void (browser = world.browser()));

const callback = "/api/auth/callback";

const none = { cleared: [] };

/** What every refused callback has in common. */
function expectRefused(answer: Answer, expected: object, { cleared = ["auth_verification"] } = {}) {
  expect(answer.status).toBe(400);
  expect(problemIn(answer)).toMatchObject({
    code: "ERR_CALLBACK_HANDLER_FAILURE",
    status: 400,
    ...expected,
  });
  expect(namesIn(answer.headers.getSetCookie())).toEqual({ set: [], cleared });
  expect(answer.headers.get("cache-control")).toMatch(/^(?:private, )?no-store$/);
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
}

describe("the fixed texts of the specification", () => {
  const json = { accept: "application/json" };
  const described = async (address: string, headers: Record<string, string>) => {
    const answer = await browser.request(address, { headers: { ...json, ...headers } });
    expect(answer.status).toBe(400);
    const body = JSON.parse(answer.text) as Record<string, string>;
    expect(Object.keys(body)).toEqual(["error", "description", "reference"]);
    expect(body["error"]).toBe("ERR_CALLBACK_HANDLER_FAILURE");
    expect(body["reference"]).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
    return body["description"];
  };

  test("explain a missing state cookie [section 8]", async () => {
    expect(await described(`${callback}?code=c&state=s`, {})).toBe(
      "Callback handler failed. CAUSE: Missing state cookie from login request (check login URL, callback URL and cookie config).",
    );
  });

  test("explain a malformed state cookie [section 8]", async () => {
    expect(
      await described(`${callback}?code=c&state=s`, { cookie: "auth_verification=garbage" }),
    ).toBe("Callback handler failed. CAUSE: Your state cookie is not valid JSON.");
  });

  test.each(["", "&state="])(
    "explain a missing state parameter, for %j [section 8]",
    async (state) => {
      await browser.request("/api/auth/login");
      expect(await described(`${callback}?code=c${state}`, {})).toBe(
        "Callback handler failed. CAUSE: Missing state parameter in Authorization Response.",
      );
    },
  );

  test("are plain text for a client that accepts neither HTML nor JSON", async () => {
    const answer = await browser.request(callback, { headers: { accept: "*/*" } });
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.text).toMatch(/^Callback handler failed\. CAUSE: Missing state cookie/);
  });
});

describe("a response without a matching transaction [STD-041, RFC 6749, section 10.12]", () => {
  test("appears in no page and no log", async () => {
    await browser.request("/api/auth/login");
    const text = encodeURIComponent("<script>alert(1)</script>");
    const answer = await browser.request(
      `${callback}?state=x&error=${text}&error_description=${text}`,
    );
    expectRefused(answer, { reason: "state_mismatch" }, none);
    expect(answer.text).not.toContain("alert");
    expect(JSON.stringify(world.events.at(-1))).not.toContain("alert");
  });

  test("is rejected an hour after login", async () => {
    const { address } = await browser.untilCallback();
    const cookie = await browser.cookies();
    world.advance(3601);
    const answer = await browser.request(address, { headers: { cookie } });
    world.advance(-3601);
    expectRefused(answer, { reason: "state_cookie_missing" }, none);
  });

  test("clears an unreadable transaction, and no other", async () => {
    const { address } = await browser.untilCallback("/private");
    await browser.untilCallback("/other");
    const cookies = (await browser.cookies()).split("; ");
    const [first = "", second = ""] = cookies.filter((pair) => pair.startsWith("auth_"));
    const spoilt = `${first.slice(0, -5)}AAAAA; ${second}`;
    const answer = await browser.request(address, { headers: { cookie: spoilt } });
    expectRefused(answer, { reason: "state_mismatch" }, none);
    const alone = await browser.request(address, {
      headers: { cookie: `${first.slice(0, -5)}AAAAA` },
    });
    expectRefused(alone, { reason: "state_cookie_malformed" });
  });
});

describe("a browser that lost its transaction", () => {
  test("starts the sign-in again by itself, once, with its destination", async () => {
    const { address } = await browser.untilCallback("/api/auth/login?returnTo=%2Freports");
    await browser.jar.removeAllCookies();
    const first = await browser.request(address);
    const destination = encodeURIComponent(`${world.baseURL}/reports`);
    const login = `${world.baseURL}/api/auth/login?returnTo=${destination}`;
    const restart = `${login}&restart=1`;
    const missing = { reason: "state_cookie_missing", kind: "restart-missing" };
    expectRefused(first, { ...missing, redirectTo: restart }, none);
    expect(first.headers.get("refresh")).toBe(`0; url=${restart}`);

    const again = await browser.untilCallback(restart);
    expect(new URL(again.address).searchParams.get("state")).toMatch(/\.r$/);
    await browser.jar.removeAllCookies();
    const second = await browser.request(again.address);
    expectRefused(second, { reason: "state_cookie_blocked", kind: "cookies-blocked" }, none);
    expect(second.headers.has("refresh")).toBe(false);
    expect(problemIn(second).signInURL).toBe(login);
  });

  test("starts the sign-in again by itself if another tab overwrote the transaction", async () => {
    const first = await browser.untilCallback("/api/auth/login?returnTo=%2Ffirst");
    await browser.jar.removeAllCookies();
    await browser.untilCallback("/api/auth/login?returnTo=%2Fsecond");
    const refused = await browser.request(first.address);
    expectRefused(refused, { reason: "state_mismatch" }, none);
    expect(refused.headers.get("refresh")).toContain(encodeURIComponent(`${world.baseURL}/first`));
  });

  test("starts the sign-in again by itself at an instance that began neither of two sign-ins", async () => {
    const first = await browser.untilCallback("/api/auth/login?returnTo=%2Ffirst");
    await browser.jar.removeAllCookies();
    await browser.untilCallback("/api/auth/login?returnTo=%2Fsecond");
    const other = createAuth(world.options);
    const headers = { cookie: await browser.cookies(), accept: "text/html" };
    const request = new Request(first.address, { headers });
    const refused = await other.respond(request, () => new Response("app"));
    expect(refused.status).toBe(400);
    expect(refused.headers.get("refresh")).toBe(`0; url=${world.baseURL}/api/auth/login?restart=1`);
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  test("starts the sign-in again once, if its response is that of no sign-in twice", async () => {
    await browser.request("/api/auth/login");
    const twice = await browser.request(`${callback}?code=c&state=s.r`);
    expectRefused(twice, { reason: "state_mismatch" }, none);
    expect(twice.headers.has("refresh")).toBe(false);
  });

  test("starts the sign-in again once, if the provider alters every state", async () => {
    const altered = async (login: string) => {
      const { address } = await browser.untilCallback(login);
      return browser.request(address.replace(/state=[^&]*/, "$&x"));
    };
    const first = await altered("/api/auth/login");
    const restart = first.headers.get("refresh")?.split("url=")[1] ?? "";
    const second = await altered(restart.slice(world.baseURL.length));
    expectRefused(second, { reason: "state_mismatch" }, none);
    expect(second.headers.has("refresh")).toBe(false);
  });

  test.each([
    [512, true],
    [513, false],
  ])(
    "starts the sign-in again, and remembers a destination of %i characters: %s",
    async (length, isKept) => {
      const returnTo = `${world.baseURL}/`.padEnd(length, "x");
      const { address } = await browser.untilCallback(`/api/auth/login?returnTo=${returnTo}`);
      await browser.jar.removeAllCookies();
      const { redirectTo = "" } = problemIn(await browser.request(address));
      const { searchParams } = new URL(redirectTo);
      expect(searchParams.get("restart")).toBe("1");
      expect(searchParams.get("returnTo")).toBe(isKept ? returnTo : null);
    },
  );

  test("finishes the second attempt normally", async () => {
    expect((await browser.callback("/api/auth/login?restart=1")).status).toBe(302);
  });

  test("goes home if it is signed in", async () => {
    await browser.signIn();
    const answer = await browser.request(`${callback}?code=c&state=s`);
    expect(answer.headers.get("refresh")).toBe(`0; url=${world.baseURL}/`);
  });

  test("sees that no sign-in is in progress if the address holds no response", async () => {
    const answer = await browser.request(callback);
    expectRefused(answer, { reason: "no_pending_login", kind: "no-sign-in-in-progress" }, none);
    expect(answer.headers.has("refresh")).toBe(false);
  });

  test("is not redirected if a script sent the request", async () => {
    const headers = { "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" };
    const answer = await browser.request(`${callback}?code=c&state=s`, { headers });
    expect(answer.headers.has("refresh")).toBe(false);
    const asJSON = { accept: "application/json" };
    const json = await browser.request(`${callback}?code=c&state=s`, { headers: asJSON });
    expect(json.headers.has("refresh")).toBe(false);
  });
});

describe("an error response of the provider", () => {
  test("leads home after a cancelled sign-in without a destination", async () => {
    const answer = await browser.callback("/api/auth/login", "cancel");
    expect(answer.headers.get("refresh")).toBe(`0; url=${world.baseURL}/?notice=cancelled`);
  });

  test("leads home, with the destination, after a cancelled sign-in [RFC 6749, section 4.1.2.1]", async () => {
    const answer = await browser.callback("/private", "cancel");
    const wanted = encodeURIComponent(`${world.baseURL}/private`);
    const redirectTo = `${world.baseURL}/?notice=cancelled&returnTo=${wanted}`;
    expectRefused(answer, { kind: "cancelled", reason: "sign_in_cancelled", redirectTo });
    expect(answer.headers.get("refresh")).toBe(`0; url=${redirectTo}`);
    expect(problemIn(answer).signInURL).toBe(
      `${world.baseURL}/api/auth/login?returnTo=${encodeURIComponent(`${world.baseURL}/private`)}`,
    );
  });

  test.each([
    ["server_error", "provider-trouble", true],
    ["temporarily_unavailable", "provider-trouble", true],
    ["login_required", "restart-missing", false],
    ["invalid_scope", "setup-wrong", false],
    ["unauthorized_client", "setup-wrong", false],
    ["something_new", "provider-refused", false],
  ])(
    "shows for the error %s the page %s, with an automatic second attempt: %s",
    async (error, kind, again) => {
      for (const login of ["/private", "/api/auth/login?restart=1"]) {
        const url = new URL((await browser.untilCallback(login)).address);
        url.searchParams.delete("code");
        url.searchParams.set("error", error);
        const answer = await browser.request(url.href);
        expectRefused(answer, { kind });
        const isFirstTry = login === "/private";
        expect(answer.headers.has("refresh")).toBe(again && isFirstTry);
      }
    },
  );
});

test("a callback creates no session for a sign-in weaker than a path requires [RFC 9470]", async () => {
  const accessRules = { "/gold": { acr: "gold" } };
  const its = (await startWorld({ options: { accessRules } })).browser();
  await its.signIn();
  const answer = await its.request((await its.untilCallback("/gold")).address);
  expect(problemIn(answer).reason).toBe("step_up_unmet");
  expect(namesIn(answer.headers.getSetCookie()).set).toEqual([]);
});

describe("faults of provider and settings", () => {
  test("for a wrong client secret, name the settings to check, but not the secret", async () => {
    const other = await startWorld({ options: { clientSecret: "a-wrong-secret-of-this-client" } });
    const its = other.browser();
    const answer = await its.callback();
    expectRefused(answer, { reason: "client_rejected", kind: "setup-wrong" });
    expect(answer.text + JSON.stringify(other.events)).not.toContain("a-wrong-secret");
    expect(other.events.at(-1)).toMatchObject({
      detail: expect.stringMatching(
        /client_secret_basic.*; check .*LATCHKEY_CLIENT_SECRET/,
      ) as string,
    });
  });

  test.each([
    ["invalid_scope", /^invalid_scope \(no x\); check LATCHKEY_SCOPE$/],
    ["invalid_request", /; check LATCHKEY_AUTHORIZATION_PARAMS and LATCHKEY_LOGIN_PARAMS$/],
    ["unauthorized_client", /; check LATCHKEY_CLIENT_ID, .*LATCHKEY_CLIENT_AUTH_METHOD$/],
  ])("for %s, log the settings that it may come from", async (error, log) => {
    const other = await startWorld();
    const its = other.browser();
    const back = new URL((await its.untilCallback()).address);
    back.searchParams.delete("code");
    back.searchParams.set("error", error);
    back.searchParams.set("error_description", "no x");
    await its.request(back.href);
    expect(other.events.at(-1)).toMatchObject({ detail: expect.stringMatching(log) as string });
  });

  const es256 = { idTokenSigningAlg: "ES256" } as const;
  const wrongBy = (ms: number) => ({ clock: () => Date.now() + ms });

  test.each<[string, Partial<Options>, RegExp]>([
    ["algorithm", es256, /got RS256; check LATCHKEY_ID_TOKEN_SIGNING_ALG$/],
    ["clock behind", wrongBy(-4e5), /, (?:39|40)\d s later; check the clock of this/],
    ["clock ahead", wrongBy(4e6), /, 40\d s earlier; check the clock of this/],
  ])("for an ID token with a wrong %s, log what to check", async (_, options, log) => {
    const other = await startWorld({ options });
    const its = other.browser();
    await its.request((await its.untilCallback()).address);
    expect(other.events.at(-1)).toMatchObject({ detail: expect.stringMatching(log) as string });
  });

  test("for an unreachable provider, end the transaction with 500 and keep the destination", async () => {
    const other = await startWorld();
    const its = other.browser();
    const { address } = await its.untilCallback("/private");
    await other.provider.close();
    const answer = await its.request(address);
    expect(answer.status).toBe(500);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(problemIn(answer)).toMatchObject({
      kind: "provider-unreachable-finish",
      reason: "provider_unreachable",
      signInURL: expect.stringContaining("private") as string,
    });
    expect(namesIn(answer.headers.getSetCookie())).toEqual({
      set: [],
      cleared: ["auth_verification"],
    });
  });

  test("for an unreachable provider at login, show a separate page with 500", async () => {
    const other = await startWorld();
    await other.provider.close();
    const answer = await other.browser().request("/api/auth/login");
    expect(answer.status).toBe(500);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(problemIn(answer)).toMatchObject({
      code: "ERR_LOGIN_HANDLER_FAILURE",
      kind: "provider-unreachable-start",
      message: "Login handler failed. CAUSE: The provider cannot be reached.",
    });
  });
});
