import { describe, expect, test } from "vitest";

import { isSignedIn, type NextRequest } from "../browser/browser.ts";
import { production, startShop } from "./shop.ts";

const preview = "https://deploy-preview-7--shop.netlify.app";
const names = { preview, origins: ["https://*--shop.netlify.app"] };

describe("a preview with the redirect URI of production, in two processes", async () => {
  const shop = await startShop({ ...names, inProcesses: true });

  test("MX-081: signs in, by a relay without cookie, store and call of the provider", async () => {
    // Fetched ahead at the start.
    await expect.poll(async () => (await shop.relay.facts()).calls).toContain("/jwks");
    const before = await shop.relay.facts();
    const browser = shop.browser();
    const { address } = await browser.untilCallback("/api/auth/login?returnTo=/orders");
    expect(address.startsWith(`${production}/api/auth/callback?`)).toBe(true);
    const relayed = await browser.request(address);
    expect([relayed.status, relayed.headers.get("cache-control")]).toEqual([303, "no-store"]);
    expect(relayed.headers.getSetCookie()).toEqual([]);
    const [sent, received] = [new URL(address), new URL(relayed.location)];
    expect(received.origin + received.pathname).toBe(`${preview}/api/auth/callback`);
    expect([...received.searchParams]).toEqual([...sent.searchParams]);
    expect([...sent.searchParams.keys()].toSorted()).toEqual(["code", "iss", "state"]);
    const after = await shop.relay.facts();
    expect([after.storeOperations, after.calls]).toEqual([before.storeOperations, before.calls]);

    const page = await browser.open(relayed.location);
    expect([page.url.href, page.text]).toEqual([`${preview}/orders`, "a page of the app"]);
    expect((await shop.app.facts()).calls.filter((path) => path === "/token")).toHaveLength(1);
    // Nothing of it is at the relay.
    expect(await browser.jar.getCookieString(production)).toBe("");
  });

  test("MX-082: a browser without its pending login starts again, once", async () => {
    const started = shop.browser();
    const { address } = await started.untilCallback();
    const other = shop.browser();
    const relayed = await other.request(address);
    const answer = await other.request(relayed.location);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
    expect(answer.headers.get("refresh")).toMatch(
      /^0; url=https:\/\/deploy-preview-7--shop\S+\/login/,
    );
    const { events } = await shop.app.facts();
    expect(events.at(-1)).toMatchObject({ reason: "state_cookie_missing" });
    expect((await started.open(address)).text).toBe("a page of the app");
  });

  test("MX-082: a leaked code is of no use in another browser's sign-in, which stays intact", async () => {
    const [victim, thief] = [shop.browser(), shop.browser()];
    const leaked = new URL((await victim.untilCallback()).address);
    const own = new URL((await thief.untilCallback()).address);
    const stolen = new URL(own);
    stolen.searchParams.set("code", leaked.searchParams.get("code") ?? "");
    const answer = await thief.open(stolen.href);
    expect([answer.status, answer.text.includes("a page of the app")]).toEqual([400, false]);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("MX-084: the response a second time changes nothing", async () => {
    const browser = shop.browser();
    const { address } = await browser.untilCallback();
    const first = await browser.open(address);
    expect(first.text).toBe("a page of the app");
    const stranger = shop.browser();
    const relayed = await stranger.request(address);
    expect(relayed.status).toBe(303);
    expect((await stranger.request(relayed.location)).headers.getSetCookie()).toEqual([]);
    expect(await isSignedIn(stranger)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("MX-084: a user who cancels comes back to the preview", async () => {
    const browser = shop.browser();
    const { address } = await browser.untilCallback("/api/auth/login", "cancel");
    expect(new URL(address).searchParams.get("error")).toBe("access_denied");
    const relayed = await browser.request(address);
    const answer = await browser.request(relayed.location);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("refresh")).toContain(`url=${preview}/?notice=cancelled`);
  });

  test("MX-084: the preview itself checks who has issued the response", async () => {
    const browser = shop.browser();
    const { address } = await browser.untilCallback();
    const changed = new URL(address);
    changed.searchParams.set("iss", "https://evil.example");
    const relayed = await browser.request(changed.href);
    expect(relayed.status).toBe(303);
    const before = await shop.app.facts();
    expect((await browser.request(relayed.location)).status).toBe(400);
    const { events, calls } = await shop.app.facts();
    expect(events.at(-1)).toMatchObject({ reason: "response_iss_mismatch" });
    expect(calls).toEqual(before.calls);
  });

  test("MX-081: a user who comes after ten minutes is led back to the preview", async () => {
    const browser = shop.browser();
    const { address } = await browser.untilCallback();
    await shop.relay.facts(11 * 60_000);
    const late = await browser.request(address);
    await shop.relay.facts(-11 * 60_000);
    expect([late.status, late.location]).toEqual([400, ""]);
    expect(late.text).toContain(`${preview}/api/auth/login`);
  });

  test("MX-081: production signs in by the same address as ever", async () => {
    const browser = shop.browser();
    const page = await browser.signIn(`${production}/orders`);
    expect([page.url.href, page.text]).toEqual([`${production}/orders`, "a page of the app"]);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

test("MX-084: a posted response goes on with its form", async () => {
  const shop = await startShop({ ...names, options: { responseMode: "form_post" } });
  const browser = shop.browser();
  const { address, init } = await browser.untilCallback("/api/auth/login?returnTo=/orders");
  expect([address, init.method]).toEqual([`${production}/api/auth/callback`, "POST"]);
  const relayed = await browser.request(address, init);
  expect([relayed.status, relayed.location]).toEqual([307, `${preview}/api/auth/callback`]);
  expect(relayed.headers.getSetCookie()).toEqual([]);
  const { calls } = await shop.relay.facts();
  expect(calls).not.toContain("/token");
  const page = await browser.open(relayed.location, init);
  expect([page.url.href, page.text]).toEqual([`${preview}/orders`, "a page of the app"]);
});

test("MX-084: a posted ID token needs no more than the relay of its form", async () => {
  const shop = await startShop({ ...names, options: { responseType: "id_token" } });
  const browser = shop.browser();
  const { address, init }: NextRequest = await browser.untilCallback();
  const relayed = await browser.request(address, init);
  expect((await browser.open(relayed.location, init)).text).toBe("a page of the app");
});
