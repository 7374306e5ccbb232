import { describe, expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { createAuth, type Options } from "./auth.ts";
import type { AccessTokenError } from "../errors/access-token-error.ts";
import type { SessionData } from "../session/session.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { signedInCookies } from "../testing/index.ts";
import type { RequestAuth } from "./request-auth.ts";

const now = 1_800_000_000;
const own = goodSettings.baseURL;
const page = { accept: "text/html", "sec-fetch-mode": "navigate" };
const script = { accept: "*/*", "sec-fetch-mode": "cors" };
const ended = { accessToken: "at", accessTokenExpiresAt: now - 1 };
const fresh = { accessToken: "at", accessTokenExpiresAt: now + 3600 };

interface Asked {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly session?: Partial<SessionData>;
  readonly options?: Partial<Options>;
  readonly handle?: (auth: RequestAuth) => Promise<unknown>;
}

/** The response to a handler that needs an access token, and what was logged. */
async function ask({
  path = "/reports",
  headers = page,
  session = ended,
  options: given = {},
  handle = (auth) => auth.accessToken(),
}: Asked) {
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => void events.push(event);
  const options = { ...goodSettings, clock: () => now * 1000, log, ...given };
  const auth = createAuth(options);
  const cookie = await signedInCookies({ options, session: { user: { sub: "ada" }, ...session } });
  const send = () =>
    auth.respond(new Request(own + path, { headers: { ...headers, cookie } }), async (passed) =>
      Response.json(await handle(auth.of(passed))),
    );
  return { send, response: await send(), events };
}

describe("an access token that has ended, in a handler that does not catch it", () => {
  test.each([
    ["is expired", ended],
    ["is missing", {}],
  ])("leads a page to login and back if it %s", async (_, session) => {
    const { response } = await ask({ session });
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `${own}/api/auth/login?returnTo=%2Freports`,
    ]);
  });

  test.each([
    ["/reports", script],
    ["/api/reports", page],
  ])("answers a request to %s with %j 401 in the shape of every refusal", async (path, headers) => {
    const { response } = await ask({ path, headers });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      `Cookie realm="${own}"`,
    ]);
    expect(await response.json()).toEqual({
      error: "ERR_EXPIRED_ACCESS_TOKEN",
      description: "There is no valid access token for the user, who has to sign in again.",
    });
  });

  const warnings = (events: readonly LogEvent[]) =>
    events.flatMap((each) => (each.event === "warning" ? [each.message] : []));

  test("is logged once if the scope has no offline_access", async () => {
    const { send, events } = await ask({});
    await send();
    const ofScope = warnings(events).filter((each) => each.includes("offline_access"));
    expect(ofScope).toEqual([expect.stringContaining("LATCHKEY_SCOPE has no offline_access")]);
  });

  test("is not logged as a scope without offline_access if there was no token", async () => {
    const { response, events } = await ask({ session: {} });
    expect(response.status).toBe(302);
    expect(warnings(events).join()).not.toContain("LATCHKEY_SCOPE has no");
  });

  test("is not logged as a scope without offline_access if the scope has it", async () => {
    const { response, events } = await ask({ options: { scope: "openid offline_access" } });
    expect(response.status).toBe(302);
    expect(warnings(events).join()).not.toContain("LATCHKEY_SCOPE has no");
  });
});

test("a handler that catches the error of an access token may respond with a 500 of its own", async () => {
  const options = { ...goodSettings, clock: () => now * 1000, log: () => undefined };
  const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
  const auth = createAuth(options);
  const request = new Request(`${own}/reports`, { headers: { ...page, cookie } });
  const response = await auth.respond(request, async (passed) => {
    const code = await auth
      .of(passed)
      .accessToken()
      .catch(({ code: of }) => of as string);
    return Response.json({ code }, { status: 500 });
  });
  expect([response.status, await response.json()]).toEqual([
    500,
    { code: "ERR_MISSING_ACCESS_TOKEN" },
  ]);
});

test("a handler that catches the error of an access token responds as it likes", async () => {
  const { response } = await ask({
    handle: (auth) => auth.accessToken().catch((error: AccessTokenError) => error.needsSignIn),
  });
  expect([response.status, await response.json()]).toEqual([200, true]);
});

test.each([
  ["a scope that was not granted", { scopes: ["admin"] }, "ERR_INSUFFICIENT_SCOPE"],
  ["a refresh without a refresh token", { refresh: true }, "ERR_MISSING_REFRESH_TOKEN"],
])("%s is an error of the app, as a new sign-in would not help", async (_, request, code) => {
  const asking = ask({ session: fresh, handle: (auth) => auth.accessToken(request) });
  await expect(asking).rejects.toMatchObject({ code, needsSignIn: false });
});

describe("a resource that the provider refuses", () => {
  const resource = "https://orders.example";
  const metadata = { issuer: goodSettings.issuerBaseURL, token_endpoint: `${own}/token` };
  const refuse = async (input: string) =>
    input.includes("/.well-known/")
      ? Response.json({ ...metadata, jwks_uri: `${own}/keys`, authorization_endpoint: own })
      : Response.json({ error: "invalid_target" }, { status: 400 });

  test("has its own code, and never means a new sign-in", async () => {
    const asking = ask({
      session: { ...fresh, refreshToken: "rt" },
      options: { fetch: refuse },
      handle: (auth) => auth.accessToken({ resource }),
    });
    await expect(asking).rejects.toMatchObject({
      code: "ERR_INVALID_TARGET",
      needsSignIn: false,
      message: expect.stringContaining(`the resource "${resource}" (invalid_target)`),
    });
  });
});
