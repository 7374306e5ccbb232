import { expect, test } from "vitest";

import type { Answer } from "../../../test/browser/browser.ts";
import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { createQuickApp } from "../../../test/worlds/quick-app.ts";
import { startWorld } from "../../../test/worlds/world.ts";
import type { SignedOut } from "../../config/pages.ts";

const world = await startWorld({
  options: { renderSignedOut: (signedOut) => JSON.stringify(signedOut) },
});

/** What the page after logout has been given. */
const shownIn = ({ text }: Answer) => JSON.parse(text) as SignedOut;
const providerIn = (answer: Answer) => shownIn(answer).provider;

test("the page after logout reports once that the provider's session has ended if the state returns, at an address without it", async () => {
  const browser = await world.signedIn();
  const { searchParams } = new URL((await browser.request("/api/auth/logout")).location);
  const address = `/_auth/signed-out?state=${searchParams.get("state")}`;
  const returned = await browser.request(address);
  expect([returned.status, returned.location]).toEqual([302, `${world.baseURL}/_auth/signed-out`]);
  const answer = await browser.request(returned.location);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(JSON.parse(answer.text)).toEqual({
    provider: "ended",
    copies: "ended",
    signInURL: `${world.baseURL}/api/auth/login`,
    homeURL: `${world.baseURL}/`,
  });
  expect(namesIn(answer.headers.getSetCookie())).toEqual({ set: [], cleared: ["auth_logout"] });
  expect(providerIn(await browser.open(address))).toBe("unknown");
});

test("the page after logout keeps what else stands in its address", async () => {
  const browser = await world.signedIn();
  const { searchParams } = new URL((await browser.request("/api/auth/logout")).location);
  const address = `/_auth/signed-out?state=${searchParams.get("state")}&theme=dark`;
  const { location } = await browser.request(address);
  expect(location).toBe(`${world.baseURL}/_auth/signed-out?theme=dark`);
});

test("a logout is stored for ten minutes, out of reach of scripts, until the provider returns", async () => {
  const session = { cookie: { path: "/shop" } };
  const { ask } = createQuickApp({ baseURL: "https://app.example/shop", session });
  const { headers } = await ask("/shop/api/auth/logout");
  const line = headers.getSetCookie().find((each) => each.startsWith("auth_logout=")) ?? "";
  expect(line).toMatch(/; Path=\/shop; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/);
  const lasts = Date.parse(/Expires=([^;]+)/.exec(line)?.[1] ?? "") - Date.now();
  expect(Math.abs(lasts - 600_000)).toBeLessThan(60_000);
});

test.each([
  ["no state", ""],
  ["another state", "?state=other"],
  ["two states", "?state=a&state=b"],
])("the page after logout makes no claim for %s, and logs it", async (_, query) => {
  const browser = await world.signedIn();
  await browser.request("/api/auth/logout");
  const before = world.events.length;
  const answer = await browser.open(`/_auth/signed-out${query}`);
  expect([providerIn(answer), answer.url.search]).toEqual(["unconfirmed", ""]);
  // The log also contains the revocation of tokens in the background.
  expect(world.events.slice(before)).toContainEqual({
    event: "logout-state-mismatch",
    received: query !== "",
  });
});

test.each([
  ["?provider=still", "still"],
  ["?provider=unconfirmed", "unconfirmed"],
  ["?provider=ended", "unknown"],
  ["?provider=<b>", "unknown"],
  ["", "unknown"],
])("the page after logout shows %j without a pending logout as %s", async (query, provider) => {
  const answer = await world.browser().request(`/_auth/signed-out${query}`);
  expect(shownIn(answer)).toMatchObject({ provider });
  expect(shownIn(answer)).not.toHaveProperty("copies");
});

test.each(["<b>", "state.soon", "state.1234567890123"])(
  "the page after logout ignores and clears a cookie not set by our logout: %s",
  async (value) => {
    const headers = { cookie: `auth_logout=${value}` };
    const answer = await world.browser().request("/_auth/signed-out", { headers });
    expect(JSON.parse(answer.text)).toMatchObject({ provider: "unknown" });
    expect(answer.text).not.toContain("copiesEndBy");
    expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual(["auth_logout"]);
  },
);

const showFacts = { renderSignedOut: (facts: SignedOut) => JSON.stringify(facts) };

test("the page after logout says when copies of the cookie end if no store can end them", async () => {
  const session = { absoluteDuration: 3600, rollingDuration: 600 };
  const other = await startWorld({
    options: { ...showFacts, store: undefined, backchannelLogout: false, session },
  });
  const browser = await other.signedIn();
  const copy = await browser.cookies();
  const inAnHour = Math.floor(Date.now() / 1000) + 3600;
  const { copies, copiesEndBy = 0 } = shownIn(await browser.open("/api/auth/logout"));
  expect(copies).toBe("expiring");
  expect(Math.abs(copiesEndBy - inAnHour)).toBeLessThan(60);
  expect(await other.isSignedIn(copy)).toBe(true);
});

test("the page after logout says that no copy is left of a session which was over before, without a store", async () => {
  const other = await startWorld({
    options: { ...showFacts, store: undefined, backchannelLogout: false },
  });
  const browser = await other.signedIn();
  const cookie = await browser.cookies();
  other.advance(86_700);
  const { headers } = await other.browser().request("/api/auth/logout", { headers: { cookie } });
  expect(headers.getSetCookie().find((line) => line.startsWith("auth_logout"))).toMatch(/\.0;/);
});

test.each([
  ["how many other devices were signed out, if they are listed", true, 1],
  ["that all devices were signed out, if they are not listed", false, "all"],
])("the page after logout says %s", async (_, stateful, otherDevices) => {
  const other = await startWorld({
    options: { ...showFacts, session: { stateful } },
    async app(request, auth) {
      await auth.of(request).endDevices("all");
      return Response.redirect(`${auth.config.baseURL}/api/auth/logout`, 303);
    },
  });
  const browser = await other.signedIn();
  await other.signedIn();
  const page = shownIn(await browser.open("/end-all", { method: "POST" }));
  expect(page).toMatchObject({ copies: "ended", otherDevices, provider: "ended" });
});

test("the page after logout keeps its facts until the provider has confirmed", async () => {
  const other = await startWorld({ options: showFacts });
  const browser = await other.signedIn();
  await browser.request("/api/auth/logout");
  const first = shownIn(await browser.request("/_auth/signed-out"));
  expect(first).toMatchObject({ provider: "unconfirmed", copies: "ended" });
  expect(shownIn(await browser.request("/_auth/signed-out"))).toEqual(first);
  const second = shownIn(await browser.open("/api/auth/logout"));
  expect(second).toEqual({ ...first, provider: "ended" });
  expect(shownIn(await browser.request("/_auth/signed-out")).provider).toBe("unknown");
});

test("the page after logout sends a signed-in browser home", async () => {
  const answer = await (await world.signedIn()).request("/_auth/signed-out");
  expect([answer.status, answer.location]).toEqual([302, `${world.baseURL}/`]);
});

test("without a page of the app, the built-in one is shown after logout", async () => {
  const other = await startWorld();
  const page = await (await other.signedIn()).open("/api/auth/logout");
  expect(page.url.pathname).toBe("/_auth/signed-out");
  expect(page.status).toBe(200);
  expect(page.text).toContain("You are signed out of your sign-in provider too.");
});
