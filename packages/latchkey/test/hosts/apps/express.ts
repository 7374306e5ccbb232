import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/express";
import { setTimeout as pause } from "node:timers/promises";

import { ownCookies } from "../../../../../conformance/suite/example.ts";
import type { Surroundings } from "./surroundings.ts";

/** An Express application with sign-in. */
export function createApp(auth: Auth, surroundings: Surroundings): Express {
  const app = express();
  app.use(latchkey(auth));
  addPages(app);
  addAPI(app);
  addResponses(app, surroundings);
  app.use((_req, res) => void res.status(404).send("No such page"));
  app.use((_error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    res.status(500).send("Sorry, that broke");
  });
  return app;
}

function addPages(app: Express): void {
  // A public page: the session is optional.
  app.get("/", (req, res) => void res.send(`Hello ${req.auth.user?.name ?? "stranger"}`));

  // Protected pages: without a session the request does not come here.
  app.get(
    "/private",
    (req, res) => void res.send(`Private page of ${req.auth.require().user.name}`),
  );
  app.get("/private/stream", async (_req, res) => {
    res.type("text/plain");
    await writeSlowly(res, ["one ", "two ", "three"]);
  });
  app.get("/private/events", async (_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    await writeSlowly(res, ["data: one\n\n", "data: two\n\n", "data: three\n\n"]);
  });
  app.get("/redirect", (_req, res) => res.redirect("/private"));

  // Public pages that decide for themselves.
  app.get("/require", (req, res) => void res.send(`Member ${req.auth.require().user.name}`));
  app.get("/require-rule", (req, res) => {
    const { user } = req.auth.require((session) => session.user.sub === "person-ada");
    res.send(`Editor ${user.name}`);
  });
  app.get("/require-acr", (req, res) => {
    const { user } = req.auth.require({ acr: ["mfa", "phr"] });
    res.send(`Trusted ${user.name}`);
  });
  app.get("/cacheable", (req, res) => {
    const name = "read" in req.query ? req.auth.user?.name : "everybody";
    res.set({ "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" });
    res.send(`For ${name ?? "strangers"}`);
  });
}

/** An API: the person, an access token for other services, data of the app's own in the session. */
function addAPI(app: Express): void {
  app.get("/api/me", (req, res) => {
    const { user, session } = req.auth.require();
    res.json({ ...user, theme: session["theme"] });
  });
  app.get("/api/token", async (req, res) => {
    const refresh = "refresh" in req.query;
    res.json({ accessToken: await req.auth.accessToken({ refresh }) });
  });
  app.post("/api/update", express.json(), async (req: Request<object, unknown, Theme>, res) => {
    await req.auth.update((session) => ({ ...session, theme: "none" }));
    const session = await req.auth.update((before) => ({ ...before, theme: req.body.theme }));
    res.json({ theme: session?.["theme"] });
  });
  app.get("/api/fail", () => {
    throw new Error("broken");
  });
  app.post("/devices/end", async (req, res) => {
    await req.auth.endDevices("all");
    res.send("Signed out everywhere");
  });
}

interface Theme {
  readonly theme: string;
}

/** Whatever a response may look like, sign-in adds its headers when the head leaves. */
function addResponses(app: Express, { upstream, files }: Surroundings): void {
  app.use("/files", express.static(files));
  app.post("/upload", express.raw({ type: "*/*", limit: "2mb" }), (req, res) => {
    const body: unknown = req.body;
    res.send(`${Buffer.isBuffer(body) ? body.length : 0} bytes`);
  });
  app.get("/status/:code", (req, res) => void res.status(Number(req.params.code)).end());
  app.get("/own-cookie/api", (_req, res) => void res.cookie("own", "a b").cookie("two", "2").end());
  app.get("/own-cookie/header", (_req, res) => void res.setHeader("Set-Cookie", ownCookies).end());
  app.get("/own-cookie/head", (_req, res) => {
    res.writeHead(200, { "Set-Cookie": ownCookies, "Cache-Control": "public" }).end();
  });
  app.get("/fetched", async (_req, res) => {
    const fetched = await fetch(upstream);
    res.status(fetched.status).setHeaders(fetched.headers);
    res.end(await fetched.text());
  });
  app.get("/late", async (req, res) => {
    res.write("begun, ");
    try {
      await req.auth.update((session) => ({ ...session, theme: "late" }));
      res.end("updated");
    } catch (error) {
      res.end(`refused: ${String(error)}`);
    }
  });
}

async function writeSlowly(res: Response, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    res.write(part);
    await pause(100);
  }
  res.end();
}
