import type { ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";

import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { startServer } from "../../../test/servers/server.ts";
import { goodSettings } from "../../../test/settings.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import { createAuth } from "../../host/auth.ts";
import { signedInCookies } from "../../testing/index.ts";
import { createPagesRequests } from "./pages-auth.ts";

const server = await startServer();
afterAll(() => server.close());
const options = { ...goodSettings, baseURL: server.origin, log: () => undefined };
const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });

type Page = (asWhom: () => Promise<RequestAuth>, outgoing: ServerResponse) => Promise<string>;

/** Requests a page of `pages/`. With `cookies`, the proxy has renewed the session before. */
async function ask(headers: Record<string, string>, page: Page, cookies: readonly string[] = []) {
  const pages = createPagesRequests(createAuth(options));
  server.serve((incoming, outgoing) => {
    if (cookies.length > 0) addAgain(outgoing, cookies);
    const asWhom = async () => (await pages(incoming, outgoing)).auth;
    void page(asWhom, outgoing).then(
      (text) => outgoing.end(text),
      () => outgoing.writeHead(500).end("the error page"),
    );
  });
  const response = await fetch(server.origin, { headers, redirect: "manual" });
  return { response, text: await response.text() };
}

/** As Next does it: whatever is set later, the cookies of the proxy are there too. */
function addAgain(outgoing: ServerResponse, cookies: readonly string[]): void {
  const setHeader = outgoing.setHeader.bind(outgoing);
  setHeader("Set-Cookie", cookies);
  outgoing.setHeader = (name, value) =>
    setHeader(name, name.toLowerCase() === "set-cookie" ? [...cookies, String(value)] : value);
}

const tellUser: Page = async (asWhom) => `for ${(await asWhom()).user?.sub}`;

test("a page knows who makes the request, and its response carries the session", async () => {
  const { response, text } = await ask({ cookie }, tellUser);
  expect(text).toBe("for ada");
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
  expect(response.headers.get("cache-control")).toBe("private, no-store");
});

test("all callers in one request share the session", async () => {
  const { text } = await ask({ cookie }, async (asWhom) => {
    await (await asWhom()).update((data) => ({ ...data, theme: "dark" }));
    return String((await asWhom()).session?.["theme"]);
  });
  expect(text).toBe("dark");
});

test("a session renewed by the proxy is not renewed again", async () => {
  const { response, text } = await ask({ cookie, "x-latchkey-renewed": "1" }, tellUser);
  expect([text, response.headers.getSetCookie()]).toEqual(["for ada", []]);
});

test("the session of the page replaces the session of the proxy, and other cookies stay", async () => {
  const change: Page = async (asWhom) => {
    await (await asWhom()).update((data) => ({ ...data, theme: "dark" }));
    return "changed";
  };
  const { response } = await ask({ cookie }, change, ["appSession=proxy; Path=/", "own=1"]);
  const setCookies = response.headers.getSetCookie();
  expect(namesIn(setCookies).set).toEqual(["own", "appSession"]);
  expect(setCookies.join()).not.toContain("proxy");
});

test("a page without a change leaves the cookies of the proxy", async () => {
  const { response } = await ask({}, tellUser, ["appSession=proxy; Path=/"]);
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession"]);
});

test("a redirect to login replaces the error page of Next if the page requires a session", async () => {
  const { response } = await ask({}, async (asWhom) => (await asWhom()).require().user.sub);
  expect([response.status, response.headers.get("location")]).toEqual([
    302,
    `${server.origin}/api/auth/login?returnTo=%2F`,
  ]);
});
