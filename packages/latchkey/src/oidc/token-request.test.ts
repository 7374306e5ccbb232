import { expect, test } from "vitest";

import type { Members } from "../../test/worlds/quick-provider.ts";
import { quickRelyingParty } from "../../test/worlds/quick-relying-party.ts";
import { recordedProvider } from "../../test/worlds/recorded-provider.ts";
import { refreshTokens, requestTokens } from "./token-request.ts";

/** Exchanges a code at a token endpoint with this response. */
function tokensFrom(respond: (good: Members) => Response) {
  const { quick, connection } = quickRelyingParty();
  quick.answers.token = respond;
  return requestTokens(connection, {
    code: "a-code",
    codeVerifier: "v".repeat(43),
    redirectURI: "https://app.example/api/auth/callback",
  });
}

const withMembers = (changes: Members) =>
  tokensFrom((good) => Response.json({ ...good, ...changes }));

test("a null member counts as absent, and so does an empty scope", async () => {
  const changes = { refresh_token: null, expires_in: null, id_token: null, scope: "" };
  expect(await withMembers({ ...changes, access_token: "a" })).toEqual({
    accessToken: "a",
    idToken: undefined,
    refreshToken: undefined,
    scope: undefined,
    expiresIn: undefined,
  });
});

test.each(["Bearer", "bearer", "BEARER"])(
  "a token of type %s is taken (RFC 6749, 5.1)",
  async (type) => {
    expect(await withMembers({ token_type: type })).toHaveProperty("accessToken");
  },
);

test.each(["DPoP", "mac"])("a token of type %s is refused (RFC 6749, 7.1)", async (type) => {
  await expect(withMembers({ token_type: type })).rejects.toMatchObject({
    reason: "token_response_invalid",
    detail: `token_type is ${type}, not Bearer`,
  });
});

const failure =
  (error: unknown, status = 400) =>
  () =>
    Response.json({ error }, { status });
const challenge = (status: number) => () =>
  new Response("", { status, headers: { "www-authenticate": "Basic" } });
const typeless = () => Response.json({ access_token: "a", token_type: 7 });

test.each([
  ["an HTML page with status 502", () => new Response("<h1>", { status: 502 }), "provider_failed"],
  ["an error with status 503", failure("x", 503), "provider_busy"],
  ["an unknown error", failure("x"), "token_response_invalid"],
  ["a spent code", failure("invalid_grant"), "code_rejected"],
  ["a refused client", failure("invalid_client", 401), "client_rejected"],
  ["a challenge", challenge(401), "client_rejected"],
  ["a challenge of another kind", challenge(403), "token_response_invalid"],
  ["an error of a broken server", failure("x", 500), "provider_failed"],
  ["no error at all", failure(undefined), "token_response_invalid"],
  ["a status that is not asked for", failure(undefined, 201), "token_response_invalid"],
  ["a type that is no text", typeless, "token_response_invalid"],
  ["a list", () => Response.json([]), "token_response_invalid"],
] as const)("a token response that is %s has a reason of its own", async (_, respond, reason) => {
  await expect(tokensFrom(respond)).rejects.toMatchObject({ reason });
});

test("what the provider says of an error is kept for the log on one line, and for the person", async () => {
  const error = { error: "invalid_grant", error_description: "The code was spent." };
  await expect(
    tokensFrom(() => Response.json({ ...error, error: "x\n".repeat(200) }, { status: 400 })),
  ).rejects.toMatchObject({ detail: expect.stringMatching(/^[^\n]{300,400}$/) as string });
  await expect(tokensFrom(() => Response.json(error, { status: 400 }))).rejects.toMatchObject({
    detail: "token request with client_secret_basic (the provider lists: unknown): invalid_grant",
    providerText: "The code was spent.",
  });
  for (const error_description of [undefined, { text: "The code was spent." }]) {
    const wordless = { error: "invalid_grant", error_description };
    await expect(tokensFrom(() => Response.json(wordless, { status: 400 }))).rejects.toMatchObject({
      providerText: "invalid_grant",
    });
  }
});

test("the log has the status of a failing provider", async () => {
  await expect(tokensFrom(() => new Response("<h1>", { status: 502 }))).rejects.toMatchObject({
    detail: "token request with client_secret_basic (the provider lists: unknown): status 502",
  });
});

test("an ID token is handed on as it came, and a scope as it was granted", async () => {
  const members = { id_token: "a.b.c", scope: "openid email", refresh_token: "r" };
  expect(await withMembers(members)).toMatchObject({
    idToken: "a.b.c",
    scope: "openid email",
    refreshToken: "r",
    expiresIn: 300,
  });
});

test("a long type is cut in the log", async () => {
  const typed = withMembers({ token_type: "x".repeat(100) });
  const detail = `token_type is ${"x".repeat(20)}, not Bearer`;
  await expect(typed).rejects.toMatchObject({ detail });
});

const tokens = () => Response.json({ access_token: "a", token_type: "Bearer" });

test("a code is exchanged with its verifier and the address of the callback (RFC 7636, 4.5)", async () => {
  const { connection, calls } = recordedProvider(tokens);
  await requestTokens(connection, {
    code: "a-code",
    codeVerifier: "a-verifier",
    redirectURI: "https://app.example/api/auth/callback",
  });
  expect(calls).toMatchObject([{ path: "/token", method: "POST" }]);
  expect(calls[0]?.form).toEqual({
    grant_type: "authorization_code",
    code: "a-code",
    code_verifier: "a-verifier",
    redirect_uri: "https://app.example/api/auth/callback",
  });
});

test.each([
  [undefined, {}],
  [{ scope: "openid" }, { scope: "openid" }],
  [{ resource: "https://api.example" }, { resource: "https://api.example" }],
])("a refresh with %j requests no more (RFC 6749, 6)", async (asked, form) => {
  const { connection, calls } = recordedProvider(tokens);
  await refreshTokens(connection, "a-token", asked);
  expect(calls.map((call) => call.form)).toEqual([
    { grant_type: "refresh_token", refresh_token: "a-token", ...form },
  ]);
});

test("a rejected client is logged with the methods in the provider's metadata", async () => {
  const metadata = { token_endpoint_auth_methods_supported: ["private_key_jwt", "none"] };
  const refused = recordedProvider(failure("invalid_client", 401), { metadata });
  const { connection } = refused;
  await expect(refreshTokens(connection, "a-token")).rejects.toMatchObject({
    detail:
      "token request with client_secret_basic (the provider lists: private_key_jwt, none): invalid_client",
  });
});
