import type { Entry } from "./entry.ts";
import { badIDToken, entry, goodIDToken, without } from "./entry.ts";

const numericSub = "00012345678901234567890";

const unprintable = "x\r\nSet-Cookie: evil=1\r\n\r\n\0\u0085<b>";

/** What real providers do: unusual and, unless the entry expects otherwise, allowed. */
export const quirks = {
  "PROVIDERS/azp-with-one-audience": goodIDToken("has azp with one audience", {
    claims: (claims) => ({ ...claims, azp: claims["aud"] }),
  }),
  "PROVIDERS/auth_time-zero": goodIDToken("has auth_time 0", {
    claims: (claims) => ({ ...claims, auth_time: 0 }),
  }),
  "PROVIDERS/c_hash-in-code-flow": goodIDToken(
    "has a c_hash in the code flow",
    { claims: (claims) => ({ ...claims, c_hash: "AAAAAAAAAAAAAAAAAAAAAA" }) },
    { needs: { responseType: "code" } },
  ),
  "PROVIDERS/nbf": goodIDToken("has nbf", {
    claims: (claims, { nowSeconds }) => ({ ...claims, nbf: nowSeconds }),
  }),
  "PROVIDERS/claims-named-alg-and-typ": goodIDToken("has claims named alg and typ", {
    claims: (claims) => ({ ...claims, alg: "none", typ: "ID" }),
  }),
  "PROVIDERS/numeric-sub": goodIDToken(
    "has a sub that looks like a number",
    { claims: (claims) => ({ ...claims, sub: numericSub }) },
    { behavior: { userinfo: (claims) => ({ ...claims, sub: numericSub }) } },
  ),
  "PROVIDERS/short-life": goodIDToken("lives for two minutes", {
    claims: (claims, { nowSeconds }) => ({ ...claims, exp: nowSeconds + 120 }),
  }),
  "PROVIDERS/long-life": goodIDToken("lives for 30 days", {
    claims: (claims, { nowSeconds }) => ({ ...claims, exp: nowSeconds + 2_592_000 }),
  }),
  "PROVIDERS/typ-JWT": goodIDToken("is of the type JWT", {
    header: (header) => ({ ...header, typ: "JWT" }),
  }),
  "PROVIDERS/nonce-lost": badIDToken("has lost the nonce on a consent page", {
    claims: (claims) => without(claims, "nonce"),
  }),
  "PROVIDERS/request-echoed": entry("accept", "sends the whole request back", {
    authorizationResponse: (parameters, { request }) => [
      ...parameters,
      ...Object.entries(request).filter(([name]) => name !== "state"),
    ],
  }),
  "PROVIDERS/any-order": entry("accept", "sends its parameters in another order", {
    authorizationResponse: (parameters) => parameters.toReversed(),
  }),
  "PROVIDERS/no-iss-parameter": entry("accept", "neither promises nor sends iss", {
    metadata: (metadata) => without(metadata, "authorization_response_iss_parameter_supported"),
    authorizationResponse: (parameters) => parameters.filter(([name]) => name !== "iss"),
  }),
  "PROVIDERS/keys-without-use": entry("accept", "publishes keys without use", {
    keySet: (keys) => keys.map(({ use: _use, ...key }) => key),
  }),
  "STD-129": goodIDToken("is too long for an address", {
    claims: (claims) => ({ ...claims, "urn:example:padding": "x".repeat(9000) }),
  }),
  "STD-128": entry("signed-out", "has no end_session_endpoint to send anybody to", {
    metadata: (metadata) => without(metadata, "end_session_endpoint"),
  }),
  "STD-141": {
    ...goodIDToken("has 40 KB of claims, more than cookies can hold", {
      claims: (claims) => ({ ...claims, groups: Array.from({ length: 2000 }, groupName) }),
    }),
    expect: "either",
  },
  "STD-147/claims": goodIDToken("has control characters and line breaks in its claims", {
    claims: (claims) => ({ ...claims, nickname: unprintable, locale: "\u2028\u2029\u202E" }),
  }),
} satisfies Readonly<Record<string, Entry>>;

function groupName(_nothing: unknown, index: number): string {
  return `group-number-${index + 1}`;
}
