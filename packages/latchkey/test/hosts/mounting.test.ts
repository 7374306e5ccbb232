import express from "express";
import fastify from "fastify";
import { H3 } from "h3";
import { Hono } from "hono";
import Koa from "koa";
import { type Auth, createAuth, type Options } from "latchkey";
import { latchkey as fastifyPlugin } from "latchkey/fastify";
import { describe, expect, test } from "vitest";

import { createApp as createExpressApp } from "./apps/express.ts";
import { createApp as createH3App } from "./apps/h3.ts";
import { createApp as createHonoApp } from "./apps/hono.ts";
import { createApp as createKoaApp } from "./apps/koa.ts";
import { isOneSite } from "../second-site.ts";
import { hosts } from "./world/hosts.ts";
import { listenerOfFastify, listenerOfH3, listenerOfKoa } from "../listeners.ts";
import { type HostWorldSettings, worldOfTest } from "./world/host-world.ts";
import { listenerOf } from "../servers/server.ts";

const mounted: Readonly<Record<string, HostWorldSettings["app"]>> = {
  Express: (auth, around) => express().use("/sub", createExpressApp(auth, around)),
  Hono: (auth, around) => listenerOf(new Hono().route("/sub", createHonoApp(auth, around)).fetch),
  Koa: (auth, around) => listenerOfKoa(new Koa().use(mount(createKoaApp(auth, around)))),
  h3: (auth, around) => listenerOfH3(new H3().mount("/sub", createH3App(auth, around))),
};

/** As `koa-mount` does. */
function mount({ middleware }: Koa): Koa.Middleware {
  return async (ctx, next) => {
    const { path } = ctx;
    if (!path.startsWith("/sub/")) return next();
    Object.assign(ctx, { mountPath: "/sub", path: path.slice("/sub".length) });
    const call = (index: number): Promise<unknown> =>
      Promise.resolve(middleware[index]?.(ctx, () => call(index + 1)));
    await call(0);
    ctx.path = path;
  };
}

describe.each(Object.entries(mounted))("an application mounted below a path on %s", (_, app) => {
  test("signs in below it, and its addresses and redirects lead there [AD-008]", async () => {
    const world = await worldOfTest({ app, basePath: "/sub" });
    const refused = await world.send({ target: "/sub/private?tab=2" });
    expect([refused.status, refused.header("location")]).toEqual([
      302,
      `${world.baseURL}/api/auth/login?returnTo=%2Fsub%2Fprivate%3Ftab%3D2`,
    ]);
    const page = await world.browser().signIn(`${world.baseURL}/private?tab=2`);
    expect([page.url.pathname, page.text]).toEqual(["/sub/private", "Private page of Ada Okafor"]);
    expect((await world.send({ target: "/sub/cacheable" })).body).toBe("For everybody");
  });
});

describe.each(["", "/sub"])("plugins of Fastify below the prefix %j", (prefix) => {
  test("with their own sign-in each sign in there [AD-008]", async () => {
    const world = await worldOfTest({
      basePath: prefix,
      app(auth) {
        const app = fastify();
        for (const path of ["/private", "/other"]) {
          app.register(
            async (child) => {
              child.register(fastifyPlugin(auth));
              child.get(path, (request) => `Private page of ${request.auth.user?.name}`);
            },
            { prefix },
          );
        }
        return listenerOfFastify(app);
      },
    });
    const page = await world.browser().signIn(`${world.baseURL}/private?tab=2`);
    expect([page.url.href, page.text]).toEqual([
      `${world.baseURL}/private?tab=2`,
      "Private page of Ada Okafor",
    ]);
    const nothing = await world.send({ target: `${prefix}/_auth/nothing` });
    expect([nothing.status, nothing.body]).toEqual([404, expect.stringContaining("not found")]);
  });
});

/** Another sign-in beside this one. */
function staffOf({ config: { baseURL, issuerBaseURL } }: Auth, options: Partial<Options>): Auth {
  return createAuth({
    baseURL,
    issuerBaseURL,
    clientID: "staff",
    clientSecret: "staff-secret",
    secret: "another-secret-0123456789abcdef-0123456789",
    session: { name: "staffSession" },
    log: () => undefined,
    ...options,
  });
}

describe.runIf(isOneSite).each(hosts)("two sign-ins on one server of $name", (host) => {
  test("each redirect to their own login, keep their own session and know nothing of the other's", async () => {
    const world = await worldOfTest({
      app(shop, around) {
        const staff = staffOf(shop, {
          baseURL: shop.config.baseURL.replace("localhost", "127.0.0.1"),
        });
        const [first, second] = [host.app(shop, around), host.app(staff, around)];
        return (req, res) =>
          (req.headers.host?.startsWith("127.") === true ? second : first)(req, res);
      },
    });
    const cookie = await (await world.signedIn()).cookies();
    const staffURL = world.baseURL.replace("localhost", "127.0.0.1");
    const own = await world.send({ target: "/private", headers: { cookie } });
    const headers = { cookie, host: new URL(staffURL).host };
    const other = await world.send({ target: "/private", headers });
    expect([own.status, own.setCookies.map(nameOf)]).toEqual([200, ["appSession.t"]]);
    expect([other.status, other.header("location"), other.setCookies]).toEqual([
      302,
      `${staffURL}/api/auth/login?returnTo=%2Fprivate`,
      [],
    ]);
  });

  test("one behind the other on the same request each answer for themselves", async () => {
    const world = await worldOfTest({
      app(shop) {
        const staff = staffOf(shop, {
          routes: { prefix: "/staff/auth" },
          pagesPrefix: "/staff/_auth",
          transactionCookie: { name: "staff_verification" },
          publicPaths: ["/", "/public/"],
        });
        return host.catchAll([shop, staff], () => "the page");
      },
      options: { publicPaths: ["/staff/", "/staff", "/public/"] },
    });
    const login = async (target: string) =>
      (await world.send({ target })).header("location")?.replace(/\?.*/, "");
    expect(await login("/private")).toBe(`${world.baseURL}/api/auth/login`);
    expect(await login("/staff/list")).toBe(`${world.baseURL}/staff/auth/login`);
    expect((await world.send({ target: "/public/x" })).body).toBe("the page");
  });
});

function nameOf(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf("="));
}
