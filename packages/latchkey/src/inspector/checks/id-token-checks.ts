import { isNumericDate } from "../../crypto/json-object.ts";
import { issuerFor } from "../../oidc/issuer/tenants.ts";
import { hasOtherAudiences } from "../../oidc/tokens/id-token.ts";
import { leftHalfHash } from "../../oidc/tokens/token-hash.ts";
import { shorten } from "../mask.ts";
import type { Seen } from "../watch-context.ts";
import type { CallbackFacts, CheckLine } from "./facts.ts";
import { issuerOf } from "./response-checks.ts";

/** The checks of the ID token, in their order (OpenID Connect Core 3.1.3.7). */
export const idTokenChecks: readonly CheckLine[] = [
  {
    name: "ID token",
    reasons: ["token_malformed"],
    expected: () => "a signed JWT in three parts, typ JWT or none, without events",
    actual: ({ idToken }) => {
      if (idToken === null) return "none that can be read";
      const { header, payload, parts } = idToken;
      const { typ, alg } = header;
      return { parts, typ, alg, events: payload["events"] };
    },
  },
  {
    name: "alg",
    reasons: ["token_algorithm"],
    expected: ({ config }) => config.idTokenSigningAlg,
    actual: ({ idToken }) => idToken?.header["alg"],
  },
  {
    name: "kid",
    reasons: ["token_key_unknown", "keys_invalid"],
    applies: ({ config }) => !config.idTokenSigningAlg.startsWith("HS"),
    expected: () => "a key of the provider",
    actual: ({ idToken }) => idToken?.header["kid"] ?? "none named",
  },
  {
    name: "Signature",
    reasons: ["token_signature"],
    expected: () => "valid",
    actual: ({ seen }) => (isForged(seen) ? "not valid" : "valid"),
  },
  {
    name: "iss",
    reasons: ["token_issuer"],
    expected: (facts) => {
      const { metadata } = facts.seen;
      const published = metadata && issuerFor(metadata.issuer, facts.idToken?.payload ?? {});
      return published ?? issuerOf(facts);
    },
    actual: claim("iss"),
  },
  {
    name: "sub",
    reasons: ["token_subject"],
    expected: () => "text of 1 to 255 characters",
    actual: claim("sub"),
  },
  {
    name: "aud",
    reasons: ["token_audience"],
    expected: ({ config: { clientID, trustedAudiences } }) =>
      [clientID, ...trustedAudiences].join(", "),
    actual: claim("aud"),
  },
  {
    name: "azp",
    reasons: ["token_authorized_party"],
    applies: ({ idToken, config }) =>
      idToken?.payload["azp"] !== undefined || hasOtherAudiences(idToken?.payload["aud"], config),
    expected: ({ config }) => config.clientID,
    actual: claim("azp"),
  },
  {
    name: "exp",
    reasons: ["token_expired"],
    expected: ({ now, config }) => `after ${moment(now)}, tolerance ${config.clockTolerance} s`,
    actual: time("exp"),
  },
  {
    name: "nbf",
    reasons: ["token_not_yet_valid"],
    applies: has("nbf"),
    expected: ({ now, config }) => `before ${moment(now)}, tolerance ${config.clockTolerance} s`,
    actual: time("nbf"),
  },
  {
    name: "iat",
    reasons: ["token_issued_at"],
    expected: ({ now, config }) =>
      `at most 600 s before ${moment(now)}, tolerance ${config.clockTolerance} s`,
    actual: time("iat"),
  },
  {
    name: "nonce",
    reasons: ["token_nonce"],
    expected: ({ transaction }) => shorten(transaction?.nonce ?? ""),
    actual: ({ idToken }) => {
      const nonce = idToken?.payload["nonce"];
      return typeof nonce === "string" ? shorten(nonce) : nonce;
    },
  },
  {
    name: "auth_time",
    reasons: ["token_auth_time"],
    applies: ({ transaction }) => transaction?.maxAge !== undefined,
    expected: ({ transaction, now }) => `at most ${transaction?.maxAge} s before ${moment(now)}`,
    actual: time("auth_time"),
  },
  {
    name: "c_hash",
    reasons: ["token_code_hash"],
    applies: ({ isFrontChannel, parameters }) => isFrontChannel && parameters.has("code"),
    expected: hashOf(({ parameters }) => parameters.get("code")),
    actual: claim("c_hash"),
  },
  {
    name: "s_hash",
    reasons: ["token_state_hash"],
    applies: has("s_hash"),
    expected: hashOf(({ transaction }) => transaction?.state),
    actual: claim("s_hash"),
  },
  {
    name: "at_hash",
    reasons: ["token_access_token_hash"],
    applies: has("at_hash"),
    expected: hashOf(({ tokenCall }) => tokenCall?.response?.["access_token"]),
    actual: claim("at_hash"),
  },
  {
    name: "tid",
    reasons: ["tenant_not_admitted"],
    applies: ({ config }) => config.tenants !== undefined,
    expected: ({ config }) => config.tenants?.join(" or ") ?? "",
    actual: claim("tid"),
  },
];

function claim(name: string): CheckLine["actual"] {
  return ({ idToken }) => idToken?.payload[name];
}

function has(name: string): (facts: CallbackFacts) => boolean {
  return ({ idToken }) => idToken?.payload[name] !== undefined;
}

function time(name: string): CheckLine["actual"] {
  return ({ idToken }) => {
    const value = idToken?.payload[name];
    return isNumericDate(value) ? moment(value) : value;
  };
}

const latest = 8_640_000_000_000;

/** The number of the claim, and the same for readers. */
function moment(seconds: number): string {
  if (Math.abs(seconds) > latest) return String(seconds);
  return `${seconds} (${new Date(seconds * 1000).toISOString().slice(0, 19)}Z)`;
}

function hashOf(valueOf: (facts: CallbackFacts) => unknown): CheckLine["expected"] {
  return (facts) => {
    const value = valueOf(facts);
    const alg = facts.idToken?.header["alg"];
    return typeof value === "string" && typeof alg === "string"
      ? leftHalfHash(value, alg)
      : "that of the value";
  };
}

function isForged({ refusal }: Seen): boolean {
  return refusal?.reason === "token_signature" && refusal.kind === "id_token";
}
