import type { Auth } from "latchkey";
import { protect, type SignedRequest } from "latchkey/node";
import { createReadStream } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer, json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

import { ownCookies } from "../../../../../conformance/suite/example.ts";
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
  // A public page: the session is optional.
  "GET /": (req, res) => res.end(`Hello ${req.auth.user?.name ?? "stranger"}`),

  // Protected pages: without a session the request does not come here.
  "GET /private": (req, res) => res.end(`Private page of ${req.auth.require().user.name}`),
  "GET /private/stream": async (_req, res) => {
    res.setHeader("Content-Type", "text/plain");
    await writeSlowly(res, ["one ", "two ", "three"]);
  },
  "GET /private/events": async (_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    await writeSlowly(res, ["data: one\n\n", "data: two\n\n", "data: three\n\n"]);
  },
  "GET /redirect": (_req, res) => res.writeHead(302, { Location: "/private" }).end(),

  // Public pages that decide for themselves.
  "GET /require": (req, res) => res.end(`Member ${req.auth.require().user.name}`),
  "GET /require-rule": (req, res) => {
    const { user } = req.auth.require((session) => session.user.sub === "person-ada");
    res.end(`Editor ${user.name}`);
  },
  "GET /require-acr": (req, res) => {
    const { user } = req.auth.require({ acr: ["mfa", "phr"] });
    res.end(`Trusted ${user.name}`);
  },
  "GET /cacheable": (req, res) => {
    const name = req.url?.endsWith("?read") === true ? req.auth.user?.name : "everybody";
    res.writeHead(200, {
      "Cache-Control": "public, max-age=600, immutable",
      Vary: "Accept-Encoding",
    });
    res.end(`For ${name ?? "strangers"}`);
  },
};

/** An API: the person, an access token for other services, data of the app's own in the session. */
const api: Readonly<Record<string, Route>> = {
  "GET /api/me": (req, res) => {
    const { user, session } = req.auth.require();
    sendJSON(res, { ...user, theme: session["theme"] });
  },
  "GET /api/token": async (req, res) => {
    const refresh = req.url?.endsWith("?refresh") === true;
    sendJSON(res, { accessToken: await req.auth.accessToken({ refresh }) });
  },
  "POST /api/update": async (req, res) => {
    const { theme } = (await json(req)) as { theme: string };
    await req.auth.update((session) => ({ ...session, theme: "none" }));
    const session = await req.auth.update((before) => ({ ...before, theme }));
    sendJSON(res, { theme: session?.["theme"] });
  },
  "GET /api/fail": (_req, res) => {
    try {
      throw new Error("broken");
    } catch {
      res.writeHead(500).end("Sorry, that broke");
    }
  },
  "GET /api/throw": () => {
    throw new Error("broken, and nobody has caught it");
  },
  "POST /devices/end": async (req, res) => {
    await req.auth.endDevices("all");
    res.end("Signed out everywhere");
  },
};

/** Whatever a response may look like, sign-in adds its headers when the head leaves. */
function responses({ upstream, files }: Surroundings): Readonly<Record<string, Route>> {
  return {
    "GET /files/a.txt": (_req, res) => createReadStream(join(files, "a.txt")).pipe(res),
    "POST /upload": async (req, res) => res.end(`${(await buffer(req)).length} bytes`),
    "GET /status/204": (_req, res) => res.writeHead(204).end(),
    "GET /status/304": (_req, res) => res.writeHead(304).end(),
    "GET /own-cookie/api": (_req, res) => {
      for (const cookie of ownCookies) res.appendHeader("Set-Cookie", cookie);
      res.end();
    },
    "GET /own-cookie/header": (_req, res) => res.setHeader("Set-Cookie", ownCookies).end(),
    "GET /own-cookie/head": (_req, res) => {
      res.writeHead(200, { "Set-Cookie": ownCookies, "Cache-Control": "public" }).end();
    },
    "GET /fetched": async (_req, res) => {
      const fetched = await fetch(upstream);
      res.setHeaders(fetched.headers);
      res.end(await fetched.text());
    },
    "GET /late": async (req, res) => {
      res.write("begun, ");
      try {
        await req.auth.update((session) => ({ ...session, theme: "late" }));
        res.end("updated");
      } catch (error) {
        res.end(`refused: ${String(error)}`);
      }
    },
  };
}

function sendJSON(res: ServerResponse, value: unknown): void {
  res.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
}

async function writeSlowly(res: ServerResponse, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    res.write(part);
    await pause(100);
  }
  res.end();
}
