import { describe, expect, test } from "vitest";

import { quickRelyingParty } from "../../test/worlds/quick-relying-party.ts";
import { requestTokens } from "./token-request.ts";
import { endOfAccessToken } from "./token-response.ts";

/** Exchanges a code at a token endpoint with this response. */
function tokensFrom(response: Response) {
  const { quick, connection, events } = quickRelyingParty();
  quick.answers.token = () => response;
  const tokens = requestTokens(connection, {
    code: "a-code",
    codeVerifier: "v".repeat(43),
    redirectURI: "https://app.example/api/auth/callback",
  });
  return { tokens, events };
}

const needed = { access_token: "a", token_type: "Bearer" };
const withMembers = (members: object) => tokensFrom(Response.json({ ...needed, ...members }));
const warned = (fault: string) => [
  `The provider's token response: ${fault}, and counts as absent.`,
];

describe("an optional member of a token response", () => {
  test.each([
    [{ scope: "openid email" }, { scope: "openid email" }],
    [{ scope: ["openid", "email"] }, { scope: "openid email" }],
    [{ scope: ["openid email"] }, { scope: "openid email" }],
    [{ refresh_token: "r" }, { refreshToken: "r" }],
    [{ expires_in: 3600 }, { expiresIn: 3600 }],
    [{ expires_in: "3600" }, { expiresIn: 3600 }],
    [{ expires_in: 59.5 }, { expiresIn: 59.5 }],
    [{ expires_in: 0 }, { expiresIn: 0 }],
    [{ expires_in: "0" }, { expiresIn: 0 }],
    [{ id_token: "i.d.t" }, { idToken: "i.d.t" }],
    [{ scope: null, refresh_token: null, expires_in: null, id_token: null }, {}],
    [{ error: "", error_description: null }, {}],
    [{ error: "a word beside tokens" }, {}],
    [{ of_its_own: { a: 1 } }, {}],
  ])("is read from %j without a word", async (members, read) => {
    const { tokens, events } = withMembers(members);
    expect(await tokens).toEqual({ accessToken: "a", ...read });
    expect(events).toEqual([]);
  });

  test.each([
    [{ scope: "" }, "scope is an empty text, not a text"],
    [{ scope: [] }, "scope is an empty list, not a text"],
    [{ scope: ["openid", 7] }, "scope is a list, not a text"],
    [{ scope: { openid: true } }, "scope is an object, not a text"],
    [{ scope: 7 }, "scope is a number, not a text"],
    [{ refresh_token: "" }, "refresh_token is an empty text, not a text"],
    [{ refresh_token: 7 }, "refresh_token is a number, not a text"],
    [{ refresh_token: false }, "refresh_token is a boolean, not a text"],
    [{ refresh_token: ["r"] }, "refresh_token is a list, not a text"],
    [{ expires_in: "" }, "expires_in is an empty text, not a lifetime in seconds"],
    [{ expires_in: "2026-11-28T12:00:00Z" }, "expires_in is a text, not a lifetime in seconds"],
    [{ expires_in: "3600s" }, "expires_in is a text, not a lifetime in seconds"],
    [{ expires_in: "-1" }, "expires_in is a text, not a lifetime in seconds"],
    [{ expires_in: "1e3" }, "expires_in is a text, not a lifetime in seconds"],
    [{ expires_in: "0x10" }, "expires_in is a text, not a lifetime in seconds"],
    [{ expires_in: " 60 " }, "expires_in is a text, not a lifetime in seconds"],
    [{ expires_in: "never" }, "expires_in is a text, not a lifetime in seconds"],
    [{ expires_in: -1 }, "expires_in is a number, not a lifetime in seconds"],
    [{ expires_in: 1e12 }, "expires_in is a number, not a lifetime in seconds"],
    [{ expires_in: true }, "expires_in is a boolean, not a lifetime in seconds"],
    [{ expires_in: {} }, "expires_in is an object, not a lifetime in seconds"],
  ])("that cannot be used is absent, with one warning: %j", async (members, fault) => {
    const { tokens, events } = withMembers(members);
    expect(await tokens).toEqual({ accessToken: "a" });
    expect(events.map((each) => each.event === "warning" && each.message)).toEqual(warned(fault));
  });

  test("that cannot be used is not in the log itself", async () => {
    const { tokens, events } = withMembers({ refresh_token: ["the-secret"] });
    await tokens;
    expect(JSON.stringify(events)).not.toContain("the-secret");
  });
});

describe("what is needed of a token response", () => {
  test.each([
    [{ access_token: undefined }, "access_token is missing, not a text"],
    [{ access_token: null }, "access_token is missing, not a text"],
    [{ access_token: "" }, "access_token is an empty text, not a text"],
    [{ access_token: 7 }, "access_token is a number, not a text"],
    [{ access_token: ["a"] }, "access_token is a list, not a text"],
    [{ access_token: { value: "a" } }, "access_token is an object, not a text"],
    [{ id_token: "" }, "id_token is an empty text, not a text"],
    [{ id_token: 7 }, "id_token is a number, not a text"],
    [{ id_token: ["i.d.t"] }, "id_token is a list, not a text"],
    [{ token_type: undefined }, "token_type is missing, not a text"],
    [{ token_type: null }, "token_type is missing, not a text"],
    [{ token_type: "" }, "token_type is an empty text, not a text"],
    [{ token_type: ["Bearer"] }, "token_type is a list, not a text"],
  ])("is refused with the rule in the log: %j", async (members, fault) => {
    await expect(withMembers(members).tokens).rejects.toMatchObject({
      reason: "token_response_invalid",
      detail: `token response: ${fault}`,
    });
  });

  test.each(["BearerToken", "Bearer ", "DPoP", "N_A", "mac"])(
    "is refused for the foreign type %j",
    async (type) => {
      await expect(withMembers({ token_type: type }).tokens).rejects.toMatchObject({
        reason: "token_response_invalid",
        detail: `token_type is ${type}, not Bearer`,
      });
    },
  );

  test.each([
    ["[]", "it is an empty list"],
    ["", "it is empty"],
    ["access_token=a&token_type=bearer", "it is not JSON, or not all of it"],
    ["<!doctype html>", "it is HTML or XML"],
    ['{"access_token":"a","access_token":"b"}', 'it has "access_token" twice'],
  ])("is refused in %j with what it is", async (body, fault) => {
    await expect(tokensFrom(new Response(body)).tokens).rejects.toMatchObject({
      reason: "token_response_invalid",
      detail: `token response: not a JSON object: ${fault}`,
    });
  });
});

describe("an error response is one whatever its status and type", () => {
  test.each([
    [{ error: "invalid_client", error_description: "no" }, "client_rejected", "invalid_client"],
    [{ error: "invalid_grant" }, "code_rejected", "invalid_grant"],
    [{ ok: false, error: "invalid_auth" }, "token_response_invalid", "invalid_auth"],
    [{ error: "bad_verification_code" }, "token_response_invalid", "bad_verification_code"],
    [{ error: "invalid_client", access_token: "" }, "client_rejected", "invalid_client"],
    [{ error: "invalid_client", access_token: null }, "client_rejected", "invalid_client"],
    [{ error: { message: "no such app", code: 7 } }, "token_response_invalid", "no such app"],
    [{ error: { code: 7 } }, "token_response_invalid", '{"code":7}'],
    [{ error: 7 }, "token_response_invalid", "7"],
  ])("%j", async (body, reason, words) => {
    const text = JSON.stringify(body);
    const asText = { "Content-Type": "text/plain" };
    const responses = [
      Response.json(body),
      Response.json(body, { status: 201 }),
      Response.json(body, { status: 400 }),
      new Response(text, { headers: asText }),
      new Response(text, { status: 403, headers: asText }),
    ];
    for (const response of responses) {
      // oxlint-disable-next-line no-await-in-loop -- one world for each
      await expect(tokensFrom(response).tokens).rejects.toMatchObject({
        reason,
        detail: `token request with client_secret_basic (the provider lists: unknown): ${words}`,
      });
    }
  });
});

test.each([
  [401, "client_rejected"],
  [404, "token_response_invalid"],
  [201, "token_response_invalid"],
  [500, "provider_failed"],
])("a token response with status %i and without words is %s", async (status, reason) => {
  const response = new Response("<p>no", { status, headers: { "Content-Type": "text/html" } });
  await expect(tokensFrom(response).tokens).rejects.toMatchObject({
    reason,
    detail: `token request with client_secret_basic (the provider lists: unknown): status ${status}`,
  });
});

test.each([
  [undefined, undefined],
  [0, undefined],
  [0.5, undefined],
  [1, 1001],
  [59.9, 1059],
  [3600, 4600],
])("a lifetime of %j seconds from 1000 on ends at %j", (expiresIn, end) => {
  const response = { accessToken: "a", idToken: undefined, refreshToken: undefined };
  expect(endOfAccessToken({ ...response, scope: undefined, expiresIn }, 1000)).toBe(end);
});
