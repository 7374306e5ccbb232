import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { signedInApp } from "../../test/sessions/signed-in-app.ts";
import { createAuth } from "../auth.ts";
import { respond } from "./respond.ts";

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
    return new Response("page", { status: made });
  });
  expect(status).toBe(got);
});

test.each([
  ["the mark of an error page", "<p>Broken</p>", 302],
  ["no such mark", "<p>Fine</p>", 200],
])("a page with %s, which is %s, is answered %i after a refusal", async (_, body, got) => {
  const { status } = await respond(
    auth.host,
    request(),
    (passed) => {
      expect(() => auth.of(passed).require()).toThrow("active session");
      return new Response(body);
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

test("a refusal that nobody catches leads to login", async () => {
  const refused = auth.respond(request(), (passed) => {
    auth.of(passed).require();
    return new Response("page");
  });
  expect((await refused).status).toBe(302);
});

test("the stack of a refusal, which a framework may print, is one line [AD-030]", async () => {
  let stack: string | undefined;
  await auth.respond(request(), (passed) => {
    try {
      auth.of(passed).require();
    } catch (error) {
      ({ stack } = error as Error);
    }
    return new Response("page", { status: 500 });
  });
  expect(stack).toBe(
    "SignInRequired: The user does not have an active session or is not authenticated",
  );
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
])(
  "%s (%s, asked with %j), which may read the session while it is sent, is for a person %s",
  async (_, type, asked, expected) => {
    const app = await signedInApp();
    const cacheControlFor = async (headers: Record<string, string>) => {
      const response = await respond(
        app.auth.host,
        new Request(goodSettings.baseURL, { headers }),
        () =>
          new Response("sent", { headers: { "content-type": type, "cache-control": "public" } }),
        { request: asked, rendersPages: true },
      );
      return response.headers.get("cache-control");
    };
    expect(await cacheControlFor({ cookie: app.cookie })).toBe(expected);
    expect(await cacheControlFor({})).toBe("public");
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
