import type { Members } from "../behavior.ts";
import { json } from "../faults.ts";
import type { Entry } from "./entry.ts";
import { entry, without } from "./entry.ts";

type Change = (body: Members) => unknown;

function atCode(expect: Entry["expect"], says: string, change: Change): Entry {
  return entry(expect, says, {
    tokenResponse: (body, { at }) => (at === "token" ? change(body) : body),
  });
}

function refusal(status: number, error: string): Entry {
  const body = { error, error_description: "No <b>such</b> luck." };
  return entry("refuse", `responds to the code with ${status} ${error}`, {
    faults: { token: { kind: "replace", response: json(body, status) } },
  });
}

/** Responses of the token endpoint to a code, and methods of client authentication. */
export const tokenResponse = {
  "CERT-020/code": entry("accept", "behaves well with a code", {}, { responseType: "code" }),
  "CERT-020/code id_token": entry(
    "accept",
    "behaves well with a code and an ID token in the authorization response",
    {},
    {
      responseType: "code id_token",
    },
  ),
  "CERT-020/id_token": entry(
    "accept",
    "behaves well with an ID token in the authorization response",
    {},
    {
      responseType: "id_token",
    },
  ),
  "CERT-021": entry("accept", "accepts HTTP Basic only", { authMethod: "client_secret_basic" }),
  "CERT-092/client_secret_post": entry("accept", "accepts the secret in the body only", {
    authMethod: "client_secret_post",
  }),
  "CERT-092/client_secret_jwt": entry(
    "accept",
    "accepts an assertion signed with the secret only",
    {
      authMethod: "client_secret_jwt",
    },
  ),
  "CERT-092/private_key_jwt": entry("accept", "accepts an assertion signed with a key only", {
    authMethod: "private_key_jwt",
  }),
  "FAPI-015": atCode("accept", "has no expires_in", (body) => without(body, "expires_in")),
  "FAPI-016/odd-case": atCode("accept", "has token_type bEARER", (body) => ({
    ...body,
    token_type: "bEARER",
  })),
  "FAPI-016/unknown-type": atCode("refuse", "has token_type mac", (body) => ({
    ...body,
    token_type: "mac",
  })),
  "STD-004/no-id-token": atCode("refuse", "has no ID token", (body) => without(body, "id_token")),
  "STD-004/no-access-token": atCode("refuse", "has no access token", (body) =>
    without(body, "access_token"),
  ),
  "STD-004/no-token-type": atCode("refuse", "has no token_type", (body) =>
    without(body, "token_type"),
  ),
  "STD-004/null-id-token": atCode("refuse", "has a null ID token", (body) => ({
    ...body,
    id_token: null,
  })),
  "STD-004/number-access-token": atCode("refuse", "has a number as access token", (body) => ({
    ...body,
    access_token: 12_345,
  })),
  "STD-044": entry("accept", "does not support PKCE", {
    ignoresPKCE: true,
    metadata: (metadata) => without(metadata, "code_challenge_methods_supported"),
  }),
  "PROVIDERS/invalid_grant": refusal(400, "invalid_grant"),
  "PROVIDERS/invalid_client": refusal(401, "invalid_client"),
  "PROVIDERS/unauthorized_client": refusal(403, "unauthorized_client"),
  "PROVIDERS/invalid_code": refusal(403, "invalid_code"),
  "PROVIDERS/raw-basic": entry("either", "reads client ID and secret in HTTP Basic unencoded", {
    rawBasic: true,
  }),
  "PROVIDERS/no-scope": atCode("accept", "has no scope", (body) => without(body, "scope")),
  "PROVIDERS/other-scope": atCode("accept", "has another scope", (body) => ({
    ...body,
    scope: "openid something-else",
  })),
  "PROVIDERS/expires_in-text": atCode("accept", "has expires_in as text", (body) => ({
    ...body,
    expires_in: "300",
  })),
  "PROVIDERS/no-refresh-token": atCode("accept", "has no refresh token", (body) =>
    without(body, "refresh_token"),
  ),
  "PROVIDERS/token_type-case": atCode("accept", "has token_type bearer", (body) => ({
    ...body,
    token_type: "bearer",
  })),
} satisfies Readonly<Record<string, Entry>>;
