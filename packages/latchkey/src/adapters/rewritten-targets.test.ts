import express, { type RequestHandler } from "express";
import fastify from "fastify";
import { H3 } from "h3";
import Koa from "koa";
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";

import { listenerOfFastify, listenerOfH3, listenerOfKoa } from "../../test/listeners.ts";
import { servedApp } from "../../test/sessions/served-app.ts";
import type { Auth } from "../host/auth.ts";
import { latchkey } from "./express.ts";
import { latchkey as fastifyPlugin } from "./fastify.ts";
import { latchkey as h3Middleware } from "./h3/index.ts";
import { latchkey as koaMiddleware } from "./koa.ts";

test("a middleware of Express mounted below a path judges the whole path, not what is left of it [AD-008]", async () => {
  const world = await servedApp((auth) =>
    express().use("/sub", latchkey(auth), (req, res) => void res.send(`read as ${req.url}`)),
  );
  expect((await world.send({ target: "/sub/public/x" })).status).toBe(302);
  expect((await world.send({ target: "/sub/" })).status).toBe(302);
});

/** Takes the language away from an address, as a middleware for translations does. */
function languageTaken(url: string): string {
  return url.replace(/^(\/public)?\/en\//, "/");
}

const withoutLanguage: RequestHandler = (req, _res, next) => {
  req.url = languageTaken(req.url);
  next();
};

const rewriting = Object.entries<(auth: Auth) => RequestListener>({
  Express: (auth) =>
    express().use(withoutLanguage, latchkey(auth), (req, res) => void res.send(req.url)),
  Fastify: (auth) => {
    const app = fastify({ rewriteUrl: ({ url = "/" }) => languageTaken(url) });
    app.register(fastifyPlugin(auth));
    app.setNotFoundHandler((request, reply) => reply.code(200).send(request.url));
    return listenerOfFastify(app);
  },
  Koa: (auth) => {
    const app = new Koa().use((ctx, next) => {
      ctx.url = languageTaken(ctx.url);
      return next();
    });
    return listenerOfKoa(app.use(koaMiddleware(auth)).use((ctx) => void (ctx.body = ctx.url)));
  },
  h3: (auth) => {
    const onRequest = ({ url }: { url: URL }) => void (url.pathname = languageTaken(url.pathname));
    const app = new H3({ onRequest }).use(h3Middleware(auth));
    return listenerOfH3(app.use(({ url }) => url.pathname));
  },
});

describe.each(rewriting)("an address rewritten by an earlier middleware of %s", (_, app) => {
  test.each([
    ["/public/en/admin", 302],
    ["/en/public/x", 302],
    ["/public/en/public/x", 200],
    ["/public/x?tab=2", 200],
    ["/public/", 200],
  ])("%s is public if both addresses are: %i [AD-011]", async (target, status) => {
    const world = await servedApp(app);
    expect((await world.send({ target })).status).toBe(status);
  });
});

test("a middleware of Express mounted at a public path admits this path, with a query and without [AD-008]", async () => {
  const world = await servedApp((auth) =>
    express().use("/cacheable", latchkey(auth), (_req, res) => void res.send("open")),
  );
  for (const target of ["/cacheable", "/cacheable?read", "http://localhost/cacheable"]) {
    const { status } = await world.send({ target });
    expect([target, status]).toEqual([target, target.startsWith("/") ? 200 : 302]);
  }
});

test.each([
  ["/public/x", 200],
  ["/private/public/x", 302],
])(
  "a middleware of Koa mounted below a path judges the whole path: %s is answered %i [AD-008]",
  async (target, status) => {
    const { send } = await servedApp((auth) => {
      const app = new Koa().use((ctx, next) => {
        const [, mountPath = "", path = ""] = /^(\/\w+)(.*)/.exec(ctx.path) ?? [];
        Object.assign(ctx, { mountPath, path });
        return next();
      });
      return listenerOfKoa(app.use(koaMiddleware(auth)).use((ctx) => void (ctx.body = "passed")));
    });
    expect((await send({ target })).status).toBe(status);
  },
);

test("a property baseUrl of other code does not change the target", async () => {
  const { send } = await servedApp((auth) => {
    const middleware = latchkey(auth);
    return (req, res) =>
      middleware(Object.assign(req, { baseUrl: { path: "/" } }), res, () => res.end("passed"));
  });
  expect((await send({ target: "/public/x" })).body).toBe("passed");
});

test("a slash added to a path by a middleware of Express makes it another one", async () => {
  const { send } = await servedApp((auth) =>
    express().use(
      (req, _res, next) => {
        req.url += "/";
        next();
      },
      latchkey(auth),
      (_req, res) => void res.send("passed"),
    ),
  );
  expect((await send({ target: "/cacheable" })).status).toBe(302);
});

test("an access rule counts for the address that a rewrite makes", async () => {
  const { send, cookie } = await servedApp(
    (auth) => express().use(withoutLanguage, latchkey(auth), (req, res) => void res.send(req.url)),
    { accessRules: { "/admin": { claim: { role: "admin" } } } },
  );
  const statusOf = async (target: string) => (await send({ target, headers: { cookie } })).status;
  expect([await statusOf("/en/admin"), await statusOf("/en/page")]).toEqual([403, 200]);
});
