import express from "express";
import fastify from "fastify";
import Koa from "koa";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { listen } from "../../../test/browser/event-stream.ts";
import { rawBytes } from "../../../test/browser/raw-bytes.ts";
import { listenerOfFastify, listenerOfKoa } from "../../../test/listeners.ts";
import type { WireResponse } from "../../../test/hosts/world/wire.ts";
import { servedApp } from "../../../test/sessions/served-app.ts";
import { goodSettings } from "../../../test/settings.ts";
import { type Auth, createAuth } from "../../host/auth.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Store } from "../../stores/store.ts";
import { signedInCookies } from "../../testing/index.ts";
import { latchkey } from "../express.ts";
import { latchkey as fastifyPlugin } from "../fastify.ts";
import { latchkey as koaMiddleware } from "../koa.ts";
import { protect, type SignedHandler, type SignedRequest } from "../node.ts";

/** Sign-in on each host, before one handler with the request and response of Node. */
const hosts: Readonly<Record<string, (auth: Auth, handle: SignedHandler) => RequestListener>> = {
  "node:http": protect,
  Express: (auth, handle) =>
    express()
      .set("env", "test")
      .use(latchkey(auth), (req, res) => handle(req, res)),
  Fastify(auth, handle) {
    const app = fastify();
    app.register(fastifyPlugin(auth));
    app.setNotFoundHandler(({ raw }, reply) => {
      handle(raw as SignedRequest, reply.raw);
      reply.hijack();
    });
    return listenerOfFastify(app);
  },
  Koa(auth, handle) {
    const app = new Koa().use(koaMiddleware(auth)).use((ctx) => {
      ctx.status = 200;
      handle(ctx.req as SignedRequest, ctx.res);
      ctx.respond = false;
    });
    return listenerOfKoa(app);
  },
};

const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];
const publicly = { "cache-control": "public, max-age=600", etag: '"1"' };

const heads: Readonly<Record<string, (res: ServerResponse) => unknown>> = {
  "an object": (res) => res.writeHead(200, { "set-cookie": ownCookies, ...publicly }).end(),
  "an object after a message": (res) =>
    res.writeHead(200, "Fine", { "SET-COOKIE": ownCookies, ...publicly }).end(),
  "a flat list": (res) =>
    res
      .writeHead(200, [
        ...ownCookies.flatMap((each, place) => [place === 0 ? "Set-Cookie" : "set-cookie", each]),
        ...Object.entries(publicly).flat(),
      ])
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

describe.each(Object.entries(hosts))("a head written on %s", (_, host) => {
  test.each(Object.entries(heads))(
    "by %s carries the cookies of both sides and is not public [AD-021, AD-022]",
    async (__, writeHead) => {
      const before = [...ownCookies];
      const { send, cookie } = await servedApp((auth) => host(auth, (_req, res) => writeHead(res)));
      const response = await send({ target: "/private", headers: { cookie } });
      expect(response.setCookies.slice(0, 2)).toEqual(before);
      expect(response.header("undefined")).toBeNull();
      expectSessionHeaders(response, 3);
      expect(ownCookies).toEqual(before);
    },
  );
});

const failures: Readonly<Record<string, SignedHandler>> = {
  "a bad head": (_req, res) => void res.writeHead(200, { "X-Bad": "two\nlines" }),
  "a bad header": (_req, res) => void res.setHeader("X-Bad", "two\nlines"),
  "an error": () => {
    throw new Error("broken");
  },
  "a refusal": ({ auth }) => void auth.require(() => false),
};

/** Sets what belongs to its page, and fails. */
const failing =
  (fail: SignedHandler): SignedHandler =>
  (req, res) => {
    res.statusMessage = "Fine";
    res.setHeader("Content-Security-Policy", "default-src 'self'");
    res.setHeader("Content-Type", "image/png").setHeader("Content-Encoding", "gzip");
    res.setHeader("Content-Range", "bytes 0-1/2").setHeader("Cache-Control", "public, immutable");
    res.setHeader("ETag", '"1"').setHeader("Last-Modified", "Wed, 09 Jun 2027 10:18:14 GMT");
    fail(req, res);
  };

/** The policy of a failed page, as the error page of each host has it. */
const policies: Readonly<Record<string, string | null>> = {
  Express: "default-src 'none'",
  Fastify: "default-src 'self'",
  Koa: null,
};

describe.each(Object.entries(hosts))(
  "an error on %s after the application has set headers",
  (name, host) => {
    test.each(Object.entries(failures))(
      "for %s is answered with the session's headers; a page of ours has no header of the failed page [AD-025, AD-031]",
      async (failure, fail) => {
        vi.spyOn(console, "error").mockReturnValue();
        onTestFinished(() => void vi.restoreAllMocks());
        const { send, cookie } = await servedApp((auth) => host(auth, failing(fail)));
        const response = await send({ target: "/private", headers: { cookie } });
        expect(response.status).toBe(failure === "a refusal" ? 403 : 500);
        const isOurs = name === "node:http" || failure === "a refusal";
        const ofPage = ["content-encoding", "etag", "last-modified", "content-range"];
        const left = ofPage.filter((each) => response.header(each) !== null);
        expect(isOurs ? left : []).toEqual([]);
        const reason = failure === "a refusal" ? "Forbidden" : "Internal Server Error";
        expect(isOurs ? response.reason : reason).toBe(reason);
        const policy = response.header("content-security-policy");
        expect(policy).toBe(isOurs ? "default-src 'self'" : policies[name]);
        expectSessionHeaders(response, 1);
      },
    );
  },
);

/**
 * The session's headers, each once, beside as many cookies of the application's own as there are
 * more.
 */
function expectSessionHeaders(response: WireResponse, cookies: number): void {
  const names = response.setCookies.map((line) => line.slice(0, line.indexOf("=")));
  expect(names).toHaveLength(cookies);
  expect(names.filter((name) => name === "appSession.t")).toHaveLength(1);
  expect(response.header("cache-control")).toBe("private, no-store");
  expect(response.header("vary")).toMatch(/\bCookie\b/);
}

test("a session cookie set by the application is the only one", async () => {
  const line = "appSession=; Max-Age=0";
  const { send, cookie } = await servedApp((auth) =>
    protect(auth, (_req, res) => res.setHeader("Set-Cookie", line).end()),
  );
  const { setCookies } = await send({ target: "/private", headers: { cookie } });
  expect(setCookies).toEqual([line]);
});

test.each(Object.entries(hosts))(
  "two sign-ins, one behind the other on %s, each add their session once, even if mounted twice [AD-016]",
  async (_, host) => {
    const session = { name: "staffSession" };
    const options = { ...goodSettings, session, log: () => undefined };
    const seen: unknown[] = [];
    const { send, cookie } = await servedApp((auth) => {
      const { baseURL } = auth.config;
      const staff = createAuth({ ...options, baseURL, publicPaths: ["/"] });
      const inner = protect(auth, (req, res) => {
        seen.push(auth.of(req));
        res.end("the page");
      });
      const middle = protect(staff, inner);
      return host(auth, (req, res) => {
        seen.push(auth.of(req));
        middle(req, res);
      });
    });
    const staffCookie = await signedInCookies({ options, session: { user: { sub: "staff" } } });
    const headers = { cookie: `${cookie}; ${staffCookie}` };
    const { setCookies } = await send({ target: "/private", headers });
    const names = setCookies.map((line) => line.split("=", 1)[0]);
    expect([names.toSorted(), seen[1] === seen[0]]).toEqual([
      ["appSession.t", "staffSession.t"],
      true,
    ]);
  },
);

/**
 * Posts a logout token of Ada's to an app which has handled the body in this way before sign-in.
 */
const parsers: readonly [string, number, (auth: Auth) => RequestListener][] = [
  [
    "left alone, with an empty object in its place",
    204,
    (auth) =>
      express().use((req, _res, next) => {
        req.body = {};
        next();
      }, latchkey(auth)),
  ],
  [
    "read and thrown away",
    400,
    (auth) =>
      express().use((req, _res, next) => void req.on("end", () => next()).resume(), latchkey(auth)),
  ],
  [
    "read before the hook of Fastify",
    204,
    (auth) => {
      const app = fastify();
      app.addHook("onRequest", async (request) => {
        request.body = await text(request.raw);
      });
      app.register(fastifyPlugin(auth));
      return listenerOfFastify(app);
    },
  ],
];

test.each(parsers)(
  "a form of ours whose body was %s is answered %i [AD-004]",
  async (_, status, app) => {
    const { send, provider } = await servedApp(app, { backchannelLogout: true });
    const response = await send({
      method: "POST",
      target: "/api/auth/backchannel-logout",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `logout_token=${provider.logoutToken({ sub: "person-ada" })}`,
    });
    expect([response.status, response.header("content-length")]).toEqual(
      status === 204 ? [204, null] : [400, String(response.body.length)],
    );
  },
);

test.each(Object.entries(hosts))("on %s our routes read the query as sent", async (_, host) => {
  const { send, events } = await servedApp((auth) => host(auth, (_req, res) => res.end("page")));
  const { status } = await send({ target: "/api/auth/login?iss=https%3A%2F%2Fevil.example" });
  const reason = "foreign_issuer";
  expect([status, events]).toEqual([400, [expect.objectContaining({ reason })]]);
});

test.each(Object.entries(hosts))(
  "a large form on %s is refused, and its connection serves the next request [AD-005]",
  async (_, host) => {
    const sockets: unknown[] = [];
    const { origin } = await servedApp((auth) => {
      const listener = host(auth, (_req, res) => res.end("page"));
      return (req, res) => {
        // As libraries do which close connections when a process stops.
        res.once("finish", () => sockets.push(req.socket));
        listener(req, res);
      };
    });
    const head = `Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
    const size = 2 ** 21;
    const answers = await rawBytes(
      origin,
      `POST /api/auth/login HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n` +
        `${size.toString(16)}\r\n${"x".repeat(size)}\r\n0\r\n\r\n` +
        `GET / HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
    );
    expect(answers.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(["413", "200"]);
    expect(sockets).toEqual([expect.any(Socket), expect.any(Socket)]);
  },
);

test("a response of ours to HEAD has the length of its body", async () => {
  const { send } = await servedApp((auth) => protect(auth, () => undefined));
  const response = await send({ method: "HEAD", target: "/private" });
  expect([response.status, response.header("content-length")]).toEqual([302, "0"]);
});

describe("a stream to an open page", () => {
  const streams = { streams: 3 };

  test.each(Object.entries(hosts))(
    "on %s goes on until its client leaves, and keeps of its request the headers without the cookies",
    async (_, host) => {
      const requests: IncomingMessage[] = [];
      const { auth, origin, cookie } = await servedApp((its) => {
        const listener = host(its, (_req, res) => res.end("the page"));
        return (req, res) => {
          requests.push(req);
          listener(req, res);
        };
      }, streams);
      const page = await listen(origin, { COOKIE: cookie, Vary: "more" });
      await expect.poll(() => page.text()).toMatch(/^retry: \d+\n\n$/);
      expect(await auth.status()).toMatchObject({ openStreams: 1 });
      const [kept] = requests;
      expect(kept?.headers).toMatchObject({ cookie: "", vary: "more" });
      expect(kept?.rawHeaders).toEqual([]);
      page.leave();
      await expect.poll(() => auth.status()).toMatchObject({ openStreams: 0 });
    },
  );

  test("is not kept if its client has left during the query of the store", async () => {
    const [asked, left, answered] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const inner = memoryStore();
    const get: Store["get"] = async (keys) => {
      asked?.resolve();
      await answered?.promise;
      return inner.get(keys);
    };
    const { auth, origin, cookie } = await servedApp(
      (its) => {
        const listener = protect(its, (_req, res) => res.end());
        return (req, res) => {
          res.once("close", () => left?.resolve());
          listener(req, res);
        };
      },
      { ...streams, store: { ...inner, get } },
    );
    const leaving = new AbortController();
    const { signal } = leaving;
    const asking = fetch(`${origin}/_auth/session-events`, { headers: { cookie }, signal });
    await asked?.promise;
    leaving.abort();
    await expect(asking).rejects.toThrow("aborted");
    await left?.promise;
    answered?.resolve();
    expect((await fetch(`${origin}/private`, { headers: { cookie } })).status).toBe(200);
    expect(await auth.status()).toMatchObject({ openStreams: 0 });
  });
});
