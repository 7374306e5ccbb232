import express from "express";
import fastify, { type FastifyInstance } from "fastify";
import { H3 } from "h3";
import Koa from "koa";
import { type Auth, createAuth } from "latchkey";
import { latchkey } from "latchkey/express";
import { latchkey as fastifyPlugin } from "latchkey/fastify";
import { latchkey as h3Middleware } from "latchkey/h3";
import { latchkey as koaMiddleware } from "latchkey/koa";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import {
  connect,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { listenerOfFastify, listenerOfH3, listenerOfKoa } from "./world/hosts.ts";
import { worldOfTest } from "./world/host-world.ts";

const page = { accept: "text/html" };

describe("Fastify", () => {
  const worldOf = (addTo: (app: FastifyInstance, auth: Auth) => void) =>
    worldOfTest({
      app: (auth) => {
        const app = fastify();
        addTo(app, auth);
        return listenerOfFastify(app);
      },
    });

  test("a plugin registered for the whole instance counts for routes that were added before it, and in children [AD-010]", async () => {
    const world = await worldOf((app, auth) => {
      app.get("/before", () => "before");
      app.register(fastifyPlugin(auth));
      app.register((child, _options, done) => {
        child.get("/child", (request) => `child of ${request.auth.require().user.name}`);
        done();
      });
    });
    const statuses = [];
    for (const target of ["/before", "/child"]) {
      statuses.push((await world.send({ target, headers: page })).status);
    }
    expect(statuses).toEqual([302, 302]);
  });

  test("a plugin registered in a child counts there only [AD-008]", async () => {
    const world = await worldOf((app, auth) => {
      app.get("/open", () => "open");
      app.register((child, _options, done) => {
        child.register(fastifyPlugin(auth));
        child.get("/closed", () => "closed");
        done();
      });
    });
    expect((await world.send({ target: "/open" })).body).toBe("open");
    expect((await world.send({ target: "/closed", headers: page })).status).toBe(302);
  });

  test("an error handler of the app sees what require() throws, and cannot hide the way to login [AD-030, AD-031]", async () => {
    const seen: unknown[] = [];
    const world = await worldOf((app, auth) => {
      app.register(fastifyPlugin(auth));
      app.setErrorHandler((error, _request, reply) => {
        seen.push((error as Error).name);
        return reply.code(500).type("text/html").send("<h1>Broken</h1>");
      });
      app.get("/require", (request) => request.auth.require().user.sub);
    });
    const response = await world.send({ target: "/require", headers: page });
    expect([response.status, response.body, seen]).toEqual([302, "", ["SignInRequired"]]);
  });

  test("without an error handler of the app, require() is answered the same [AD-030]", async () => {
    const world = await worldOf((app, auth) => {
      app.register(fastifyPlugin(auth));
      app.get("/require-rule", (request) => request.auth.require(() => false).user.sub);
    });
    const headers = { ...page, cookie: await cookieOf(world.auth) };
    const response = await world.send({ target: "/require-rule", headers });
    expect([response.status, response.header("content-type")]).toEqual([
      403,
      "text/html; charset=utf-8",
    ]);
  });

  test("a stream that fails after its first chunk carried the session's headers, and ends the connection [AD-023]", async () => {
    const world = await worldOf((app, auth) => {
      app.register(fastifyPlugin(auth));
      app.get("/broken", (_request, reply) => reply.send(Readable.from(brokenParts())));
    });
    const headers = { cookie: await cookieOf(world.auth) };
    const response = await world.send({ target: "/broken", headers });
    expect([response.status, response.setCookies.length]).toEqual([200, 1]);
    expect((await world.send({ target: "/broken" })).status).toBe(302);
  });

  test("requests of inject() pass sign-in as those of a socket do [AD-001]", async () => {
    const app = fastify();
    const world = await worldOf((_app, auth) => {
      app.register(fastifyPlugin(auth));
      app.get("/private", (request) => `Private page of ${request.auth.user?.name}`);
    });
    const refused = await app.inject({ url: "/private", headers: page });
    expect([refused.statusCode, refused.headers.location]).toEqual([
      302,
      `${world.baseURL}/api/auth/login?returnTo=%2Fprivate`,
    ]);
    const cookie = await cookieOf(world.auth);
    const response = await app.inject({ url: "/private", headers: { cookie } });
    expect([response.statusCode, response.body]).toEqual([200, "Private page of Ada"]);
    expect(response.headers["set-cookie"]).toEqual([expect.stringMatching(/^appSession=/)]);
  });

  test("a decorator of the same name by somebody else stops the start [AD-039]", async () => {
    const world = await worldOfTest({ app: () => () => undefined });
    const app = fastify();
    app.decorateRequest("auth", null as never);
    app.register(fastifyPlugin(world.auth));
    await expect(app.ready()).rejects.toMatchObject({ code: "FST_ERR_DEC_ALREADY_PRESENT" });
  });
});

async function* brokenParts(): AsyncGenerator<string> {
  yield "one";
  await new Promise((resolve) => setTimeout(resolve, 20));
  throw new Error("broken");
}

describe("Koa", () => {
  test("what a later middleware makes of the response counts, and carries the session's headers [AD-021]", async () => {
    const world = await worldOfTest({
      app: (auth) => {
        const app = new Koa().use(koaMiddleware(auth));
        app.use(async (ctx, next) => {
          await next();
          ctx.set("Cache-Control", "public");
          ctx.body = `${String(ctx.body)}, wrapped`;
        });
        return listenerOfKoa(app.use((ctx) => void (ctx.body = "inner")));
      },
    });
    const headers = { cookie: await cookieOf(world.auth) };
    const response = await world.send({ target: "/", headers });
    expect([response.body, response.header("cache-control")]).toEqual(["inner, wrapped", "public"]);
    const closed = await world.send({ target: "/private", headers });
    expect([closed.header("cache-control"), closed.setCookies.length]).toEqual([
      "private, no-store",
      1,
    ]);
  });

  test("an error page that a middleware makes of a refusal gives way to ours; the log stays quiet [AD-030]", async () => {
    const logged: unknown[] = [];
    const world = await worldOfTest({
      app: (auth) => {
        const app = new Koa().use(koaMiddleware(auth));
        app.on("error", (error) => logged.push(error));
        app.use(async (ctx, next) => {
          try {
            await next();
          } catch {
            Object.assign(ctx, { status: 500, body: "Broken" });
          }
        });
        return listenerOfKoa(app.use((ctx) => void (ctx.body = ctx.state.auth.require().user.sub)));
      },
    });
    const response = await world.send({ target: "/require", headers: page });
    expect([response.status, response.body, logged]).toEqual([302, "", []]);
  });
});

describe("over HTTP/2", () => {
  const settings = {
    baseURL: "http://localhost:1",
    issuerBaseURL: "http://localhost:2",
    clientID: "client",
    clientSecret: "client-secret",
    secret: "a-secret-of-the-host-suite-0123456789abcdef",
    publicPaths: ["/require"],
    log: () => undefined,
  };

  /** An application that listens on HTTP/2 without TLS. */
  const apps: readonly [string, (auth: Auth) => Promise<Server>][] = [
    [
      "Fastify",
      async (auth) => {
        const app = fastify({ http2: true });
        app.register(fastifyPlugin(auth));
        app.get("/private", (request) => `Private page of ${request.auth.user?.name}`);
        app.get("/require", (request) => request.auth.require(() => false).user.sub);
        await app.listen({ port: 0, host: "localhost" });
        return app.server;
      },
    ],
    [
      "Koa",
      async (auth) => {
        const app = new Koa().use(koaMiddleware(auth)).use((ctx) => {
          if (ctx.path === "/require") ctx.state.auth.require(() => false);
          ctx.body = `Private page of ${ctx.state.auth.user?.name}`;
        });
        const server = createServer(listenerOfKoa(app) as never);
        await once(server.listen(0, "localhost"), "listening");
        return server;
      },
    ],
  ];

  test.each(apps)(
    "%s is guarded, renews the session and refuses, without a warning [AD-025, AD-030]",
    async (_, start) => {
      const warnings: unknown[] = [];
      const note = (warning: unknown) => void warnings.push(warning);
      process.on("warning", note);
      onTestFinished(() => void process.off("warning", note));
      const auth = createAuth(settings);
      const server = await start(auth);
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const cookie = await cookieOf(auth);
      const seen = [];
      for (const [path, headers] of [
        ["/private", {}],
        ["/private", { cookie }],
        ["/require", { cookie }],
      ] as const) {
        seen.push(
          await askHTTP2(`http://localhost:${port}`, { ":path": path, ...page, ...headers }),
        );
      }
      expect(seen).toEqual([
        [302, 0],
        [200, 1],
        [403, 1],
      ]);
      expect(warnings).toEqual([]);
    },
  );

  /** Status, and how many cookies are set. */
  async function askHTTP2(origin: string, headers: OutgoingHttpHeaders) {
    const session = connect(origin);
    const stream = session.request(headers).resume();
    const [[head]] = (await Promise.all([once(stream, "response"), once(stream, "end")])) as [
      [IncomingHttpHeaders],
      unknown,
    ];
    session.close();
    return [Number(head[":status"]), head["set-cookie"]?.length ?? 0];
  }
});

describe("h3", () => {
  test("a handler whose response a cache keeps finds nobody signed in [AD-022]", async () => {
    const world = await worldOfTest({
      app: (auth) => {
        const app = new H3().use(h3Middleware(auth));
        app.get("/private", ({ context }) => `for ${context.auth.user?.sub}`);
        app.get("/private/kept", (event) => {
          // As ocache does, of which defineCachedHandler of h3 and Nitro comes.
          Object.assign(event, { req: new Request(event.req.url) });
          return `for ${event.context.auth.user?.sub}`;
        });
        return listenerOfH3(app);
      },
    });
    const headers = { cookie: await cookieOf(world.auth) };
    expect((await world.send({ target: "/private", headers })).body).toMatch(/^for [^u]/);
    expect((await world.send({ target: "/private/kept", headers })).body).toBe("for undefined");
  });

  test("values of every kind carry the session's headers, and the last hook of the app runs once [AD-021, AD-025]", async () => {
    const hooked: string[] = [];
    const world = await worldOfTest({
      app: (auth) => {
        const app = new H3({
          silent: true,
          onResponse: (_response, event) => void hooked.push(event.url.pathname),
        }).use(h3Middleware(auth));
        app.get("/private/object", () => ({ a: 1 }));
        app.get("/private/nothing", () => null);
        app.get("/private/bytes", () => new Uint8Array([104, 105]));
        app.get("/private/stream", () => new Blob(["hi"]).stream());
        app.get("/private/error", () => {
          throw new Error("broken");
        });
        return listenerOfH3(app);
      },
    });
    const headers = { cookie: await cookieOf(world.auth) };
    const kinds = ["object", "nothing", "bytes", "stream", "error", "missing"];
    const seen = [];
    for (const kind of kinds) {
      const { status, setCookies, ...rest } = await world.send({
        target: `/private/${kind}`,
        headers,
      });
      seen.push([kind, status, setCookies.length, rest.header("cache-control")]);
    }
    const own = "private, no-store";
    expect(seen).toEqual([
      ["object", 200, 1, own],
      ["nothing", 200, 1, own],
      ["bytes", 200, 1, own],
      ["stream", 200, 1, own],
      ["error", 500, 1, own],
      ["missing", 404, 1, own],
    ]);
    expect(hooked).toEqual(kinds.map((kind) => `/private/${kind}`));
  });

  test("without an error handler of the app, require() is answered the same, and nothing is printed [AD-030]", async () => {
    const world = await worldOfTest({
      options: { publicPaths: ["/"] },
      app: (auth) => {
        const app = new H3().use(h3Middleware(auth));
        app.get("/", ({ context }) => context.auth.require().user.sub);
        app.get("/rule", ({ context }) => context.auth.require(() => false).user.sub);
        app.get("/step-up", ({ context }) => context.auth.require({ acr: "mfa" }).user.sub);
        return listenerOfH3(app);
      },
    });
    const headers = { ...page, cookie: await cookieOf(world.auth) };
    const errors = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => errors.mockRestore());
    const stranger = await world.send({ target: "/", headers: page });
    const refused = await world.send({ target: "/rule", headers });
    const stepUp = await world.send({ target: "/step-up", headers });
    expect([stranger.status, refused.status, stepUp.status]).toEqual([302, 403, 302]);
    expect(errors.mock.calls).toEqual([]);
    expect(refused.header("content-type")).toBe("text/html; charset=utf-8");
  });
});

describe("a second copy of the package", () => {
  const src = join(import.meta.dirname, "../../src");

  /** As where two dependencies each bring their own. */
  async function secondCopy() {
    const dist = join(src, "../dist");
    mkdirSync(dist, { recursive: true });
    const folder = mkdtempSync(join(dist, "copy-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(src, folder, { recursive: true, filter: (name) => !name.includes("react") });
    const errors = (await import(`${folder}/errors/access-errors.ts`)) as {
      Forbidden: new () => Error;
    };
    const adapter = (await import(`${folder}/adapters/express.ts`)) as {
      latchkey: typeof latchkey;
    };
    return { ...errors, ...adapter };
  }

  test("mounted beside the first one renews the session once [AD-016]", async () => {
    const second = await secondCopy();
    const world = await worldOfTest({
      app: (auth) =>
        express()
          .use(latchkey(auth), second.latchkey(auth))
          .use((req, res) => void res.send(`Private page of ${req.auth.user?.name}`)),
    });
    const headers = { cookie: await cookieOf(world.auth) };
    const response = await world.send({ target: "/private", headers });
    expect([response.body, response.setCookies.length]).toEqual(["Private page of Ada", 1]);
    expect((await world.send({ target: "/private", headers: page })).status).toBe(302);
  });

  test("throws refusals that the first one knows [AD-030]", async () => {
    const { Forbidden } = await secondCopy();
    const world = await worldOfTest({
      app: (auth) => listenerOfKoa(new Koa().use(koaMiddleware(auth)).use(() => fail(Forbidden))),
    });
    const headers = { ...page, cookie: await cookieOf(world.auth) };
    expect((await world.send({ target: "/private", headers })).status).toBe(403);
  });
});

function fail(Refusal: new () => Error): never {
  throw new Refusal();
}

/** Ada's cookie, sealed by the app's own keys: these tests are about what comes after sign-in. */
async function cookieOf(auth: Auth): Promise<string> {
  const { baseURL, issuerBaseURL, clientID, secrets } = auth.config;
  const { signedInCookies } = await import("latchkey/testing");
  return signedInCookies({
    options: { baseURL, issuerBaseURL, clientID, clientSecret: "x".repeat(20), secret: secrets },
    session: { user: { sub: "person-ada", name: "Ada" } },
  });
}
