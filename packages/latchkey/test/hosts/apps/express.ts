import express5, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Auth } from "latchkey";
import { latchkey as middleware } from "latchkey/express";

import * as example from "../../../../../conformance/suite/example.ts";
import type { Surroundings } from "./surroundings.ts";

/** A version of Express, and the middleware of sign-in. */
interface Framework {
  readonly express: typeof express5;
  readonly latchkey: typeof middleware;
}

/** An Express application with sign-in. */
export function createApp(
  auth: Auth,
  surroundings: Surroundings,
  { express, latchkey }: Framework = { express: express5, latchkey: middleware },
): Express {
  const app = express();
  app.use(latchkey(auth));
  addPages(app);
  addAPI(app, express);
  addResponses(app, surroundings, express);
  app.use((_req, res) => void res.status(404).send("No such page"));
  app.use((_error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    res.status(500).send("Sorry, that broke");
  });
  return app;
}

function addPages(app: Express): void {
  for (const [path, textOf] of Object.entries(example.textPages)) {
    // Async, as most handlers are: what `require()` throws is then a rejected promise.
    app.get(path, async (req, res) => void res.send(textOf(req.auth)));
  }
  app.get("/private/stream", (_req, res) => write(res.type("text/plain"), example.slowText()));
  app.get("/private/events", async (_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    await write(res, example.slowEvents());
  });
  app.get("/redirect", (_req, res) => res.redirect("/private"));
  app.get("/cacheable", (req, res) => {
    res.set(example.cacheable).send(example.cacheableText(req.auth, "read" in req.query));
  });
}

/** An API: the person, an access token for other services, data of the app's own in the session. */
function addAPI(app: Express, express: Framework["express"]): void {
  app.get("/api/me", (req, res) => void res.json(example.profileOf(req.auth)));
  app.get("/api/token", async (req, res) => {
    const refresh = "refresh" in req.query;
    res.json({ accessToken: await req.auth.accessToken({ refresh }) });
  });
  app.post("/api/update", express.json(), async (req: Request<object, unknown, Theme>, res) => {
    res.json(await example.updateTheme(req.auth, req.body.theme));
  });
  app.get("/api/fail", () => {
    throw new Error("broken");
  });
  app.post("/changed/:way", async (req, res, next) => {
    await example.changeSideBySide(req.auth);
    // Express 4 drops what an async handler throws.
    if (req.params.way === "fail") next(new Error("broken"));
    else if (req.params.way === "redirect") res.redirect("/private");
    else await write(res, example.slowText());
  });
  app.post(
    "/devices/end",
    async (req, res) => void res.send(await example.signOutEverywhere(req.auth)),
  );
}

interface Theme {
  readonly theme: string;
}

/** Whatever a response may look like, sign-in adds its headers when the head leaves. */
function addResponses(
  app: Express,
  { upstream, files }: Surroundings,
  express: Framework["express"],
): void {
  app.use("/files", express.static(files));
  app.post("/upload", express.raw({ type: "*/*", limit: "2mb" }), (req, res) => {
    const body: unknown = req.body;
    res.send(`${Buffer.isBuffer(body) ? body.length : 0} bytes`);
  });
  app.get("/status/:code", (req, res) => void res.status(Number(req.params.code)).end());
  app.get("/own-cookie/api", (_req, res) => void res.cookie("own", "a b").cookie("two", "2").end());
  app.get(
    "/own-cookie/header",
    (_req, res) => void res.setHeader("Set-Cookie", example.ownCookies).end(),
  );
  app.get("/own-cookie/head", (_req, res) => {
    res.writeHead(200, { "Set-Cookie": example.ownCookies, "Cache-Control": "public" }).end();
  });
  app.get("/fetched", async (_req, res) => {
    const fetched = await fetch(upstream);
    res.status(fetched.status).setHeaders(fetched.headers);
    res.end(await fetched.text());
  });
  app.get("/late", (req, res) => write(res, example.lateUpdate(req.auth)));
}

async function write(res: Response, parts: AsyncGenerator<string>): Promise<void> {
  for await (const part of parts) res.write(part);
  res.end();
}
