import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";

import { servedApp } from "../../../test/sessions/served-app.ts";
import { latchkey, type LatchkeyEnvironment } from "./index.ts";
import { hostRequest } from "./wire.ts";

const elsewhere =
  (environment: object) =>
  (app: Hono<LatchkeyEnvironment>): RequestListener => {
    const respond = (request: Request) => app.fetch(request, environment);
    const listener = getRequestListener(respond, { overrideGlobalObjects: false });
    return (incoming, outgoing) => void listener(incoming, outgoing);
  };

describe.each([
  ["on Node", onNode, 1],
  ["elsewhere", elsewhere({}), 2],
  ["beside variables", elsewhere({ outgoing: "a variable" }), 2],
])("an app of Hono %s", (_, listener, cookiesAtLast) => {
  test("adds the session to its own headers, and on Node to no Headers [AD-007]", async () => {
    let seen: readonly string[] = [];
    const { send, cookie } = await servedApp((auth) => {
      const app = new Hono<LatchkeyEnvironment>().use(async (c, next) => {
        await next();
        seen = c.res.headers.getSetCookie();
      });
      app.use(latchkey(auth)).get("/cacheable", (c) => {
        c.header("Cache-Control", "public, max-age=600");
        c.header("Set-Cookie", "own=1");
        return c.text(`For ${c.var.auth.user?.sub}`);
      });
      return listener(app);
    });
    const response = await send({ target: "/cacheable", headers: { cookie } });
    const names = response.setCookies.map((line) => line.split("=", 1)[0]);
    expect([response.status, response.body]).toEqual([200, "For person-ada"]);
    expect([names, seen.length]).toEqual([["own", "appSession.t"], cookiesAtLast]);
    expect(response.header("cache-control")).toBe("private, no-store");
    expect(response.header("vary")).toBe("Cookie");
  });

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

  test("whose handler returns nothing gets Hono's own error [AD-031]", async () => {
    const { send, cookie } = await servedApp((auth) => {
      const app = new Hono<LatchkeyEnvironment>().use(latchkey(auth), latchkey(auth));
      app.onError((error, c) => c.text(error.message, 500));
      return listener(app.use(async () => {}));
    });
    const response = await send({ target: "/private", headers: { cookie } });
    expect(response.status).toBe(500);
    expect(response.body).toContain("not finalized");
  });
});

test.each([
  ["on Node", onNode, expect.stringMatching(/127\.0\.0\.1$|^::1$/) as string],
  ["beside variables", elsewhere({ incoming: "a variable" }), undefined],
])(
  "an app of Hono %s knows the address of its client on Node only",
  async (_, listener, address) => {
    let seen: string | undefined;
    const { send } = await servedApp(() =>
      listener(
        new Hono<LatchkeyEnvironment>().all("*", (c) => {
          seen = hostRequest(c, "http://localhost").remoteAddress;
          return c.text("the page");
        }),
      ),
    );
    expect((await send({ target: "/" })).body).toBe("the page");
    expect(seen).toEqual(address);
  },
);

/**
 * As `serve` of `@hono/node-server` does; the app finds the response of Node in its environment.
 */
function onNode({ fetch: respond }: Hono<LatchkeyEnvironment>): RequestListener {
  const listener = getRequestListener(respond, { overrideGlobalObjects: false });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

function fail(): never {
  throw new Error("broken");
}
