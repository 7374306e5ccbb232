import { describe, expect, test } from "vitest";

import type { ConnectionOptions } from "../../src/config/connection-options.ts";
import { type Auth, createAuth } from "../../src/index.ts";
import { atEnd } from "../at-end.ts";
import { createBrowser, isSignedIn } from "../browser/browser.ts";
import { listenerOf, startServer } from "../servers/server.ts";
import { callsTo, settingsAt, signIn, startTwoProviders } from "./two-providers.ts";

/** Pages that need a new access token. */
const serveWith = (auth: Auth) =>
  listenerOf((request) =>
    auth.respond(request, async (passed) => {
      await auth.of(passed).accessToken({ refresh: true });
      return new Response("refreshed");
    }),
  );

const globex = "/api/auth/login/globex";
const page = { "sec-fetch-dest": "document", accept: "text/html" };

interface Given {
  readonly stateful?: boolean;
  /** The claims of ID tokens at the second provider. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Whether the response to a refresh has one. */
  readonly hasIDToken?: boolean;
}

/** A user of globex who is signed in, and what tightens its settings. */
async function signedIn({ stateful = true, claims = {}, hasIDToken }: Given = {}) {
  const scope = "openid email offline_access";
  const world = await startTwoProviders();
  world.second.behave({ idToken: { claims: (own: object) => ({ ...own, ...claims }) } });
  const server = await startServer();
  atEnd(() => server.close());
  const options = { ...world.options, baseURL: server.origin, session: { stateful } };
  const ofGlobex = { ...settingsAt(world.second), scope };
  const serve = (change: ConnectionOptions) => {
    const connections = { globex: { ...ofGlobex, ...change } };
    server.serve(serveWith(createAuth({ ...options, connections })));
  };
  serve({});
  const browser = createBrowser(server.origin);
  await signIn(world, browser, globex);
  if (hasIDToken === false) {
    world.second.behave({ tokenResponse: (good) => ({ ...good, id_token: undefined }) });
  }
  expect(await browser.request("/", { headers: page })).toMatchObject({ text: "refreshed" });
  return { world, browser, serve, copy: await browser.cookies(), server };
}

test.each([
  ["organization", { organization: "org_harbour" }, "organization_mismatch"],
  ["acr", { acr: ["phr"] }, "step_up_unmet"],
  ["domains", { domains: ["globex.example"] }, "email_domain_mismatch"],
  ["maxAge", { maxAge: 600 }, "step_up_unmet"],
] as const)(
  "a live session that does not meet a new %s ends with the refresh, and leads to its connection [MX-080]",
  async (_, change, reason) => {
    const authTime = Math.floor(Date.now() / 1000) - 3600;
    const claims = { email: "ada@else.example", auth_time: authTime };
    const { world, browser, serve, copy, server } = await signedIn({ claims });
    serve(change);
    const led = await browser.request("/", { headers: page });
    expect(led.status).toBe(302);
    expect(new URL(led.location).pathname).toBe(globex);
    expect(await isSignedIn(browser)).toBe(false);
    const copied = await createBrowser(server.origin).request("/api/auth/me", {
      headers: { cookie: copy },
    });
    expect(copied.status).not.toBe(200);
    expect(world.events).toContainEqual(
      expect.objectContaining({ event: "refresh", outcome: "refused", reason }),
    );
    expect(world.events).toContainEqual(
      expect.objectContaining({ event: "sign-out", reason: "ended", cause: reason }),
    );
  },
);

describe.each([true, false])("with sessions in the store: %s,", (stateful) => {
  test("a refresh without an ID token is judged by what the session knows [MX-080]", async () => {
    const claims = { org_id: "org_harbour" };
    const { browser, serve } = await signedIn({ stateful, claims, hasIDToken: false });
    serve({ organization: "org_harbour" });
    expect(await browser.request("/", { headers: page })).toMatchObject({ text: "refreshed" });
    serve({ organization: "org_orchard" });
    expect(await browser.request("/", { headers: page })).toMatchObject({ status: 302 });
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("a session that a new acr refuses sends no refresh token [MX-080]", async () => {
    const { world, browser, serve } = await signedIn({ stateful, claims: { acr: "low" } });
    const before = callsTo(world.second).length;
    serve({ acr: ["phr"] });
    await browser.request("/", { headers: page });
    expect(callsTo(world.second).length).toBe(before);
  });

  test("a session that meets the new rules goes on [MX-080]", async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { acr: "phr", org_id: "org_a", email: "ada@globex.example", auth_time: now };
    const { browser, serve } = await signedIn({ stateful, claims });
    serve({ acr: ["phr"], organization: "org_a", domains: ["globex.example"], maxAge: 0 });
    expect(await browser.request("/", { headers: page })).toMatchObject({ text: "refreshed" });
    expect(await isSignedIn(browser)).toBe(true);
  });
});

test("an organization that the settings keep out of sessions says nothing by its absence [MX-080]", async () => {
  const { browser, serve } = await signedIn({ hasIDToken: false });
  serve({ organization: "org_harbour", identityClaimFilter: ["org_id"] });
  expect(await browser.request("/", { headers: page })).toMatchObject({ text: "refreshed" });
  serve({ organization: "org_harbour" });
  expect(await browser.request("/", { headers: page })).toMatchObject({ status: 302 });
});
