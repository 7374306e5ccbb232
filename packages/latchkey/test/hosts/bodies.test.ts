import formBody from "@fastify/formbody";
import fastifyMultipart from "@fastify/multipart";
import koaMulter from "@koa/multer";
import express, { type RequestHandler } from "express";
import fastify, { type FastifyInstance } from "fastify";
import { H3 } from "h3";
import { Hono, type HonoRequest, type MiddlewareHandler } from "hono";
import Koa from "koa";
import multer from "multer";
import { latchkey as expressMiddleware } from "latchkey/express";
import { latchkey as fastifyPlugin } from "latchkey/fastify";
import { latchkey as koaMiddleware } from "latchkey/koa";
import { protect } from "latchkey/node";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import { expectOddBodiesRefused } from "../../../../conformance/suite/rows/bodies.ts";
import { createApp as createExpressApp } from "./apps/express.ts";
import { createApp as createFastifyApp } from "./apps/fastify.ts";
import { createApp as createFetchApp } from "./apps/fetch.ts";
import { createApp as createH3App } from "./apps/h3.ts";
import { createApp as createHonoApp } from "./apps/hono.ts";
import { createApp as createKoaApp } from "./apps/koa.ts";
import { onEveryHost } from "./world/hosts.ts";
import { listenerOfFastify, listenerOfH3, listenerOfKoa } from "../listeners.ts";
import {
  type HostWorld,
  type HostWorldSettings,
  worldOfDescribe,
  worldOfTest,
} from "./world/host-world.ts";
import { listenerOf } from "../servers/server.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const ownPosts = ["/api/auth/callback", "/api/auth/backchannel-logout"];
/** Limits of an impatient server, in milliseconds. */
const impatient = { requestTimeout: 600, headersTimeout: 600, connectionsCheckingInterval: 100 };
const formPost = { responseMode: "form_post" } as const;

/** Reads a form as a validator does; other bodies are left alone. */
async function readForm(request: HonoRequest): Promise<void> {
  if (request.header("content-type")?.startsWith(form["content-type"]) === true) {
    await request.formData();
  }
}

/** Sign-in by form_post and back-channel logout both work. */
async function expectBothPostsToWork(world: HostWorld): Promise<void> {
  const browser = await world.signedIn();
  expect((await browser.request("/private")).text).toBe("Private page of Ada Okafor");
  const [delivery] = await world.provider.endSessions("person-ada");
  expect(delivery?.status).toBe(204);
  expect((await browser.request("/private")).status).toBe(302);
}

const expressParsers: readonly [string, RequestHandler][] = [
  ["express.urlencoded, simple", express.urlencoded({ extended: false })],
  ["express.urlencoded, extended", express.urlencoded({ extended: true })],
  ["express.json", express.json()],
  ["express.text", express.text({ type: "*/*" })],
  ["express.raw", express.raw({ type: "*/*" })],
];

/** Tests sign-in and refusals behind a parser of the body. */
function testBehind(name: string, app: HostWorldSettings["app"]): void {
  const world = worldOfDescribe({ app, options: formPost });

  test(`sign-in by form_post and back-channel logout work (${name}) [AD-004]`, async () => {
    await expectBothPostsToWork(world());
  });

  test("bodies other than a plain form are refused below 500 [AD-004]", async () => {
    await expectOddBodiesRefused(world());
  });
}

describe.each(expressParsers)("behind %s of Express", (name, parser) => {
  testBehind(name, (auth, around) => express().use(parser, createExpressApp(auth, around)));
});

describe.each(expressParsers)("in front of %s of Express", (name, parser) => {
  test(`sign-in by form_post and back-channel logout work (${name}) [AD-004]`, async () => {
    const world = await worldOfTest({
      app: (auth, around) => {
        const app = express().use(expressMiddleware(auth), parser);
        return app.use(createExpressApp(auth, around));
      },
      options: formPost,
    });
    await expectBothPostsToWork(world);
  });
});

/** Sign-in before or behind a parser of files, and `/upload` with the result of the parser. */
const fileParsers: Readonly<Record<string, HostWorldSettings["app"]>> = {
  "in front of multer": (auth) =>
    filesOfExpress(express().use(expressMiddleware(auth), multer().any())),
  "behind multer": (auth) => filesOfExpress(express().use(multer().any(), expressMiddleware(auth))),
  "in front of @koa/multer": (auth) =>
    filesOfKoa(new Koa().use(koaMiddleware(auth)).use(koaMulter().any())),
  "behind @koa/multer": (auth) =>
    filesOfKoa(new Koa().use(koaMulter().any()).use(koaMiddleware(auth))),
  "in front of @fastify/multipart and @fastify/formbody": (auth) =>
    filesOfFastify((app) => {
      app.register(fastifyPlugin(auth)).register(fastifyMultipart).register(formBody);
    }),
  "behind @fastify/multipart and @fastify/formbody": (auth) =>
    filesOfFastify((app) => {
      app.register(fastifyMultipart).register(formBody).register(fastifyPlugin(auth));
    }),
};

function filesOfExpress(app: ReturnType<typeof express>) {
  app.get("/private", (req, res) => void res.send(`Private page of ${req.auth.user?.name}`));
  return app.post("/upload", (req, res) => {
    const [file] = req.files as Express.Multer.File[];
    const { note } = req.body as { readonly note: string };
    res.send(`${note}: ${file?.originalname}, ${file?.size} bytes`);
  });
}

function filesOfKoa(app: Koa) {
  app.use((ctx) => {
    if (ctx.path === "/private") ctx.body = `Private page of ${ctx.state.auth.user?.name}`;
    if (ctx.path !== "/upload") return;
    const [file] = ctx.request.files as koaMulter.File[];
    const { note } = (ctx.request as unknown as { readonly body: { readonly note: string } }).body;
    ctx.body = `${note}: ${file?.originalname}, ${file?.size} bytes`;
  });
  return listenerOfKoa(app);
}

function filesOfFastify(register: (app: FastifyInstance) => void) {
  const app = fastify();
  register(app);
  app.get("/private", ({ auth }) => `Private page of ${auth.user?.name}`);
  app.post("/upload", async (request) => {
    const file = await request.file();
    const size = (await file?.toBuffer())?.length;
    const note = file?.fields["note"];
    const value = note !== undefined && "value" in note ? String(note.value) : "";
    return `${value}: ${file?.filename}, ${size} bytes`;
  });
  return listenerOfFastify(app);
}

describe.each(Object.entries(fileParsers))("sign-in %s", (_, app) => {
  const world = worldOfDescribe({ app, options: formPost });

  test("works by form_post, and so does back-channel logout [AD-004]", async () => {
    await expectBothPostsToWork(world());
  });

  test("leaves an uploaded file to the application [AD-004]", async () => {
    const body = new FormData();
    body.set("note", "a note");
    body.set("file", new File(["x".repeat(100_000)], "a.txt"));
    const browser = await world().signedIn();
    const { status, text: said } = await browser.request("/upload", { method: "POST", body });
    expect([status, said]).toEqual([200, "a note: a.txt, 100000 bytes"]);
  });

  test("takes no sign-in from a form with parts, nor from half a one [AD-004, AD-005]", async () => {
    const part = (name: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nvalue\r\n`;
    const whole = `${part("state")}${part("code")}${part("logout_token")}--x--\r\n`;
    for (const target of ownPosts) {
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      const { status } = await world().send({ method: "POST", target, headers, body: whole });
      expect([target, status >= 400 && status < 500]).toEqual([target, true]);
    }
    const half = { "content-type": "multipart/form-data; boundary=x", "content-length": "500" };
    const request = { method: "POST", target: "/api/auth/callback", headers: half, giveUp: true };
    await world().send({ ...request, body: part("state") });
    expect((await world().send({ target: "/private" })).status).toBe(302);
  });
});

const drains: Readonly<Record<string, HostWorldSettings["app"]>> = {
  Express: (auth, around) => {
    const drain: RequestHandler = (req, _res, next) => void req.on("end", () => next()).resume();
    return express().use(drain, createExpressApp(auth, around));
  },
  Hono: (auth, around) => {
    const app = new Hono().use(async (c, next) => (await c.req.raw.text(), next()));
    return listenerOf(app.route("/", createHonoApp(auth, around)).fetch);
  },
  fetch: (auth, around) => {
    const app = createFetchApp(auth, around);
    return listenerOf(async (request) => (await request.text(), app(request)));
  },
  Koa: (auth, around) => {
    const app = new Koa().use(async (ctx, next) => (await buffer(ctx.req), next()));
    for (const each of createKoaApp(auth, around).middleware) app.use(each);
    return listenerOfKoa(app);
  },
  h3: (auth, around) => {
    const app = new H3().use(async ({ req }) => void (await req.text()));
    return listenerOfH3(app.mount("", createH3App(auth, around)));
  },
  Fastify: (auth, around) => {
    const app = createFastifyApp(auth, around);
    const ready = app.ready();
    return (request, response) =>
      void request.on("end", () => void ready.then(() => app.routing(request, response))).resume();
  },
};

test.each(Object.entries(drains))(
  "a body read and thrown away on %s is refused, and no request waits for it [AD-004]",
  async (_, app) => {
    const world = await worldOfTest({ app, options: formPost });
    for (const target of ownPosts) {
      const { status } = await world.send({ method: "POST", target, headers: form, body: "a=1" });
      expect([target, status]).toEqual([target, 400]);
    }
  },
);

/** What parsers of Koa put into `ctx.request.body`, after the stream has been read. */
const koaParsers: readonly [string, (form: string) => unknown][] = [
  ["fields", (sent) => Object.fromEntries(new URLSearchParams(sent))],
  ["a text", (sent) => sent],
  ["bytes", (sent) => Buffer.from(sent)],
];

describe.each(koaParsers)(
  "behind a parser of Koa with %s as its result for a form",
  (name, parse) => {
    testBehind(name, (auth, around) => {
      const app = new Koa().use(async (ctx, next) => {
        if (ctx.is("urlencoded")) Object.assign(ctx.request, { body: parse(await text(ctx.req)) });
        await next();
      });
      for (const each of createKoaApp(auth, around).middleware) app.use(each);
      return listenerOfKoa(app);
    });
  },
);

test("on Fastify, sign-in by form_post works beside a parser of the application's own for forms [AD-004]", async () => {
  const world = await worldOfTest({
    app: (auth, around) => {
      const app = createFastifyApp(auth, around);
      const parse = () => Promise.reject(new Error("never asked for our routes"));
      app.addContentTypeParser(form["content-type"], parse);
      return listenerOfFastify(app);
    },
    options: formPost,
  });
  await expectBothPostsToWork(world);
});

const honoReaders: readonly [string, MiddlewareHandler][] = [
  ["c.req.parseBody", async (c, next) => (await c.req.parseBody(), next())],
  ["c.req.formData", async (c, next) => (await readForm(c.req), next())],
  ["c.req.text", async (c, next) => (await c.req.text(), next())],
  ["c.req.arrayBuffer", async (c, next) => (await c.req.arrayBuffer(), next())],
];

describe.each(honoReaders)("behind %s of Hono", (name, reader) => {
  const world = worldOfDescribe({
    app: (auth, around) =>
      listenerOf(new Hono().use(reader).route("/", createHonoApp(auth, around)).fetch),
    options: formPost,
  });

  test(`sign-in by form_post and back-channel logout work (${name}) [AD-004]`, async () => {
    await expectBothPostsToWork(world());
  });
});

test("half a body for a route of ours is refused or closed in time on every host [AD-005]", async () => {
  const half = { ...form, "content-length": "100" };
  await onEveryHost(async ({ name, app }) => {
    const own = await worldOfTest({ app, options: formPost, server: impatient });
    const sendings = ownPosts.flatMap((target) =>
      [true, false].map((giveUp) =>
        own.send({ method: "POST", target, headers: half, body: "logout_token=a", giveUp }),
      ),
    );
    const statuses = (await Promise.all(sendings)).map(({ status }) => status);
    const isRefused = statuses.every((each) => each === 0 || (each >= 400 && each < 500));
    expect([name, statuses, isRefused]).toEqual([name, statuses, true]);
    expect((await own.send({ target: "/" })).status).toBe(200);
    const faults = own.events.filter((each) => each.event === "refusal" && each.status >= 500);
    expect([name, faults]).toEqual([name, []]);
  });
});

const patient: Readonly<Record<string, HostWorldSettings["app"]>> = {
  "node:http": (auth) =>
    protect(auth, async (req, res) => {
      await pause(50);
      res.end(`${(await buffer(req)).length} bytes`);
    }),
  Express: (auth) => {
    const app = express().use(expressMiddleware(auth));
    app.use(async (_req, _res, next) => {
      await pause(50);
      next();
    });
    return app.use(express.raw({ type: "*/*", limit: "2mb" }), (req, res) => {
      const body: unknown = req.body;
      res.send(`${Buffer.isBuffer(body) ? body.length : 0} bytes`);
    });
  },
};

test.each(Object.entries(patient))(
  "an upload of 1 MB on %s waits for a later parser [AD-005]",
  async (_, app) => {
    const world = await worldOfTest({ app, options: { publicPaths: ["/upload"] } });
    const body = Buffer.alloc(1024 * 1024, "x");
    for (const size of [10, 64 * 1024 + 1, body.length]) {
      const headers = { "content-type": "application/octet-stream" };
      const request = { method: "POST", target: "/upload", headers, body: body.subarray(0, size) };
      expect((await world.send(request)).body).toBe(`${size} bytes`);
    }
  },
);
