import { H3, type H3Event, HTTPResponse, redirect } from "h3";
import type { Auth, RequestAuth } from "latchkey";
import { latchkey } from "latchkey/h3";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { ownCookies } from "../../../../../conformance/suite/example.ts";
import type { Surroundings } from "./surroundings.ts";

/** An h3 application with sign-in. */
export function createApp(auth: Auth, surroundings: Surroundings): H3 {
  const app = new H3({
    silent: true,
    onError: (error) =>
      error.status === 404
        ? new Response("No such page", { status: 404 })
        : new Response("Sorry, that broke", { status: 500 }),
  });
  app.use(latchkey(auth));
  addPages(app);
  addAPI(app);
  addResponses(app, surroundings);
  return app;
}

function addPages(app: H3): void {
  // A public page: the session is optional.
  app.get("/", ({ context }) => `Hello ${context.auth.user?.name ?? "stranger"}`);

  // Protected pages: without a session the request does not come here.
  app.get("/private", ({ context }) => `Private page of ${context.auth.require().user.name}`);
  app.get("/private/stream", (event) => {
    event.res.headers.set("Content-Type", "text/plain");
    return slowly(["one ", "two ", "three"]);
  });
  app.get("/private/events", (event) => {
    event.res.headers.set("Content-Type", "text/event-stream");
    return slowly(["data: one\n\n", "data: two\n\n", "data: three\n\n"]);
  });
  app.get("/redirect", () => redirect("/private"));

  // Public pages that decide for themselves.
  app.get("/require", ({ context }) => `Member ${context.auth.require().user.name}`);
  app.get("/require-rule", ({ context }) => {
    const { user } = context.auth.require((session) => session.user.sub === "person-ada");
    return `Editor ${user.name}`;
  });
  app.get("/require-acr", ({ context }) => {
    const { user } = context.auth.require({ acr: ["mfa", "phr"] });
    return `Trusted ${user.name}`;
  });
  app.get("/cacheable", ({ context, res, url }) => {
    const name = url.searchParams.has("read") ? context.auth.user?.name : "everybody";
    res.headers.set("Cache-Control", "public, max-age=600, immutable");
    res.headers.set("Vary", "Accept-Encoding");
    return `For ${name ?? "strangers"}`;
  });
}

/** An API: the person, an access token for other services, data of the app's own in the session. */
function addAPI(app: H3): void {
  app.get("/api/me", ({ context }) => {
    const { user, session } = context.auth.require();
    return { ...user, theme: session["theme"] };
  });
  app.get("/api/token", async ({ context, url }) => {
    const refresh = url.searchParams.has("refresh");
    return { accessToken: await context.auth.accessToken({ refresh }) };
  });
  app.post("/api/update", async ({ context: { auth }, req }: H3Event) => {
    const { theme } = (await req.json()) as { theme: string };
    await auth.update((session) => ({ ...session, theme: "none" }));
    const session = await auth.update((before) => ({ ...before, theme }));
    return { theme: session?.["theme"] };
  });
  app.get("/api/fail", () => {
    throw new Error("broken");
  });
  app.post("/devices/end", async ({ context }) => {
    await context.auth.endDevices("all");
    return "Signed out everywhere";
  });
}

/** Whatever a handler may return, sign-in adds its headers. */
function addResponses(app: H3, { upstream, files }: Surroundings): void {
  app.get("/files/a.txt", () => readFile(join(files, "a.txt")));
  app.post("/upload", async ({ req }) => `${(await req.arrayBuffer()).byteLength} bytes`);
  app.get("/status/204", () => new Response(null, { status: 204 }));
  app.get("/status/304", ({ res }) => {
    res.status = 304;
    return "";
  });
  app.get("/own-cookie/api", ({ res }) => {
    for (const cookie of ownCookies) res.headers.append("Set-Cookie", cookie);
    return "";
  });
  const lines = ownCookies.map((cookie): [string, string] => ["Set-Cookie", cookie]);
  app.get("/own-cookie/header", () => new HTTPResponse("", { headers: lines }));
  app.get("/own-cookie/head", ({ res }) => {
    res.headers.set("Cache-Control", "public");
    return new Response("", { headers: [...lines, ["Cache-Control", "public"]] });
  });
  app.get("/fetched", () => fetch(upstream));
  app.get("/late", ({ context }) => lateUpdate(context.auth));
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
