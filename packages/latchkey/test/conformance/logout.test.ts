import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { memoryStore } from "../../src/stores/memory.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import type { Browser } from "../browser.ts";
import { jarOf, signIn } from "./attempt.ts";
import { type HostileWorld, type SetUp, startHostileWorld } from "./hostile-world.ts";
import { expectAnonymous, profileOf, setCookieNames } from "./oracles.ts";
import { logsStayQuiet } from "./quiet-logs.ts";

let world: HostileWorld;
beforeAll(async () => {
  world = await startHostileWorld();
});
afterAll(() => world.close());

/** The page after logout says what became of the session at the provider. */
const page: NonNullable<SetUp["page"]> = (request, auth) => {
  const { provider, headers } = auth.signedOut(request);
  return new Response(`the provider's session: ${provider}`, {
    headers: headers.map(([name, value]) => [name, value]),
  });
};

async function signedIn(setUp: SetUp = {}): Promise<Browser> {
  world.setUp({ page, ...setUp });
  const { browser } = await signIn(world);
  await profileOf(browser);
  world.provider.resetLog();
  return browser;
}

async function endSessionRequest(browser: Browser): Promise<URL> {
  const { location } = await browser.request("/api/auth/logout");
  const url = new URL(location);
  world.canaries.addParameters(url.searchParams);
  return url;
}

describe("logout at the provider", () => {
  test("gets the ID token that was kept, our client id, the exact return address and a state of its own [CERT-070, STD-124]", async () => {
    const states = new Set<string | null>();
    for (const _ of [1, 2]) {
      const browser = await signedIn();
      const { searchParams, pathname } = await endSessionRequest(browser);
      expect(pathname).toBe("/end-session");
      expect([...searchParams.keys()].toSorted()).toEqual([
        "client_id",
        "id_token_hint",
        "post_logout_redirect_uri",
        "state",
      ]);
      expect(searchParams.get("client_id")).toBe(world.provider.client.id);
      expect(searchParams.get("post_logout_redirect_uri")).toBe(
        `${world.baseURL}/_auth/signed-out`,
      );
      expect(Buffer.from(searchParams.get("state") ?? "", "base64url").length).toBe(16);
      states.add(searchParams.get("state"));
    }
    expect(states.size).toBe(2);
    expect(world.provider.complaints).toEqual([]);
  });

  test.each([
    ["CERT-070", "ended"],
    ["CERT-071", "unconfirmed"],
    ["CERT-072", "unconfirmed"],
    ["STD-127", "unconfirmed"],
  ] as const)(
    "is finished whatever state comes back, %s: the provider's session is %s, ours is gone [CERT-070, CERT-071, CERT-072, STD-127]",
    async (conduct, outcome) => {
      const browser = await signedIn();
      world.provider.behave(conduct);
      const before = world.events.length;
      const landed = await browser.open("/api/auth/logout");
      expect(landed.url.origin + landed.url.pathname).toBe(`${world.baseURL}/_auth/signed-out`);
      expect(landed.text).toBe(`the provider's session: ${outcome}`);
      await expectAnonymous(world, browser);
      const logged = world.events.slice(before).map(({ event }) => event);
      expect(logged).toEqual([
        "sign-out",
        ...(outcome === "ended" ? [] : ["logout-state-mismatch"]),
      ]);
      expect(world.provider.complaints).toEqual([]);
    },
  );

  test("keeps the query that the endpoint has, and encodes what is added [STD-125]", async () => {
    const browser = await signedIn({ conduct: "STD-125" });
    const url = await endSessionRequest(browser);
    expect(url.searchParams.get("tenant")).toBe("a&b");
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(
      `${world.baseURL}/_auth/signed-out`,
    );
    expect(url.search).not.toContain("+");
  });

  test.each([
    ["no ID token is kept", { options: { session: { storeIDToken: false } } }],
    [
      "the ID token is too long for an address",
      { conduct: "STD-129", options: { session: { stateful: true } } },
    ],
  ] as const)("is told our client id alone where %s [STD-126, STD-129]", async (_, setUp) => {
    const browser = await signedIn(setUp);
    const url = await endSessionRequest(browser);
    expect(url.searchParams.has("id_token_hint")).toBe(false);
    expect(url.searchParams.get("client_id")).toBe(world.provider.client.id);
    expect(url.href.length).toBeLessThan(8192);
  });
});

describe("the session here has ended", () => {
  test.each([
    ["before the browser is sent to the provider", "well"],
    ["also where the provider has no end-session endpoint", "STD-128"],
    ["also where the provider does not answer", "REL-F12/reset/metadata"],
    ["also where the provider's metadata are wrong", "CERT-062"],
  ] as const)("%s [STD-128]", async (_, conduct) => {
    const browser = await signedIn();
    const copy = await browser.cookies();
    world.setUp({ page, conduct });
    const answer = await browser.request("/api/auth/logout");
    expect(answer.status).toBe(302);
    expect(setCookieNames(answer)).toContain("appSession");
    expect(Object.keys(await jarOf(browser, world))).not.toContain("appSession");
    await expectAnonymous(world, browser);
    await expectAnonymous(world, copy, { clears: true });
  });

  test.each([
    ["cookies, memory", () => ({ store: memoryStore() })],
    ["cookies, SQLite", () => ({ store: sqliteStore(":memory:") })],
    ["sessions in memory", () => ({ store: memoryStore(), session: { stateful: true } })],
    ["sessions in SQLite", () => ({ store: sqliteStore(":memory:"), session: { stateful: true } })],
  ] as const)(
    "also for who has copied its cookie: %s [ASVS-7.4.1, ATK-033, ATK-057]",
    async (_, optionsOf) => {
      const options = optionsOf();
      const browser = await signedIn({ options });
      const copy = await browser.cookies();
      await browser.request("/api/auth/logout");
      await expectAnonymous(world, copy, { clears: true });
    },
  );
});

describe("nobody is signed out by", () => {
  const cookieOf = async (browser: Browser) => browser.cookies();
  const ask = async (
    browser: Browser,
    init: { readonly method: string; readonly headers: Readonly<Record<string, string>> },
  ) =>
    world.auth.handle(
      new Request(`${world.baseURL}/api/auth/logout`, {
        ...init,
        headers: { cookie: await cookieOf(browser), ...init.headers },
      }),
    );
  const isSignedIn = async (browser: Browser) =>
    (await browser.request("/api/auth/me")).status === 200;

  test.each([
    [
      "an image on another site",
      "GET",
      { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" },
    ],
    [
      "a link on another site",
      "GET",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    ],
    [
      "a form on another site",
      "POST",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    ],
    ["a form on another site, from an older browser", "POST", { origin: "https://evil.example" }],
    ["a form in a sandbox", "POST", { origin: "null" }],
  ] as const)(
    "%s: the person is asked first, by a form that posts [STD-130, STD-094, ASVS-3.5.3, ATK-103]",
    async (_, method, headers) => {
      const browser = await signedIn();
      const answer = await ask(browser, { method, headers: { accept: "text/html", ...headers } });
      expect(answer?.status).toBe(200);
      expect(answer?.headers.getSetCookie()).toEqual([]);
      expect(answer?.headers.get("x-frame-options")).toBe("DENY");
      expect(await answer?.text()).toContain(
        `<form method="post" action="${world.baseURL}/api/auth/logout"`,
      );
      expect(await isSignedIn(browser)).toBe(true);
      expect(world.provider.requests).toEqual([]);
    },
  );

  test.each([
    ["HEAD", "HEAD", {}],
    ["a prefetch", "GET", { "sec-purpose": "prefetch" }],
    ["a prerender", "GET", { "sec-purpose": "prefetch;prerender" }],
    ["a framework's prefetch", "GET", { "next-router-prefetch": "1" }],
    ["OPTIONS", "OPTIONS", {}],
    ["DELETE", "DELETE", {}],
  ] as const)("%s [STD-130]", async (_, method, headers) => {
    const browser = await signedIn();
    const answer = await ask(browser, { method, headers });
    expect(answer?.headers.getSetCookie()).toEqual([]);
    expect(answer?.headers.get("location")).toBeNull();
    expect(await isSignedIn(browser)).toBe(true);
  });
});

test("logout goes nowhere that the request names [STD-127, STD-040]", async () => {
  for (const name of ["returnTo", "post_logout_redirect_uri", "target_link_uri", "state"]) {
    const browser = await signedIn({ conduct: "PROVIDERS/no-end-session" });
    const query = `${name}=${encodeURIComponent("https://evil.example/")}`;
    const { location } = await browser.request(`/api/auth/logout?${query}`);
    expect(location).toBe(`${world.baseURL}/_auth/signed-out?provider=still`);
  }
});

test("the refresh token is revoked where the provider has an endpoint for it [STD-053]", async () => {
  const conduct = {
    metadata: (own: Readonly<Record<string, unknown>>) => ({
      ...own,
      revocation_endpoint: `${world.provider.issuer}/revoke`,
    }),
  };
  const browser = await signedIn({ conduct });
  await browser.request("/api/auth/logout");
  const revoked = () => world.provider.requests.filter(({ path }) => path === "/revoke");
  await expect.poll(() => revoked().length).toBe(1);
  const [request] = revoked();
  expect(request?.form.get("token")).toMatch(/^[\w-]{20,}$/);
  expect(request?.form.get("token_type_hint")).toBe("refresh_token");
  expect(request?.headers.authorization).toMatch(/^Basic /);
  world.canaries.addParameters(
    new URLSearchParams({ refresh_token: request?.form.get("token") ?? "" }),
  );
});

logsStayQuiet(() => world);
