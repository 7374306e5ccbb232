import { expect, test } from "vitest";

import { pagesPart } from "../../test/pages-part.ts";
import { goodSettings } from "../../test/settings.ts";
import { signedInApp } from "../../test/sessions/signed-in-app.ts";
import { createAuth } from "./auth.ts";
import type { HostRequest } from "../http/auth-request.ts";
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
])("an app that answers a refusal with %i makes the user get %i", async (made, got) => {
  const { status } = await auth.respond(request(), (passed) => {
    expect(() => auth.of(passed).require()).toThrow("active session");
    return new Response("undefined", { status: made });
  });
  expect(status).toBe(got);
});

test.each([
  ["reports the refusal in its body", "Broken", 302],
  ["reports no error", "Fine", 200],
])("a response with status 200 which %s, as %s, is answered %s", async (_, body, status) => {
  const carriesError = async (response: Response) =>
    (await response.clone().text()).includes("Broken");
  const refuse = (passed: Request) => {
    expect(() => auth.of(passed).require()).toThrow("active session");
    return new Response(body);
  };
  const response = await respond(auth.host, request(), refuse, { carriesError });
  expect(response.status).toBe(status);
  const broken = () => new Response("Broken");
  expect((await respond(auth.host, request(), broken, { carriesError })).status).toBe(200);
});

test("an uncaught refusal leads to login", async () => {
  const refused = auth.respond(request(), (passed) => {
    auth.of(passed).require();
    return new Response("page");
  });
  expect((await refused).status).toBe(302);
});

test("a refusal has a stack of one line, since frameworks may print it, and a fault a whole one [AD-030]", async () => {
  const stacks: (string | undefined)[] = [];
  const keepStack = (error: unknown) => stacks.push((error as Error).stack);
  await auth.respond(request(), async (passed) => {
    const { require, accessToken } = auth.of(passed);
    await Promise.resolve()
      .then(() => require())
      .catch(keepStack);
    await accessToken({ scope: "a" } as object).catch(keepStack);
    return new Response("page", { status: 500 });
  });
  expect(stacks).toEqual([
    "SignInRequired: The user does not have an active session or is not authenticated",
    expect.stringContaining("\n    at "),
  ]);
});

test("an admitted request goes straight on if sign-in is mounted twice", async () => {
  const response = await auth.respond(request(), (passed) =>
    auth.respond(passed, (again) => new Response(String(again === passed))),
  );
  expect(await response.text()).toBe("true");
});

test("a response that has read the session is private once if sign-in is mounted twice", async () => {
  const { headers } = await auth.respond(request(), (passed) =>
    auth.respond(passed, (again) => new Response(auth.of(again).user?.sub ?? "nobody")),
  );
  expect(headers.get("cache-control")).toBe("private, no-store");
});

test.each([
  ["a page", "text/html; charset=utf-8", {}, "private, no-store"],
  ["the data of a page", "text/x-script", { pageClient: {} }, "private, no-store"],
  ["anything else", "text/css", {}, "public"],
  ["what has no content", null, {}, "public"],
])(
  "%s (%s, with %j), which may read the session while it is sent, is for a signed-in user %s",
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

test("no cache keeps the page about a missing setup", async () => {
  const wrong = createAuth({ ...goodSettings, secret: "short", log: () => undefined });
  const { status, headers } = await wrong.respond(request(), () => new Response("page"));
  expect([status, headers.get("cache-control")]).toEqual([500, "no-store"]);
});

test.each([undefined, "text"])(
  "an application that returns %j gets a clear error",
  async (made) => {
    const forgetful = (() => made) as unknown as () => Response;
    await expect(auth.respond(request(), forgetful)).rejects.toThrow("returned no Response");
  },
);

test("developers get the page about wrong settings, without what a host reads with settings", async () => {
  const create = (): never => {
    throw new Error("There are no pages without settings.");
  };
  const pages = { ...pagesPart(create), setup: () => "<h1>Set a secret</h1>" };
  const options = { ...goodSettings, secret: "short", production: false, log: () => undefined };
  const wrong = createAuth({ ...options, pages });
  const headers = { accept: "text/html" };
  const reading = (): Partial<HostRequest> => ({ target: wrong.config.basePath });
  const response = await respond(
    wrong.host,
    new Request(goodSettings.baseURL, { headers }),
    () => new Response("not reached"),
    { request: reading },
  );
  expect([response.status, await response.text()]).toEqual([500, "<h1>Set a secret</h1>"]);
});

test("what is no request has not passed sign-in", () => {
  const of = auth.of as (given?: unknown) => unknown;
  expect(() => of()).toThrow("has not passed sign-in");
});
