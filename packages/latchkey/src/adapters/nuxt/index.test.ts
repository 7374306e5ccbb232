import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterAll, expect, test, vi } from "vitest";

import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { startServer } from "../../../test/servers/server.ts";
import { goodSettings } from "../../../test/settings.ts";
import { anonymous } from "../../host/anonymous.ts";
import { createAuth, type Options } from "../../host/auth.ts";
import { signedInCookies } from "../../testing/index.ts";
import { latchkey, latchkeyPlugin, type Middleware } from "./index.ts";

type Event = Parameters<Middleware>[0];

const server = await startServer();
afterAll(() => server.close());
const options = { ...goodSettings, baseURL: server.origin, log: () => undefined };
const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
const script = { "user-agent": "Firefox", "sec-fetch-mode": "cors" };
const pageHeaders = { ...script, "x-latchkey-page": "/orders?a=1" };

/** Sends a request to an app of Nuxt, whose page by default names the user. */
function ask(
  path: string,
  headers: Record<string, string>,
  { page = tellUser, more = {}, publicPaths = [] }: Partial<Asked> = {},
): Promise<Response> {
  const middleware = latchkey(createAuth({ ...options, publicPaths }));
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const event = eventOf(Object.assign(req, more), res);
    await middleware(event);
    if (res.writableEnded) return;
    const made = await page(event, middleware);
    res.end(made);
  }
  server.serve((req, res) => void handle(req, res));
  return fetch(server.origin + path, { headers, redirect: "manual" });
}

interface Asked {
  readonly page: Page;
  readonly more: object;
  readonly publicPaths: readonly string[];
}

function eventOf(req: IncomingMessage, res: ServerResponse): Event {
  return { context: {} as Event["context"], node: { req, res } };
}

type Page = (event: Event, middleware: Middleware) => string | Promise<string>;

const tellUser: Page = ({ context }) => `for ${context.auth.user?.sub ?? "nobody"}`;

test("a page knows who makes the request, and its response carries the session", async () => {
  const response = await ask("/orders", { cookie });
  expect(await response.text()).toBe("for ada");
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
});

test("as a plugin of Nitro, sign-in stands before what Nitro answers by itself", () => {
  const routeRules = { route: "/", handler: () => "another address" };
  const stack: object[] = [routeRules];
  latchkeyPlugin(createAuth(options))({ h3App: { stack, options: {} } });
  expect(stack).toEqual([{ route: "/", handler: expect.any(Function) }, routeRules]);
});

test("the build prerenders signed out, and needs no setting [AD-037]", async () => {
  const stack: { handler: Middleware }[] = [];
  const auth = createAuth({ baseURL: "" } as Options);
  const h3App = { stack, options: {} };
  latchkeyPlugin(auth, { prerender: true })({ h3App });
  expect(h3App.options).toEqual({});
  const request = new IncomingMessage(new Socket());
  const event = eventOf(request, new ServerResponse(request));
  await stack[0]?.handler(event);
  expect(event.context.auth).toBe(anonymous);
});

test("a WebSocket is opened to a signed-in user, and refused to strangers unless its path is public", async () => {
  const upgrade = vi.fn<(request: Request) => Promise<void>>();
  const h3App = { stack: [], options: { websocket: { hooks: { upgrade } } } };
  latchkeyPlugin(createAuth({ ...options, publicPaths: ["/public/"] }))({ h3App });
  const open = (path: string, headers = {}) =>
    h3App.options.websocket.hooks.upgrade(new Request(server.origin + path, { headers }));
  await expect(open("/socket", { cookie })).resolves.toBeUndefined();
  await expect(open("/public/socket")).resolves.toBeUndefined();
  await expect(open("/socket", script)).rejects.toMatchObject({ status: 401 });
  await expect(open("/public/%2e%2e/socket", script)).rejects.toMatchObject({ status: 401 });
});

test("a handler cached by Nitro runs signed out", async () => {
  const page: Page = (event) => {
    Object.assign(event.context, { cache: { options: {} } });
    return tellUser(event, () => Promise.resolve());
  };
  expect(await (await ask("/orders", { cookie }, { page })).text()).toBe("for nobody");
});

test.each(["/orders", "/api/orders"])(
  "without a session, a request of Nuxt's client for %s gets the address of login",
  async (path) => {
    const response = await ask(path, pageHeaders);
    expect([response.status, await response.json()]).toEqual([200, null]);
    expect(response.headers.get("x-latchkey-location")).toBe(
      `${server.origin}/api/auth/login?returnTo=%2Forders%3Fa%3D1`,
    );
  },
);

test("without a session, any other script gets 401", async () => {
  expect((await ask("/orders", script)).status).toBe(401);
});

test("the data of a page are guarded as the page, and lead back to it", async () => {
  const publicPaths = ["/about"];
  const open = await ask("/about/_payload.json?_b=1", script, { publicPaths });
  expect([open.status, await open.text()]).toEqual([200, "for nobody"]);
  for (const path of ["/orders/_payload.json", "/about/_payload.json/x", "/about/x_payload.json"])
    expect((await ask(path, script, { publicPaths })).status).toBe(401);
  const opened = await ask("/orders/_payload.json?a=1", { accept: "text/html" });
  expect(opened.headers.get("location")).toMatch(/returnTo=%2Forders%3Fa%3D1$/);
  const home = await ask("/_payload.json", { accept: "text/html" });
  expect(home.headers.get("location")).toMatch(/returnTo=%2F$/);
});

test("the internal request for Nuxt's error page needs no session, and an outer one does", async () => {
  const internal = await ask("/__nuxt_error", pageHeaders, { more: { __unenv__: {} } });
  expect([internal.status, await internal.text()]).toEqual([200, "for nobody"]);
  const asked = await ask("/__nuxt_error", { accept: "text/html" });
  expect(asked.status).toBe(302);
});

test("an internal request of Nuxt shares the session, and is led nowhere", async () => {
  const page: Page = async (outer, middleware) => {
    const req = Object.assign(new IncomingMessage(outer.node.req.socket), {
      method: "GET",
      url: "/orders",
      headers: outer.node.req.headers,
      __unenv__: outer.context,
    });
    const inner = eventOf(req, new ServerResponse(req));
    await middleware(inner);
    await inner.context.auth.update((data) => ({ ...data, theme: "dark" }));
    return String(outer.context.auth.session?.["theme"]);
  };
  const response = await ask("/orders", { cookie }, { page });
  expect(await response.text()).toBe("dark");
  const without = await ask("/orders", pageHeaders, { more: { __unenv__: {} } });
  expect([without.status, without.headers.has("x-latchkey-location")]).toEqual([401, false]);
});

test("a redirect to login replaces the error page of Nuxt if the page requires a session", async () => {
  const page: Page = ({ context, node: { res } }) => {
    try {
      return context.auth.require().user.sub;
    } catch {
      res.statusCode = 500;
      return "the error page";
    }
  };
  const response = await ask("/", {}, { page, publicPaths: ["/"] });
  expect([response.status, response.headers.get("location")]).toEqual([
    302,
    `${server.origin}/api/auth/login?returnTo=%2F`,
  ]);
});

test("the target is the one received by Nuxt, whatever became of it since", async () => {
  const response = await ask("/orders", {}, { more: { originalUrl: "/shop/orders" } });
  expect(response.headers.get("location")).toContain("returnTo=%2Fshop%2Forders");
});
