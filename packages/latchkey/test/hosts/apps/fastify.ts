import fastify, { type FastifyError, type FastifyInstance } from "fastify";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/fastify";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";

import * as example from "../../../../../conformance/suite/example.ts";
import type { Surroundings } from "./surroundings.ts";

/** A Fastify application with sign-in. */
export function createApp(auth: Auth, surroundings: Surroundings): FastifyInstance {
  const app = fastify();
  app.register(latchkey(auth));
  addPages(app);
  addAPI(app);
  addResponses(app, surroundings);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send("No such page"));
  app.setErrorHandler<FastifyError>((error, _request, reply) =>
    reply.code(error.statusCode ?? 500).send("Sorry, that broke"),
  );
  return app;
}

function addPages(app: FastifyInstance): void {
  for (const [path, textOf] of Object.entries(example.textPages)) {
    app.get(path, ({ auth }) => textOf(auth));
  }
  app.get("/private/stream", (_request, reply) =>
    reply.type("text/plain").send(Readable.from(example.slowText())),
  );
  app.get("/private/events", (_request, reply) =>
    reply.type("text/event-stream").send(Readable.from(example.slowEvents())),
  );
  app.get("/redirect", (_request, reply) => reply.redirect("/private"));
  app.get<{ Querystring: { read?: string } }>("/cacheable", ({ auth, query }, reply) =>
    reply.headers(example.cacheable).send(example.cacheableText(auth, "read" in query)),
  );
}

/** An API: the person, an access token for other services, data of the app's own in the session. */
function addAPI(app: FastifyInstance): void {
  app.get("/api/me", ({ auth }) => example.profileOf(auth));
  app.get<{ Querystring: { refresh?: string } }>("/api/token", async ({ auth, query }) => ({
    accessToken: await auth.accessToken({ refresh: "refresh" in query }),
  }));
  app.post<{ Body: { theme: string } }>("/api/update", ({ auth, body }) =>
    example.updateTheme(auth, body.theme),
  );
  app.get("/api/fail", () => {
    throw new Error("broken");
  });
  app.post<{ Params: { way: string } }>("/changed/:way", async ({ auth, params }, reply) => {
    await example.changeSideBySide(auth);
    if (params.way === "fail") throw new Error("broken");
    return params.way === "redirect"
      ? reply.redirect("/private")
      : reply.send(Readable.from(example.slowText()));
  });
  app.post("/devices/end", ({ auth }) => example.signOutEverywhere(auth));
}

/** Whatever a response may look like, sign-in adds its headers when the head leaves. */
function addResponses(app: FastifyInstance, { upstream, files }: Surroundings): void {
  app.get("/files/a.txt", (_request, reply) => reply.send(createReadStream(join(files, "a.txt"))));
  app.addContentTypeParser(
    "application/octet-stream",
    { parseAs: "buffer", bodyLimit: 2 ** 21 },
    (_request, body, done) => done(null, body),
  );
  app.post<{ Body: Buffer }>("/upload", ({ body }) => `${body.length} bytes`);
  app.get<{ Params: { code: number } }>("/status/:code", ({ params }, reply) =>
    reply.code(params.code).send(),
  );
  app.get("/own-cookie/api", (_request, reply) => {
    for (const cookie of example.ownCookies) reply.header("Set-Cookie", cookie);
    return "";
  });
  app.get("/own-cookie/header", (_request, reply) => {
    reply.raw.setHeader("Set-Cookie", example.ownCookies);
    return "";
  });
  app.get("/own-cookie/head", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "Set-Cookie": example.ownCookies, "Cache-Control": "public" }).end();
  });
  app.get("/fetched", () => fetch(upstream));
  app.get("/late", async ({ auth }, reply) => {
    reply.hijack();
    for await (const part of example.lateUpdate(auth)) reply.raw.write(part);
    reply.raw.end();
  });
}
