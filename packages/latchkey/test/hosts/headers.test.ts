import express from "express";
import fastify from "fastify";
import Koa from "koa";
import { latchkey } from "latchkey/express";
import { latchkey as fastifyPlugin } from "latchkey/fastify";
import { latchkey as koaMiddleware } from "latchkey/koa";
import { protect, type SignedRequest } from "latchkey/node";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";

import { ownCookies } from "../../../../conformance/suite/example.ts";
import { hosts, listenerOfFastify, listenerOfKoa } from "./world/hosts.ts";
import { worldOfDescribe } from "./world/host-world.ts";
import type { WireResponse } from "./world/wire.ts";

describe.each(hosts)("the headers on $name", (host) => {
  const world = worldOfDescribe({ app: host.app });

  test.each(["header", "head"])(
    "of two people to whom the application sends one list of cookies by %s, each gets the own session [AD-021, AD-028]",
    async (way) => {
      const before = [...ownCookies];
      const cookie = await (await world().signedIn()).cookies();
      const other = await (await world().signedIn("person-ben")).cookies();
      for (const headers of [{ cookie }, { cookie: other }]) {
        const response = await world().send({ target: `/own-cookie/${way}`, headers });
        const renewed = response.setCookies.find((line) => line.startsWith("appSession="));
        const me = await world().send({
          target: "/private",
          headers: { cookie: renewed?.split(";", 1)[0] ?? "" },
        });
        const name = headers.cookie === cookie ? "Ada Okafor" : "Ben Castellan";
        expect(me.body).toBe(`Private page of ${name}`);
      }
      expect(ownCookies).toEqual(before);
    },
  );
});

const heads: Readonly<Record<string, (res: ServerResponse) => void>> = {
  "an object": (res) => res.writeHead(200, { "set-cookie": ownCookies, ...publicly }).end(),
  "an object after a message": (res) =>
    res.writeHead(200, "Fine", { "SET-COOKIE": ownCookies, ...publicly }).end(),
  "a flat list": (res) =>
    res
      .writeHead(200, [...ownCookies.flatMap((each) => ["Set-Cookie", each]), ...publicList])
      .end(),
  "an object after early hints": (res) => {
    res.writeEarlyHints({ link: "</style.css>; rel=preload" });
    res.writeHead(200, { "Set-Cookie": ownCookies, ...publicly }).end();
  },
  "headers set before it": (res) => {
    res.setHeader("Set-Cookie", ownCookies);
    res.writeHead(200, publicly).end();
  },
  "headers flushed": (res) => {
    res.setHeaders(new Map(Object.entries({ "set-cookie": ownCookies, ...publicly })));
    res.flushHeaders();
    res.end();
  },
  "a first chunk written": (res) => {
    res.appendHeader("Set-Cookie", ownCookies).appendHeader("Cache-Control", "public");
    res.write("x");
    res.end();
  },
  "nothing but an end": (res) => {
    for (const each of ownCookies) res.appendHeader("Set-Cookie", each);
    res.setHeader("CACHE-CONTROL", "public").end("x");
  },
};
const publicly = { "cache-control": "public, max-age=600", etag: '"1"' };
const publicList = ["Cache-Control", "public, max-age=600"];

function headOf(url: string | undefined): (res: ServerResponse) => void {
  const head = heads[decodeURIComponent(url?.slice(1) ?? "")];
  return head ?? ((res) => res.end("Private page of Ada Okafor"));
}

describe.each([
  ["node:http", (auth) => protect(auth, (req, res) => headOf(req.url)(res))],
  ["Express", (auth) => express().use(latchkey(auth), (req, res) => headOf(req.url)(res))],
  [
    "Fastify",
    (auth) => {
      const app = fastify();
      app.register(fastifyPlugin(auth));
      app.setNotFoundHandler(({ url }, reply) => headOf(url)(reply.hijack().raw));
      return listenerOfFastify(app);
    },
  ],
  [
    "Koa",
    (auth) => {
      const app = new Koa().use(koaMiddleware(auth)).use((ctx) => {
        Object.assign(ctx, { status: 200, respond: false });
        headOf(ctx.url)(ctx.res);
      });
      return listenerOfKoa(app);
    },
  ],
] satisfies [string, Parameters<typeof worldOfDescribe>[0]["app"]][])(
  "a head on %s that is written",
  (_, app) => {
    const world = worldOfDescribe({ app });

    test.each(Object.keys(heads))(
      "by %s carries the cookies of both sides and is not public [AD-021, AD-022]",
      async (way) => {
        const headers = { cookie: await (await world().signedIn()).cookies() };
        const target = `/${encodeURIComponent(way)}`;
        const response = await world().send({ target, headers });
        expect(response.setCookies.slice(0, 2)).toEqual(ownCookies);
        expectSessionHeaders(response, 3);
      },
    );
  },
);

const failures: Readonly<Record<string, (req: SignedRequest, res: ServerResponse) => void>> = {
  "/head": (_req, res) => void res.writeHead(200, { "X-Bad": "two\nlines" }),
  "/header": (_req, res) => void res.setHeader("X-Bad", "two\nlines"),
  "/throw": () => {
    throw new Error("broken");
  },
  "/require": ({ auth }) => void auth.require(() => false),
};

/** Sets what belongs to its page, and fails; elsewhere it ends well. */
function failAt(req: SignedRequest, res: ServerResponse): void {
  res.setHeader("Content-Security-Policy", "default-src 'self'");
  res.setHeader("Content-Type", "image/png").setHeader("Content-Encoding", "gzip");
  res.setHeader("Content-Range", "bytes 0-1/2").setHeader("Cache-Control", "public, immutable");
  res.setHeader("ETag", '"1"').setHeader("Last-Modified", "Wed, 09 Jun 2027 10:18:14 GMT");
  failures[req.url ?? ""]?.(req, res);
  res.end();
}

/** What becomes of the policy of the page that failed on the error page of each host. */
const policies: Readonly<Record<string, string | null>> = {
  Express: "default-src 'none'",
  Fastify: "default-src 'self'",
  Koa: null,
};

describe.each([
  ["node:http", (auth) => protect(auth, failAt)],
  ["Express", (auth) => express().set("env", "test").use(latchkey(auth), failAt)],
  [
    "Fastify",
    (auth) => {
      const app = fastify();
      app.register(fastifyPlugin(auth));
      app.setNotFoundHandler(({ raw }, reply) => failAt(raw as SignedRequest, reply.raw));
      return listenerOfFastify(app);
    },
  ],
  [
    "Koa",
    (auth) => {
      const app = new Koa().use(koaMiddleware(auth));
      app.use((ctx) => {
        ctx.status = 200;
        failAt(ctx.req as SignedRequest, ctx.res);
      });
      return listenerOfKoa(app);
    },
  ],
] satisfies [string, Parameters<typeof worldOfDescribe>[0]["app"]][])(
  "an error on %s after the application has set headers",
  (name, app) => {
    const world = worldOfDescribe({ app });

    test.each(Object.keys(failures))(
      "in %s is answered with the session's headers; a page of ours has none of the page that failed [AD-025, AD-031]",
      async (target) => {
        const cookie = await (await world().signedIn()).cookies();
        const response = await world().send({ target, headers: { cookie } });
        expect(response.status).toBe(target === "/require" ? 403 : 500);
        const isOurs = name === "node:http" || target === "/require";
        const ofPage = ["content-encoding", "etag", "last-modified", "content-range"];
        const left = ofPage.filter((each) => response.header(each) !== null);
        expect(isOurs ? left : []).toEqual([]);
        const policy = response.header("content-security-policy");
        expect(policy).toBe(isOurs ? "default-src 'self'" : policies[name]);
        expectSessionHeaders(response, 1);
      },
    );
  },
);

/** The session's headers, each once, beside as many cookies of the application's own as there are more. */
function expectSessionHeaders(response: WireResponse, cookies: number): void {
  const names = response.setCookies.map((line) => line.slice(0, line.indexOf("=")));
  expect(names).toHaveLength(cookies);
  expect(names.filter((name) => name === "appSession")).toEqual(["appSession"]);
  expect(response.header("cache-control")).toBe("private, no-store");
  expect(response.header("vary")).toMatch(/\bCookie\b/);
}
