import express, { type NextFunction, type Request, type Response } from "express";
import Koa from "koa";
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";

import { listenerOfKoa } from "../../test/listeners.ts";
import { servedApp } from "../../test/sessions/served-app.ts";
import type { Auth } from "../host/auth.ts";
import { latchkey } from "./express.ts";
import { latchkey as koaMiddleware } from "./koa.ts";

type App = (auth: Auth) => RequestListener;

/** Handlers that need an access token, for a session without one. */
const uncaught: Readonly<Record<string, App>> = {
  "Express with its own error page": (auth) =>
    express()
      .set("env", "test")
      .use(latchkey(auth))
      .get("/reports", async (req, res) => void res.send(await req.auth.accessToken())),
  "Express with an error page of the app": (auth) =>
    express()
      .use(latchkey(auth))
      .get("/reports", async (req, res) => void res.send(await req.auth.accessToken()))
      .use((_error: unknown, _req: Request, res: Response, _next: NextFunction) => {
        res.status(500).send("Sorry, that broke");
      }),
  Koa: (auth) =>
    listenerOfKoa(
      new Koa().use(koaMiddleware(auth)).use(async (ctx) => {
        ctx.body = await ctx.state.auth.accessToken();
      }),
    ),
};

const caught: Readonly<Record<string, App>> = {
  Express: (auth) =>
    express()
      .use(latchkey(auth))
      .get("/reports", async (req, res) => {
        await req.auth.accessToken().catch(() => res.status(502).send("No reports now"));
      }),
  Koa: (auth) =>
    listenerOfKoa(
      new Koa().use(koaMiddleware(auth)).use(async (ctx) => {
        await ctx.state.auth.accessToken().catch(() => {
          ctx.status = 502;
          ctx.body = "No reports now";
        });
      }),
    ),
};

async function openReports(app: App, headers: Readonly<Record<string, string>>) {
  const { send, cookie, origin } = await servedApp(app);
  return { ...(await send({ target: "/reports", headers: { ...headers, cookie } })), origin };
}

describe("a missing access token that no handler catches", () => {
  test.each(Object.entries(uncaught))("leads a page of %s to login and back", async (_, app) => {
    const { status, header, origin } = await openReports(app, { accept: "text/html" });
    expect([status, header("location")]).toEqual([
      302,
      `${origin}/api/auth/login?returnTo=%2Freports`,
    ]);
  });

  test.each(Object.entries(uncaught))("answers a script of %s 401", async (_, app) => {
    const { status, body } = await openReports(app, { "sec-fetch-mode": "cors" });
    expect([status, JSON.parse(body)]).toMatchObject([401, { error: "ERR_MISSING_ACCESS_TOKEN" }]);
  });
});

test.each(Object.entries(caught))(
  "a handler of %s that catches the error of an access token keeps its own status and page",
  async (_, app) => {
    const { status, body } = await openReports(app, { accept: "text/html" });
    expect([status, body]).toEqual([502, "No reports now"]);
  },
);
