import fastify, { type FastifyError, type FastifyInstance } from "fastify";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/fastify";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

import { ownCookies } from "../../../../../conformance/suite/example.ts";
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
  // A public page: the session is optional.
  app.get("/", (request) => `Hello ${request.auth.user?.name ?? "stranger"}`);

  // Protected pages: without a session the request does not come here.
  app.get("/private", (request) => `Private page of ${request.auth.require().user.name}`);
  app.get("/private/stream", (_request, reply) =>
    reply.type("text/plain").send(Readable.from(slowly(["one ", "two ", "three"]))),
  );
  app.get("/private/events", (_request, reply) => {
    const events = slowly(["data: one\n\n", "data: two\n\n", "data: three\n\n"]);
    return reply.type("text/event-stream").send(Readable.from(events));
  });
  app.get("/redirect", (_request, reply) => reply.redirect("/private"));

  // Public pages that decide for themselves.
  app.get("/require", (request) => `Member ${request.auth.require().user.name}`);
  app.get("/require-rule", (request) => {
    const { user } = request.auth.require((session) => session.user.sub === "person-ada");
    return `Editor ${user.name}`;
  });
  app.get("/require-acr", (request) => {
    const { user } = request.auth.require({ acr: ["mfa", "phr"] });
    return `Trusted ${user.name}`;
  });
  app.get<{ Querystring: { read?: string } }>("/cacheable", (request, reply) => {
    const name = "read" in request.query ? request.auth.user?.name : "everybody";
    reply.headers({ "cache-control": "public, max-age=600, immutable", vary: "Accept-Encoding" });
    return `For ${name ?? "strangers"}`;
  });
}

/** An API: the person, an access token for other services, data of the app's own in the session. */
function addAPI(app: FastifyInstance): void {
  app.get("/api/me", (request) => {
    const { user, session } = request.auth.require();
    return { ...user, theme: session["theme"] };
  });
  app.get<{ Querystring: { refresh?: string } }>("/api/token", async ({ auth, query }) => {
    const refresh = "refresh" in query;
    return { accessToken: await auth.accessToken({ refresh }) };
  });
  app.post<{ Body: { theme: string } }>("/api/update", async ({ auth, body }) => {
    await auth.update((session) => ({ ...session, theme: "none" }));
    const session = await auth.update((before) => ({ ...before, theme: body.theme }));
    return { theme: session?.["theme"] };
  });
  app.get("/api/fail", () => {
    throw new Error("broken");
  });
  app.post("/devices/end", async ({ auth }) => {
    await auth.endDevices("all");
    return "Signed out everywhere";
  });
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
    for (const cookie of ownCookies) reply.header("Set-Cookie", cookie);
    return "";
  });
  app.get("/own-cookie/header", (_request, reply) => {
    reply.raw.setHeader("Set-Cookie", ownCookies);
    return "";
  });
  app.get("/own-cookie/head", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "Set-Cookie": ownCookies, "Cache-Control": "public" }).end();
  });
  app.get("/fetched", () => fetch(upstream));
  app.get("/late", ({ auth }, reply) => {
    reply.hijack();
    reply.raw.write("begun, ");
    auth
      .update((session) => ({ ...session, theme: "late" }))
      .then(
        () => reply.raw.end("updated"),
        (error: unknown) => reply.raw.end(`refused: ${String(error)}`),
      );
  });
}

async function* slowly(parts: readonly string[]): AsyncGenerator<string> {
  for (const part of parts) {
    yield part;
    await pause(100);
  }
}
