import type { Entry } from "./entry.ts";
import { badIDToken, entry, goodIDToken, without } from "./entry.ts";

/** What real providers do, odd but allowed unless it says otherwise. */
export type QuirkBehaviour =
  | "PROVIDERS/azp-with-one-audience"
  | "PROVIDERS/auth_time-zero"
  | "PROVIDERS/c_hash-in-code-flow"
  | "PROVIDERS/nbf"
  | "PROVIDERS/claims-named-alg-and-typ"
  | "PROVIDERS/numeric-sub"
  | "PROVIDERS/short-life"
  | "PROVIDERS/long-life"
  | "PROVIDERS/typ-JWT"
  | "PROVIDERS/nonce-lost"
  | "PROVIDERS/request-echoed"
  | "PROVIDERS/any-order"
  | "PROVIDERS/no-iss-parameter"
  | "PROVIDERS/keys-without-use"
  | "STD-129";

const numericSub = "00012345678901234567890";

export const quirks: Readonly<Record<QuirkBehaviour, Entry>> = {
  "PROVIDERS/azp-with-one-audience": goodIDToken("has azp with one audience", {
    claims: (claims) => ({ ...claims, azp: claims["aud"] }),
  }),
  "PROVIDERS/auth_time-zero": goodIDToken("has auth_time 0", {
    claims: (claims) => ({ ...claims, auth_time: 0 }),
  }),
  "PROVIDERS/c_hash-in-code-flow": goodIDToken("has a c_hash in the code flow", {
    claims: (claims) => ({ ...claims, c_hash: "AAAAAAAAAAAAAAAAAAAAAA" }),
  }),
  "PROVIDERS/nbf": goodIDToken("has nbf", {
    claims: (claims, { nowSeconds }) => ({ ...claims, nbf: nowSeconds }),
  }),
  "PROVIDERS/claims-named-alg-and-typ": goodIDToken("has claims named alg and typ", {
    claims: (claims) => ({ ...claims, alg: "none", typ: "ID" }),
  }),
  "PROVIDERS/numeric-sub": goodIDToken(
    "has a sub that looks like a number",
    { claims: (claims) => ({ ...claims, sub: numericSub }) },
    { behaviour: { userinfo: (claims) => ({ ...claims, sub: numericSub }) } },
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
};
