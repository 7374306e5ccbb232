import fastify from "fastify";
import Koa from "koa";
import { once } from "node:events";
import {
  connect,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";

import { listenerOfKoa } from "../../../test/listeners.ts";
import { servedApp } from "../../../test/sessions/served-app.ts";
import type { Auth } from "../../host/auth.ts";
import { latchkey as fastifyPlugin } from "../fastify.ts";
import { latchkey as koaMiddleware } from "../koa.ts";

describe("over HTTP/2", () => {
  /** An application on HTTP/2 without TLS. */
  const apps: readonly [string, (auth: Auth) => Promise<Server>][] = [
    [
      "Fastify",
      async (auth) => {
        const app = fastify({ http2: true });
        app.register(fastifyPlugin(auth));
        app.get("/private", (request) => `Private page of ${request.auth.user?.name}`);
        app.get("/public/require", (request) => request.auth.require(() => false).user.sub);
        await app.listen({ port: 0, host: "localhost" });
        return app.server;
      },
    ],
    [
      "Koa",
      async (auth) => {
        const app = new Koa().use(koaMiddleware(auth)).use((ctx) => {
          if (ctx.path === "/public/require") ctx.state.auth.require(() => false);
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
      const { auth, cookie } = await servedApp(() => () => undefined);
      const server = await start(auth);
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const ask = (path: string, headers: OutgoingHttpHeaders) =>
        askHTTP2(`http://localhost:${port}`, { ":path": path, accept: "text/html", ...headers });
      expect([
        await ask("/private", {}),
        await ask("/private", { cookie }),
        await ask("/public/require", { cookie }),
      ]).toEqual([
        [302, 0],
        [200, 1],
        [403, 1],
      ]);
      expect(warnings).toEqual([]);
    },
  );

  test.each(apps)(
    "%s sends a login in development to the base URL if :authority names another host [RFC 9113, section 8.3.1]",
    async (_, start) => {
      const { auth } = await servedApp(() => () => undefined);
      const server = await start(auth);
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const target = "/api/auth/login?returnTo=%2Fprivate";
      const headers = { ":path": target, accept: "text/html" };
      const { location } = await headOverHTTP2(`http://localhost:${port}`, headers);
      expect(location).toBe(`${auth.config.origin}${target}&at=base-url`);
    },
  );

  /** Status, and how many cookies are set. */
  async function askHTTP2(origin: string, headers: OutgoingHttpHeaders) {
    const head = await headOverHTTP2(origin, headers);
    return [Number(head[":status"]), head["set-cookie"]?.length ?? 0];
  }

  async function headOverHTTP2(origin: string, headers: OutgoingHttpHeaders) {
    const session = connect(origin);
    const stream = session.request(headers).resume();
    const [[head]] = (await Promise.all([once(stream, "response"), once(stream, "end")])) as [
      [IncomingHttpHeaders],
      unknown,
    ];
    session.close();
    return head;
  }
});
