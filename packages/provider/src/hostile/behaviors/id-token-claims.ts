import type { Members, Situation } from "../behavior.ts";
import type { Entry } from "./entry.ts";
import { addSuffix, badIDToken, entry, goodIDToken, text, without } from "./entry.ts";

type Change = (claims: Members, situation: Situation) => Members;

function claims(says: string, change: Change, needs: Entry["needs"] = {}): Entry {
  return badIDToken(says, { claims: change }, { needs });
}

function fine(says: string, change: Change): Entry {
  return goodIDToken(says, { claims: change });
}

const stranger = "client-of-someone-else";
const hybrid = { responseType: "code id_token" } as const;

const onlyAt =
  (at: Situation["at"], change: Change): Change =>
  (own, situation) =>
    situation.at === at ? change(own, situation) : own;

/** ID tokens with wrong claims, and valid but unusual ones. All signatures are valid. */
export const idTokenClaims = {
  "CERT-022": claims("appends a character to iss", (own) => addSuffix(own, "iss")),
  "CERT-023": claims("appends a character to aud", (own) => addSuffix(own, "aud")),
  "CERT-024": claims("leaves aud out", (own) => without(own, "aud")),
  "CERT-025": claims("leaves sub out", (own) => without(own, "sub")),
  "CERT-026": claims("leaves iat out", (own) => without(own, "iat")),
  "CERT-027": claims("appends a character to nonce", (own) => addSuffix(own, "nonce")),
  "CERT-028": entry("accept", "echoes the nonce in the authorization response", {}, hybrid),
  "CERT-036": claims(
    "has a wrong c_hash beside the code",
    onlyAt("authorization", (own) => ({ ...own, c_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
    hybrid,
  ),
  "CERT-037": claims("has no c_hash beside the code", (own) => without(own, "c_hash"), hybrid),
  "CERT-038": claims(
    "has a wrong at_hash",
    onlyAt("token", (own) => ({ ...own, at_hash: "AAAAAAAAAAAAAAAAAAAAAA" })),
  ),
  "FAPI-004/wrong": claims("names another issuer", (own) => ({
    ...own,
    iss: "https://other.example",
  })),
  "FAPI-004/missing": claims("leaves iss out", (own) => without(own, "iss")),
  "FAPI-005/wrong": claims("is for another client", (own) => ({ ...own, aud: stranger })),
  "FAPI-005/missing": claims("leaves aud out", (own) => without(own, "aud")),
  "FAPI-006": claims("is for us and a stranger, without azp", (own) => ({
    ...own,
    aud: [own["aud"], stranger],
  })),
  "FAPI-007": fine("has an audience of one in an array", (own) => ({ ...own, aud: [own["aud"]] })),
  "FAPI-010/expired": claims("expired six minutes ago", (own, { nowSeconds }) => ({
    ...own,
    exp: nowSeconds - 360,
  })),
  "FAPI-010/missing": claims("leaves exp out", (own) => without(own, "exp")),
  "FAPI-011/wrong": claims("has another nonce", (own) => ({ ...own, nonce: "another-nonce" })),
  "FAPI-011/missing": claims("leaves nonce out", (own) => without(own, "nonce")),
  "STD-005/trailing-slash": claims("appends a slash to iss", (own) => addSuffix(own, "iss", "/")),
  "STD-005/case": claims("has an issuer in capitals", (own) => ({
    ...own,
    iss: text(own["iss"]).toUpperCase(),
  })),
  "STD-005/port": claims("has an issuer without its port", (own) => ({
    ...own,
    iss: text(own["iss"]).replace(/:\d+/u, ""),
  })),
  "STD-005/percent": claims("has an issuer with a percent-encoded character", (own) => ({
    ...own,
    iss: text(own["iss"]).replace("localhost", "%6cocalhost"),
  })),
  "STD-006/number": claims("has a number as audience", (own) => ({ ...own, aud: 1 })),
  "STD-006/object": claims("has an object as audience", (own) => ({
    ...own,
    aud: { [text(own["aud"])]: true },
  })),
  "STD-006/empty-array": claims("has an empty audience", (own) => ({ ...own, aud: [] })),
  "STD-006/nested-array": claims("has an array in the array of audiences", (own) => ({
    ...own,
    aud: [[own["aud"]]],
  })),
  "STD-006/array-with-number": claims("has a number among the audiences", (own) => ({
    ...own,
    aud: [own["aud"], 1],
  })),
  "STD-007/untrusted-audience": claims("is for us and a stranger, with our azp", (own) => ({
    ...own,
    aud: [own["aud"], stranger],
    azp: own["aud"],
  })),
  "STD-007/azp-of-another": claims("has the azp of another client", (own) => ({
    ...own,
    azp: stranger,
  })),
  "STD-010": badIDToken(
    "is for several audiences under HS256",
    { claims: (own) => ({ ...own, aud: [own["aud"], stranger], azp: own["aud"] }) },
    { behavior: { alg: "HS256" } },
  ),
  "STD-011/61-seconds-ago": claims("expired 61 seconds ago", expiry(-61)),
  "STD-011/58-seconds-ago": fine("expired 58 seconds ago", expiry(-58)),
  "STD-011/text": claims("has exp as text", (own) => ({ ...own, exp: String(own["exp"]) })),
  "STD-011/null": claims("has exp null", (own) => ({ ...own, exp: null })),
  "STD-011/not-a-number": badIDToken("has exp NaN, which is no JSON", {
    payload: (json) => json.replace(/"exp":\d+/u, '"exp":NaN'),
  }),
  "STD-011/huge": {
    ...claims("has exp 1e300", (own) => ({ ...own, exp: 1e300 })),
    expect: "either",
  },
  "STD-011/negative": claims("has a negative exp", (own) => ({ ...own, exp: -1 })),
  "STD-012/future": claims("was issued two minutes from now", (own, { nowSeconds }) => ({
    ...own,
    iat: nowSeconds + 120,
  })),
  "STD-012/week-old": claims("was issued a week ago", (own, { nowSeconds }) => ({
    ...own,
    iat: nowSeconds - 604_800,
  })),
  "STD-013": badIDToken(
    "is the ID token of the sign-in before",
    { text: (token, { previousIDToken }) => previousIDToken ?? token },
    { needs: { secondSignIn: true } },
  ),
  "STD-015/missing": claims("has no auth_time under max_age", (own) => without(own, "auth_time"), {
    maxAge: 3600,
  }),
  "STD-015/too-old": claims("has an auth_time older than max_age", withAuthTime(-7200), {
    maxAge: 3600,
  }),
  "STD-015/zero": claims("has an auth_time of an hour ago under max_age 0", withAuthTime(-3600), {
    maxAge: 0,
  }),
  "STD-016": claims(
    "has the at_hash of another access token",
    onlyAt("token", (own) => ({
      ...own,
      at_hash: text(own["at_hash"]).split("").toReversed().join(""),
    })),
  ),
  "STD-017": claims(
    "has a wrong nonce in the authorization response and the right one in the token response",
    onlyAt("authorization", (own) => addSuffix(own, "nonce")),
    hybrid,
  ),
  "STD-018/subject": claims(
    "names another person in the token response than in the authorization response",
    onlyAt("token", (own) => addSuffix(own, "sub")),
    hybrid,
  ),
  "STD-018/issuer": claims(
    "names another issuer in the token response than in the authorization response",
    onlyAt("token", (own) => addSuffix(own, "iss")),
    hybrid,
  ),
  "STD-026": claims("is the ID token of another client of this provider", (own) => ({
    ...own,
    aud: stranger,
    azp: stranger,
  })),
  "STD-049": claims(
    "does not belong to the access token beside it",
    onlyAt("token", (own) => ({ ...own, at_hash: "BBBBBBBBBBBBBBBBBBBBBB" })),
  ),
  "STD-066": claims("names another issuer than the iss parameter", (own) => ({
    ...own,
    iss: "https://issuer-b.example",
  })),
  "REL-F16/iat-61-ahead": claims("was issued by a clock 61 seconds ahead", withIssuedAt(61)),
  "REL-F16/iat-58-ahead": fine("was issued by a clock 58 seconds ahead", withIssuedAt(58)),
  "REL-F16/nbf-61-ahead": claims("is not valid for another 61 seconds", notBefore(61)),
  "REL-F16/nbf-58-ahead": fine("is not valid for another 58 seconds", notBefore(58)),
} satisfies Readonly<Record<string, Entry>>;

function expiry(seconds: number): Change {
  return (own, { nowSeconds }) => ({ ...own, iat: nowSeconds - 120, exp: nowSeconds + seconds });
}

function withAuthTime(seconds: number): Change {
  return (own, { nowSeconds }) => ({ ...own, auth_time: nowSeconds + seconds });
}

function withIssuedAt(seconds: number): Change {
  // Rounding down to whole seconds would let a token of 61 seconds pass as one of 60.
  return (own, { nowSeconds }) => ({ ...own, iat: nowSeconds + seconds + (seconds > 60 ? 1 : 0) });
}

function notBefore(seconds: number): Change {
  return (own, { nowSeconds }) => ({ ...own, nbf: nowSeconds + seconds + (seconds > 60 ? 1 : 0) });
}
