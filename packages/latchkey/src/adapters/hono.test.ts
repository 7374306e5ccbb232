import { getRequestListener } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { RequestListener } from "node:http";
import { afterAll, describe, expect, test } from "vitest";

import { servedApp } from "../../test/served-app.ts";
import { startServer } from "../../test/server.ts";
import { goodSettings } from "../../test/settings.ts";
import { createAuth } from "../auth.ts";
import { signedInCookies } from "../testing/index.ts";
import { latchkey, type LatchkeyEnvironment } from "./hono.ts";

const server = await startServer();
afterAll(() => server.close());

/** @param seen - how many cookies a middleware before sign-in finds in the response */
function signedInApp(seen: Set<number>) {
  const options = { ...goodSettings, baseURL: server.origin, log: () => undefined };
  const app = new Hono<LatchkeyEnvironment>().use(async (c, next) => {
    await next();
    seen.add(c.res.headers.getSetCookie().length);
  });
  app.use(latchkey(createAuth(options))).get("/cacheable", (c) => {
    c.header("Cache-Control", "public, max-age=600");
    c.header("Set-Cookie", "own=1");
    return c.text(`For ${c.var.auth.user?.sub}`);
  });
  const session = { user: { sub: "ada", picture: "x".repeat(4000) } };
  return { app, cookies: signedInCookies({ options, session }) };
}

async function told(response: Response) {
  const { status, headers } = response;
  const setCookies = headers.getSetCookie().map((line) => line.split("=", 1)[0]);
  const caching = [headers.get("cache-control"), headers.get("vary")];
  return { status, caching, setCookies, text: await response.text() };
}

test("an app of Hono adds the session to the response of Node and to a Response of its own alike [AD-007]", async () => {
  const seen = new Set<number>();
  const { app, cookies } = signedInApp(seen);
  const cookie = await cookies;
  const url = `${server.origin}/cacheable`;
  server.serve(onNode(app));
  const [here, anywhere] = await Promise.all(
    [
      fetch(url, { headers: { cookie } }),
      app.fetch(new Request(url, { headers: { cookie } }), { outgoing: "a variable" }),
    ].map(async (response) => told(await response)),
  );
  expect(here).toEqual({
    status: 200,
    caching: ["private, no-store", "Cookie"],
    setCookies: ["own", "appSession.0", "appSession.1"],
    text: "For ada",
  });
  expect(anywhere).toEqual(here);
  expect(seen).toEqual(new Set([1, 3]));
});

describe.each([
  ["on Node", onNode],
  ["elsewhere", elsewhere],
])("an app of Hono %s", (_, listener) => {
  test.each<[string, number, string, (c: Context<LatchkeyEnvironment>) => Response]>([
    ["a refusal", 403, "", (c) => c.text(c.var.auth.require(() => false).user.sub)],
    ["its own error", 500, "broken", () => fail()],
  ])(
    "whose handler ends with %s is answered %i, with the session [AD-030, AD-031]",
    async (__, status, text, handle) => {
      const { send, cookie } = await servedApp((auth) => {
        const app = new Hono<LatchkeyEnvironment>().use(latchkey(auth), latchkey(auth));
        app.use(async (c) => handle(c));
        app.onError((error, c) => c.text(error.message, 500));
        return listener(app);
      });
      const response = await send({ target: "/private", headers: { cookie, accept: "text/html" } });
      expect([response.status, response.body]).toEqual([status, expect.stringContaining(text)]);
      expect(response.setCookies).toHaveLength(1);
      expect((await send({ target: "/private" })).status).toBe(302);
    },
  );

  test("hands out one and the same sign-in where it is mounted twice [AD-016]", async () => {
    const seen: unknown[] = [];
    const look: MiddlewareHandler<LatchkeyEnvironment> = async (c, next) => {
      seen.push(c.var.auth);
      await next();
    };
    const { send } = await servedApp((auth) => {
      const app = new Hono<LatchkeyEnvironment>().use(latchkey(auth), look, latchkey(auth), look);
      return listener(app.get("*", (c) => c.text("the page")));
    });
    expect((await send({ target: "/" })).body).toBe("the page");
    expect([seen.length, seen[1] === seen[0]]).toEqual([2, true]);
  });

  test("whose handler returns nothing meets the error that Hono has for it [AD-031]", async () => {
    const { send, cookie } = await servedApp((auth) => {
      const app = new Hono<LatchkeyEnvironment>().use(latchkey(auth), latchkey(auth));
      app.onError((error, c) => c.text(error.message, 500));
      return listener(app.use(async () => {}));
    });
    const response = await send({ target: "/private", headers: { cookie } });
    expect([response.status, response.body]).toEqual([
      500,
      expect.stringContaining("not finalized"),
    ]);
  });

  test("reads no more of a form of ours than may be in it", async () => {
    const { send, events } = await servedApp(
      (auth) => listener(new Hono<LatchkeyEnvironment>().use(latchkey(auth))),
      { backchannelLogout: true },
    );
    await send({
      method: "POST",
      target: "/api/auth/backchannel-logout",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "x".repeat(70_000),
      chunked: true,
    });
    expect(events).toContainEqual(expect.objectContaining({ reason: "body_too_large" }));
  });

  test.each<[string, MiddlewareHandler]>([
    ["not touched", (_c, next) => next()],
    ["read as a form", async (c, next) => (await c.req.formData(), next())],
    ["read as a text", async (c, next) => (await c.req.text(), next())],
  ])("takes a form of ours whose body was %s [AD-004]", async (__, read) => {
    const { send, provider } = await servedApp(
      (auth) => listener(new Hono<LatchkeyEnvironment>().use(read, latchkey(auth))),
      { backchannelLogout: true },
    );
    const response = await send({
      method: "POST",
      target: "/api/auth/backchannel-logout",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `logout_token=${provider.logoutToken({ sub: "person-ada" })}`,
    });
    expect(response.status).toBe(204);
  });
});

/** As `serve` of `@hono/node-server` does; the app finds the response of Node in its environment. */
function onNode({ fetch: respond }: Hono<LatchkeyEnvironment>): RequestListener {
  const listener = getRequestListener(respond, { overrideGlobalObjects: false });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

function elsewhere(app: Hono<LatchkeyEnvironment>): RequestListener {
  const respond = (request: Request) => app.fetch(request);
  const listener = getRequestListener(respond, { overrideGlobalObjects: false });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

function fail(): never {
  throw new Error("broken");
}
