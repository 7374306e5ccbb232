import { type Auth, createAuth, optionsFromEnvironment, type RequestAuth } from "latchkey";
import { memoryStore } from "latchkey/memory";

/** The variables and secrets of the worker: the settings of sign-in, and the address of another server. */
interface Bindings extends Record<string, string> {
  readonly UPSTREAM: string;
}

type Route = (
  request: Request,
  auth: RequestAuth,
  bindings: Bindings,
) => Response | Promise<Response>;

let opened: Auth | undefined;

/** A worker knows its settings with its first request. */
function signIn(bindings: Bindings): Auth {
  return (opened ??= createAuth({
    ...optionsFromEnvironment(bindings).options,
    store: memoryStore(),
  }));
}

export default {
  fetch(request: Request, bindings: Bindings): Promise<Response> {
    const app = signIn(bindings);
    return app.respond(request, (passed) => {
      const { pathname } = new URL(passed.url);
      const method = passed.method === "HEAD" ? "GET" : passed.method;
      const route = routes[`${method} ${pathname}`];
      if (route === undefined) return new Response("No such page", { status: 404 });
      return route(passed, app.of(passed), bindings);
    });
  },
};

const pages: Readonly<Record<string, Route>> = {
  "GET /": (_request, { user }) => new Response(`Hello ${user?.name ?? "stranger"}`),
  "GET /private": (_request, auth) => new Response(`Private page of ${auth.require().user.name}`),
  "GET /private/stream": () => {
    const headers = { "Content-Type": "text/event-stream" };
    return new Response(slowly(["one ", "two ", "three"]), { headers });
  },
  "GET /redirect": ({ url }) => Response.redirect(new URL("/private", url).href),
  "GET /require": (_request, auth) => new Response(`Member ${auth.require().user.name}`),
  "GET /require-rule": (_request, auth) => {
    const { user } = auth.require((session) => session.user.sub === "person-ada");
    return new Response(`Editor ${user.name}`);
  },
  "GET /cacheable": ({ url }, auth) => {
    const name = url.endsWith("?read") ? auth.user?.name : "everybody";
    return new Response(`For ${name ?? "strangers"}`, {
      headers: { "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" },
    });
  },
};

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

const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];
const cookieLines = ownCookies.map((cookie): [string, string] => ["Set-Cookie", cookie]);

const responses: Readonly<Record<string, Route>> = {
  "GET /files/a.txt": () => new Response("A file for signed-in people.\n"),
  "POST /upload": async (request) =>
    new Response(`${(await request.arrayBuffer()).byteLength} bytes`),
  "GET /status/204": () => new Response(null, { status: 204 }),
  "GET /status/304": () => new Response(null, { status: 304 }),
  "GET /own-cookie/api": () => {
    const response = new Response("");
    for (const cookie of ownCookies) response.headers.append("Set-Cookie", cookie);
    return response;
  },
  "GET /own-cookie/header": () => new Response("", { headers: new Headers(cookieLines) }),
  "GET /own-cookie/head": () =>
    new Response("", { headers: [...cookieLines, ["Cache-Control", "public"]] }),
  "GET /fetched": (_request, _auth, { UPSTREAM }) => fetch(UPSTREAM),
  "GET /late": (_request, auth) => new Response(lateUpdate(auth)),
};

const routes = { ...pages, ...api, ...responses };

function lateUpdate(auth: RequestAuth): ReadableStream {
  return streamOf(async function* () {
    yield "begun, ";
    await pause(100);
    try {
      await auth.update((session) => ({ ...session, theme: "late" }));
      yield "updated";
    } catch (error) {
      yield `refused: ${String(error)}`;
    }
  });
}

function slowly(parts: readonly string[]): ReadableStream {
  return streamOf(async function* () {
    for (const part of parts) {
      yield part;
      await pause(100);
    }
  });
}

function streamOf(parts: () => AsyncGenerator<string>): ReadableStream {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void write(parts(), writable.getWriter());
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
