import { Hono } from "hono";
import { createAuth, type Options } from "latchkey";
import { latchkey } from "latchkey/hono";
import { signedInCookies } from "latchkey/testing";
import { afterEach, expect, test } from "vitest";

import { pages } from "./pages.ts";

const baseURL = "http://localhost:3000";
const engine: Options = {
  baseURL,
  // Nothing listens on the discard port.
  issuerBaseURL: "http://localhost:9",
  clientID: "harbour",
  clientSecret: "secret",
  secret: "a-secret-of-the-tests-0123456789abcdef",
  log: () => {},
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** An app whose own paths answer "of the app", behind standalone pages. */
function startApp(change: Partial<Options> = {}) {
  const options: Options = {
    ...engine,
    pages: pages({ name: "Harbour", standalone: true }),
    ...change,
  };
  const auth = createAuth(options);
  closing.push(() => auth.close());
  const app = new Hono().use(latchkey(auth)).all("*", (context) => context.text("of the app"));
  const open = async (path: string, cookie = "", method = "GET") => {
    const response = await app.request(baseURL + path, {
      method,
      headers: { accept: "text/html", cookie },
    });
    const [text, location] = [await response.text(), response.headers.get("location")];
    return { status: response.status, text, location, headers: response.headers };
  };
  const signIn = () => signedInCookies({ options, session: { user: { sub: "ada", name: "Ada" } } });
  return { auth, open, signIn };
}

test("standalone pages have a home page, and one with a greeting for a signed-in user", async () => {
  const { open, signIn } = startApp();
  const home = await open("/?returnTo=%2Freports");
  expect([home.status, home.text]).toEqual([
    200,
    expect.stringContaining("Sign in to open the page you asked for."),
  ]);
  const welcome = await open("/", await signIn());
  expect(welcome.text).toContain("Hello, ");
  for (const path of ["/account", "/devices", "/sample"])
    expect(welcome.text).toContain(`href="${path}"`);
});

test("the home page of several ways to sign in names none of them, and no outage of one", async () => {
  const acme = { issuerBaseURL: "http://localhost:9/acme", clientID: "acme", clientSecret: "s" };
  const { open } = startApp({ identity: "issuer+sub", connections: { acme } });
  expect((await open("/api/auth/login/acme")).status).toBe(500);
  const { text } = await open("/");
  expect(text).toContain("Choose how you want to sign in.");
  expect(text).toMatch(/<a class="button"[^>]*>Sign in<\/a>/);
  expect(text).not.toContain("answering");
});

test("standalone pages demand a sign-in at their paths, and leave other paths to the app", async () => {
  const { open, signIn } = startApp();
  for (const path of ["/account", "/account/details", "/devices", "/sample", "/account/nothing"]) {
    const { status, location } = await open(path);
    expect([path, status, location]).toEqual([
      path,
      302,
      `${baseURL}/api/auth/login?returnTo=${encodeURIComponent(path)}`,
    ]);
  }
  const cookie = await signIn();
  for (const path of ["/account", "/account/details", "/devices", "/sample"])
    expect((await open(path, cookie)).text).toContain(" · Harbour</title>");
  expect((await open("/account/nothing", cookie)).status).toBe(404);
  for (const path of ["/reports", "/accounts", "/_auth/account", "/assets/app.js"])
    expect(await open(path, cookie)).toMatchObject({ status: 200, text: "of the app" });
});

test("a rule for the whole app closes the home page of standalone pages unless it is public", async () => {
  const accessRules = { "/": { claim: { role: "admin" } } };
  const closed = startApp({ accessRules });
  expect((await closed.open("/")).status).toBe(302);
  expect((await closed.open("/", await closed.signIn())).status).toBe(403);
  const open = startApp({ accessRules, publicPaths: ["/"] });
  expect((await open.open("/")).status).toBe(200);
  expect((await open.open("/account", await open.signIn())).status).toBe(403);
});

test("a rule for a standalone page counts, and one for its usual address is a fault", async () => {
  const ruled = startApp({ accessRules: { "/devices": { claim: { role: "admin" } } } });
  const cookie = await ruled.signIn();
  expect((await ruled.open("/devices", cookie)).status).toBe(403);
  expect((await ruled.open("/account", cookie)).status).toBe(200);
  const { auth } = startApp({ accessRules: { "/_auth/devices": { maxAge: 300 } } });
  await expect(auth.ready()).rejects.toThrow('accessRules["/_auth/devices"]');
});

test("the home page says for a minute that the provider does not respond", async () => {
  let ms = Date.now();
  const { open } = startApp({ clock: () => ms });
  const notice = "isn&#x27;t answering right now";
  expect((await open("/")).text).not.toContain(notice);
  expect((await open("/api/auth/login")).status).toBe(500);
  expect((await open("/")).text).toContain(notice);
  ms += 60_000;
  expect((await open("/")).text).not.toContain(notice);
});

test("standalone pages have a base path", async () => {
  const { open, signIn } = startApp({ baseURL: `${baseURL}/shop` });
  expect((await open("/shop/")).text).toContain("Harbour</title>");
  const { text } = await open("/shop/account", await signIn());
  expect(text).toContain('href="/shop/devices"');
  const [module = ""] = /\/shop\/assets\/watch-[\w-]+\.js/.exec(text) ?? [];
  const script = await open(module);
  expect([script.status, script.headers.get("content-type")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
  ]);
});

test("a page of another server leads to the pages by whole addresses, without their scripts", async () => {
  const { auth } = startApp();
  await auth.ready();
  const given = { config: auth.config, warn: () => {}, now: auth.now };
  const made = pages({ name: "Harbour", standalone: true })
    .open(given)
    .pages({ ...given, hasSeveralWays: false, labelOf: () => undefined });
  const addresses = { signInURL: `${baseURL}/in`, switchAccountURL: "", homeURL: `${baseURL}/` };
  const problem = {
    ...addresses,
    kind: "forbidden",
    status: 403,
    code: "ERR_FORBIDDEN",
    reason: "forbidden",
    message: "No.",
    reference: "ABCD-EFGH",
    time: "2026-01-01T00:00:00Z",
  } as const;
  const times = { endsAt: 2, createdAt: 1, updatedAt: 1, startedAt: 1 };
  const session = {
    user: { sub: "ada", email: "ada@example.com" },
    times: { ...times, rollingEndsAt: 2, absoluteEndsAt: 2 },
  };
  const { html } = await made.problem(
    problem,
    { method: "GET", url: baseURL, headers: new Headers(), pageURL: "http://wiki.localhost/" },
    session,
  );
  expect(html).toContain("ada@example.com");
  expect(html).not.toContain('href="/');
  expect(html).not.toContain("<script type=");
});
