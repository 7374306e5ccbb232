import { spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import type { Answer } from "../../packages/latchkey/test/browser/browser.ts";
import { hostFolder, sharedWorld, worldOfTest } from "../suite/world.ts";

const lifetimes = { accessToken: 61 };
/**
 * The access token of a sign-in is due for a refresh after a second, and each refresh token is good
 * for one use.
 */
const soonDue = {
  provider: { lifetimes },
  environment: { LATCHKEY_SCOPE: "openid profile email offline_access" },
};

describe("what a server component sees of the session", () => {
  const shared = sharedWorld();

  test("a component reads the session renewed by the proxy in the same request [AD-040]", async () => {
    const browser = await shared().signedIn();
    await pause(1100);
    const page = await browser.request("/public/session");
    expect(sessionCookies(page)).toHaveLength(1);
    expect(factsOf(page)["updatedAt"]).toBe(updatedAtOf(page));
  });

  test("a component outside the matcher reads the session and does not renew it [AD-041]", async () => {
    const browser = await shared().signedIn();
    const page = await browser.request("/outside");
    expect([page.status, sessionCookies(page)]).toEqual([200, []]);
    expect(factsOf(page)).toMatchObject({ name: "Ada Okafor" });
    expect(factsOf(page)["changed"]).toMatch(/^ERR_READ_ONLY: .* server action/);
  });

  test.each(["/public/session", "/outside"])(
    "a cookie and internal headers of a client sign no user in on %s [AD-043]",
    async (path) => {
      const browser = await shared().signedIn("person-ben");
      const cookie = await browser.cookies();
      const forged = await fetch(shared().baseURL + path, {
        headers: {
          "x-middleware-request-cookie": cookie,
          "x-middleware-override-headers": "cookie",
          "x-middleware-set-cookie": cookie,
          "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
          "x-latchkey-target": "/private",
        },
      });
      expect(factsOf({ text: await forged.text() })["name"]).toBeUndefined();
      expect(forged.headers.getSetCookie()).toEqual([]);
    },
  );

  test("a protected page stays closed to a client which claims a run of the proxy [AD-043]", async () => {
    const forged = await shared().send({
      target: "/private",
      headers: {
        "x-middleware-next": "1",
        "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
        "x-middleware-override-headers": "cookie",
      },
    });
    expect(forged.status).toBe(302);
  });

  test("an image is guarded as its file [AD-010]", async () => {
    const target = "/_next/image?url=%2Ffiles%2Fa.txt&w=64&q=75";
    expect((await shared().send({ target })).status).toBe(302);
  });

  test("the way back to a page is the requested one, whatever headers a client sends [AD-043]", async () => {
    const headers = { "x-latchkey-target": "/elsewhere" };
    const page = await shared().browser().request("/public/members?tab=2", { headers });
    expect(page.location).toBe(
      `${shared().baseURL}/api/auth/login?returnTo=%2Fpublic%2Fmembers%3Ftab%3D2`,
    );
  });

  const router = { rsc: "1", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };

  test.each([
    ["/public/session", {}],
    ["/public/session", router],
    ["/public/still", {}],
    ["/public/still", router],
    ["/private", {}],
    ["/private", router],
    ["/api/plain", {}],
    ["/api/me", {}],
    ["/files/a.txt", {}],
  ])("no cache may keep %s for a signed-in person [AD-044]", async (path, headers) => {
    const browser = await shared().signedIn();
    const page = await browser.open(path, { headers });
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(page.headers.get("x-nextjs-cache")).toBeNull();
  });

  test("two people never see each other's page [AD-028, AD-044]", async () => {
    const people = {
      "Ada Okafor": await shared().signedIn(),
      "Ben Castellan": await shared().signedIn("person-ben"),
    };
    const asked = Object.entries(people).flatMap(([name, browser]) =>
      Array.from({ length: 50 }, async () => [
        name,
        factsOf(await browser.request("/public/session"))["name"],
      ]),
    );
    const stranger = shared().browser().request("/public/session");
    for (const [expected, seen] of await Promise.all(asked)) expect(seen).toBe(expected);
    expect(factsOf(await stranger)["name"]).toBeUndefined();
  });
});

describe("require() in pages", () => {
  const shared = sharedWorld();

  test("a page whose layout requires a session leads to login and back [AD-030]", async () => {
    const page = await shared().browser().signIn("/public/members?tab=2");
    expect([page.url.href, page.status]).toEqual([`${shared().baseURL}/public/members?tab=2`, 200]);
    expect(page.text).toContain("Member Ada Okafor");
  });

  test("an unmet rule is a 403 page [AD-030]", async () => {
    const ben = await shared().signedIn("person-ben");
    const page = await ben.open("/public/members/editors");
    expect([page.status, page.url.pathname]).toEqual([403, "/api/auth/refused"]);
    expect(page.text).toContain("You can't open this page");
    expect(page.text).not.toContain("Editor");
    const ada = await shared().signedIn();
    expect((await ada.request("/public/members/editors")).text).toContain("Editor Ada Okafor");
  });

  test("a route handler without route() responds 401, and writes what it changes [AD-030]", async () => {
    const stranger = await shared().browser().request("/api/plain");
    expect(stranger.status).toBe(401);
    const browser = await shared().signedIn();
    await browser.request("/api/plain");
    expect(JSON.parse((await browser.request("/api/me")).text)).toMatchObject({ theme: "plain" });
  });
});

describe("a session changed in a handler", () => {
  const shared = sharedWorld();

  test("is sent in a GET beside the small cookie of the proxy, which is older [AD-016, AD-018]", async () => {
    const browser = await shared().signedIn();
    const lines = sessionCookies(await browser.request("/api/plain"));
    expect(lines.map(cookieName).toSorted()).toEqual(["appSession", "appSession.t"]);
    expect(await themeOf(await browser.cookies())).toBe("plain");
  });

  test("is not kept if the handler throws, and its refreshed tokens are good for the next request [AD-019, AD-031]", async () => {
    const browser = await shared().signedIn();
    const before = await browser.request("/api/token");
    const failed = await browser.request("/changed/fail", { method: "POST" });
    expect([failed.status, sessionCookies(failed)]).toEqual([500, []]);
    expect(await themeOf(await browser.cookies())).toBeUndefined();
    const after = await browser.request("/api/token");
    expect([after.status, after.text === before.text]).toEqual([200, false]);
    expect((await browser.request("/api/token?refresh")).status).toBe(200);
  });

  async function themeOf(cookie: string): Promise<unknown> {
    const { text } = await shared().browser().request("/api/me", { headers: { cookie } });
    return (JSON.parse(text) as { readonly theme?: string }).theme;
  }
});

test("route handlers answer the auth routes without a proxy [AD-001]", async () => {
  const world = await worldOfTest();
  const browser = world.browser();
  const login = await browser.request("/outside/auth/login?returnTo=/outside");
  expect(login.status).toBe(302);
  expect(new URL(login.location).searchParams.get("redirect_uri")).toBe(
    `${world.baseURL}/outside/auth/callback`,
  );
  expect((await browser.request("/outside/auth/me")).status).toBe(204);
  expect((await browser.request("/outside/auth/nothing")).status).toBe(404);
});

test("the log reports a read of the session without a proxy, and is silent with one", async () => {
  const world = await worldOfTest();
  const browser = world.browser();
  const message = "no proxy.ts has seen";
  await browser.request("/outside");
  expect(world.log()).not.toContain(message);
  await browser.request("/outside/alone");
  expect(world.log()).toContain(message);
});

test("a static route reads no session, and says why", async () => {
  const world = await worldOfTest();
  const browser = await world.signedIn();
  expect((await browser.request("/outside/frozen")).text).toContain('dynamic = "force-static"');
});

test.each([
  ["its Edge runtime", "edge-light", "proxy.ts instead of middleware.ts"],
  ["browsers", "browser", "useUser, useSession or SignedIn of latchkey/react"],
])("what Next bundles for %s says what to change", (_, condition, remedy) => {
  const code = 'const { latchkey } = await import("latchkey/next"); latchkey()';
  const conditions = [`--conditions=${condition}`, "--input-type=module"];
  const { stderr } = spawnSync("node", [...conditions, "--eval", code], {
    cwd: hostFolder,
    encoding: "utf8",
  });
  expect(stderr).toContain("latchkey/next runs on");
  expect(stderr).toContain(remedy);
});

test("a page that leads to login again and again shows the reason at last", async () => {
  const world = await worldOfTest();
  const browser = await world.signedIn();
  const headers = { "sec-fetch-dest": "document" };
  let page = await browser.request("/public/reports", { headers });
  for (let redirects = 1; page.location !== "" && redirects < 20; redirects += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one redirect leads to the next
    page = await browser.request(page.location, { headers });
  }
  expect([page.status, page.url.pathname]).toEqual([400, "/api/auth/login"]);
  expect(page.text).toContain("<h1>This app isn't set up correctly");
  expect(world.log()).toContain("sign_in_repeated");
});

describe("due tokens", () => {
  const shared = sharedWorld(soonDue);

  /** A user whose token is due, and its successor is not. */
  async function withDueToken(person?: string) {
    lifetimes.accessToken = 61;
    const browser = await shared().signedIn(person);
    lifetimes.accessToken = 3600;
    await pause(2000);
    return browser;
  }

  test("the proxy refreshes once, and the component has the new token of the same request [AD-040]", async () => {
    const browser = await withDueToken();
    const before = refreshesOf(shared());
    const page = await browser.request("/public/session");
    expect(refreshesOf(shared()) - before).toBe(1);
    expect(sessionCookies(page)).toHaveLength(1);
    expect(factsOf(page)["token"]).toEqual(expect.any(String));
    expect(factsOf(page)["token"]).not.toMatch(/refused/);
  });

  test("a component outside the matcher spends no token, and uses the one still good [AD-041]", async () => {
    const browser = await withDueToken();
    const before = refreshesOf(shared());
    const page = await browser.request("/outside");
    expect(refreshesOf(shared()) - before).toBe(0);
    expect(factsOf(page)["token"]).not.toMatch(/^ERR/);
    expect((await browser.request("/api/token?refresh")).status).toBe(200);
  });

  test("a component outside the matcher whose token has ended says what helps [AD-041]", async () => {
    const world = await worldOfTest({ ...soonDue, provider: { lifetimes: { accessToken: 8 } } });
    const page = await (await world.signedIn()).request("/outside");
    expect(page.status).toBe(200);
    expect(factsOf(page)["token"]).toMatch(/^ERR_READ_ONLY: .*matcher/);
  });

  test("the cookie of a handler with a refresh comes behind the cookie of the proxy, and counts [AD-019]", async () => {
    const browser = await shared().signedIn();
    for (const time of ["first", "second"]) {
      // oxlint-disable-next-line no-await-in-loop -- with the tokens of the request before
      const answer = await browser.request("/api/token?refresh");
      expect([time, answer.status]).toEqual([time, 200]);
    }
  });

  test("50 pages at the same time refresh once, and the session is active afterwards [AD-020]", async () => {
    const browser = await withDueToken("person-ben");
    const cookie = await browser.cookies();
    const before = refreshesOf(shared());
    const pages = await Promise.all(
      Array.from({ length: 50 }, () =>
        fetch(`${shared().baseURL}/private`, { headers: { cookie } }),
      ),
    );
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    expect(refreshesOf(shared()) - before).toBe(1);
    expect((await browser.request("/private")).status).toBe(200);
  });
});

describe("a page calls two APIs", () => {
  const identifiers = ["https://orders.example", "https://invoices.example"];
  const scope = "openid offline_access read";
  const provider = {
    resources: identifiers.map((identifier) => ({ identifier, scopes: ["read"] })),
  };
  const variables = {
    LATCHKEY_SCOPE: scope,
    LATCHKEY_RESOURCES: identifiers.join(" "),
  };

  /** The `aud` of a JWT. */
  const audienceOf = (token: unknown) => {
    const [, payload = ""] = String(token).split(".");
    return (JSON.parse(Buffer.from(payload, "base64url").toString()) as { aud: unknown }).aud;
  };

  test.each(["false", "true"])(
    "with a token for each, also right after the sign-in, with LATCHKEY_SESSION_STATEFUL=%s",
    async (stateful) => {
      const environment = { ...variables, LATCHKEY_SESSION_STATEFUL: stateful };
      const world = await worldOfTest({ provider, environment });
      const browser = await world.signedIn();
      const facts = factsOf(await browser.request("/public/apis"));
      expect([facts["orders"], facts["invoices"]].map(audienceOf)).toEqual(identifiers);
      const refreshes = refreshesOf(world);
      expect(factsOf(await browser.request("/public/apis"))).toEqual(facts);
      expect(refreshesOf(world)).toBe(refreshes);
    },
  );

  test("with a session in the store, also for an API that only login has requested", async () => {
    const { LATCHKEY_RESOURCES: _none, ...others } = variables;
    const query = new URLSearchParams({ resource: "https://orders.example" });
    const world = await worldOfTest({
      provider,
      environment: {
        ...others,
        LATCHKEY_SESSION_STATEFUL: "true",
        LATCHKEY_AUTHORIZATION_PARAMS: query.toString(),
      },
    });
    const browser = await world.signedIn();
    const facts = factsOf(await browser.request("/public/apis"));
    expect(audienceOf(facts["orders"])).toBe("https://orders.example");
    expect(factsOf(await browser.request("/public/apis"))["orders"]).toBe(facts["orders"]);
    expect(facts["invoices"]).toMatch(/^ERR_INVALID_TARGET/);
  });

  test("without the setting, a session in a cookie names what to set", async () => {
    const environment = { LATCHKEY_SCOPE: scope };
    const world = await worldOfTest({ provider, environment });
    const facts = factsOf(await (await world.signedIn()).request("/public/apis"));
    expect(facts["orders"]).toMatch(/^ERR_READ_ONLY: .*LATCHKEY_RESOURCES/);
  });
});

function sessionCookies({ headers }: Answer): readonly string[] {
  return headers.getSetCookie().filter((line) => /^appSession(?:\.t)?=/.test(line));
}

function cookieName(line: string): string {
  return line.slice(0, line.indexOf("="));
}

function factsOf({ text }: Pick<Answer, "text">): Record<string, unknown> {
  const [, facts = "{}"] = /<pre id="facts">(.*?)<\/pre>/.exec(text) ?? [];
  return JSON.parse(facts.replaceAll("&quot;", '"').replaceAll("&gt;", ">")) as Record<
    string,
    unknown
  >;
}

/** The time of last use in the small cookie. */
function updatedAtOf(page: Answer): number {
  const [, time] = /^appSession\.t=(\d+)\./.exec(sessionCookies(page)[0] ?? "") ?? [];
  return Number(time);
}

/** Requests to the token endpoint. */
function refreshesOf({ provider }: ReturnType<ReturnType<typeof sharedWorld>>): number {
  return provider.requests.filter(({ method, path }) => method === "POST" && path === "/token")
    .length;
}
