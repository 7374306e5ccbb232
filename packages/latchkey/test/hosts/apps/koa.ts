import Koa, { type Context } from "koa";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/koa";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, json } from "node:stream/consumers";

import * as example from "../../../../../conformance/suite/example.ts";
import type { Surroundings } from "./surroundings.ts";

type Route = (ctx: Context) => unknown;

/** A Koa application with sign-in. */
export function createApp(auth: Auth, surroundings: Surroundings): Koa {
  const routes: Readonly<Record<string, Route>> = { ...pages, ...api, ...responses(surroundings) };
  const app = new Koa();
  app.use(latchkey(auth));
  app.use(async (ctx) => {
    const route = routes[`${ctx.method === "HEAD" ? "GET" : ctx.method} ${ctx.path}`];
    try {
      if (route === undefined) Object.assign(ctx, { status: 404, body: "No such page" });
      else await route(ctx);
    } catch {
      Object.assign(ctx, { status: 500, body: "Sorry, that broke" });
    }
  });
  return app;
}

const pages: Readonly<Record<string, Route>> = {
  ...Object.fromEntries(
    Object.entries(example.textPages).map(([path, textOf]): [string, Route] => [
      `GET ${path}`,
      (ctx) => (ctx.body = textOf(ctx.state.auth)),
    ]),
  ),
  "GET /private/stream": (ctx) => {
    ctx.type = "text/plain";
    ctx.body = Readable.from(example.slowText());
  },
  "GET /private/events": (ctx) => {
    ctx.type = "text/event-stream";
    ctx.body = Readable.from(example.slowEvents());
  },
  "GET /redirect": (ctx) => ctx.redirect("/private"),
  "GET /cacheable": (ctx) => {
    ctx.set(example.cacheable);
    ctx.body = example.cacheableText(ctx.state.auth, "read" in ctx.query);
  },
};

/** An API: the person, an access token for other services, data of the app's own in the session. */
const api: Readonly<Record<string, Route>> = {
  "GET /api/me": (ctx) => (ctx.body = example.profileOf(ctx.state.auth)),
  "GET /api/token": async (ctx) => {
    const refresh = "refresh" in ctx.query;
    ctx.body = { accessToken: await ctx.state.auth.accessToken({ refresh }) };
  },
  "POST /api/update": async (ctx) => {
    const { theme } = (await json(ctx.req)) as { theme: string };
    ctx.body = await example.updateTheme(ctx.state.auth, theme);
  },
  "GET /api/fail": () => {
    throw new Error("broken");
  },
  "POST /changed/stream": async (ctx) => {
    await example.changeSideBySide(ctx.state.auth);
    ctx.body = Readable.from(example.slowText());
  },
  "POST /changed/redirect": async (ctx) => {
    await example.changeSideBySide(ctx.state.auth);
    ctx.redirect("/private");
  },
  "POST /changed/fail": async (ctx) => {
    await example.changeSideBySide(ctx.state.auth);
    throw new Error("broken");
  },
  "POST /devices/end": async (ctx) => (ctx.body = await example.signOutEverywhere(ctx.state.auth)),
};

/** Whatever a response may look like, sign-in adds its headers when the head leaves. */
function responses({ upstream, files }: Surroundings): Readonly<Record<string, Route>> {
  return {
    "GET /files/a.txt": (ctx) => (ctx.body = createReadStream(join(files, "a.txt"))),
    "POST /upload": async (ctx) => (ctx.body = `${(await buffer(ctx.req)).length} bytes`),
    "GET /status/204": (ctx) => (ctx.status = 204),
    "GET /status/304": (ctx) => (ctx.status = 304),
    "GET /own-cookie/api": (ctx) => {
      ctx.append("Set-Cookie", example.ownCookies);
      ctx.body = "";
    },
    "GET /own-cookie/header": (ctx) => {
      ctx.set("Set-Cookie", example.ownCookies);
      ctx.body = "";
    },
    "GET /own-cookie/head": (ctx) => {
      ctx.respond = false;
      ctx.res.writeHead(200, { "Set-Cookie": example.ownCookies, "Cache-Control": "public" }).end();
    },
    "GET /fetched": async (ctx) => {
      const fetched = await fetch(upstream);
      ctx.res.setHeaders(fetched.headers);
      ctx.body = await fetched.text();
    },
    "GET /late": async (ctx) => {
      ctx.respond = false;
      for await (const part of example.lateUpdate(ctx.state.auth)) ctx.res.write(part);
      ctx.res.end();
    },
  };
}
