import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import { streamSSE, streamText } from "hono/streaming";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/hono";

import * as example from "../../../../../conformance/suite/example.ts";
import type { Surroundings } from "./surroundings.ts";

/** A Hono application with sign-in. */
export function createApp(auth: Auth, surroundings: Surroundings) {
  const app = withSignIn(auth);
  addPages(app);
  addAPI(app);
  addResponses(app, surroundings);
  app.notFound((c) => c.text("No such page", 404));
  app.onError((_error, c) => c.text("Sorry, that broke", 500));
  return app;
}

function withSignIn(auth: Auth) {
  return new Hono().use(latchkey(auth));
}

/** `c.var.auth` is typed by the middleware. */
type App = ReturnType<typeof withSignIn>;

function addPages(app: App): void {
  for (const [path, textOf] of Object.entries(example.textPages)) {
    app.get(path, (c) => c.text(textOf(c.var.auth)));
  }
  app.get("/private/stream", (c) =>
    streamText(c, async (stream) => {
      for await (const part of example.slowText()) await stream.write(part);
    }),
  );
  app.get("/private/events", (c) =>
    streamSSE(c, async (stream) => {
      for await (const data of example.slowly(["one", "two", "three"]))
        await stream.writeSSE({ data });
    }),
  );
  app.get("/redirect", (c) => c.redirect("/private"));
  app.get("/cacheable", (c) =>
    c.text(
      example.cacheableText(c.var.auth, c.req.query("read") !== undefined),
      200,
      example.cacheable,
    ),
  );
}

/** An API: the person, an access token for other services, data of the app's own in the session. */
function addAPI(app: App): void {
  app.get("/api/me", (c) => c.json(example.profileOf(c.var.auth)));
  app.get("/api/token", async (c) => {
    const refresh = c.req.query("refresh") !== undefined;
    return c.json({ accessToken: await c.var.auth.accessToken({ refresh }) });
  });
  app.post("/api/update", async (c) => {
    const { theme } = await c.req.json<{ theme: string }>();
    return c.json(await example.updateTheme(c.var.auth, theme));
  });
  app.get("/api/fail", () => {
    throw new Error("broken");
  });
  app.post("/changed/:way", async (c) => {
    await example.changeSideBySide(c.var.auth);
    if (c.req.param("way") === "fail") throw new Error("broken");
    if (c.req.param("way") === "redirect") return c.redirect("/private");
    return streamText(c, async (stream) => {
      for await (const part of example.slowText()) await stream.write(part);
    });
  });
  app.post("/devices/end", async (c) => c.text(await example.signOutEverywhere(c.var.auth)));
}

/** Whatever a response may look like, sign-in adds its headers. */
function addResponses(app: App, { upstream, files: root }: Surroundings): void {
  app.use("/files/*", serveStatic({ root, rewriteRequestPath: (path) => path.slice(6) }));
  app.post("/upload", async (c) => c.text(`${(await c.req.arrayBuffer()).byteLength} bytes`));
  app.get("/status/204", (c) => c.body(null, 204));
  app.get("/status/304", (c) => c.body(null, 304));
  app.get("/own-cookie/api", (c) => {
    setCookie(c, "own", "a b");
    setCookie(c, "two", "2");
    return c.text("");
  });
  app.get("/own-cookie/header", (c) => {
    for (const cookie of example.ownCookies) c.header("Set-Cookie", cookie, { append: true });
    return c.text("");
  });
  app.get("/own-cookie/head", (c) =>
    c.body("", 200, { "Set-Cookie": example.ownCookies, "Cache-Control": "public" }),
  );
  app.get("/fetched", () => fetch(upstream));
  app.get("/late", (c) =>
    streamText(c, async (stream) => {
      for await (const part of example.lateUpdate(c.var.auth)) await stream.write(part);
    }),
  );
}
