import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { signedInApp } from "../../test/sessions/signed-in-app.ts";
import { createAuth } from "../auth.ts";
import { respond, type RespondOptions } from "./respond.ts";

const auth = createAuth({ ...goodSettings, publicPaths: ["/"], log: () => undefined });
const request = () => new Request(goodSettings.baseURL);

test("an error of the application's own goes on to its host as it is", async () => {
  const fault = new Error("the application's own fault");
  const responding = auth.respond(request(), () => {
    throw fault;
  });
  await expect(responding).rejects.toBe(fault);
});

test.each([
  [500, 302],
  [401, 302],
  [404, 404],
])("where an app answers a refusal with %i, the person gets %i", async (made, got) => {
  const { status } = await auth.respond(request(), (passed) => {
    expect(() => auth.of(passed).require()).toThrow("active session");
    // There is no mark, so that no word of a page tells an error.
    return new Response("undefined", { status: made });
  });
  expect(status).toBe(got);
});

test.each([
  ["the mark of an error page", { "content-type": "text/html" }, ["<p>", "Broken</p>"], 302],
  ["no such mark", {}, ["<p>", "Fine</p>"], 200],
])("a page with %s, sent with %j as %j, is answered %i after a refusal", async (...row) => {
  const [, headers, chunks, got] = row;
  const { status } = await respond(
    auth.host,
    request(),
    (passed) => {
      expect(() => auth.of(passed).require()).toThrow("active session");
      const body = new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
          controller.close();
        },
      });
      return new Response(body, { headers });
    },
    { errorMark: "Broken" },
  );
  expect(status).toBe(got);
});

test.each([
  ["Broken", 302],
  ["Fine", 200],
])("a stream of events that refuses, and goes on after %s, is answered %i", async (word, got) => {
  const { status } = await respond(
    auth.host,
    request(),
    (passed) => {
      const body = new ReadableStream({
        pull(controller) {
          expect(() => auth.of(passed).require()).toThrow("active session");
          controller.enqueue(new TextEncoder().encode(`data: ${word}\n\n`));
          return new Promise(() => undefined);
        },
      });
      return new Response(body, {
        headers: { "content-type": "text/event-stream; charset=utf-8" },
      });
    },
    { errorMark: "Broken" },
  );
  expect(status).toBe(got);
});

test.each([
  ["an event of which has not come", new ReadableStream(), undefined],
  ["of which only the head is sent", null, "Broken"],
])("a stream of events %s is passed on", async (_, body, errorMark) => {
  const headers = { "content-type": "text/event-stream" };
  const stream = () => new Response(body, { headers });
  const response = await respond(auth.host, request(), stream, { errorMark });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
});

test("a refusal that nobody catches leads to login", async () => {
  const refused = auth.respond(request(), (passed) => {
    auth.of(passed).require();
    return new Response("page");
  });
  expect((await refused).status).toBe(302);
});

test.each([
  ["the guard", "/private"],
  ["a handler", "/"],
])("crossws opens no WebSocket that %s refuses", async (_, path) => {
  const asked = (headers: Record<string, string>) =>
    auth.respond(new Request(goodSettings.baseURL + path, { headers }), (passed) => {
      auth.of(passed).require();
      return new Response("page");
    });
  const response = await asked({ upgrade: "WebSocket" });
  expect(response).toHaveProperty("crossws.upgrade");
  const { crossws } = response as Response & { readonly crossws: { upgrade(): Response } };
  expect(crossws.upgrade()).toBe(response);
  expect(await asked({ upgrade: "h2c" })).not.toHaveProperty("crossws");
});

test("the stack of a refusal, which a framework may print, is one line, and that of a fault is whole [AD-030]", async () => {
  const stacks: (string | undefined)[] = [];
  const keepStack = (error: unknown) => stacks.push((error as Error).stack);
  await auth.respond(request(), async (passed) => {
    const { require, accessToken } = auth.of(passed);
    await Promise.resolve()
      .then(() => require())
      .catch(keepStack);
    await accessToken().catch(keepStack);
    return new Response("page", { status: 500 });
  });
  expect(stacks).toEqual([
    "SignInRequired: The user does not have an active session or is not authenticated",
    expect.stringContaining("\n    at "),
  ]);
});

test("a request that has passed goes straight on where sign-in is mounted twice", async () => {
  const response = await auth.respond(request(), (passed) =>
    auth.respond(passed, (again) => new Response(String(again === passed))),
  );
  expect(await response.text()).toBe("true");
});

test("a response that has read the session says so once, also where sign-in is mounted twice", async () => {
  const { headers } = await auth.respond(request(), (passed) =>
    auth.respond(passed, (again) => new Response(auth.of(again).user?.sub ?? "nobody")),
  );
  expect(headers.get("cache-control")).toBe("private, no-store");
});

test.each([
  ["a page", "text/html; charset=utf-8", {}, "private, no-store"],
  ["the data of a page", "text/x-script", { clientNavigation: {} }, "private, no-store"],
  ["anything else", "text/css", {}, "public"],
  ["what has no content", null, {}, "public"],
])(
  "%s (%s, asked with %j), which may read the session while it is sent, is for a person %s",
  async (_, type, asked, expected) => {
    const app = await signedInApp();
    const cacheControlFor = async (cookie: string, options: RespondOptions) => {
      const response = await respond(
        app.auth.host,
        new Request(goodSettings.baseURL, { headers: { cookie } }),
        () => {
          const headers = { ...(type && { "content-type": type }), "cache-control": "public" };
          return new Response(type, { headers });
        },
        { request: () => asked, ...options },
      );
      return response.headers.get("cache-control");
    };
    expect(await cacheControlFor(app.cookie, { rendersPages: true })).toBe(expected);
    expect(await cacheControlFor("", { rendersPages: true })).toBe("public");
    expect(await cacheControlFor(app.cookie, {})).toBe("public");
  },
);

test("no cache keeps the page that says that sign-in is not set up", async () => {
  const wrong = createAuth({ ...goodSettings, secret: "short", log: () => undefined });
  const { status, headers } = await wrong.respond(request(), () => new Response("page"));
  expect([status, headers.get("cache-control")]).toEqual([500, "no-store"]);
});

test.each([undefined, "text"])("an application that returns %j is told so", async (made) => {
  const forgetful = (() => made) as unknown as () => Response;
  await expect(auth.respond(request(), forgetful)).rejects.toThrow("returned no Response");
});

test("what is no request has not passed sign-in", () => {
  const of = auth.of as (given?: unknown) => unknown;
  expect(() => of()).toThrow("has not passed sign-in");
});
