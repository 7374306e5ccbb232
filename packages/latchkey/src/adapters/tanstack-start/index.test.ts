import { describe, expect, onTestFinished, test, vi } from "vitest";

import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { signedInApp } from "../../../test/sessions/signed-in-app.ts";
import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import { createAuth, type Options } from "../../host/auth.ts";
import { latchkey } from "./index.ts";

const own = "https://app.example";

type Handler = (auth: RequestAuth) => Response | Promise<Response>;

const tellUser: Handler = ({ user }) => new Response(`for ${user?.sub ?? "nobody"}`);

/** An app of TanStack Start, and what becomes of a request to it. */
async function world() {
  const { auth, cookie } = await signedInApp();
  async function ask(path: string, headers: Record<string, string>, handler = tellUser) {
    const request = new Request(own + path, { headers });
    const result = await latchkey(auth, {
      request,
      next: async ({ context }) => ({ response: await handler(context.auth) }),
    });
    return result instanceof Response ? result : result.response;
  }
  return { ask, cookie };
}

const ofClient = { "x-tsr-serverfn": "true", "sec-fetch-mode": "cors" };

test("the build renders pages signed out, and needs no setting [AD-037]", async () => {
  vi.stubEnv("TSS_PRERENDERING", "true");
  onTestFinished(() => void vi.unstubAllEnvs());
  const auth = createAuth({ baseURL: "" } as Options);
  const next = async (added: object) => ({ added, response: new Response("built") });
  const result = await latchkey(auth, { request: new Request(`${own}/orders`), next });
  expect(result).toMatchObject({ added: { context: { auth: anonymous } } });
});

test("missing settings are no error of the app: the response points to the log", async () => {
  const auth = createAuth({ baseURL: "", log: () => undefined } as unknown as Options);
  const next = async () => ({ response: new Response("reached") });
  const result = await latchkey(auth, { request: new Request(`${own}/orders`), next });
  expect(await (result as Response).text()).toBe("Sign-in is not set up yet. The log says why.");
});

test("a handler knows who makes the request, and its response carries the session", async () => {
  const { ask, cookie } = await world();
  const response = await ask("/orders", { cookie });
  expect(await response.text()).toBe("for ada");
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
});

type Input = (asked: { readonly url: URL }) => URL | string;

describe("an address rewritten by the router", () => {
  const withoutLanguage = ({ url }: { readonly url: URL }) => {
    url.pathname = url.pathname.replace(/^\/de\//, "/");
    return url;
  };

  test.each([
    ["changes the address that it is given", withoutLanguage],
    ["returns a text", (asked: { readonly url: URL }) => withoutLanguage(asked).href],
  ])("the rule of the page counts, whether its rewrite %s [AD-011]", async (_, input) => {
    const { statusOf } = await closedKeys(input);
    expect(await statusOf("/de/keys?a=1")).toBe(403);
    expect(await statusOf("/de/keys", ofClient)).toBe(403);
    expect(await statusOf("/de/orders")).toBe(200);
  });

  test.each([
    ["/shop/de/keys", 403],
    ["/SHOP/de/keys", 403],
    ["/shop/de/orders", 200],
    ["/shopping/de/keys", 200],
  ])(
    "the base path is taken away before, as the router does it in any case: %s is answered %i [AD-008, AD-011]",
    async (path, status) => {
      const { statusOf } = await closedKeys(withoutLanguage, { baseURL: `${own}/shop` });
      expect(await statusOf(path)).toBe(status);
    },
  );

  async function closedKeys(input: Input, changes: Partial<Options> = {}) {
    const accessRules = { "/keys": { claim: { a: "b" } } };
    const { auth, cookie } = await signedInApp({ accessRules, ...changes });
    const statusOf = async (path: string, headers = {}) => {
      const request = new Request(own + path, { headers: { cookie, ...headers } });
      const next = async () => ({ response: new Response("the page") });
      const result = await latchkey(auth, { request, next, rewrite: { input } });
      return (result instanceof Response ? result : result.response).status;
    };
    return { statusOf };
  }

  test("leads back to the requested address [AD-009]", async () => {
    const { auth } = await signedInApp();
    const request = new Request(`${own}/de/orders?a=1`, { headers: { accept: "text/html" } });
    const next = async () => ({ response: new Response("the page") });
    const result = await latchkey(auth, { request, next, rewrite: { input: withoutLanguage } });
    const { headers } = result instanceof Response ? result : result.response;
    expect(headers.get("location")).toBe(
      `${own}/api/auth/login?returnTo=${encodeURIComponent("/de/orders?a=1")}`,
    );
  });
});

describe("a server function without a session", () => {
  test.each([
    [`${own}/orders?a=1`, "/orders?a=1"],
    ["https://other.example/orders", "/"],
    [undefined, "/"],
  ])("leads the client to login, and back to the calling page: %s", async (referer, page) => {
    const { ask } = await world();
    const headers = { ...ofClient, ...(referer === undefined ? {} : { referer }) };
    const response = await ask("/_serverFn/1", headers);
    expect([response.status, response.headers.get("location")]).toEqual([200, null]);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(await response.json()).toEqual({
      href: `${own}/api/auth/login?returnTo=${encodeURIComponent(page)}`,
      statusCode: 302,
      reloadDocument: true,
      isSerializedRedirect: true,
    });
  });

  test("is refused to any other script", async () => {
    const { ask } = await world();
    expect((await ask("/_serverFn/1", { ...ofClient, "x-tsr-serverfn": "false" })).status).toBe(
      401,
    );
  });
});

describe("a server function after a refusal", () => {
  const refusing =
    (body: string, status = 200): Handler =>
    (auth) => {
      try {
        auth.require();
      } catch {
        // TanStack makes a response of it.
      }
      return new Response(body, { status });
    };

  test.each([
    ["leads to login where its response holds an error", '{"k":["error"]}', 200, true],
    ["leads to login where its response is an error", "{}", 500, true],
    ["keeps its response where that holds none", '{"k":["a"]}', 200, undefined],
  ])("%s", async (_, body, status, isRedirect) => {
    const { ask } = await world();
    const response = await ask("/", ofClient, refusing(body, status));
    expect(response.status).toBe(200);
    expect(((await response.json()) as Record<string, unknown>)["isSerializedRedirect"]).toBe(
      isRedirect,
    );
  });
});

test.each([
  [201, { location: "/orders/1" }, "/orders/1"],
  [404, {}, null],
])("a response of a server function without a redirect stays: %i %j", async (status, more, to) => {
  const { ask, cookie } = await world();
  const made = () => new Response("made", { status, headers: more });
  const response = await ask("/_serverFn/1", { ...ofClient, cookie }, made);
  expect([response.status, response.headers.get("location")]).toEqual([status, to]);
});

describe("an error of the app", () => {
  const failing =
    (error: unknown): Handler =>
    ({ user }) => {
      throw user === null ? new Error("nobody is there") : error;
    };

  test.each([
    ["an error", new Error("broken"), null],
    [
      "an error with headers",
      Object.assign(new Error("broken"), { headers: { "x-own": "1" } }),
      "1",
    ],
  ])("carries the session to TanStack's error page: %s", async (_, error, its) => {
    const { ask, cookie } = await world();
    await expect(ask("/orders", { cookie }, failing(error))).rejects.toBe(error);
    const { headers } = error as { readonly headers?: unknown };
    const told = headers instanceof Headers ? headers : new Headers();
    expect(namesIn(told.getSetCookie()).set).toEqual(["appSession.t"]);
    expect(told.get("x-own")).toBe(its);
  });

  test.each(["a text", Object.freeze(new Error("frozen")), null])(
    "without room for headers goes on as it is: %s",
    async (error) => {
      const { ask, cookie } = await world();
      await expect(ask("/orders", { cookie }, failing(error))).rejects.toBe(error);
    },
  );
});
