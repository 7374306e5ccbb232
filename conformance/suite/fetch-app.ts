import type { Auth, RequestAuth } from "latchkey";

import * as example from "./example.ts";

/** What the application finds around it. */
export interface Surroundings {
  /** Address of another server, whose response `/fetched` passes on. */
  readonly upstream: string;
  readonly file: () => string | Promise<string>;
}

export type Route = (
  request: Request,
  auth: RequestAuth,
  around: Surroundings,
) => Response | Promise<Response>;

/** An application of the fetch shape, without any runtime: Node, Workers, Deno and Bun run it. */
export function createApp(
  auth: Auth,
  around: Surroundings,
  more: Readonly<Record<string, Route>> = {},
) {
  const routes = { ...pages, ...api, ...responses, ...more };
  const app = (request: Request) => {
    const { pathname } = new URL(request.url);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = routes[`${method} ${pathname}`];
    if (route === undefined) return new Response("No such page", { status: 404 });
    return route(request, auth.of(request), around);
  };
  return (request: Request): Promise<Response> => auth.respond(request, app);
}

const pages: Readonly<Record<string, Route>> = {
  ...Object.fromEntries(
    Object.entries(example.textPages).map(([path, textOf]) => [
      `GET ${path}`,
      (_request: Request, auth: RequestAuth) => new Response(textOf(auth)),
    ]),
  ),
  "GET /private/stream": () => {
    const headers = { "Content-Type": "text/event-stream" };
    return new Response(streamOf(example.slowText()), { headers });
  },
  "GET /redirect": ({ url }) => Response.redirect(new URL("/private", url).href),
  "GET /cacheable": ({ url }, auth) =>
    new Response(example.cacheableText(auth, url.endsWith("?read")), {
      headers: example.cacheable,
    }),
};

const api: Readonly<Record<string, Route>> = {
  "GET /api/me": (_request, auth) => Response.json(example.profileOf(auth)),
  "GET /api/token": async ({ url }, auth) => {
    const refresh = url.endsWith("?refresh");
    return Response.json({ accessToken: await auth.accessToken({ refresh }) });
  },
  "POST /api/update": async (request, auth) => {
    const { theme } = (await request.json()) as { theme: string };
    return Response.json(await example.updateTheme(auth, theme));
  },
  "GET /api/fail": () => {
    try {
      throw new Error("broken");
    } catch {
      return new Response("Sorry, that broke", { status: 500 });
    }
  },
  "POST /changed/stream": async (_request, auth) => {
    await example.changeSideBySide(auth);
    return new Response(streamOf(example.slowText()));
  },
  "POST /changed/redirect": async ({ url }, auth) => {
    await example.changeSideBySide(auth);
    return Response.redirect(new URL("/private", url).href);
  },
  "POST /changed/fail": async (_request, auth) => {
    await example.changeSideBySide(auth);
    return new Response("Sorry, that broke", { status: 500 });
  },
  "POST /devices/end": async (_request, auth) =>
    new Response(await example.signOutEverywhere(auth)),
};

const cookieLines = example.ownCookies.map((cookie): [string, string] => ["Set-Cookie", cookie]);

const responses: Readonly<Record<string, Route>> = {
  "GET /files/a.txt": async (_request, _auth, { file }) => new Response(await file()),
  "POST /upload": async (request) =>
    new Response(`${(await request.arrayBuffer()).byteLength} bytes`),
  "GET /status/204": () => new Response(null, { status: 204 }),
  "GET /status/304": () => new Response(null, { status: 304 }),
  "GET /own-cookie/api": () => {
    const response = new Response("");
    for (const cookie of example.ownCookies) response.headers.append("Set-Cookie", cookie);
    return response;
  },
  "GET /own-cookie/header": () => new Response("", { headers: new Headers(cookieLines) }),
  "GET /own-cookie/head": () =>
    new Response("", { headers: [...cookieLines, ["Cache-Control", "public"]] }),
  "GET /fetched": (_request, _auth, { upstream }) => fetch(upstream),
  "GET /late": (_request, auth) => new Response(streamOf(example.lateUpdate(auth))),
};

export function streamOf(parts: AsyncGenerator<string>): ReadableStream {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void write(parts, writable.getWriter());
  return readable;
}

async function write(parts: AsyncGenerator<string>, writer: WritableStreamDefaultWriter) {
  try {
    for await (const part of parts) await writer.write(new TextEncoder().encode(part));
    await writer.close();
  } catch {
    // The client has left.
  }
}
