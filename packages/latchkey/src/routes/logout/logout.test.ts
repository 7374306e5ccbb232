import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";

import { failingStore } from "../../../test/failing-store.ts";
import { changedFetch } from "../../../test/worlds/changed-fetch.ts";
import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { createQuickApp } from "../../../test/worlds/quick-app.ts";
import { problemIn, startWorld } from "../../../test/worlds/world.ts";
import { memoryStore } from "../../stores/memory.ts";

const world = await startWorld();

/** A provider whose metadata contain these changes. */
function metadataWith(changes: Record<string, unknown>) {
  const change = (metadata: object) => ({ ...metadata, ...changes });
  return { fetch: changedFetch("/.well-known/openid-configuration", change) };
}

describe("logout", () => {
  test("clears the session and redirects to the provider's end-session endpoint", async () => {
    const browser = await world.signedIn();
    const answer = await browser.request("/api/auth/logout");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("vary")).toBe("Cookie");
    expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual(["appSession", "appSession.t"]);
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
});

describe("logout with devices=all", () => {
  test("ends the user's sessions in all browsers, and names this one to the provider", async () => {
    const [here, elsewhere, ben] = [
      await world.signedIn(),
      await world.signedIn(),
      await world.signedIn("person-ben"),
    ];
    const answer = await here.request("/api/auth/logout?devices=all", { method: "POST" });
    expect(answer.status).toBe(303);
    expect(namesIn(answer.headers.getSetCookie()).set).toEqual(["auth_logout"]);
    const url = new URL(answer.location);
    expect(url.origin + url.pathname).toBe(`${world.provider.issuer}/session/end`);
    expect(decodeJwt(url.searchParams.get("id_token_hint") ?? "").sub).toBe("person-ada");
    const me = async (browser: typeof here) => (await browser.request("/api/auth/me")).status;
    expect([await me(here), await me(elsewhere), await me(ben)]).toEqual([204, 204, 200]);
    const back = `/_auth/signed-out?state=${url.searchParams.get("state") ?? ""}`;
    expect((await here.request(back)).location).toBe(`${world.baseURL}/_auth/signed-out`);
    expect(world.events.filter(({ event }) => event === "logout-state-mismatch")).toEqual([]);
  });

  test("ends nothing if another site starts it, or for another value", async () => {
    const [here, elsewhere] = [await world.signedIn(), await world.signedIn()];
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    await here.request("/api/auth/logout?devices=all", { headers });
    await here.request("/api/auth/logout?devices=others");
    expect((await elsewhere.request("/api/auth/me")).status).toBe(200);
  });

  test("signs out here alone without a store, and the log says so once", async () => {
    const bare = await startWorld({ options: { store: undefined, backchannelLogout: false } });
    for (const browser of [await bare.signedIn(), await bare.signedIn()]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await browser.request("/api/auth/logout?devices=all");
      expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual([
        "appSession",
        "appSession.t",
      ]);
    }
    const messages = bare.events.map((each) => ("message" in each ? each.message : ""));
    expect(messages.filter((each) => each.includes("devices=all"))).toHaveLength(1);
  });

  test("ends nothing and responds with 503 if the store fails", async () => {
    const store = failingStore(memoryStore());
    const faulty = await startWorld({ options: { store } });
    const [here, elsewhere] = [await faulty.signedIn(), await faulty.signedIn()];
    store.fail(true);
    expect((await here.request("/api/auth/logout?devices=all")).status).toBe(503);
    store.fail(false);
    expect((await here.request("/api/auth/me")).status).toBe(200);
    expect((await elsewhere.request("/api/auth/me")).status).toBe(200);
  });
});

describe("logout without a session", () => {
  test("ends nothing more with devices=all", async () => {
    const elsewhere = await world.signedIn();
    const answer = await world.browser().request("/api/auth/logout?devices=all");
    expect(new URL(answer.location).pathname).toBe("/session/end");
    expect((await elsewhere.request("/api/auth/me")).status).toBe(200);
  });

  test("redirects to the provider all the same, whose session may continue [CONF-23]", async () => {
    const answer = await world.browser().request("/api/auth/logout");
    const url = new URL(answer.location);
    expect(url.pathname).toBe("/session/end");
    expect([...url.searchParams.keys()].toSorted()).toEqual([
      "client_id",
      "post_logout_redirect_uri",
      "state",
    ]);
  });

  test("identifies an expired session to the provider", async () => {
    const other = await startWorld();
    const browser = await other.signedIn();
    const cookie = await browser.cookies();
    other.advance(86_700);
    const answer = await browser.request("/api/auth/logout", { headers: { cookie } });
    expect(new URL(answer.location).searchParams.has("id_token_hint")).toBe(true);
  });

  test("clears unreadable session cookies", async () => {
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

describe("a logout request not made by the user [STD-130, ATK-103]", () => {
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
    "from %s by %s ends nothing and requires confirmation",
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

  test.each(["application/json", "*/*"])(
    "by a script that accepts %s fails, since it shows no page",
    async (accept) => {
      const browser = await world.signedIn();
      const headers = { ...sister, "sec-fetch-mode": "cors", accept };
      const answer = await browser.request("/api/auth/logout", { method: "POST", headers });
      expect(answer.status).toBe(403);
      expect((await browser.request("/api/auth/me")).status).toBe(200);
    },
  );

  test("ends the session after confirmation by the form", async () => {
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
  ])("is recognized as the user's own if its Sec-Fetch-Site is %s, by %s", async (site, method) => {
    const browser = await world.signedIn();
    const headers = { "sec-fetch-site": site };
    expect((await browser.request("/api/auth/logout", { method, headers })).status).toBe(
      method === "GET" ? 302 : 303,
    );
    expect((await browser.request("/api/auth/me")).status).toBe(204);
  });
});

describe("the page after logout", () => {
  test.each(["", "/bye", "/signed-out"])(
    "gets no state and no cookie about the logout if it is the app's: %j",
    async (postLogoutRedirect) => {
      const other = await startWorld({ options: { routes: { postLogoutRedirect } } });
      const answer = await (await other.signedIn()).request("/api/auth/logout");
      expect(new URL(answer.location).searchParams.has("state")).toBe(false);
      expect(namesIn(answer.headers.getSetCookie()).set).toEqual([]);
    },
  );

  test("follows immediately if the provider keeps its session", async () => {
    const other = await startWorld({ options: { idpLogout: false } });
    const browser = await other.signedIn();
    const answer = await browser.request("/api/auth/logout");
    expect(answer.location).toBe(`${other.baseURL}/_auth/signed-out`);
    expect((await browser.request("/api/auth/me")).status).toBe(204);
  });

  test("gets no cookie without a session and a logout at the provider", async () => {
    const other = await startWorld({ options: { idpLogout: false } });
    const answer = await other.browser().request("/api/auth/logout");
    expect(namesIn(answer.headers.getSetCookie()).set).toEqual([]);
  });

  test("is requested without a hint if no ID token is stored [STD-126]", async () => {
    const other = await startWorld({ options: { session: { storeIDToken: false } } });
    const { searchParams } = new URL(
      (await (await other.signedIn()).request("/api/auth/logout")).location,
    );
    expect(searchParams.has("id_token_hint")).toBe(false);
    expect(searchParams.get("client_id")).toBe("latchkey");
  });

  test("is requested for the name of the user if an ID token would make its address too long", async () => {
    const endpoint = `https://op.example/end?${"x".repeat(1500)}`;
    const other = await startWorld({ options: metadataWith({ end_session_endpoint: endpoint }) });
    const { location } = await (await other.signedIn()).request("/api/auth/logout");
    const { searchParams } = new URL(location);
    expect([searchParams.has("id_token_hint"), searchParams.get("logout_hint")]).toEqual([
      false,
      "ada@example.com",
    ]);
  });
});

describe("logout on a shared computer, at a provider which keeps its session", () => {
  async function signedIn() {
    const browser = (await startWorld({ options: { idpLogout: false } })).browser();
    const { address } = await browser.untilCallback("/api/auth/login?shared=1", "person-ada");
    await browser.request(address);
    return browser;
  }
  const nextPath = async (browser: Awaited<ReturnType<typeof signedIn>>) =>
    new URL((await browser.request("/api/auth/logout")).location).pathname;

  test("also ends the session of the provider", async () => {
    expect(await nextPath(await signedIn())).toBe("/session/end");
  });

  test("goes to the provider again until it has confirmed", async () => {
    const browser = await signedIn();
    await browser.request("/api/auth/logout");
    await browser.request("/_auth/signed-out");
    expect(await nextPath(browser)).toBe("/session/end");
    await browser.open("/api/auth/logout");
    expect(await nextPath(browser)).toBe("/_auth/signed-out");
  });
});

describe("logout ends the local session, and", () => {
  test.each([
    ["without an end-session endpoint [STD-128]", undefined],
    ["with an empty one", ""],
    ["with one that cannot be called", "/logout"],
  ])("reports a continuing session of a provider %s", async (_, endpoint) => {
    const other = await startWorld({ options: metadataWith({ end_session_endpoint: endpoint }) });
    const browser = await other.signedIn();
    const copy = await browser.cookies();
    const answer = await browser.request("/api/auth/logout");
    expect(answer.location).toBe(`${other.baseURL}/_auth/signed-out?provider=still`);
    expect(await other.isSignedIn(copy)).toBe(false);
  });

  test.each(["/bye", "/signed-out"])(
    "keeps this from an app's own page after logout, %s",
    async (page) => {
      const routes = { postLogoutRedirect: page };
      const options = { ...metadataWith({ end_session_endpoint: undefined }), routes };
      const other = await startWorld({ options });
      const answer = await (await other.signedIn()).request("/api/auth/logout");
      expect(answer.location).toBe(other.baseURL + page);
    },
  );

  test("leads to our own page if the provider is unreachable and its metadata are cached", async () => {
    const other = await startWorld();
    const browser = await other.signedIn();
    const copy = await browser.cookies();
    await other.provider.close();
    other.advance(1);
    const known = await browser.request("/api/auth/logout");
    expect(known.location).toBe(`${other.baseURL}/_auth/signed-out?provider=unconfirmed`);
    expect(await other.isSignedIn(copy)).toBe(false);
  });

  test("waits at most a second for an unresponsive provider", async () => {
    const { ask, baseURL, provider, events } = createQuickApp();
    provider.answers.metadata = () => new Promise(() => undefined);
    const { headers } = await ask("/api/auth/logout");
    expect(headers.get("location")).toBe(`${baseURL}/_auth/signed-out?provider=unconfirmed`);
    const reason = "provider_timeout";
    expect(events).toContainEqual({ event: "provider-fault", reason, detail: "logout" });
  });

  test("reports an unknown session of a provider never reached", async () => {
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
      // On a busy machine, even a refused connection may take longer than the wait.
      reason: expect.stringMatching(/^provider_(unreachable|timeout)$/),
      detail: "logout",
    });
  });
});
