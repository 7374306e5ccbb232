import { H3 } from "h3";
import { Hono } from "hono";
import type { Auth } from "latchkey";
import { latchkey as h3Middleware } from "latchkey/h3";
import { latchkey } from "latchkey/hono";
import { describe, expect, test } from "vitest";

import { type HostWorldSettings, worldOfTest } from "./world/host-world.ts";
import { listenerOfH3 } from "../listeners.ts";
import { listenerOf } from "../servers/server.ts";

/** An application may make a response once, and return it for every request. */
interface SharedResponses {
  readonly empty: Response;
  /** Headers for the responses of `/headers`, which are made one by one. */
  readonly headers: Headers;
}

function respondFrom({ empty, headers }: SharedResponses, path: string): Response {
  if (path.endsWith("headers")) return new Response("The page", { headers });
  return empty;
}

type MakeApp = (auth: Auth, shared: SharedResponses) => ReturnType<HostWorldSettings["app"]>;

const apps: Readonly<Record<string, MakeApp>> = {
  Hono: (auth, shared) => {
    const app = new Hono().use(latchkey(auth));
    app.get("/private", (c) => c.text(`Private page of ${c.var.auth.user?.name}`));
    app.get("*", (c) => respondFrom(shared, c.req.path));
    return listenerOf(app.fetch);
  },
  h3: (auth, shared) => {
    const app = new H3().use(h3Middleware(auth));
    app.get("/private", ({ context }) => `Private page of ${context.auth.user?.name}`);
    return listenerOfH3(app.get("/**", ({ url }) => respondFrom(shared, url.pathname)));
  },
  fetch: (auth, shared) => {
    const app = (request: Request) => {
      const { pathname } = new URL(request.url);
      if (pathname !== "/private") return respondFrom(shared, pathname);
      return new Response(`Private page of ${auth.of(request).user?.name}`);
    };
    return listenerOf((request) => auth.respond(request, app));
  },
};

describe.each(Object.entries(apps))("an application on %s", (_, makeApp) => {
  test.each([
    ["of one response for every request", "/empty", ""],
    ["of one list of headers for every response", "/headers", "The page"],
  ])(
    "which makes use %s sends each user the own session, and no other one [AD-028]",
    async (_body, path, body) => {
      const headers = { "Cache-Control": "public, max-age=60", "Set-Cookie": "own=1" };
      const world = await worldOfTest({
        app: (auth) =>
          makeApp(auth, { empty: new Response(null, { headers }), headers: new Headers(headers) }),
        options: { session: { rollingDuration: 10 } },
      });
      const people: (readonly [string, string])[] = [];
      for (const id of ["ada", "ben", "ada", "ben"]) {
        const name = id === "ada" ? "Ada Okafor" : "Ben Castellan";
        // oxlint-disable-next-line no-await-in-loop -- one sign-in after the other
        people.push([name, await (await world.signedIn(`person-${id}`)).cookies()]);
      }
      // The whole session is sent again after a tenth of its rolling duration.
      await new Promise((resolve) => setTimeout(resolve, 2100));
      const requests = people.map(async ([name, cookie]) => {
        const response = await world.send({ target: path, headers: { cookie } });
        const [own, renewed, ...more] = response.setCookies;
        expect([response.body, own, more]).toEqual([body, "own=1", []]);
        expect(response.header("cache-control")).toBe("private, no-store");
        const target = "/private";
        const next = { cookie: renewed?.split(";", 1)[0] ?? "" };
        expect((await world.send({ target, headers: next })).body).toBe(`Private page of ${name}`);
      });
      await Promise.all(requests);
      const stranger = await world.send({ target: `/public${path}` });
      expect([stranger.body, stranger.setCookies]).toEqual([body, ["own=1"]]);
      expect(stranger.header("cache-control")).toBe("public, max-age=60");
      expect(stranger.header("vary")).toBeNull();
    },
  );
});
