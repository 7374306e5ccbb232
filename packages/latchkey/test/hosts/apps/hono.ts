import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import { streamSSE, streamText } from "hono/streaming";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/hono";

import { ownCookies } from "../../../../../conformance/suite/example.ts";
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
  // A public page: the session is optional.
  app.get("/", (c) => c.text(`Hello ${c.var.auth.user?.name ?? "stranger"}`));

  // Protected pages: without a session the request does not come here.
  app.get("/private", (c) => c.text(`Private page of ${c.var.auth.require().user.name}`));
  app.get("/private/stream", (c) =>
    streamText(c, async (stream) => {
      for (const part of ["one ", "two ", "three"]) {
        await stream.write(part);
        await stream.sleep(100);
      }
    }),
  );
  app.get("/private/events", (c) =>
    streamSSE(c, async (stream) => {
      for (const data of ["one", "two", "three"]) {
        await stream.writeSSE({ data });
        await stream.sleep(100);
      }
    }),
  );
  app.get("/redirect", (c) => c.redirect("/private"));

  // Public pages that decide for themselves.
  app.get("/require", (c) => c.text(`Member ${c.var.auth.require().user.name}`));
  app.get("/require-rule", (c) => {
    const { user } = c.var.auth.require((session) => session.user.sub === "person-ada");
    return c.text(`Editor ${user.name}`);
  });
  app.get("/require-acr", (c) => {
    const { user } = c.var.auth.require({ acr: ["mfa", "phr"] });
    return c.text(`Trusted ${user.name}`);
  });
  app.get("/cacheable", (c) => {
    const name = c.req.query("read") === undefined ? "everybody" : c.var.auth.user?.name;
    c.header("Cache-Control", "public, max-age=600, immutable");
    c.header("Vary", "Accept-Encoding");
    return c.text(`For ${name ?? "strangers"}`);
  });
}

/** An API: the person, an access token for other services, data of the app's own in the session. */
function addAPI(app: App): void {
  app.get("/api/me", (c) => {
    const { user, session } = c.var.auth.require();
    return c.json({ ...user, theme: session["theme"] });
  });
  app.get("/api/token", async (c) => {
    const refresh = c.req.query("refresh") !== undefined;
    return c.json({ accessToken: await c.var.auth.accessToken({ refresh }) });
  });
  app.post("/api/update", async (c) => {
    const { theme } = await c.req.json<{ theme: string }>();
    await c.var.auth.update((session) => ({ ...session, theme: "none" }));
    const session = await c.var.auth.update((before) => ({ ...before, theme }));
    return c.json({ theme: session?.["theme"] });
  });
  app.get("/api/fail", () => {
    throw new Error("broken");
  });
  app.post("/devices/end", async (c) => {
    await c.var.auth.endDevices("all");
    return c.text("Signed out everywhere");
  });
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
    for (const cookie of ownCookies) c.header("Set-Cookie", cookie, { append: true });
    return c.text("");
  });
  app.get("/own-cookie/head", (c) =>
    c.body("", 200, { "Set-Cookie": ownCookies, "Cache-Control": "public" }),
  );
  app.get("/fetched", () => fetch(upstream));
  app.get("/late", (c) =>
    streamText(c, async (stream) => {
      await stream.write("begun, ");
      await stream.sleep(100);
      try {
        await c.var.auth.update((session) => ({ ...session, theme: "late" }));
        await stream.write("updated");
      } catch (error) {
        await stream.write(`refused: ${String(error)}`);
      }
    }),
  );
}
