import { H3, type H3Event, HTTPResponse, redirect } from "h3";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/h3";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import * as example from "../../../../../conformance/suite/example.ts";
import { streamOf } from "../../../../../conformance/suite/fetch-app.ts";
import type { Surroundings } from "./surroundings.ts";

/** An h3 application with sign-in. */
export function createApp(auth: Auth, surroundings: Surroundings): H3 {
  const app = new H3({
    silent: true,
    onError: ({ status }) =>
      new Response(status === 404 ? "No such page" : "Sorry, that broke", { status }),
  });
  app.use(latchkey(auth));
  addPages(app);
  addAPI(app);
  addResponses(app, surroundings);
  return app;
}

function addPages(app: H3): void {
  for (const [path, textOf] of Object.entries(example.textPages)) {
    app.get(path, ({ context }) => textOf(context.auth));
  }
  app.get("/private/stream", (event) => {
    event.res.headers.set("Content-Type", "text/plain");
    return streamOf(example.slowText());
  });
  app.get("/private/events", (event) => {
    event.res.headers.set("Content-Type", "text/event-stream");
    return streamOf(example.slowEvents());
  });
  app.get("/redirect", () => redirect("/private"));
  app.get("/cacheable", ({ context, res, url }) => {
    for (const [name, value] of Object.entries(example.cacheable)) res.headers.set(name, value);
    return example.cacheableText(context.auth, url.searchParams.has("read"));
  });
}

/** An API: the person, an access token for other services, data of the app's own in the session. */
function addAPI(app: H3): void {
  app.get("/api/me", ({ context }) => example.profileOf(context.auth));
  app.get("/api/token", async ({ context, url }) => {
    const refresh = url.searchParams.has("refresh");
    return { accessToken: await context.auth.accessToken({ refresh }) };
  });
  app.post("/api/update", async ({ context, req }: H3Event) => {
    const { theme } = (await req.json()) as { theme: string };
    return example.updateTheme(context.auth, theme);
  });
  app.get("/api/fail", () => {
    throw new Error("broken");
  });
  app.post("/changed/:way", async ({ context }) => {
    await example.changeSideBySide(context.auth);
    if (context.params?.["way"] === "fail") throw new Error("broken");
    return context.params?.["way"] === "redirect"
      ? redirect("/private")
      : streamOf(example.slowText());
  });
  app.post("/devices/end", ({ context }) => example.signOutEverywhere(context.auth));
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
    for (const cookie of example.ownCookies) res.headers.append("Set-Cookie", cookie);
    return "";
  });
  const lines = example.ownCookies.map((cookie): [string, string] => ["Set-Cookie", cookie]);
  app.get("/own-cookie/header", () => new HTTPResponse("", { headers: lines }));
  app.get("/own-cookie/head", ({ res }) => {
    res.headers.set("Cache-Control", "public");
    return new Response("", { headers: [...lines, ["Cache-Control", "public"]] });
  });
  app.get("/fetched", () => fetch(upstream));
  app.get("/late", ({ context }) => streamOf(example.lateUpdate(context.auth)));
}
