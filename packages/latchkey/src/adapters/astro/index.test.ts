import { describe, expect, test } from "vitest";

import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import { createAuth, type Options } from "../../host/auth.ts";
import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { signedInApp } from "../../../test/sessions/signed-in-app.ts";
import { latchkey, latchkeyIntegration } from "./index.ts";

const own = "https://app.example";

type Context = Parameters<ReturnType<typeof latchkey>>[0];

/** An app of Astro whose page names the user. */
async function world(options: Parameters<typeof latchkey>[1] = {}, changes: Partial<Options> = {}) {
  const { auth, cookie } = await signedInApp(changes);
  const onRequest = latchkey(auth, options);
  const page = ({ auth: here }: { readonly auth?: RequestAuth }) =>
    new Response(`for ${here?.user?.sub ?? "nobody"}`);
  const ask = (request: Request, render = page, more: Partial<Context> = {}) => {
    const locals: { readonly auth?: RequestAuth } = {};
    const url = new URL(request.url);
    const routePattern = url.pathname.startsWith("/_actions/")
      ? "/_actions/[...path]"
      : "/[...page]";
    const plain = { params: {}, isPrerendered: false };
    const context = { request, url, routePattern, locals, ...plain, ...more };
    return onRequest(context, async () => render(locals));
  };
  const asked = (path: string, init: RequestInit = {}) => ask(new Request(own + path, init));
  return { ask, asked, cookie };
}

test("missing settings are no error of the app: the response points to the log", async () => {
  const auth = createAuth({ baseURL: "", log: () => undefined } as unknown as Options);
  const request = new Request(`${own}/orders`);
  const url = new URL(request.url);
  const context = {
    request,
    url,
    routePattern: "/orders",
    locals: {},
    params: {},
    isPrerendered: false,
  };
  const response = await latchkey(auth)(context, async () => new Response("reached"));
  expect(await response.text()).toBe("Sign-in is not set up yet. The log says why.");
});

test("a page knows who makes the request, and its response carries the session", async () => {
  const { asked, cookie } = await world();
  const response = await asked("/orders", { headers: { cookie } });
  expect(await response.text()).toBe("for ada");
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
});

describe("a page with html content that may read the session late", () => {
  const html = { "content-type": "text/html", "cache-control": "public" };

  test.each([
    ["of whoever carries a session is theirs", true, html, "private, no-store", [false]],
    ["of anybody else may be kept", false, html, "public", []],
    ["that is none may be kept", true, { ...html, "content-type": "text/plain" }, "public", []],
  ])("%s", async (_, isSignedIn, headers, caching, told) => {
    const { ask, cookie } = await world({}, { publicPaths: ["/open"] });
    const request = new Request(`${own}/open`, { headers: isSignedIn ? { cookie } : {} });
    const options: unknown[] = [];
    const cache = { enabled: true, set: (option: false) => void options.push(option) };
    const response = await ask(request, () => new Response("sent", { headers }), { cache });
    expect([response.headers.get("cache-control"), options]).toEqual([caching, told]);
  });
});

test("a page rendered by the build is the same for all users", async () => {
  const { ask, cookie } = await world();
  const request = new Request(`${own}/orders`, { headers: { cookie } });
  const seen: unknown[] = [];
  const render = ({ auth }: { readonly auth?: RequestAuth }) => (
    seen.push(auth),
    new Response("built")
  );
  const response = await ask(request, render, { isPrerendered: true });
  expect([seen, await response.text()]).toEqual([[anonymous], "built"]);
  expect([...response.headers.keys()]).toEqual(["content-type"]);
});

describe("an island without a session", () => {
  const fetched = { accept: "*/*", "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" };
  const ahead = { ...fetched, "sec-fetch-site": "same-origin" };
  const client = { ...fetched, "x-latchkey-client": "astro" };

  test.each<[string, RequestInit, number]>([
    ["that its page fetches is empty", { headers: client }, 204],
    ["that its page posts for is empty", { method: "POST", headers: client }, 204],
    ["that the browser fetches ahead is empty", { headers: ahead }, 204],
    ["that a script of another site asks for is refused", { headers: fetched }, 401],
    ["that is opened as a page leads to login", { headers: { accept: "text/html" } }, 302],
  ])("%s", async (_, init, status) => {
    const { ask } = await world();
    const routePattern = "/_server-islands/[name]";
    const request = new Request(`${own}/_server-islands/Person?e=1`, init);
    const response = await ask(request, undefined, { routePattern });
    expect([response.status, (await response.text()).includes("for ")]).toEqual([status, false]);
  });
});

test.each([
  ["GET", "/api/auth/login?returnTo=/orders"],
  ["POST", "/api/auth/logout"],
  ["GET", "/api/auth/logout/"],
])(
  "Astro's router cannot follow %s %s to the provider: it is sent nothing, and loads the document",
  async (method, path) => {
    const { asked, cookie } = await world();
    const headers = { cookie, "x-latchkey-client": "astro", "sec-fetch-site": "same-origin" };
    const response = await asked(path, { method, headers });
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, []]);
    expect((await asked("/orders", { headers: { cookie } })).status).toBe(200);
  },
);

test.each([
  [own, [], 200],
  ["https://partner.example", ["https://partner.example"], 200],
  ["https://evil.example", [], 403],
])(
  "a form of %s with %j as trusted origins is answered %i",
  async (origin, trustedOrigins, status) => {
    const { asked, cookie } = await world({ trustedOrigins });
    const headers = { cookie, origin, "content-type": "application/x-www-form-urlencoded" };
    expect((await asked("/orders", { method: "POST", headers, body: "a=b" })).status).toBe(status);
  },
);

describe("without a session", () => {
  const script = { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
  const ahead = { ...script, "sec-purpose": "prefetch", "sec-fetch-site": "same-origin" };
  const cross = { "sec-fetch-site": "cross-site" };
  const router = { ...script, "x-latchkey-client": "astro" };

  const json = "application/json; charset=utf-8";

  test.each<[string, RequestInit, number, string | null]>([
    ["the browser is led to login", { headers: { accept: "text/html" } }, 302, null],
    ["a script gets 401", { headers: script }, 401, json],
    ["Astro's router gets no error, and loads the document", { headers: router }, 200, json],
    ["what Astro's router posts gets 401", { headers: router, method: "POST" }, 401, json],
    ["what the router fetches ahead is empty", { headers: ahead }, 204, null],
    [
      "what another site has fetched ahead gets 401",
      { headers: { ...ahead, ...cross } },
      401,
      json,
    ],
  ])("%s", async (_, init, status, type) => {
    const { asked } = await world();
    const response = await asked("/orders", init);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
  });
});

describe("an action called by a script", () => {
  const init = {
    method: "POST",
    headers: { accept: "application/json", "sec-fetch-mode": "cors" },
  };

  test("gets the code of Astro without a session", async () => {
    const { asked } = await world();
    const response = await asked("/_actions/act", init);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      type: "AstroActionError",
      code: "UNAUTHORIZED",
      message: "The user does not have an active session or is not authenticated",
      error: "not_authenticated",
    });
  });

  test("gets the code of Astro if a rule is not met", async () => {
    const accessRules = { "/_actions/": { claim: { role: "admin" } } };
    const { asked, cookie } = await world({}, { accessRules });
    const response = await asked("/_actions/act", {
      ...init,
      headers: { ...init.headers, cookie },
    });
    expect(await response.json()).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("role: admin") as string,
    });
    expect([response.status, response.headers.get("vary")]).toEqual([403, "Cookie"]);
  });

  test.each([
    ['{"type":"AstroActionError","code":"FORBIDDEN","message":"Not on Sundays"}', 403],
    ['{"fields":1}', 400],
    ["null", 401],
    ["{broken", 403],
  ])("has its own error as it is: %s with %i", async (body, status) => {
    const { ask, cookie } = await world();
    const request = new Request(`${own}/_actions/act`, { headers: { cookie } });
    const headers = { "content-type": "application/json" };
    const response = await ask(request, () => new Response(body, { status, headers }));
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  test("gets no length of another body", async () => {
    const { ask, cookie } = await world();
    const request = new Request(`${own}/_actions/act`, { headers: { cookie } });
    const headers = { "content-length": "2" };
    const response = await ask(request, () => Response.json({}, { status: 403, headers }));
    expect(response.headers.has("content-length")).toBe(false);
  });
});

test.each([
  ["/?_action=act", [], 303],
  ["/?_action=act", ["/_actions/"], 200],
  ["/?_action=act", ["/_actions/other"], 303],
  ["/?_action=%00", ["/_actions/"], 303],
  ["/?x=_action", [], 200],
  ["/_actions/act", ["/_actions/act"], 200],
  ["/_actions/open/_actions/act", ["/_actions/open/"], 303],
  ["/_actions/open/_actions/act?_action=open/", ["/_actions/open/"], 303],
])(
  "an action is guarded by its own address: posted to %s, with %j public: %i",
  async (target, publicPaths, status) => {
    const { asked } = await world({}, { publicPaths: ["/", ...publicPaths] });
    const headers = { origin: own, "content-type": "application/x-www-form-urlencoded" };
    expect((await asked(target, { method: "POST", headers, body: "a=b" })).status).toBe(status);
  },
);

describe("a page shown by Astro for a language without its own", () => {
  const onlyForEve = { claim: { name: "Eve" } };
  const accessRules = { "/orders": onlyForEve, "/shop/orders": onlyForEve };

  test.each([
    ["/de/orders", "/orders", {}, 403],
    ["/de/orders/", "/orders", {}, 403],
    ["/de/orders.html", "/orders", {}, 403],
    ["/de/orders/7", "/orders/[id]", { id: "7" }, 403],
    ["/de/%C3%BC/7", "/[...rest]", { rest: "\u00fc/7" }, 200],
    ["/de/shop/orders", "/shop/[...rest]", { rest: "orders" }, 403],
    ["/de", "/", {}, 200],
    ["/de/about", "/[lang]/about", { lang: "de" }, 200],
    ["/about/", "/about", {}, 200],
    ["/about/orders", "/about/[...rest]", { rest: "orders" }, 200],
  ])(
    "is closed by the rule of the page: %s by %s %j: %i",
    async (path, routePattern, params, status) => {
      const { ask, cookie } = await world({}, { accessRules });
      const request = new Request(own + path, { headers: { cookie } });
      const more = { routePattern, params, currentLocale: "de" };
      expect((await ask(request, undefined, more)).status).toBe(status);
    },
  );

  test("is public if both addresses are", async () => {
    const { ask } = await world({}, { publicPaths: ["/de/", "/about"] });
    const statusOf = async (page: string) => {
      const request = new Request(`${own}/de${page}`);
      return (await ask(request, undefined, { routePattern: page, currentLocale: "de" })).status;
    };
    expect([await statusOf("/about"), await statusOf("/orders")]).toEqual([200, 302]);
  });
});

test("the error page of a failed request reads the user, and carries the session", async () => {
  const { ask, cookie } = await world();
  const request = new Request(`${own}/orders`, { headers: { cookie } });
  const failing = () => {
    throw new Error("the page is broken");
  };
  await expect(ask(request, failing)).rejects.toThrow("the page is broken");
  const response = await ask(request, ({ auth }) => new Response(auth?.user?.sub, { status: 500 }));
  expect([response.status, await response.text()]).toEqual([500, "ada"]);
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
});

test.each([
  ["no headers", undefined],
  ["headers", { "x-own": "1" }],
  ["a function that makes headers", () => ({ "x-own": "1" })],
])(
  "the integration adds a header to Astro's client requests, beside those of its adapter: %s",
  (_, given) => {
    const client = given === undefined ? {} : { client: { internalFetchHeaders: given, kept: 2 } };
    const node = {
      hooks: {
        "astro:config:done": ({ setAdapter }: { setAdapter(adapter: object): void }) =>
          setAdapter({ name: "node", ...client }),
      },
    };
    const changes: object[] = [];
    latchkeyIntegration().hooks["astro:config:setup"]({
      config: { adapter: node },
      updateConfig: (change) => changes.push(change),
    });
    expect(changes).toEqual([{ security: { checkOrigin: false } }]);
    let set: { name?: string; client?: { internalFetchHeaders?: unknown; kept?: number } } = {};
    node.hooks["astro:config:done"]({ setAdapter: (told) => void (set = told) });
    const headers = set.client?.internalFetchHeaders;
    expect([set.name, set.client?.kept]).toEqual(["node", given && 2]);
    expect(typeof headers === "function" && headers()).toEqual({
      ...(given && { "x-own": "1" }),
      "x-latchkey-client": "astro",
    });
  },
);

test.each<[string, object]>([
  ["no adapter", {}],
  ["an adapter without this hook", { adapter: { hooks: {} } }],
])("the integration accepts %s", (_, config) => {
  const { hooks } = latchkeyIntegration();
  expect(() =>
    hooks["astro:config:setup"]({ config, updateConfig: () => undefined }),
  ).not.toThrow();
});
