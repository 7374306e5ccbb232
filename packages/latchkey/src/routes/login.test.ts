import { describe, expect, test } from "vitest";

import { jarAfter, namesIn } from "../../test/browser/cookie-jar.ts";
import { createQuickApp } from "../../test/worlds/quick-app.ts";
import { quickWorld } from "../../test/worlds/quick-world.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { watchedStore } from "../../test/watched-store.ts";
import { startWorld, problemIn } from "../../test/worlds/world.ts";
import type { Options } from "../host/auth.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";
import { isForSharedComputer } from "../transaction/transaction.ts";

const world = await startWorld();

const anyText: unknown = expect.any(String);

async function parametersOf(address: string, init?: RequestInit): Promise<URLSearchParams> {
  const answer = await world.browser().request(address, init);
  expect(answer.location).toMatch(`${world.provider.issuer}/auth?`);
  return new URL(answer.location).searchParams;
}

describe("the authorization request", () => {
  test("carries PKCE, state and nonce of 256 bits each [STD-060, STD-061, RFC 9700, section 2.1.1]", async () => {
    const parameters = await parametersOf("/api/auth/login");
    expect(Object.fromEntries(parameters)).toEqual({
      client_id: "latchkey",
      redirect_uri: `${world.baseURL}/api/auth/callback`,
      response_type: "code",
      scope: "openid profile email",
      state: anyText,
      nonce: anyText,
      code_challenge: anyText,
      code_challenge_method: "S256",
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(parameters.get(name)).toMatch(/^[\w-]{43}$/);
    }
  });

  test("redirects by 302 without caching, with blanks written as %20", async () => {
    const answer = await world.browser().request("/api/auth/login");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.text).toBe("");
    expect(answer.location).toContain("scope=openid%20profile%20email");
  });

  test("hides the destination from the provider", async () => {
    const answer = await world.browser().request("/api/auth/login?returnTo=/secret-plans");
    expect(answer.location).not.toContain("secret-plans");
    expect(answer.location).not.toContain(btoa("/secret-plans").slice(0, 12));
  });

  test("takes only login parameters from the query [ATK-008]", async () => {
    const smuggled =
      "scope=openid%20admin&redirect_uri=https://evil.example/&client_id=evil&state=s&nonce=n&prompt=none" +
      "&response_type=token&code_challenge=c&organization=org_evil&acr_values=x&login_hint=eve";
    const returnTo = encodeURIComponent(`/x?${smuggled}&scope=admin#&scope=admin`);
    const parameters = await parametersOf(`/api/auth/login?${smuggled}&returnTo=${returnTo}`);
    expect([...parameters.keys()].toSorted()).toEqual(
      [...(await parametersOf("/api/auth/login")).keys()].toSorted(),
    );
    expect(parameters.get("scope")).toBe("openid profile email");
    expect(parameters.get("redirect_uri")).toBe(`${world.baseURL}/api/auth/callback`);
    expect(parameters.get("client_id")).toBe("latchkey");
    expect(parameters.get("state")).not.toBe("s");
  });

  test("requests the account chooser if login does, and no other prompt", async () => {
    expect((await parametersOf("/api/auth/login?prompt=select_account")).get("prompt")).toBe(
      "select_account",
    );
    for (const prompt of ["none", "login", "consent", ""]) {
      expect((await parametersOf(`/api/auth/login?prompt=${prompt}`)).has("prompt")).toBe(false);
    }
  });

  test.each([
    [["none", "login"], "login"],
    [["login", "select_account"], "select_account"],
    ["login", "select_account"],
  ])(
    "with the supported prompts %j sends the prompt %s to choose an account",
    async (prompts, prompt) => {
      const { ask, provider } = createQuickApp();
      provider.answers.metadata = () =>
        Response.json({ ...metadataOf(provider.issuer), prompt_values_supported: prompts });
      const answer = await ask("/api/auth/login?prompt=select_account");
      const { searchParams } = new URL(answer.headers.get("location") ?? "");
      expect(searchParams.get("prompt")).toBe(prompt);
    },
  );
});

describe("a login for a page with stricter rules", () => {
  const session = { user: { sub: "ada" } };

  /** Returns the authorization parameters for an app and a page with their own rules. */
  async function askedFor(options: Partial<Options>): Promise<URLSearchParams> {
    const app = createQuickApp(options);
    const headers = {
      accept: "text/html",
      cookie: await signedInCookies({ options: app.options, session }),
    };
    const locationOf = ({ headers: sent }: Response) => sent.get("location") ?? "";
    const login = locationOf(await app.open("/private", { headers }));
    return new URL(locationOf(await app.ask(login))).searchParams;
  }

  test.each([
    [900, 300, "300"],
    [300, 900, "300"],
    [undefined, 300, "300"],
    [0, 300, "0"],
  ])(
    "requests the shorter max_age: the app's own is %s, the page's %s",
    async (maxAge, ofPage, expected) => {
      const asked = await askedFor({ maxAge, accessRules: { "/private": { maxAge: ofPage } } });
      expect(asked.get("max_age")).toBe(expected);
      expect(asked.has("acr_values")).toBe(false);
    },
  );

  test("requests each acceptable acr", async () => {
    const asked = await askedFor({ accessRules: { "/private": { acr: ["mfa", "phr"] } } });
    expect(asked.get("acr_values")).toBe("mfa phr");
    expect(asked.has("max_age")).toBe(false);
  });

  test("may be finished by another user at the only connection, who gets a session of their own", async () => {
    const app = createQuickApp({ accessRules: { "/private": { acr: ["phr"] } } });
    const jar = await app.signIn();
    const headers = { accept: "text/html" };
    const { headers: sent } = await app.open("/private", { jar, headers });
    const { search } = new URL(sent.get("location") ?? "");
    const begun = await app.begin(search, jar);
    app.provider.people.set(begun.code, { sub: "eve", acr: "phr" });
    const finished = await app.finish(begun);
    expect(finished.headers.get("location")).toBe(`${app.baseURL}/private`);
    const after = jarAfter(finished.headers.getSetCookie(), begun.jar);
    const page = await app.open("/private", { jar: after }, ({ user }) => Response.json(user?.sub));
    expect(await page.json()).toBe("eve");
  });
});

describe("returnTo", () => {
  /**
   * Returns the final address of a login with this return address, without an account chooser for
   * known users.
   */
  async function endOf(query: string): Promise<string> {
    const browser = world.browser();
    return (await browser.callback(`/api/auth/login${query}`)).location;
  }

  test("uses the first of several values", async () => {
    expect(await endOf("?returnTo=/one&returnTo=https://evil.example&returnTo=/two")).toBe(
      `${world.baseURL}/one`,
    );
  });

  test.each(["", "?returnTo=", "?other=/x"])("defaults to the base URL: %j", async (query) => {
    expect(await endOf(query)).toBe(`${world.baseURL}/`);
  });

  test("ignores an unsafe value, and logs it without its text", async () => {
    const before = world.events.length;
    expect(await endOf("?returnTo=https://evil.example/")).toBe(`${world.baseURL}/`);
    expect(world.events.slice(before)).toContainEqual({ event: "return-to-dropped", length: 21 });
    expect(JSON.stringify(world.events)).not.toContain("evil.example");
  });
});

describe("the transaction cookie", () => {
  const destinations = [
    ["2,000 characters", `/${"x".repeat(2000)}`, true],
    ["4,000 characters", `/${"x".repeat(4000)}`, false],
    ["300 Japanese letters", `/${"日".repeat(300)}`, false],
  ] as const;

  test.each(destinations)(
    "fits into a browser with a destination of %s",
    async (_, returnTo, isKept) => {
      const browser = world.browser();
      const login = `/api/auth/login?returnTo=${encodeURIComponent(returnTo)}`;
      const [line = ""] = (await browser.request(login)).headers.getSetCookie();
      expect(line.length).toBeLessThanOrEqual(4096);
      const { location } = await browser.callback(login);
      expect(location).toBe(isKept ? world.baseURL + returnTo : `${world.baseURL}/`);
    },
  );

  const overHTTPS = { baseURL: "https://app.example", responseMode: "form_post" } as const;

  test("fits, beside its companion for a form_post, and the log has the length of what it drops", async () => {
    const { ask, events } = createQuickApp(overHTTPS);
    const login = `/api/auth/login?returnTo=/${"x".repeat(4000)}`;
    const lengths = (await ask(login)).headers.getSetCookie().map((line) => line.length);
    expect(lengths).toHaveLength(2);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4096);
    expect(events).toContainEqual({ event: "return-to-dropped", length: 4020 });
  });

  test("cannot hold what 1,500 Japanese letters as acr_values demand: the login is refused", async () => {
    const { ask, events } = createQuickApp({ loginParams: ["acr_values"] });
    const login = `/api/auth/login?acr_values=${encodeURIComponent("日".repeat(1500))}`;
    expect((await ask(login)).status).toBe(400);
    const detail = "acr_values or organization is too long";
    expect(events.at(-1)).toMatchObject({ reason: "parameter_invalid", detail });
  });

  test.each([
    ["", false],
    ["?shared=1", true],
  ])(
    "says for a form_post, which brings no session, whether one of login%s is of a shared computer",
    async (query, isShared) => {
      const app = createQuickApp(overHTTPS);
      const { jar, code, state } = await app.begin(query);
      const body = new URLSearchParams({ code, state });
      const landed = await app.ask("/api/auth/callback", { method: "POST", body, jar });
      const signedIn = jarAfter(landed.headers.getSetCookie());
      expect(signedIn).toHaveProperty("appSession");
      expect(isForSharedComputer((await app.begin("", signedIn)).state)).toBe(isShared);
    },
  );

  test("is the only effect of a login, without a log event", async () => {
    const before = world.events.length;
    const answer = await world.browser().request("/api/auth/login?returnTo=/reports");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(world.events.slice(before)).toEqual([]);
  });
});

test("a login reads no session, since the callback reads it later", async () => {
  const calls: string[] = [];
  const store = watchedStore(memoryStore(), (operation) => calls.push(operation));
  const app = createQuickApp({ store });
  const jar = await app.signIn();
  calls.length = 0;
  await app.begin("", jar);
  expect(calls).toEqual([]);
});

describe("a login with more cookies than the settings allow", () => {
  const large = "x".repeat(4096);
  const quick = quickWorld({ options: { session: { maxCookieBytes: 4096 } } });
  const send = (cookie: string) =>
    quick.browser().request("/api/auth/login?returnTo=/reports", { headers: { cookie } });

  test("clears session cookies that it cannot read, and may be started again", async () => {
    const answer = await send(`other=1; appSession.0=${large}; appSession.1=y`);
    expect(answer.status).toBe(400);
    const { reason, signInURL } = problemIn(answer);
    expect([reason, new URL(signInURL).searchParams.get("returnTo")]).toEqual([
      "cookies_too_large",
      `${quick.baseURL}/reports`,
    ]);
    expect(namesIn(answer.headers.getSetCookie())).toEqual({
      set: [],
      cleared: ["appSession.0", "appSession.1"],
    });
    expect(quick.events.at(-1)).toMatchObject({ event: "refusal", route: "login", reason });
  });

  test.each([
    ["no session cookie among them", () => `other=${large}`],
    ["a session", async () => `${await (await quick.signedIn()).cookies()}; other=${large}`],
  ])("goes on with %s", async (_, cookies) => {
    expect((await send(await cookies())).location).toMatch(`${quick.provider.issuer}/authorize?`);
  });
});

describe("requests that are no valid login", () => {
  test.each(["iss", "target_link_uri", "prompt"])(
    "get a 400 for a second %s [STD-003]",
    async (name) => {
      const answer = await world.browser().request(`/api/auth/login?${name}=a&${name}=a`);
      expect(answer.status).toBe(400);
      expect(problemIn(answer).reason).toBe("parameter_repeated");
    },
  );
});

describe("a failed login", () => {
  test.each([
    ["/reports?x=1", "/reports?x=1"],
    ["https://evil.example/", null],
  ])("keeps the return address %s on its problem page as %s", async (returnTo, kept) => {
    const query = new URLSearchParams({ iss: "https://evil.example", returnTo });
    const answer = await world.browser().request(`/api/auth/login?${query.toString()}`);
    const again = new URL(problemIn(answer).signInURL).searchParams.get("returnTo");
    expect(again).toBe(kept && world.baseURL + kept);
  });
});

test.each([
  ["", null],
  ["&shared=0", null],
  ["&shared=1", "1"],
])("a failed login keeps whether a computer is shared: %j", async (query, kept) => {
  const answer = await world.browser().request(`/api/auth/login?iss=https://evil.example${query}`);
  expect(new URL(problemIn(answer).signInURL).searchParams.get("shared")).toBe(kept);
});

describe("a login started by a third party [STD-019, OpenID Connect Core, section 4]", () => {
  const from = (parameters: Record<string, string>) =>
    `/api/auth/login?${new URLSearchParams(parameters).toString()}`;

  test("goes to our provider, with the given hint", async () => {
    const { issuer } = world.provider;
    const parameters = await parametersOf(from({ iss: issuer, login_hint: "ada@example.com" }));
    expect(parameters.get("login_hint")).toBe("ada@example.com");
  });

  test("accepts POST, and redirects by 303", async () => {
    const { issuer } = world.provider;
    const answer = await world.browser().request("/api/auth/login", {
      method: "POST",
      body: new URLSearchParams({ iss: issuer, login_hint: "ada", other: "ignored" }),
    });
    expect(answer.status).toBe(303);
    expect(new URL(answer.location).searchParams.get("login_hint")).toBe("ada");
  });

  test("returns to the given page, on this origin only", async () => {
    const { issuer } = world.provider;
    const page = await world
      .browser()
      .signIn(from({ iss: issuer, target_link_uri: `${world.baseURL}/reports?x=1` }));
    expect(page.url.href).toBe(`${world.baseURL}/reports?x=1`);
    const foreign = await world
      .browser()
      .signIn(from({ iss: issuer, target_link_uri: "https://evil.example/" }));
    expect(foreign.url.href).toBe(`${world.baseURL}/`);
  });

  test("returns to the page of returnTo if both are given", async () => {
    const both = { returnTo: "/one", target_link_uri: `${world.baseURL}/two` };
    const page = await world.browser().signIn(from({ iss: world.provider.issuer, ...both }));
    expect(page.url.href).toBe(`${world.baseURL}/one`);
  });
});

describe("a base URL with a path", async () => {
  const shop = await startWorld({ basePath: "/shop" });

  test("is the destination of a sign-in without one", async () => {
    const page = await shop.browser().signIn("/shop/api/auth/login");
    expect(page.url.href).toBe(`${shop.baseURL}/`);
  });

  test("keeps its own query", async () => {
    const answer = await shop.browser().request("/shop?x=1");
    expect(new URL(answer.location).searchParams.get("returnTo")).toBe("/shop/?x=1");
  });
});

test("a login shows a page of its own if the provider is unreachable and its metadata are cached, and heals", async () => {
  let isDown = false;
  const other = await startWorld({
    options: {
      fetch: (input, init) =>
        isDown ? Promise.reject(new TypeError("connection refused")) : fetch(input, init),
    },
  });
  const browser = other.browser();
  expect((await browser.request("/api/auth/login")).status).toBe(302);
  isDown = true;
  other.advance(1);
  const answer = await browser.request("/api/auth/login?returnTo=/private");
  expect(answer.status).toBe(500);
  expect(problemIn(answer)).toMatchObject({ kind: "provider-unreachable-start" });
  isDown = false;
  expect((await browser.request("/api/auth/login")).status).toBe(302);
});
