import express from "express";
import { Hono } from "hono";
import type { Auth } from "latchkey";
import { latchkey as expressMiddleware } from "latchkey/express";
import { latchkey as honoMiddleware } from "latchkey/hono";
import { protect } from "latchkey/node";
import type { RequestListener } from "node:http";

import { createApp as createExpressApp } from "../apps/express.ts";
import { createApp as createFetchApp } from "../apps/fetch.ts";
import { createApp as createHonoApp } from "../apps/hono.ts";
import { createApp as createNodeApp } from "../apps/node.ts";
import type { Surroundings } from "../apps/surroundings.ts";
import { listenerOf } from "./server.ts";

/** One of the hosts that sign-in can be mounted on. */
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

/** Those that `node:http` reaches without a `Request` between: they read targets that no URL parser has touched. */
export const nodeShaped = hosts.filter(({ name }) => name === "node:http" || name === "Express");

/** Of a `Request`, hosts see no target: what comes behind the authority of its URL is the nearest to it. */
function targetOf({ url }: Request): string {
  return url.replace(/^https?:\/\/[^/?#]*/, "");
}
