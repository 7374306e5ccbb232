import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";

import { servedApp } from "../../test/sessions/served-app.ts";
import type { RequestAuth } from "../host/request-auth.ts";
import { latchkey } from "./express.ts";

/** Fetches a public page of an app of the kind of Express, which has seen what `require` throws. */
async function fetched(
  respond: (response: ServerResponse, refuse: () => void) => void | Promise<void>,
  isSignedIn = false,
) {
  const refuse = (request: IncomingMessage & { readonly auth?: RequestAuth }) => {
    try {
      request.auth?.require(() => false);
    } catch {
      // An error handler of the app makes a page of it.
    }
  };
  const { send, events, cookie } = await servedApp((auth) => {
    const middleware = latchkey(auth);
    return (request, response) =>
      middleware(request, response, () => void respond(response, () => refuse(request)));
  });
  const headers = { accept: "text/html", ...(isSignedIn ? { cookie } : {}) };
  const { body, ...response } = await send({ target: "/", headers });
  return { ...response, events, text: async () => body };
}

const stack = { "X-Stack": "at handler" };

const pages: Readonly<Record<string, (outgoing: ServerResponse) => unknown>> = {
  "a head with headers": (outgoing) => outgoing.writeHead(500, stack).end("the stack"),
  "a head alone": (outgoing) =>
    outgoing
      .setHeaders(new Map(Object.entries(stack)))
      .writeHead(500)
      .end("the stack"),
  "a status and the same in a head": (outgoing) =>
    Object.assign(outgoing, { statusCode: 500 }).writeHead(500, stack).end("the stack"),
  "a status and an end": (outgoing) =>
    Object.assign(outgoing, { statusCode: 400, statusMessage: "Bad" })
      .setHeader("X-Stack", "1")
      .end("the stack"),
  chunks: (outgoing) => {
    Object.assign(outgoing, { statusCode: 500 }).setHeader("X-Stack", "1").write("the ");
    outgoing.end("stack");
  },
};

test.each(Object.entries(pages))(
  "the error page of the app, sent by %s, gives way to the way to login [AD-030]",
  async (_, page) => {
    const response = await fetched((outgoing, refuse) => {
      outgoing.setHeader("X-Own", "before");
      refuse();
      page(outgoing);
    });
    expect([response.status, response.reason, await response.text()]).toEqual([302, "Found", ""]);
    expect([response.header("x-own"), response.header("x-stack")]).toEqual(["before", null]);
    expect(response.header("location")).toMatch(/\/api\/auth\/login\?returnTo=/);
  },
);

test("answers and logs a refusal once, however often the app was refused", async () => {
  const response = await fetched((outgoing, refuse) => {
    refuse();
    refuse();
    outgoing.writeHead(500).end();
  }, true);
  expect([response.status, response.reason]).toEqual([403, "Forbidden"]);
  expect(response.events.filter(({ event }) => event === "refusal")).toHaveLength(1);
});

test("the middleware reports the replaced error page as sent completely", async () => {
  const told: unknown[] = [];
  const { status } = await fetched((outgoing, refuse) => {
    refuse();
    outgoing.statusCode = 500;
    told.push(outgoing.write("the "), outgoing.write("stack"));
    told.push(outgoing.end() === outgoing, outgoing.writeHead(500) === outgoing);
  });
  expect([status, told]).toEqual([302, [true, true, true, true]]);
});

test("the middleware leaves a page whole that is being sent when the app is refused", async () => {
  const response = await fetched((outgoing, refuse) => {
    outgoing.writeHead(404).write("not ");
    refuse();
    outgoing.end("found");
  });
  expect([response.status, await response.text()]).toEqual([404, "not found"]);
});

test("the middleware sends an error page whole that the app began to send before it was refused", async () => {
  const response = await fetched(async (outgoing, refuse) => {
    const page = async () => {
      await Promise.resolve();
      refuse();
      outgoing.statusCode = 403;
      return "not for strangers";
    };
    // `end` is looked up before the page is made.
    outgoing.end(await page());
  });
  expect([response.status, await response.text()]).toEqual([403, "not for strangers"]);
});

test("the middleware leaves the page as it is if the app makes it after a refusal", async () => {
  const response = await fetched((outgoing, refuse) => {
    refuse();
    outgoing.end("hello, stranger");
  });
  expect([response.status, await response.text()]).toEqual([200, "hello, stranger"]);
});
