import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";

import { startServer } from "../../test/server.ts";
import { goodSettings } from "../../test/settings.ts";
import type { RequestAuth } from "../access/request-auth.ts";
import { createAuth } from "../auth.ts";
import { latchkey } from "./express.ts";

const server = await startServer();
afterAll(() => server.close());

/** Fetches a public page of an app of the kind of Express, which has seen what `require` throws. */
function fetched(
  respond: (response: ServerResponse, refuse: () => void) => void | Promise<void>,
): Promise<Response> {
  const auth = createAuth({
    ...goodSettings,
    baseURL: server.origin,
    publicPaths: ["/"],
    log: () => undefined,
  });
  const middleware = latchkey(auth);
  const refuse = (request: IncomingMessage & { readonly auth?: RequestAuth }) => {
    try {
      request.auth?.require();
    } catch {
      // An error handler of the app makes a page of it.
    }
  };
  server.serve((request, response) =>
    middleware(request, response, () => void respond(response, () => refuse(request))),
  );
  return fetch(server.origin, { redirect: "manual" });
}

test("the error page of the app gives way to the way to login, however often it was refused", async () => {
  const response = await fetched((outgoing, refuse) => {
    refuse();
    refuse();
    outgoing.writeHead(500, { "X-Stack": "at handler" }).end("the stack");
  });
  expect([response.status, response.headers.get("x-stack")]).toEqual([302, null]);
  expect(response.headers.get("location")).toMatch(/\/api\/auth\/login\?returnTo=/);
  expect(await response.text()).toBe("");
});

test("a page that is on its way when the app is refused stays whole", async () => {
  const response = await fetched((outgoing, refuse) => {
    outgoing.writeHead(404).write("not ");
    refuse();
    outgoing.end("found");
  });
  expect([response.status, await response.text()]).toEqual([404, "not found"]);
});

test("an error page that the app has begun to send before it is refused is sent whole", async () => {
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

test("a page that the app makes all the same stays as it is", async () => {
  const response = await fetched((outgoing, refuse) => {
    refuse();
    outgoing.end("hello, stranger");
  });
  expect([response.status, await response.text()]).toEqual([200, "hello, stranger"]);
});
