import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";

import { changedFetch } from "../../../test/worlds/changed-fetch.ts";
import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { createQuickApp } from "../../../test/worlds/quick-app.ts";
import { problemIn, startWorld } from "../../../test/worlds/world.ts";

const world = await startWorld();

/** A provider that says of itself what is given here, beside what it says otherwise. */
function metadataWith(changes: Record<string, unknown>) {
  const change = (metadata: object) => ({ ...metadata, ...changes });
  return { fetch: changedFetch("/.well-known/openid-configuration", change) };
}

describe("logout", () => {
  test("it clears the session and redirects to the provider's end-session endpoint", async () => {
    const browser = await world.signedIn();
    const answer = await browser.request("/api/auth/logout");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("vary")).toBe("Cookie");
    expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual(["appSession"]);
    const url = new URL(answer.location);
    expect(url.origin + url.pathname).toBe(`${world.provider.issuer}/session/end`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      id_token_hint: expect.stringMatching(/^eyJ/) as string,
      client_id: "latchkey",
      post_logout_redirect_uri: `${world.baseURL}/_auth/signed-out`,
      state: expect.stringMatching(/^[\w-]{22}$/) as string,
    });
    expect(decodeJwt(url.searchParams.get("id_token_hint") ?? "").sub).toBe("person-ada");
  });

  test("it ends both sessions, so that the provider asks again who is there", async () => {
    const browser = await world.signedIn();
    const landing = await browser.open("/api/auth/logout");
    expect(landing.url.pathname).toBe("/_auth/signed-out");
    const page = await browser.open("/private");
    expect(page.url.origin).toBe(world.provider.issuer);
    expect(page.text).toContain("Choose a sample person");
  });

  test("it ends this browser's session, and no other of the same user", async () => {
    const [one, other] = [await world.signedIn(), await world.signedIn()];
    await one.request("/api/auth/logout");
    expect((await one.request("/api/auth/me")).status).toBe(204);
    expect((await other.request("/api/auth/me")).status).toBe(200);
  });

  test("a renewal that was under way does not undo it [REL-C04]", async () => {
    const browser = await world.signedIn();
    const cookie = await browser.cookies();
    const reads = Array.from({ length: 20 }, () =>
      world.browser().request("/api/auth/me", { headers: { cookie } }),
    );
    await browser.request("/api/auth/logout");
    for (const read of await Promise.all(reads)) {
      const renewed = read.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      expect(await world.isSignedIn(renewed)).toBe(false);
    }
  });

  test("it revokes refresh and access token at the provider [STD-053, OP-090, RFC 7009]", async () => {
    const browser = await world.signedIn();
    world.provider.clearRequests();
    await browser.request("/api/auth/logout");
    await expect
      .poll(() => world.provider.requests.filter(({ path }) => path === "/token/revocation"))
      .toMatchObject([
        { method: "POST", status: 200 },
        { method: "POST", status: 200 },
      ]);
  });
});

describe("logout where nobody is signed in", () => {
  test("it redirects to the provider all the same, whose session may live [CONF-23]", async () => {
    const answer = await world.browser().request("/api/auth/logout");
    const url = new URL(answer.location);
    expect(url.pathname).toBe("/session/end");
    expect([...url.searchParams.keys()].toSorted()).toEqual([
      "client_id",
      "post_logout_redirect_uri",
      "state",
    ]);
  });

  test("it tells the provider whose session it was where ours has expired", async () => {
    const other = await startWorld();
    const browser = await other.signedIn();
    const cookie = await browser.cookies();
    other.advance(90_000);
    const answer = await browser.request("/api/auth/logout", { headers: { cookie } });
    expect(new URL(answer.location).searchParams.has("id_token_hint")).toBe(true);
  });

  test("it clears session cookies that cannot be read", async () => {
    const answer = await world.browser().request("/api/auth/logout", {
      headers: { cookie: "appSession=x; appSession.0=y; appSession.31=z" },
    });
    expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual([
      "appSession",
      "appSession.0",
      "appSession.31",
    ]);
  });
});

describe("a request that the person did not make [STD-130, ATK-103]", () => {
  const navigate = { "sec-fetch-mode": "navigate" };
  const [cross, sister] = [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }];

  test.each([
    ["a page of another site", "GET", { ...cross, ...navigate }],
    ["an image on another site", "GET", { ...cross, "sec-fetch-mode": "no-cors" }],
    ["a form on another site", "POST", { ...cross, ...navigate }],
    ["a page of a sister host", "GET", { ...sister, ...navigate }],
    ["a form of a sister host", "POST", { ...sister, origin: "http://sister.localhost" }],
    ["a form on another site, in an old browser", "POST", { origin: "https://evil.example" }],
    ["a sandboxed form", "POST", { origin: "null" }],
  ] as [string, string, Record<string, string>][])(
    "a request from %s by %s ends nothing and asks for confirmation",
    async (_, method, headers) => {
      const browser = await world.signedIn();
      const answer = await browser.request("/api/auth/logout", { method, headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(problemIn(answer)).toMatchObject({
        kind: "confirm-sign-out",
        formURL: `${world.baseURL}/api/auth/logout`,
      });
      expect((await browser.request("/api/auth/me")).status).toBe(200);
    },
  );

  test("the form of the confirmation ends the session", async () => {
    const browser = await world.signedIn();
    const asked = await browser.request("/api/auth/logout", { headers: cross });
    const confirmed = await browser.request(problemIn(asked).formURL ?? "", {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin", origin: world.baseURL },
    });
    expect(confirmed.status).toBe(303);
    expect((await browser.request("/api/auth/me")).status).toBe(204);
  });

  test.each([
    ["same-origin", "GET"],
    ["none", "GET"],
    ["same-origin", "POST"],
  ])(
    "a request that the browser calls %s ends the session immediately, by %s",
    async (site, method) => {
      const browser = await world.signedIn();
      const headers = { "sec-fetch-site": site };
      expect((await browser.request("/api/auth/logout", { method, headers })).status).toBe(
        method === "GET" ? 302 : 303,
      );
      expect((await browser.request("/api/auth/me")).status).toBe(204);
    },
  );
});

describe("where logout lands", () => {
  test.each([
    ["/bye?from=app", (base: string) => `${base}/bye?from=app`],
    ["https://www.example.com/goodbye", () => "https://www.example.com/goodbye"],
    ["", (base: string) => base],
  ])("the settings change it to %j", async (postLogoutRedirect, expected) => {
    const other = await startWorld({ options: { routes: { postLogoutRedirect } } });
    const answer = await (await other.signedIn()).request("/api/auth/logout");
    const { searchParams } = new URL(answer.location);
    expect(searchParams.get("post_logout_redirect_uri")).toBe(expected(other.baseURL));
  });

  test.each(["", "/bye", "/signed-out"])(
    "a page of the app, %j, gets no state, and no cookie tells of the logout",
    async (postLogoutRedirect) => {
      const other = await startWorld({ options: { routes: { postLogoutRedirect } } });
      const answer = await (await other.signedIn()).request("/api/auth/logout");
      expect(new URL(answer.location).searchParams.has("state")).toBe(false);
      expect(namesIn(answer.headers.getSetCookie()).set).toEqual([]);
    },
  );

  test("it lands there immediately where the provider's session shall live", async () => {
    const other = await startWorld({ options: { idpLogout: false } });
    const browser = await other.signedIn();
    const answer = await browser.request("/api/auth/logout");
    expect(answer.location).toBe(`${other.baseURL}/_auth/signed-out`);
    expect((await browser.request("/api/auth/me")).status).toBe(204);
  });

  test("it leaves no cookie where the page after it must know nothing", async () => {
    const other = await startWorld({ options: { idpLogout: false } });
    const answer = await (await other.signedIn()).request("/api/auth/logout");
    expect(namesIn(answer.headers.getSetCookie()).set).toEqual([]);
  });

  test("no hint is sent where no ID token is kept [STD-126]", async () => {
    const other = await startWorld({ options: { session: { storeIDToken: false } } });
    const { searchParams } = new URL(
      (await (await other.signedIn()).request("/api/auth/logout")).location,
    );
    expect(searchParams.has("id_token_hint")).toBe(false);
    expect(searchParams.get("client_id")).toBe("latchkey");
  });
});

describe("when others fail, the session here ends all the same", () => {
  test("a provider without an end-session endpoint leads to a page that says that its session lives [STD-128]", async () => {
    const other = await startWorld({ options: metadataWith({ end_session_endpoint: undefined }) });
    const browser = await other.signedIn();
    const copy = await browser.cookies();
    const answer = await browser.request("/api/auth/logout");
    expect(answer.location).toBe(`${other.baseURL}/_auth/signed-out?provider=still`);
    expect(await other.isSignedIn(copy)).toBe(false);
  });

  test.each(["/bye", "/signed-out"])(
    "an app's own page after logout, %s, is told nothing of that",
    async (page) => {
      const routes = { postLogoutRedirect: page };
      const options = { ...metadataWith({ end_session_endpoint: undefined }), routes };
      const other = await startWorld({ options });
      const answer = await (await other.signedIn()).request("/api/auth/logout");
      expect(answer.location).toBe(other.baseURL + page);
    },
  );

  test("a provider that has gone is still where the browser is sent, by the metadata that are known", async () => {
    const other = await startWorld();
    const browser = await other.signedIn();
    const copy = await browser.cookies();
    const { issuer } = other.provider;
    await other.provider.close();
    other.advance(700);
    const known = await browser.request("/api/auth/logout");
    expect(known.location).toMatch(`${issuer}/session/end?`);
    expect(await other.isSignedIn(copy)).toBe(false);
  });

  test("nobody waits for a provider that does not answer", async () => {
    const { ask, baseURL, provider, events } = createQuickApp();
    provider.answers.metadata = () => new Promise(() => undefined);
    const { headers } = await ask("/api/auth/logout");
    expect(headers.get("location")).toBe(`${baseURL}/_auth/signed-out?provider=unconfirmed`);
    const reason = "provider_timeout";
    expect(events).toContainEqual({ event: "provider-fault", reason, detail: "logout" });
  });

  test("a provider that was never reached leads to a page that says that nothing is confirmed", async () => {
    const other = await startWorld();
    await other.provider.close();
    const answer = await other.browser().request("/api/auth/logout", {
      headers: { cookie: "appSession=x" },
    });
    expect(answer.status).toBe(302);
    expect(answer.location).toBe(`${other.baseURL}/_auth/signed-out?provider=unconfirmed`);
    expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual(["appSession"]);
    expect(other.events).toContainEqual({
      event: "provider-fault",
      // A busy machine may not even learn in time that nobody listens.
      reason: expect.stringMatching(/^provider_(unreachable|timeout)$/),
      detail: "logout",
    });
  });
});
