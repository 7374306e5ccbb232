import { startProvider } from "@latchkey/provider";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Browser, createBrowser } from "../../../../packages/latchkey/test/browser/browser.ts";
import { rawBytes } from "../../../../packages/latchkey/test/browser/raw-bytes.ts";
import { builtForTests } from "../serving/built-files.support.ts";
import { createHTTPServer, listen, type ServerOptions } from "../serving/http-server.ts";
import { compose } from "./compose.ts";
import { noObservers } from "./running-app.support.ts";

/** The same port by two names: the primary host, and another one. */
let [primary, other] = ["", ""];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const served: ServerOptions = { fetch: () => new Response(), headers: [] };
  const server = createHTTPServer(served);
  const port = await listen(server, 0, "127.0.0.1");
  [primary, other] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  const provider = await startProvider({ port: 0, appURL: [primary, other] });
  const [client] = provider.clients;
  const composition = await compose(
    {
      LATCHKEY_BASE_URL: `${primary} ${other}`,
      LATCHKEY_ISSUER_BASE_URL: provider.issuer,
      LATCHKEY_CLIENT_ID: client?.id ?? "",
      LATCHKEY_CLIENT_SECRET: client?.secret ?? "",
      LATCHKEY_SECRET: "a-secret-of-more-than-thirty-two-characters",
      LATCHKEY_APP_NAME: "Harbour",
    },
    builtForTests,
    "memory:",
    noObservers,
  );
  Object.assign(served, composition);
  closing.push(
    () => provider.close(),
    () => composition.close(),
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
});

afterAll(() => Promise.all(closing.map((close) => close())));

const statusAt = async (browser: Browser, path: string) => (await browser.request(path)).status;

test("a user signs in at each host of the web application by itself, and out at one alone", async () => {
  const browsers = [primary, other].map((origin) => createBrowser(origin));
  const [first, second] = browsers as [Browser, Browser];
  for (const browser of browsers) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { status, url } = await browser.signIn("/account");
    expect([status, url.origin]).toEqual([200, browser === first ? primary : other]);
  }
  // A cookie of one host is none at the other, even if it gets there.
  const headers = { cookie: await first.cookies() };
  const carried = await createBrowser(other).request("/api/auth/me", { headers });
  expect(carried.status).toBe(204);
  const { headers: answered } = await first.request("/api/auth/logout", {
    method: "POST",
    headers: { origin: primary },
  });
  expect(answered.get("location") ?? "").not.toContain(new URL(other).host);
  expect(await statusAt(first, "/api/auth/me")).toBe(204);
  expect(await statusAt(second, "/api/auth/me")).toBe(200);
});

test("no page of the web application at one host names another one [MX-019]", async () => {
  const { host: ofPrimary } = new URL(primary);
  const browser = createBrowser(other);
  const visitor = createBrowser(other);
  await browser.signIn("/account");
  const paths = ["/", "/account", "/account/details", "/devices", "/sample", "/missing"];
  const pages = [
    ...paths.map((path) => browser.request(path)),
    ...["/", "/_auth/signed-out", "/api/auth/callback?code=a&state=b", "/account", "/missing"].map(
      (path) => visitor.request(path),
    ),
  ];
  for (const { url, text, location } of await Promise.all(pages)) {
    expect(`${url.pathname} ${location} ${text}`).not.toContain(ofPrimary);
  }
});

test.each<[string, (host: string) => readonly string[], number]>([
  ["a too long address", () => [`GET /?q=${"a".repeat(100_000)} HTTP/1.1`], 414],
  ["too large cookies", () => ["GET / HTTP/1.1", `Cookie: a=${"b".repeat(70_000)}`], 431],
])("the page for %s is of the host of its request [MX-019]", async (_, head, status) => {
  const send = (host: string) =>
    rawBytes(
      primary,
      [...head(host), `Host: ${host}`, "Accept: text/html", "Connection: close", "", ""].join(
        "\r\n",
      ),
    );
  const { host } = new URL(other);
  const page = await send(host);
  expect(page).toContain(`HTTP/1.1 ${status} `);
  expect(page).toContain(`http://${host}/`);
  expect(page).not.toContain(new URL(primary).host);
  const unknown = await send("evil.example");
  expect(unknown).toContain(`HTTP/1.1 ${status} `);
  expect(unknown).not.toMatch(/Harbour|set-cookie|127\.0\.0\.1/i);
});

test("another host gets 421 from the web application [MX-016]", async () => {
  const answer = await rawBytes(
    primary,
    "GET /account HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 421 /);
});
