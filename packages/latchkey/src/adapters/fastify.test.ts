import fastify, { type FastifyInstance } from "fastify";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";

import { listenerOfFastify } from "../../test/listeners.ts";
import { servedApp } from "../../test/sessions/served-app.ts";
import { goodSettings } from "../../test/settings.ts";
import { type Auth, createAuth } from "../host/auth.ts";
import { latchkey as fastifyPlugin } from "./fastify.ts";

const page = { accept: "text/html" };

describe("Fastify", () => {
  const worldOf = (addTo: (app: FastifyInstance, auth: Auth) => void) =>
    servedApp((auth) => {
      const app = fastify();
      addTo(app, auth);
      return listenerOfFastify(app);
    });

  test("a plugin of the whole instance guards routes added before it, and routes of children [AD-010]", async () => {
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

  test("a plugin registered twice for the whole instance, and in a child, counts once [AD-016]", async () => {
    const world = await worldOf((app, auth) => {
      app.register(fastifyPlugin(auth)).register(fastifyPlugin(auth));
      app.register(async (child) => {
        await child.register(fastifyPlugin(auth));
        child.get("/private", (request) => `Private page of ${request.auth.user?.name}`);
      });
    });
    const response = await world.send({ target: "/private", headers: { cookie: world.cookie } });
    expect([response.body, response.setCookies.length]).toEqual(["Private page of Ada", 1]);
  });

  test("plugins in two children answer our addresses there, and other addresses 404 [AD-008]", async () => {
    const world = await worldOf((app, auth) => {
      for (const path of ["/private", "/other"]) {
        app.register(async (child) => {
          await child.register(fastifyPlugin(auth));
          child.get(path, (request) => `Page of ${request.auth.user?.name}`);
        });
      }
    });
    const headers = { cookie: world.cookie };
    const paths = ["/other", "/api/auth/login", "/api/auth/me", "/_auth/nothing"];
    const asked = await Promise.all(paths.map((target) => world.send({ target, headers })));
    expect(asked.map(({ status }) => status)).toEqual([200, 302, 200, 404]);
  });

  test("invalid settings let an app start, and each request reports them", async () => {
    const faulty = createAuth({ ...goodSettings, clientID: "", log: () => undefined });
    const app = fastify();
    app.register(fastifyPlugin(faulty));
    expect((await app.inject("/api/auth/login")).statusCode).toBe(500);
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
    const headers = { ...page, cookie: world.cookie };
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
    const headers = { cookie: world.cookie };
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
      `${world.origin}/api/auth/login?returnTo=%2Fprivate`,
    ]);
    const cookie = world.cookie;
    const response = await app.inject({ url: "/private", headers: { cookie } });
    expect([response.statusCode, response.body]).toEqual([200, "Private page of Ada"]);
    expect(response.headers["set-cookie"]).toEqual([expect.stringMatching(/^appSession\.t=/)]);
  });

  test("a decorator of the same name from another package stops the start [AD-039]", async () => {
    const world = await servedApp(() => () => undefined);
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
