import Koa, { type Context } from "koa";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/koa";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

import { ownCookies } from "../../../../../conformance/suite/example.ts";
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
  // A public page: the session is optional.
  "GET /": (ctx) => (ctx.body = `Hello ${ctx.state.auth.user?.name ?? "stranger"}`),

  // Protected pages: without a session the request does not come here.
  "GET /private": (ctx) => (ctx.body = `Private page of ${ctx.state.auth.require().user.name}`),
  "GET /private/stream": (ctx) => {
    ctx.type = "text/plain";
    ctx.body = Readable.from(slowly(["one ", "two ", "three"]));
  },
  "GET /private/events": (ctx) => {
    ctx.type = "text/event-stream";
    const events = ["data: one\n\n", "data: two\n\n", "data: three\n\n"];
    ctx.body = Readable.from(slowly(events));
  },
  "GET /redirect": (ctx) => ctx.redirect("/private"),

  // Public pages that decide for themselves.
  "GET /require": (ctx) => (ctx.body = `Member ${ctx.state.auth.require().user.name}`),
  "GET /require-rule": (ctx) => {
    const { user } = ctx.state.auth.require((session) => session.user.sub === "person-ada");
    ctx.body = `Editor ${user.name}`;
  },
  "GET /require-acr": (ctx) => {
    const { user } = ctx.state.auth.require({ acr: ["mfa", "phr"] });
    ctx.body = `Trusted ${user.name}`;
  },
  "GET /cacheable": (ctx) => {
    const name = "read" in ctx.query ? ctx.state.auth.user?.name : "everybody";
    ctx.set({ "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" });
    ctx.body = `For ${name ?? "strangers"}`;
  },
};

/** An API: the person, an access token for other services, data of the app's own in the session. */
const api: Readonly<Record<string, Route>> = {
  "GET /api/me": (ctx) => {
    const { user, session } = ctx.state.auth.require();
    ctx.body = { ...user, theme: session["theme"] };
  },
  "GET /api/token": async (ctx) => {
    const refresh = "refresh" in ctx.query;
    ctx.body = { accessToken: await ctx.state.auth.accessToken({ refresh }) };
  },
  "POST /api/update": async (ctx) => {
    const { theme } = (await json(ctx.req)) as { theme: string };
    await ctx.state.auth.update((session) => ({ ...session, theme: "none" }));
    const session = await ctx.state.auth.update((before) => ({ ...before, theme }));
    ctx.body = { theme: session?.["theme"] };
  },
  "GET /api/fail": () => {
    throw new Error("broken");
  },
  "POST /devices/end": async (ctx) => {
    await ctx.state.auth.endDevices("all");
    ctx.body = "Signed out everywhere";
  },
};

/** Whatever a response may look like, sign-in adds its headers when the head leaves. */
function responses({ upstream, files }: Surroundings): Readonly<Record<string, Route>> {
  return {
    "GET /files/a.txt": (ctx) => (ctx.body = createReadStream(join(files, "a.txt"))),
    "POST /upload": async (ctx) => (ctx.body = `${(await buffer(ctx.req)).length} bytes`),
    "GET /status/204": (ctx) => (ctx.status = 204),
    "GET /status/304": (ctx) => (ctx.status = 304),
    "GET /own-cookie/api": (ctx) => {
      ctx.append("Set-Cookie", ownCookies);
      ctx.body = "";
    },
    "GET /own-cookie/header": (ctx) => {
      ctx.set("Set-Cookie", ownCookies);
      ctx.body = "";
    },
    "GET /own-cookie/head": (ctx) => {
      ctx.respond = false;
      ctx.res.writeHead(200, { "Set-Cookie": ownCookies, "Cache-Control": "public" }).end();
    },
    "GET /fetched": async (ctx) => {
      const fetched = await fetch(upstream);
      ctx.res.setHeaders(fetched.headers);
      ctx.body = await fetched.text();
    },
    "GET /late": async (ctx) => {
      ctx.respond = false;
      ctx.res.write("begun, ");
      try {
        await ctx.state.auth.update((session) => ({ ...session, theme: "late" }));
        ctx.res.end("updated");
      } catch (error) {
        ctx.res.end(`refused: ${String(error)}`);
      }
    },
  };
}

async function* slowly(parts: readonly string[]): AsyncGenerator<string> {
  for (const part of parts) {
    yield part;
    await pause(100);
  }
}
