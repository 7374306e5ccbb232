import type { Members, Situation } from "../behavior.ts";
import { json } from "../faults.ts";
import type { Entry } from "./entry.ts";
import { addSuffix, entry, without } from "./entry.ts";
import { corruptSignature } from "./id-token-signature.ts";

function idToken(
  says: string,
  change: (claims: Members, situation: Situation) => Members,
  expect: Entry["expect"] = "refresh-fails",
): Entry {
  return entry(expect, `refreshes to an ID token ${says}`, {
    idToken: {
      claims: (claims, situation) =>
        situation.at === "refresh" ? change(claims, situation) : claims,
    },
  });
}

function response(
  expect: Entry["expect"],
  says: string,
  change: (body: Members) => Members,
): Entry {
  return entry(expect, says, {
    tokenResponse: (body, { at }) => (at === "refresh" ? change(body) : body),
  });
}

function refusal(status: number, error: string): Entry {
  return entry("refresh-fails", `responds to a refresh with ${status} ${error}`, {
    faults: { refresh: { kind: "replace", response: json({ error }, status) } },
  });
}

/** Responses of the token endpoint to a refresh token. */
export const refresh = {
  "CERT-049": entry("refresh-succeeds", "refreshes with a new refresh token", {}),
  "CERT-050": idToken("of another issuer", (claims) => addSuffix(claims, "iss")),
  "CERT-051": idToken("for another person", (claims) => addSuffix(claims, "sub")),
  "FAPI-018": entry("refresh-succeeds", "replaces the refresh token at each use", {}),
  "STD-024/audience": idToken("for another client", (claims) => addSuffix(claims, "aud")),
  "STD-024/old-iat": idToken("issued a week ago", (claims, { nowSeconds }) => ({
    ...claims,
    iat: nowSeconds - 604_800,
  })),
  "STD-024/auth_time": idToken(
    "with another auth_time",
    (claims, { nowSeconds }) => ({ ...claims, auth_time: nowSeconds - 12_345 }),
    "refresh-succeeds",
  ),
  "STD-024/nonce": idToken("with another nonce", (claims) => ({ ...claims, nonce: "another" })),
  "STD-024/azp": idToken("with the azp of another client", (claims) => ({
    ...claims,
    azp: "client-of-someone-else",
  })),
  "STD-024/signature": entry("refresh-fails", "refreshes to an ID token with a broken signature", {
    idToken: { text: (token, { at }) => (at === "refresh" ? corruptSignature(token) : token) },
  }),
  "STD-025/no-new-token": entry("refresh-succeeds", "refreshes and keeps the refresh token", {
    keepsRefreshToken: true,
  }),
  "STD-025/no-id-token": response("refresh-succeeds", "refreshes without an ID token", (body) =>
    without(body, "id_token"),
  ),
  "STD-053/invalid_grant": refusal(400, "invalid_grant"),
  "STD-053/server-error": refusal(500, "server_error"),
  "STD-053/no-access-token": response("refresh-fails", "refreshes to no access token", (body) =>
    without(body, "access_token"),
  ),
  "STD-053/unknown-type": response("refresh-fails", "refreshes to a token_type mac", (body) => ({
    ...body,
    token_type: "mac",
  })),
} satisfies Readonly<Record<string, Entry>>;
