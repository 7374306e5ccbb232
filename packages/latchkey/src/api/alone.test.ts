import { expect, test } from "vitest";

import { createTestIssuer } from "../../test/api/issuer.ts";
import { audience, startSeconds } from "../../test/api/api-app.ts";
import { createAuth, type LogEvent, type Options } from "../index.ts";
import { api } from "./index.ts";

/** An API at which no user signs in, without any secret. */
async function apiAlone(sessions = false, more: Partial<Options> = {}) {
  const issuer = await createTestIssuer();
  const events: LogEvent[] = [];
  const settings = {
    baseURL: "https://orders.example",
    issuerBaseURL: issuer.issuer,
    clientID: "orders",
    idTokenSigningAlg: "ES256",
    api: api({ audience, sessions }),
    fetch: issuer.fetch,
    clock: () => startSeconds * 1000,
    log: (event: LogEvent) => void events.push(event),
    ...more,
  };
  // The type demands a secret, which an API alone has no use for.
  const auth = createAuth(settings as unknown as Options);
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    auth.respond(new Request(`https://orders.example${path}`, { headers }), (request) => {
      const { claims } = auth.of(request).require();
      return new Response(claims.sub);
    });
  return { auth, issuer, events, ask };
}

test("a caller with a token is admitted to an API alone", async () => {
  const { issuer, ask } = await apiAlone();
  const times = { iat: startSeconds, exp: startSeconds + 300 };
  const names = { iss: issuer.issuer, sub: "ada", aud: audience, client_id: "shop", jti: "1" };
  const token = await issuer.sign({ ...names, ...times }, { typ: "at+jwt" });
  const response = await ask("/orders", { authorization: `Bearer ${token}` });
  expect([response.status, await response.text()]).toEqual([200, "ada"]);
});

const page = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

test("an API alone needs no secret, and says nothing of a store", async () => {
  const { auth, events } = await apiAlone();
  await auth.ready();
  expect(events.filter(({ event }) => event === "warning")).toEqual([]);
});

test("an API with sessions still needs both secrets", async () => {
  const { auth } = await apiAlone(true);
  await expect(auth.ready()).rejects.toThrow(
    /LATCHKEY_SECRET[^]*LATCHKEY_CLIENT_SECRET|clientSecret/,
  );
});

test.each(["/", "/orders", "/api/orders"])(
  "at an API alone no request for %s is led to login",
  async (path) => {
    const { ask } = await apiAlone();
    const { status, headers } = await ask(path, page);
    expect([status, headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ]);
    expect(headers.getSetCookie()).toEqual([]);
  },
);

test.each(["login", "callback", "logout", "me", "backchannel-logout"])(
  "an API alone has no route %s",
  async (route) => {
    const { ask } = await apiAlone();
    expect((await ask(`/api/auth/${route}`, page)).status).toBe(404);
  },
);

test("an API alone is not warned of sessions and their refresh tokens", async () => {
  const scope = "openid offline_access orders:read";
  const { auth, events } = await apiAlone(false, { scope });
  await auth.ready();
  expect(events.filter(({ event }) => event === "warning")).toEqual([]);
});
