import { expect, onTestFinished, test, vi } from "vitest";

import { anonymous } from "../../host/anonymous.ts";
import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { signedInApp } from "../../../test/sessions/signed-in-app.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import { createAuth, type Options } from "../../host/auth.ts";
import { authContext, latchkey } from "./index.ts";

const own = "https://app.example";

/** An app of React Router whose loader names the user. */
async function world(changes: Partial<Options> = {}) {
  const { auth, cookie } = await signedInApp(changes);
  const middleware = latchkey(auth);
  function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const values = new Map<unknown, unknown>();
    const context = { set: (key: unknown, value: unknown) => void values.set(key, value) };
    return middleware({ request: new Request(own + path, init), context }, async () => {
      const here = values.get(authContext) as RequestAuth;
      return new Response(`for ${here.user?.sub}`);
    });
  }
  return { ask, cookie };
}

test("the build renders pages signed out, and needs no setting [AD-037]", async () => {
  vi.stubEnv("IS_RR_BUILD_REQUEST", "yes");
  onTestFinished(() => void vi.unstubAllEnvs());
  const set = vi.fn<(key: unknown, value: unknown) => void>();
  const request = new Request(`${own}/orders`);
  const middleware = latchkey(createAuth({ baseURL: "" } as Options));
  const response = await middleware(
    { request, context: { set } },
    async () => new Response("built"),
  );
  expect([await response.text(), set.mock.calls]).toEqual(["built", [[authContext, anonymous]]]);
});

test("a loader without the middleware throws with the place of the middleware", () => {
  expect(() => authContext.defaultValue).toThrow("app/root.tsx must export `middleware`");
});

test("a loader knows who makes the request, and the response carries the session", async () => {
  const { ask, cookie } = await world();
  const response = await ask("/orders", { headers: { cookie } });
  expect(await response.text()).toBe("for ada");
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
});

test.each([
  ["/orders.data", "/orders"],
  ["/orders.data?a=1&_routes=root%2Corders&b=2", "/orders?a=1&b=2"],
  ["/orders.data?_routes=root", "/orders"],
  ["/shop/_.data", "/shop/"],
  ["/a_.data/b.data", "/a_.data/b"],
  ["/a/_.data/b.data", "/a/_.data/b"],
])(
  "a data request for %s without a session loads the document, and leads back to %s",
  async (path, page) => {
    const { ask } = await world();
    const { status, headers } = await ask(path, { headers: { "sec-fetch-mode": "navigate" } });
    expect([status, headers.get("x-remix-reload-document")]).toEqual([302, "true"]);
    expect(new URL(headers.get("location") ?? "").searchParams.get("returnTo")).toBe(page);
  },
);

test("a form posted by the client without a session leads back to its page", async () => {
  const { ask } = await world();
  const init = { method: "POST", headers: { referer: `${own}/orders?a=1` } };
  const { status, headers } = await ask("/save.data", init);
  expect([status, headers.get("x-remix-reload-document")]).toEqual([303, "true"]);
  expect(headers.get("location")).toContain("returnTo=%2Forders%3Fa%3D1");
});

test.each([
  ["GET", "/admin.data?a=1", 302, `${own}/admin?a=1`],
  ["GET", "/admin.data?_routes=root", 403, null],
  ["POST", "/admin.data", 403, null],
  ["GET", "/admin?a=1", 403, null],
])(
  "a path closed by a rule, requested by %s %s, is answered %i and leads to the document %s",
  async (method, path, status, location) => {
    const { ask, cookie } = await world({ accessRules: { "/admin": { claim: { role: "x" } } } });
    const { status: answered, headers } = await ask(path, { method, headers: { cookie } });
    expect([answered, headers.get("location")]).toEqual([status, location]);
    expect(headers.get("x-remix-reload-document")).toBe(location && "true");
  },
);

test("the data of a public page are public", async () => {
  expect(await (await (await world()).ask("/_.data")).text()).toBe("for undefined");
});

test("a document without a session is led to login by a plain redirect", async () => {
  const { ask } = await world();
  const { status, headers } = await ask("/orders?_routes=a", { headers: { accept: "text/html" } });
  expect([status, headers.get("x-remix-reload-document")]).toEqual([302, null]);
  expect(headers.get("location")).toContain("returnTo=%2Forders%3F_routes%3Da");
});
