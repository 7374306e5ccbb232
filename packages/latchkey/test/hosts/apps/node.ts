import type { Auth } from "latchkey";
import { protect, type SignedRequest } from "latchkey/node";
import { createReadStream } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer, json } from "node:stream/consumers";

import * as example from "../../../../../conformance/suite/example.ts";
import type { Surroundings } from "./surroundings.ts";

type Route = (req: SignedRequest, res: ServerResponse) => unknown;

/** An application on `node:http` with sign-in: `createServer(createApp(auth, …)).listen(3000)`. */
export function createApp(auth: Auth, surroundings: Surroundings): RequestListener {
  const routes: Readonly<Record<string, Route>> = { ...pages, ...api, ...responses(surroundings) };
  return protect(auth, async (req, res) => {
    const { pathname } = new URL(req.url ?? "/", auth.config.origin);
    const route = routes[`${req.method === "HEAD" ? "GET" : req.method} ${pathname}`];
    if (route === undefined) res.writeHead(404).end("No such page");
    else await route(req, res);
  });
}

const pages: Readonly<Record<string, Route>> = {
  ...Object.fromEntries(
    Object.entries(example.textPages).map(([path, textOf]): [string, Route] => [
      `GET ${path}`,
      (req, res) => res.end(textOf(req.auth)),
    ]),
  ),
  "GET /private/stream": async (_req, res) => {
    res.setHeader("Content-Type", "text/plain");
    await write(res, example.slowText());
  },
  "GET /private/events": async (_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    await write(res, example.slowEvents());
  },
  "GET /redirect": (_req, res) => res.writeHead(302, { Location: "/private" }).end(),
  "GET /cacheable": (req, res) => {
    const text = example.cacheableText(req.auth, req.url?.endsWith("?read") === true);
    res.writeHead(200, example.cacheable).end(text);
  },
};

/** An API: the person, an access token for other services, data of the app's own in the session. */
const api: Readonly<Record<string, Route>> = {
  "GET /api/me": (req, res) => sendJSON(res, example.profileOf(req.auth)),
  "GET /api/token": async (req, res) => {
    const refresh = req.url?.endsWith("?refresh") === true;
    sendJSON(res, { accessToken: await req.auth.accessToken({ refresh }) });
  },
  "POST /api/update": async (req, res) => {
    const { theme } = (await json(req)) as { theme: string };
    sendJSON(res, await example.updateTheme(req.auth, theme));
  },
  "GET /api/fail": (_req, res) => {
    try {
      throw new Error("broken");
    } catch {
      res.writeHead(500).end("Sorry, that broke");
    }
  },
  "GET /api/throw": () => {
    throw new Error("broken, and not caught");
  },
  "POST /changed/stream": async (req, res) => {
    await example.changeSideBySide(req.auth);
    await write(res, example.slowText());
  },
  "POST /changed/redirect": async (req, res) => {
    await example.changeSideBySide(req.auth);
    res.writeHead(302, { Location: "/private" }).end();
  },
  "POST /changed/fail": async (req) => {
    await example.changeSideBySide(req.auth);
    throw new Error("broken");
  },
  "POST /devices/end": async (req, res) => res.end(await example.signOutEverywhere(req.auth)),
};

/** Whatever a response may look like, sign-in adds its headers when the head leaves. */
function responses({ upstream, files }: Surroundings): Readonly<Record<string, Route>> {
  return {
    "GET /files/a.txt": (_req, res) => createReadStream(join(files, "a.txt")).pipe(res),
    "POST /upload": async (req, res) => res.end(`${(await buffer(req)).length} bytes`),
    "GET /status/204": (_req, res) => res.writeHead(204).end(),
    "GET /status/304": (_req, res) => res.writeHead(304).end(),
    "GET /own-cookie/api": (_req, res) => {
      for (const cookie of example.ownCookies) res.appendHeader("Set-Cookie", cookie);
      res.end();
    },
    "GET /own-cookie/header": (_req, res) => res.setHeader("Set-Cookie", example.ownCookies).end(),
    "GET /own-cookie/head": (_req, res) => {
      res.writeHead(200, { "Set-Cookie": example.ownCookies, "Cache-Control": "public" }).end();
    },
    "GET /fetched": async (_req, res) => {
      const fetched = await fetch(upstream);
      res.setHeaders(fetched.headers);
      res.end(await fetched.text());
    },
    "GET /late": (req, res) => write(res, example.lateUpdate(req.auth)),
  };
}

function sendJSON(res: ServerResponse, value: unknown): void {
  res.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
}

async function write(res: ServerResponse, parts: AsyncGenerator<string>): Promise<void> {
  for await (const part of parts) res.write(part);
  res.end();
}
