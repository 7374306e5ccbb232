import type { Auth, RequestAuth } from "latchkey";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { ownCookies, type Surroundings } from "./surroundings.ts";

type Route = (request: Request, auth: RequestAuth) => Response | Promise<Response>;

/** An application of the fetch shape with sign-in: `export default { fetch: createApp(auth, …) }`. */
export function createApp(auth: Auth, surroundings: Surroundings) {
  const routes: Readonly<Record<string, Route>> = { ...pages, ...api, ...responses(surroundings) };
  const app = (request: Request) => {
    const { pathname } = new URL(request.url);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = routes[`${method} ${pathname}`];
    return route === undefined
      ? new Response("No such page", { status: 404 })
      : route(request, auth.of(request));
  };
  return (request: Request): Promise<Response> => auth.respond(request, app);
}

const pages: Readonly<Record<string, Route>> = {
  // A public page: the session is optional.
  "GET /": (_request, { user }) => new Response(`Hello ${user?.name ?? "stranger"}`),

  // Protected pages: without a session the request does not come here.
  "GET /private": (_request, { user }) => new Response(`Private page of ${user?.name}`),
  "GET /private/stream": () =>
    new Response(slowly(["one ", "two ", "three"]), { headers: { "Content-Type": "text/plain" } }),
  "GET /private/events": () => {
    const events = slowly(["data: one\n\n", "data: two\n\n", "data: three\n\n"]);
    return new Response(events, { headers: { "Content-Type": "text/event-stream" } });
  },
  "GET /redirect": ({ url }) => Response.redirect(new URL("/private", url)),

  // Public pages that decide for themselves.
  "GET /require": (_request, auth) => new Response(`Member ${auth.require().user.name}`),
  "GET /require-rule": (_request, auth) => {
    const { user } = auth.require((session) => session.user.sub === "person-ada");
    return new Response(`Editor ${user.name}`);
  },
  "GET /require-acr": (_request, auth) => {
    const { user } = auth.require({ acr: ["mfa", "phr"] });
    return new Response(`Trusted ${user.name}`);
  },
  "GET /cacheable": ({ url }, auth) => {
    const name = url.endsWith("?read") ? auth.user?.name : "everybody";
    return new Response(`For ${name ?? "strangers"}`, {
      headers: { "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" },
    });
  },
};

/** An API: the person, an access token for other services, data of the app's own in the session. */
const api: Readonly<Record<string, Route>> = {
  "GET /api/me": (_request, auth) => {
    const { user, session } = auth.require();
    return Response.json({ ...user, theme: session["theme"] });
  },
  "GET /api/token": async ({ url }, auth) => {
    const refresh = url.endsWith("?refresh");
    return Response.json({ accessToken: await auth.accessToken({ refresh }) });
  },
  "POST /api/update": async (request, auth) => {
    const { theme } = (await request.json()) as { theme: string };
    await auth.update((session) => ({ ...session, theme: "none" }));
    const session = await auth.update((before) => ({ ...before, theme }));
    return Response.json({ theme: session?.["theme"] });
  },
  "GET /api/fail": () => {
    try {
      throw new Error("broken");
    } catch {
      return new Response("Sorry, that broke", { status: 500 });
    }
  },
  "POST /devices/end": async (_request, auth) => {
    await auth.endDevices("all");
    return new Response("Signed out everywhere");
  },
};

/** Whatever a response may look like, sign-in adds its headers. */
function responses({ upstream, files }: Surroundings): Readonly<Record<string, Route>> {
  const lines = ownCookies.map((cookie): [string, string] => ["Set-Cookie", cookie]);
  return {
    "GET /files/a.txt": async () => new Response(await readFile(join(files, "a.txt"))),
    "POST /upload": async (request) =>
      new Response(`${(await request.arrayBuffer()).byteLength} bytes`),
    "GET /status/204": () => new Response(null, { status: 204 }),
    "GET /status/304": () => new Response(null, { status: 304 }),
    "GET /own-cookie/api": () => {
      const response = new Response();
      for (const cookie of ownCookies) response.headers.append("Set-Cookie", cookie);
      return response;
    },
    "GET /own-cookie/header": () => new Response("", { headers: new Headers(lines) }),
    "GET /own-cookie/head": () =>
      new Response("", { headers: [...lines, ["Cache-Control", "public"]] }),
    "GET /fetched": () => fetch(upstream),
    "GET /late": (_request, auth) => new Response(lateUpdate(auth)),
  };
}

function lateUpdate(auth: RequestAuth): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(encoded("begun, "));
      await pause(100);
      try {
        await auth.update((session) => ({ ...session, theme: "late" }));
        controller.enqueue(encoded("updated"));
      } catch (error) {
        controller.enqueue(encoded(`refused: ${String(error)}`));
      }
      controller.close();
    },
  });
}

function slowly(parts: readonly string[]): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      for (const part of parts) {
        controller.enqueue(encoded(part));
        await pause(100);
      }
      controller.close();
    },
  });
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
