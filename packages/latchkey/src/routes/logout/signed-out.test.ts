import { expect, test } from "vitest";

import type { Answer } from "../../../test/browser/browser.ts";
import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { createQuickApp } from "../../../test/worlds/quick-app.ts";
import { startWorld } from "../../../test/worlds/world.ts";
import type { SignedOut } from "../../config/pages.ts";

const world = await startWorld({
  options: { renderSignedOut: (signedOut) => JSON.stringify(signedOut) },
});

const providerIn = ({ text }: Answer) => (JSON.parse(text) as SignedOut).provider;

test("reports once that the provider's session has ended if the state returns, at an address without it [CERT-070]", async () => {
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
    signInURL: `${world.baseURL}/api/auth/login`,
    homeURL: `${world.baseURL}/`,
  });
  expect(namesIn(answer.headers.getSetCookie())).toEqual({ set: [], cleared: ["auth_logout"] });
  expect(providerIn(await browser.open(address))).toBe("unknown");
});

test("stores a logout for ten minutes, out of reach of scripts, and gets it back from the provider", async () => {
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
])("makes no claim for %s, and logs it [CERT-071, CERT-072]", async (_, query) => {
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
])("shows %j without a pending logout as %s", async (query, provider) => {
  const answer = await world.browser().request(`/_auth/signed-out${query}`);
  expect(providerIn(answer)).toBe(provider);
});

test.each(["<b>", "state.soon", "state.1234567890123"])(
  "ignores and clears a cookie not set by our logout: %s",
  async (value) => {
    const headers = { cookie: `auth_logout=${value}` };
    const answer = await world.browser().request("/_auth/signed-out", { headers });
    expect(JSON.parse(answer.text)).toMatchObject({ provider: "unknown" });
    expect(answer.text).not.toContain("copiesEndBy");
    expect(namesIn(answer.headers.getSetCookie()).cleared).toEqual(["auth_logout"]);
  },
);

test("sends a signed-in browser home", async () => {
  const answer = await (await world.signedIn()).request("/_auth/signed-out");
  expect([answer.status, answer.location]).toEqual([302, `${world.baseURL}/`]);
});

test("shows the built-in page without a page of the app", async () => {
  const other = await startWorld();
  const page = await (await other.signedIn()).open("/api/auth/logout");
  expect(page.url.pathname).toBe("/_auth/signed-out");
  expect(page.status).toBe(200);
  expect(page.text).toContain("You are signed out of your sign-in provider too.");
});
