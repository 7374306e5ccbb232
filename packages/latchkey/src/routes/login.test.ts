import { describe, expect, test } from "vitest";

import { createQuickApp } from "../../test/worlds/quick-app.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { watchedStore } from "../../test/watched-store.ts";
import { startWorld, problemIn } from "../../test/worlds/world.ts";
import type { Options } from "../auth.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";

const world = await startWorld();

const anyText: unknown = expect.any(String);

async function parametersOf(address: string, init?: RequestInit): Promise<URLSearchParams> {
  const answer = await world.browser().request(address, init);
  expect(answer.location).toMatch(`${world.provider.issuer}/auth?`);
  return new URL(answer.location).searchParams;
}

describe("the authorization request", () => {
  test("it carries PKCE, state and nonce of 256 bits each [STD-060, STD-061, RFC 9700, section 2.1.1]", async () => {
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

  test("it is a redirect by 302 that no cache keeps, with blanks written as %20", async () => {
    const answer = await world.browser().request("/api/auth/login");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.text).toBe("");
    expect(answer.location).toContain("scope=openid%20profile%20email");
  });

  test("it tells the provider nothing of the destination", async () => {
    const answer = await world.browser().request("/api/auth/login?returnTo=/secret-plans");
    expect(answer.location).not.toContain("secret-plans");
    expect(answer.location).not.toContain(btoa("/secret-plans").slice(0, 12));
  });

  test("it takes nothing from the query that is not a login parameter [ATK-008]", async () => {
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

  test("it asks for the account chooser where login is asked for it, and for no other prompt", async () => {
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
    "a provider that names the prompts %j is asked for the prompt %s where the account is to be chosen",
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

describe("a login for a page that demands more of the sign-in", () => {
  const session = { user: { sub: "ada" } };

  /** What the provider is asked for, where the app and the page have rules of their own. */
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
    "asks for the shorter max_age: the app's own is %s, the page's %s",
    async (maxAge, ofPage, expected) => {
      const asked = await askedFor({ maxAge, accessRules: { "/private": { maxAge: ofPage } } });
      expect(asked.get("max_age")).toBe(expected);
      expect(asked.has("acr_values")).toBe(false);
    },
  );

  test("asks for each acr that will do", async () => {
    const asked = await askedFor({ accessRules: { "/private": { acr: ["mfa", "phr"] } } });
    expect(asked.get("acr_values")).toBe("mfa phr");
    expect(asked.has("max_age")).toBe(false);
  });
});

describe("returnTo", () => {
  /** Where a person ends who signs in with this address to return to; who is known there need not choose. */
  async function endOf(query: string): Promise<string> {
    const browser = world.browser();
    return (await browser.callback(`/api/auth/login${query}`)).location;
  }

  test("the first one counts where several are given", async () => {
    expect(await endOf("?returnTo=/one&returnTo=https://evil.example&returnTo=/two")).toBe(
      `${world.baseURL}/one`,
    );
  });

  test.each(["", "?returnTo=", "?other=/x"])(
    "a login without a return address leads to the base URL: %j",
    async (query) => {
      expect(await endOf(query)).toBe(`${world.baseURL}/`);
    },
  );

  test("an unsafe one is dropped and not refused, and logged without its text", async () => {
    const before = world.events.length;
    expect(await endOf("?returnTo=https://evil.example/")).toBe(`${world.baseURL}/`);
    expect(world.events.slice(before)).toContainEqual({ event: "return-to-dropped", length: 21 });
    expect(JSON.stringify(world.events)).not.toContain("evil.example");
  });

  test("one that cannot be read does not stop the login [ATK-017]", async () => {
    for (const value of ["%", "%zz", "%E0%A4%A", "http://[", "%00%ff", "x".repeat(7000)]) {
      const answer = await world.browser().request(`/api/auth/login?returnTo=${value}`);
      expect(answer.status).toBe(302);
    }
  });
});

describe("the transaction cookie", () => {
  test("a login leaves nothing else behind, and nothing is logged", async () => {
    const before = world.events.length;
    const answer = await world.browser().request("/api/auth/login?returnTo=/reports");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(world.events.slice(before)).toEqual([]);
  });
});

test("a login does not read the session where its callback will see it", async () => {
  const calls: string[] = [];
  const store = watchedStore(memoryStore(), (operation) => calls.push(operation));
  const app = createQuickApp({ store });
  const jar = await app.signIn();
  calls.length = 0;
  await app.begin("", jar);
  expect(calls).toEqual([]);
});

describe("requests that start no login", () => {
  test.each(["iss", "target_link_uri", "prompt"])(
    "a second %s is answered 400 [STD-003]",
    async (name) => {
      const answer = await world.browser().request(`/api/auth/login?${name}=a&${name}=a`);
      expect(answer.status).toBe(400);
      expect(problemIn(answer).reason).toBe("parameter_repeated");
    },
  );
});

describe("a login that fails", () => {
  test.each([
    ["/reports?x=1", "/reports?x=1"],
    ["https://evil.example/", null],
  ])("its problem page leads on to %s as %s", async (returnTo, kept) => {
    const query = new URLSearchParams({ iss: "https://evil.example", returnTo });
    const answer = await world.browser().request(`/api/auth/login?${query.toString()}`);
    const again = new URL(problemIn(answer).signInURL).searchParams.get("returnTo");
    expect(again).toBe(kept && world.baseURL + kept);
  });
});

describe("a login that a third party starts [STD-019, OpenID Connect Core, section 4]", () => {
  const from = (parameters: Record<string, string>) =>
    `/api/auth/login?${new URLSearchParams(parameters).toString()}`;

  test("it goes to our provider, with the hint that was given", async () => {
    const { issuer } = world.provider;
    const parameters = await parametersOf(from({ iss: issuer, login_hint: "ada@example.com" }));
    expect(parameters.get("login_hint")).toBe("ada@example.com");
  });

  test("it may be posted, and is redirected by 303", async () => {
    const { issuer } = world.provider;
    const answer = await world.browser().request("/api/auth/login", {
      method: "POST",
      body: new URLSearchParams({ iss: issuer, login_hint: "ada", other: "ignored" }),
    });
    expect(answer.status).toBe(303);
    expect(new URL(answer.location).searchParams.get("login_hint")).toBe("ada");
  });

  test("it returns to the page that it names, on this origin only", async () => {
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

  test("it returns to the page of returnTo where both are named", async () => {
    const both = { returnTo: "/one", target_link_uri: `${world.baseURL}/two` };
    const page = await world.browser().signIn(from({ iss: world.provider.issuer, ...both }));
    expect(page.url.href).toBe(`${world.baseURL}/one`);
  });
});

describe("a base URL with a path", async () => {
  const shop = await startWorld({ basePath: "/shop" });

  test("its path is part of the redirect URI, and sign-in ends where it was to", async () => {
    const browser = shop.browser();
    const page = await browser.signIn("/shop/cart?item=1");
    expect(page.url.href).toBe(`${shop.baseURL}/cart?item=1`);
    expect(page.status).toBe(200);
    expect((await browser.request("/shop/api/auth/me")).status).toBe(200);
  });

  test("sign-in ends at the app's own home where no destination was given", async () => {
    const page = await shop.browser().signIn("/shop/api/auth/login");
    expect(page.url.href).toBe(`${shop.baseURL}/`);
  });

  test("the query of the base address itself is kept", async () => {
    const answer = await shop.browser().request("/shop?x=1");
    expect(new URL(answer.location).searchParams.get("returnTo")).toBe("/shop/?x=1");
  });
});
