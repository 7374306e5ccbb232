import express from "express";
import fastify from "fastify";
import { H3 } from "h3";
import { Hono } from "hono";
import Koa from "koa";
import type { Auth } from "latchkey";
import { latchkey as expressMiddleware } from "latchkey/express";
import { latchkey as fastifyPlugin } from "latchkey/fastify";
import { latchkey as h3Middleware } from "latchkey/h3";
import { latchkey as honoMiddleware } from "latchkey/hono";
import { latchkey as koaMiddleware } from "latchkey/koa";
import { protect } from "latchkey/node";
import type { RequestListener } from "node:http";

import { createApp as createExpressApp } from "../apps/express.ts";
import { createApp as createFastifyApp } from "../apps/fastify.ts";
import { createApp as createFetchApp } from "../apps/fetch.ts";
import { createApp as createH3App } from "../apps/h3.ts";
import { createApp as createHonoApp } from "../apps/hono.ts";
import { createApp as createKoaApp } from "../apps/koa.ts";
import { createApp as createNodeApp } from "../apps/node.ts";
import type { Surroundings } from "../apps/surroundings.ts";
import { listenerOfFastify, listenerOfH3, listenerOfKoa } from "../../listeners.ts";
import { listenerOf } from "../../servers/server.ts";

/** One of the hosts for sign-in. */
export interface Host {
  readonly name: string;
  /** The example application in the idiom of the host. */
  readonly app: (auth: Auth, surroundings: Surroundings) => RequestListener;
  /** Sign-in mounted once for each `Auth`, and one handler for every path behind it. */
  readonly catchAll: (auths: readonly Auth[], page: (target: string) => string) => RequestListener;
}

export const hosts: readonly Host[] = [
  {
    name: "node:http",
    app: createNodeApp,
    catchAll: (auths, page) =>
      auths.reduceRight<RequestListener>(
        (inner, auth) => protect(auth, (req, res) => inner(req, res)),
        (req, res) => void res.end(page(req.url ?? "")),
      ),
  },
  {
    name: "Express",
    app: createExpressApp,
    catchAll(auths, page) {
      const app = express();
      for (const auth of auths) app.use(expressMiddleware(auth));
      return app.use((req, res) => void res.end(page(req.originalUrl)));
    },
  },
  {
    name: "Fastify",
    app: (auth, surroundings) => listenerOfFastify(createFastifyApp(auth, surroundings)),
    catchAll(auths, page) {
      const app = fastify();
      for (const auth of auths) app.register(fastifyPlugin(auth));
      app.setNotFoundHandler((request, reply) => reply.code(200).send(page(request.originalUrl)));
      return listenerOfFastify(app);
    },
  },
  {
    name: "Koa",
    app: (auth, surroundings) => listenerOfKoa(createKoaApp(auth, surroundings)),
    catchAll(auths, page) {
      const app = new Koa();
      for (const auth of auths) app.use(koaMiddleware(auth));
      return listenerOfKoa(app.use((ctx) => void (ctx.body = page(ctx.originalUrl))));
    },
  },
  {
    name: "h3",
    app: (auth, surroundings) => listenerOfH3(createH3App(auth, surroundings)),
    catchAll(auths, page) {
      const app = new H3();
      for (const auth of auths) app.use(h3Middleware(auth));
      return listenerOfH3(app.use(({ req }) => page(targetOf(req))));
    },
  },
  {
    name: "Hono",
    app: (auth, surroundings) => listenerOf(createHonoApp(auth, surroundings).fetch),
    catchAll(auths, page) {
      const app = new Hono();
      for (const auth of auths) app.use(honoMiddleware(auth));
      return listenerOf(app.all("*", (c) => c.body(page(targetOf(c.req.raw)))).fetch);
    },
  },
  {
    name: "fetch",
    app: (auth, surroundings) => listenerOf(createFetchApp(auth, surroundings)),
    catchAll: (auths, page) =>
      listenerOf(
        auths.reduceRight<(request: Request) => Response | Promise<Response>>(
          (inner, auth) => (request) => auth.respond(request, inner),
          (request) => new Response(page(targetOf(request))),
        ),
      ),
  },
];

/**
 * Makes a check on every host, at the same time if possible. `@hono/node-server` replaces the
 * global `Response`, whose instances h3 does not know: h3 comes last, alone.
 */
export async function onEveryHost(check: (host: Host) => Promise<void>): Promise<void> {
  const isH3 = ({ name }: Host) => name === "h3";
  await Promise.all(hosts.filter((host) => !isH3(host)).map(check));
  await Promise.all(hosts.filter(isH3).map(check));
}

/**
 * Hosts behind `node:http` without a `Request` between: no URL parser has changed their targets.
 */
export const nodeShaped = hosts.filter(({ name }) =>
  ["node:http", "Express", "Fastify", "Koa"].includes(name),
);

/** A host with the requests of Node, and one with those of the Fetch API. */
export const oneOfEachKind = hosts.filter(({ name }) => ["node:http", "fetch"].includes(name));

/** Hosts see no target of a `Request`, so this takes its URL after the authority. */
function targetOf({ url }: Request): string {
  return url.replace(/^https?:\/\/[^/?#]*/, "");
}
