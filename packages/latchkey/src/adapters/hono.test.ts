import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";

import { startServer } from "../../test/server.ts";
import { goodSettings } from "../../test/settings.ts";
import { createAuth } from "../auth.ts";
import { signedInCookies } from "../testing/index.ts";
import { latchkey } from "./hono.ts";

const server = await startServer();
afterAll(() => server.close());

function signedInApp() {
  const options = { ...goodSettings, baseURL: server.origin, log: () => undefined };
  const app = new Hono().use(latchkey(createAuth(options))).get("/cacheable", (c) => {
    c.header("Cache-Control", "public, max-age=600");
    c.header("Set-Cookie", "own=1");
    return c.text(`For ${c.var.auth.user?.sub}`);
  });
  const session = { user: { sub: "ada", picture: "x".repeat(4000) } };
  return { app, cookies: signedInCookies({ options, session }) };
}

async function told(response: Response) {
  const { status, headers } = response;
  const setCookies = headers.getSetCookie().map((line) => line.split("=", 1)[0]);
  const caching = [headers.get("cache-control"), headers.get("vary")];
  return { status, caching, setCookies, text: await response.text() };
}

test("an app of Hono adds the session to the response of Node and to a Response of its own alike [AD-007]", async () => {
  const { app, cookies } = signedInApp();
  const cookie = await cookies;
  const url = `${server.origin}/cacheable`;
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.serve((incoming, outgoing) => void listener(incoming, outgoing));
  const [onNode, anywhere] = await Promise.all(
    [
      fetch(url, { headers: { cookie } }),
      app.fetch(new Request(url, { headers: { cookie } }), { outgoing: "a variable" }),
    ].map(async (response) => told(await response)),
  );
  expect(onNode).toEqual({
    status: 200,
    caching: ["private, no-store", "Cookie"],
    setCookies: ["own", "appSession.0", "appSession.1"],
    text: "For ada",
  });
  expect(anywhere).toEqual(onNode);
});
