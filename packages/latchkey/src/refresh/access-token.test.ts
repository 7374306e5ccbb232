import { describe, expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { handleRequest } from "../../test/handle-request.ts";
import { session as signedIn } from "../../test/sessions/signed-in-app.ts";
import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { createAuth, type Options } from "../host/auth.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { LatchkeyError } from "../errors/latchkey-error.ts";
import type { HeldToken, SessionData } from "../session/session.ts";
import { signedInCookies } from "../testing/index.ts";
import { accessTokenFor } from "./access-token.ts";
import type { AccessTokenRequest } from "./access-token-request.ts";

const now = 1_800_000_000;
const options = { ...goodSettings, clock: () => now * 1000, log: () => undefined };
const auth = createAuth({ ...options, publicPaths: ["/"] });

/** The result for such a session: the token, or code and message of the error. */
async function ask(
  session: Partial<SessionData> | null,
  asked?: AccessTokenRequest,
): Promise<string> {
  const whole = { user: { sub: "ada" }, ...session };
  const cookie = session === null ? "" : await signedInCookies({ options, session: whole });
  const request = new Request(goodSettings.baseURL, { headers: { cookie } });
  const { made } = await handleRequest(auth, request, (here) =>
    here
      .accessToken(asked)
      .catch((error: unknown) =>
        error instanceof AccessTokenError ? `${error.code}: ${error.message}` : String(error),
      ),
  );
  return made ?? "";
}

const granted = { accessToken: "at", accessTokenScope: "openid a b" };
const good = { ...granted, accessTokenExpiresAt: now + 3600 };

describe("accessToken", () => {
  test.each([{ scope: "a" }, { scopes: "a" }, "a", 5])(
    "refuses %j, which requests nothing",
    async (asked) => {
      expect(await ask(good, asked as AccessTokenRequest)).toContain(
        "TypeError: accessToken() takes an object of scopes, refresh, resource",
      );
    },
  );

  const again = "The user will need to sign in again.";
  const missing = "ERR_MISSING_ACCESS_TOKEN: The user does not have a valid access token.";
  const timeless = `ERR_EXPIRED_ACCESS_TOKEN: Expiration information for the access token is not available. ${again}`;
  const expired = `ERR_EXPIRED_ACCESS_TOKEN: The access token expired and a refresh token is not available. ${again}`;
  const scopeless = `ERR_INSUFFICIENT_SCOPE: An access token with the requested scopes could not be provided. ${again}`;
  const ungranted = `ERR_INSUFFICIENT_SCOPE: Could not retrieve an access token with scopes "a c". ${again}`;
  const unrefreshed =
    "ERR_MISSING_REFRESH_TOKEN: A refresh token is required to refresh the access token, but none is present.";
  const resource = "https://api.example";
  const odd = "soon" as unknown as number;
  const unscoped = { ...good, accessTokenScope: undefined };
  const soon = { refreshToken: "rt", accessTokenExpiresAt: now + 3600 };
  test.each([
    ["no session", null, {}, "ERR_MISSING_SESSION: The user does not have a valid session."],
    ["neither token", {}, {}, missing],
    ["a refresh token alone", { refreshToken: "rt" }, {}, timeless],
    [
      "a refresh token and an expiry that is no time",
      { refreshToken: "rt", accessTokenExpiresAt: odd },
      {},
      timeless,
    ],
    ["a refresh token alone, of a time that has not come", soon, {}, missing],
    ["scopes asked for, none known", unscoped, { scopes: ["a"] }, scopeless],
    ["a scope that was not granted", good, { scopes: ["a", "c"] }, ungranted],
    ["expired, no refresh token", { ...good, accessTokenExpiresAt: now - 1 }, {}, expired],
    ["a token for another resource asked for, no refresh token", good, { resource }, expired],
    ["a refresh asked for, no refresh token", good, { refresh: true }, unrefreshed],
  ] as [string, Partial<SessionData> | null, AccessTokenRequest, string][])(
    "with %s it throws the error of the specification [section 8] [ATK-060, FAPI-015]",
    async (_, session, asked, error) => {
      expect(await ask(session, asked)).toBe(error);
    },
  );

  test("it returns a token with all requested scopes", async () => {
    expect(await ask(good)).toBe("at");
    expect(await ask(good, { scopes: ["b", "openid"] })).toBe("at");
    expect(await ask(good, { scopes: [] })).toBe("at");
  });

  test.each([
    [61, "at"],
    [60, "at"],
    [59, "at"],
    [1, "at"],
    [0, "ERR_EXPIRED_ACCESS_TOKEN"],
    [-now, "ERR_EXPIRED_ACCESS_TOKEN: The access token expired"],
    [-now - 1, "ERR_EXPIRED_ACCESS_TOKEN: The access token expired"],
    [-2 * now, "ERR_EXPIRED_ACCESS_TOKEN: The access token expired"],
  ])(
    "for a token that expires in %i seconds without a refresh token it gives %s [section 4]",
    async (seconds, expected) => {
      expect(await ask({ ...good, accessTokenExpiresAt: now + seconds })).toMatch(
        new RegExp(`^${expected}`),
      );
    },
  );

  const endless = { ...granted, accessTokenExpiresAt: undefined };
  const late = { accessTokenExpiresAt: now + 1 };
  const heldHere = (token: HeldToken) => ({ resourceTokens: { [resource]: token } });
  test.each([
    ["no end", endless, {}],
    ["no end, beside a refresh token", { ...endless, refreshToken: "rt" }, {}],
    ["an end that is no time", { ...granted, accessTokenExpiresAt: odd }, {}],
    ["an end that is null", { ...granted, accessTokenExpiresAt: null as never }, {}],
    ["no end, for another resource", heldHere(granted), { resource }],
    ["a second left, for another resource", heldHere({ ...granted, ...late }), { resource }],
  ] as [string, Partial<SessionData>, AccessTokenRequest][])(
    "a token with %s is returned: only its API can refuse it",
    async (_, session, asked) => {
      expect(await ask({ ...good, ...session }, asked)).toBe("at");
    },
  );

  test("only what a new sign-in brings requests one", async () => {
    const needsSignIn = async (
      session: Partial<SessionData>,
      asked: AccessTokenRequest,
      changes: Partial<Options> = {},
      age = 0,
    ) => {
      const {
        context,
        ask: exchangeWith,
        advance,
      } = await signedInExchanges(changes, {
        ...signedIn,
        accessToken: undefined as never,
        ...session,
      });
      advance(age);
      const error: unknown = await accessTokenFor(context, exchangeWith(), asked).catch(
        (thrown: unknown) => thrown,
      );
      return error instanceof AccessTokenError ? error.needsSignIn : error;
    };
    expect(await needsSignIn({}, {})).toBe(true);
    expect(await needsSignIn({}, {}, { responseType: "id_token" })).toBe(false);
    expect(await needsSignIn({ ...good, accessTokenExpiresAt: 1 }, {})).toBe(true);
    expect(await needsSignIn(good, { resource })).toBe(false);
    expect(await needsSignIn(good, { resource }, {}, 60)).toBe(true);
  });

  test("if nothing can be kept, a token good for more than ten seconds is not refreshed", async () => {
    const fault = new LatchkeyError("ERR_READ_ONLY", "nothing can be kept");
    const changes = { fault: () => fault, write: () => undefined };
    const askWhile = async (secondsLeft: number, asked: AccessTokenRequest = {}) => {
      const token = { ...good, accessTokenExpiresAt: now + secondsLeft };
      const tokens = { ...token, ...heldHere(token), refreshToken: "rt" };
      const { context, ask: exchangeWith } = await signedInExchanges(
        {},
        { ...signedIn, ...tokens },
      );
      return accessTokenFor(context, exchangeWith(undefined, { changes }), asked);
    };
    expect(await askWhile(11)).toBe("at");
    await expect(askWhile(10)).rejects.toBe(fault);
    expect(await askWhile(11, { resource })).toBe("at");
    await expect(askWhile(10, { resource })).rejects.toBe(fault);
  });
});
