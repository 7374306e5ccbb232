import express, { type Express } from "express";
import fastify, { type FastifyServerOptions } from "fastify";
import { H3 } from "h3";
import { Hono } from "hono";
import Koa from "koa";
import type { Auth } from "latchkey";
import { latchkey as expressMiddleware } from "latchkey/express";
import { latchkey as fastifyPlugin } from "latchkey/fastify";
import { latchkey as h3Middleware } from "latchkey/h3";
import { latchkey as honoMiddleware } from "latchkey/hono";
import { latchkey as koaMiddleware } from "latchkey/koa";
import { protect } from "latchkey/node";
import type { RequestListener } from "node:http";
import { posix } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

import { type Spelling, spellingsOf } from "../../../../conformance/suite/spellings.ts";
import { inParallel } from "../in-parallel.ts";
import { longTests } from "../long-tests.ts";
import { listenerOf, startServer } from "../servers/server.ts";
import { worldOfTest } from "./world/host-world.ts";
import { listenerOfFastify, listenerOfH3, listenerOfKoa } from "../listeners.ts";
import { sendRequest } from "./world/wire.ts";

/** The folders of handlers for signed-in users: by default, and by a rule below a public path. */
const folders = ["/desk", "/public/desk"];
const options = { publicPaths: ["/", "/public/"], accessRules: { "/public/desk": {} } };

/** Called by handlers for signed-in users only. */
type Enter = () => string;

/** An app with such handlers at the folders and below them, and a public one at all other paths. */
type RoutedApp = (enter: Enter, auth?: Auth) => RequestListener;

const everybody = () => "for everybody";

/** The handler for a path in an app whose router is a function. */
type Choose = (path: string, enter: Enter) => string;

const byPrefix: Choose = (path, enter) =>
  folders.some((each) => path === each || path.startsWith(`${each}/`)) ? enter() : everybody();

/** Node 22 has none. */
const hasURLPattern = "URLPattern" in globalThis;
const patterns = hasURLPattern
  ? folders.map((each) => new URLPattern({ pathname: `${each}{/*}?` }, { ignoreCase: true }))
  : [];
const byPattern: Choose = (pathname, enter) =>
  patterns.some((each) => each.test({ pathname })) ? enter() : everybody();

const pathnameOf = (target: string) => URL.parse(target, "http://host")?.pathname ?? "/";
const beforeQuery = (target: string) => target.split("?", 1)[0] ?? "";

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads a path as a file server: resolves dots after decoding, on a disk without case. */
function fileOf(target: string): string {
  const path = decoded(beforeQuery(target)).replaceAll("\\", "/");
  return posix.normalize(path).toLowerCase();
}

const nodeApp =
  (choose: Choose, read: (target: string) => string): RoutedApp =>
  (enter, auth) => {
    const handler: RequestListener = (req, res) =>
      void res.end(choose(read(req.url ?? "/"), enter));
    return auth === undefined ? handler : protect(auth, handler);
  };

const fetchApp =
  (choose: Choose): RoutedApp =>
  (enter, auth) => {
    const handler = ({ url }: Request) => new Response(choose(new URL(url).pathname, enter));
    return listenerOf(auth === undefined ? handler : (request) => auth.respond(request, handler));
  };

const expressApp =
  (route: (app: Express, folder: string, enter: Enter) => unknown): RoutedApp =>
  (enter, auth) => {
    const app = express();
    if (auth !== undefined) app.use(expressMiddleware(auth));
    for (const folder of folders) route(app, folder, enter);
    return app.use((_req, res) => void res.send(everybody()));
  };

const fastifyApp =
  (given: FastifyServerOptions): RoutedApp =>
  (enter, auth) => {
    const app = fastify(given);
    if (auth !== undefined) app.register(fastifyPlugin(auth));
    for (const folder of folders) app.all(folder, enter).all(`${folder}/*`, enter);
    app.setNotFoundHandler((_request, reply) => reply.code(200).send(everybody()));
    return listenerOfFastify(app);
  };

const routers: Readonly<Record<string, RoutedApp>> = {
  "node:http by what URL reads": nodeApp(byPrefix, pathnameOf),
  "node:http by a URLPattern that ignores case": nodeApp(byPattern, pathnameOf),
  "node:http by the decoded target": nodeApp(byPrefix, (target) => decoded(beforeQuery(target))),
  "node:http by names of files": nodeApp(byPrefix, fileOf),
  "fetch by what URL reads": fetchApp(byPrefix),
  "fetch by a URLPattern that ignores case": fetchApp(byPattern),
  "Express by routes": expressApp((app, folder, enter) =>
    app.all([folder, `${folder}/*rest`], (_req, res) => void res.send(enter())),
  ),
  "Express by apps that are mounted": expressApp((app, folder, enter) =>
    app.use(folder, (_req, res) => void res.send(enter())),
  ),
  "Fastify as it comes": fastifyApp({}),
  "Fastify, lenient": fastifyApp({
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      useSemicolonDelimiter: true,
    } as NonNullable<FastifyServerOptions["routerOptions"]>,
  }),
  "Koa by the decoded path": (enter, auth) => {
    const app = new Koa();
    if (auth !== undefined) app.use(koaMiddleware(auth));
    return listenerOfKoa(app.use((ctx) => void (ctx.body = byPrefix(decoded(ctx.path), enter))));
  },
  "Hono, lenient": (enter, auth) => {
    const app = new Hono({ strict: false });
    if (auth !== undefined) app.use(honoMiddleware(auth));
    for (const folder of folders) app.all(`${folder}/*`, (c) => c.text(enter()));
    return listenerOf(app.all("*", (c) => c.text(everybody())).fetch);
  },
  h3: (enter, auth) => {
    const app = new H3();
    if (auth !== undefined) app.use(h3Middleware(auth));
    for (const folder of folders) app.all(folder, enter).all(`${folder}/**`, enter);
    return listenerOfH3(app.all("/**", everybody));
  },
};

const spellings = spellingsOf(
  folders.flatMap((each) => [each, `${each}/keys`, `${each}/`]),
  { count: longTests ? 1_000 : 100, seed: 20_261_123 },
);

/** Sends the requests. Returns those whose response comes from a handler for signed-in users. */
async function findEntering(
  requests: readonly Spelling[],
  send: (request: Spelling) => Promise<{ readonly body: string }>,
): Promise<readonly Spelling[]> {
  const found: Spelling[] = [];
  await inParallel(requests, async (request) => {
    const { body } = await send(request);
    if (body.startsWith("entered")) found.push(request);
  });
  return found;
}

const present = Object.entries(routers).filter(
  ([name]) => hasURLPattern || !name.includes("URLPattern"),
);

describe.each(present)("%s", (_, app) => {
  test("calls no handler for signed-in people for others, whatever spelling of a path reaches it [AD-011]", async () => {
    let count = 0;
    const enter = () => `entered ${(count += 1)} times`;
    const bare = await startServer();
    onTestFinished(() => bare.close());
    bare.serve(app(enter));
    const reaching = await findEntering(spellings, (each) => sendRequest(bare.origin, each));
    expect(reaching.length).toBeGreaterThan(spellings.length / 10);
    const countBefore = count;
    const world = await worldOfTest({ app: (auth) => app(enter, auth), options });
    expect([await findEntering(reaching, world.send), count]).toEqual([[], countBefore]);
  });
});
