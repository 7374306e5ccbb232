import Koa, { type Context } from "koa";
import { describe, expect, test } from "vitest";

import { listenerOfKoa } from "../../test/listeners.ts";
import { servedApp } from "../../test/sessions/served-app.ts";
import { latchkey as koaMiddleware } from "./koa.ts";

const page = { accept: "text/html" };

describe("Koa", () => {
  test("what a later middleware makes of the response counts, and carries the session's headers [AD-021]", async () => {
    const world = await servedApp((auth) => {
      const app = new Koa().use(koaMiddleware(auth));
      app.use(async (ctx, next) => {
        await next();
        ctx.set("Cache-Control", "public");
        ctx.body = `${String(ctx.body)}, wrapped`;
      });
      return listenerOfKoa(app.use((ctx) => void (ctx.body = "inner")));
    });
    const headers = { cookie: world.cookie };
    const response = await world.send({ target: "/", headers });
    expect([response.body, response.header("cache-control")]).toEqual(["inner, wrapped", "public"]);
    const closed = await world.send({ target: "/private", headers });
    expect(closed.header("cache-control")).toBe("private, no-store");
    expect(closed.setCookies).toHaveLength(1);
  });

  test("replaces the error page of a middleware for a refusal, and the log stays quiet [AD-030]", async () => {
    const logged: unknown[] = [];
    const world = await servedApp((auth) => {
      const app = new Koa().use(koaMiddleware(auth));
      app.on("error", (error) => logged.push(error));
      app.use(async (ctx, next) => {
        try {
          await next();
        } catch {
          Object.assign(ctx, { status: 500, body: "Broken" });
        }
      });
      return listenerOfKoa(app.use((ctx) => void (ctx.body = ctx.state.auth.require().user.sub)));
    });
    const response = await world.send({ target: "/require", headers: page });
    expect([response.status, response.body, logged]).toEqual([302, "", []]);
  });

  test.each([
    ["a refusal that nobody catches", 403, 0, (ctx) => ctx.state.auth.require(() => false)],
    ["an error of the app's own", 500, 1, () => fail()],
    ["a page that says why it is refused", 200, 0, hide(200)],
    ["an error page of another status", 403, 0, hide(400)],
  ] satisfies [string, number, number, (ctx: Context) => unknown][])(
    "%s is answered %i, and the log has %i errors [AD-030, AD-031]",
    async (_, status, count, handle) => {
      const logged: unknown[] = [];
      const { send, cookie } = await servedApp((auth) => {
        const app = new Koa().use(koaMiddleware(auth)).use((ctx) => handle(ctx));
        app.on("error", (error) => logged.push(error));
        return listenerOfKoa(app);
      });
      const response = await send({ target: "/private", headers: { ...page, cookie } });
      expect([response.status, response.setCookies.length]).toEqual([status, 1]);
      expect((await send({ target: "/private", headers: page })).status).toBe(302);
      expect(logged).toHaveLength(count);
    },
  );

  test("leaves a page whole that is being sent when the app is refused", async () => {
    const { send, cookie } = await servedApp((auth) => {
      const app = new Koa().use(koaMiddleware(auth)).use((ctx) => {
        ctx.respond = false;
        ctx.res.writeHead(404).end("not found");
        hide(404)(ctx);
      });
      return listenerOfKoa(app);
    });
    const { status, body } = await send({ target: "/require", headers: { cookie } });
    expect([status, body]).toEqual([404, "not found"]);
  });
});

function fail(): never {
  throw new Error("broken");
}

/** Catches a refusal, and makes a page of it. */
const hide =
  (status: number) =>
  (ctx: Context): void => {
    try {
      ctx.state.auth.require(() => false);
    } catch (error) {
      ctx.body = String(error);
      ctx.status = status;
    }
  };
