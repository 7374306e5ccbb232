import { describe, expect, onTestFinished, test } from "vitest";

import { failingStore } from "../../../test/failing-store.ts";
import { changedFetch } from "../../../test/worlds/changed-fetch.ts";
import { startWorld } from "../../../test/worlds/world.ts";
import { createAuth, type Options } from "../../host/auth.ts";
import { memoryStore } from "../../stores/memory.ts";

const withoutLogout = changedFetch("/.well-known/openid-configuration", (metadata) => ({
  ...metadata,
  end_session_endpoint: undefined,
}));

/** A world whose store can be made to fail, until the test ends. */
async function failingWorld(options: Partial<Options> = {}) {
  const store = failingStore(memoryStore());
  onTestFinished(() => store.fail(false));
  const other = await startWorld({ options: { store, ...options } });
  return { store, other, browser: await other.signedIn() };
}

describe.each([[false], [true]])("a logout without the store, sessions in it: %s,", (stateful) => {
  test("shows on the page after logout when copies of the cookie expire [OP-023]", async () => {
    const { store, browser } = await failingWorld({ session: { stateful } });
    store.fail(true);
    const answer = await browser.request("/api/auth/logout");
    const state = new URL(answer.location).searchParams.get("state") ?? "";
    expect(state).toMatch(/^[\w-]+$/);
    const page = await browser.open(`/_auth/signed-out?state=${state}`);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
    const inAWeek = day.format(Date.now() + 604_800_000);
    expect(page.text).toContain("signed out of your sign-in provider too");
    expect(page.text).toMatch(`It ends by itself by ${inAWeek} at `);
    expect((await browser.request("/_auth/signed-out")).text).not.toContain("It ends by itself by");
  });

  test("notifies the provider of the user as soon as the session is readable, and revokes the tokens [OP-023]", async () => {
    const { store, other, browser } = await failingWorld({ session: { stateful } });
    other.provider.clearRequests();
    store.fail(true);
    const answer = await browser.request("/api/auth/logout");
    expect(new URL(answer.location).searchParams.has("id_token_hint")).toBe(!stateful);
    store.fail(!stateful);
    await expect
      .poll(() => other.provider.requests.filter(({ path }) => path === "/token/revocation"))
      .toHaveLength(2);
  });
});

test("close() finishes pending logouts in the store first", async () => {
  const { store, other, browser } = await failingWorld();
  const copy = await browser.cookies();
  store.fail(true);
  await browser.request("/api/auth/logout");
  setTimeout(() => store.fail(false), 50);
  await other.auth.close();
  expect(await other.isSignedIn(copy)).toBe(false);
});

test.each<[string, Partial<Options>]>([
  ["the provider's session shall live", { idpLogout: false }],
  ["the provider has no logout", { fetch: withoutLogout }],
  ["the provider cannot be reached", { fetch: () => Promise.reject(new Error("gone")) }],
])("a logout, if %s, still shows when copies expire [OP-023]", async (_, options) => {
  const { store, other, browser } = await failingWorld();
  const auth = createAuth({ ...other.options, ...options });
  store.fail(true);
  const ask = async (address: string) => {
    const headers = { cookie: await browser.cookies() };
    const request = new Request(new URL(address, other.baseURL), { headers });
    return auth.respond(request, () => expect.unreachable());
  };
  const { headers } = await ask("/api/auth/logout");
  for (const line of headers.getSetCookie()) await browser.jar.setCookie(line, other.baseURL);
  expect(await (await ask(headers.get("location") ?? "")).text()).toContain("It ends by itself by");
});

test("a browser with a session sees the page after logout while the store is down", async () => {
  const { store, browser } = await failingWorld();
  store.fail(true);
  expect((await browser.request("/_auth/signed-out")).status).toBe(200);
});
