import type { Members } from "../behavior.ts";
import type { Fault } from "../faults.ts";
import { json } from "../faults.ts";
import type { Entry } from "./entry.ts";
import { addSuffix, entry, without } from "./entry.ts";
import { corruptSignature, otherAlgorithm } from "./id-token-signature.ts";

function badUserinfo(says: string, change: (claims: Members) => unknown): Entry {
  return entry("userinfo-discarded", `userinfo ${says}`, { userinfo: change });
}

function otherResponse(says: string, contentType: string, body: string): Entry {
  const fault: Fault = {
    kind: "replace",
    response: { status: 200, headers: { "Content-Type": contentType }, body },
  };
  return entry("userinfo-discarded", `userinfo ${says}`, { faults: { userinfo: fault } });
}

function signResponse(says: string, change: (claims: Members) => Members): Entry {
  return entry("userinfo-discarded", `userinfo is a JWT ${says}`, {
    userinfoToken: { claims: change },
  });
}

/** Its label does not count: what came decides. */
function withContentType(says: string, contentType: string, more: Entry["behavior"] = {}): Entry {
  const fault: Fault = {
    kind: "mangle",
    mangle: (good) => ({ ...good, headers: { ...good.headers, "Content-Type": contentType } }),
  };
  return entry("either", `userinfo ${says}`, { ...more, faults: { userinfo: fault } });
}

const aggregated = {
  _claim_names: { address: "src1" },
  _claim_sources: { src1: { JWT: "eyJhbGciOiJub25lIn0.eyJhZGRyZXNzIjoiSGFyYm91ciJ9." } },
};

/** Responses of the userinfo endpoint. */
export const userinfo = {
  "CERT-040": badUserinfo("is about another person", (claims) => addSuffix(claims, "sub")),
  "CERT-041": entry("accept", "userinfo accepts the access token in the header only", {}),
  "CERT-042/signed": entry("accept", "userinfo is a signed JWT", { userinfoToken: {} }),
  "CERT-042/bad-signature": entry("userinfo-discarded", "userinfo is a JWT with a bad signature", {
    userinfoToken: { text: corruptSignature },
  }),
  "CERT-042/unsigned": entry("userinfo-discarded", "userinfo is an unsigned JWT", {
    userinfoToken: { signer: () => null },
  }),
  "CERT-042/wrong-issuer": signResponse("of another issuer", (claims) => addSuffix(claims, "iss")),
  "CERT-042/wrong-audience": signResponse("for another client", (claims) =>
    addSuffix(claims, "aud"),
  ),
  "CERT-042/wrong-subject": signResponse("about another person", (claims) =>
    addSuffix(claims, "sub"),
  ),
  "CERT-042/other-algorithm": entry(
    "userinfo-discarded",
    "userinfo is a JWT with another algorithm",
    { userinfoToken: { signer: otherAlgorithm } },
  ),
  "CERT-043": entry("accept", "userinfo has the claims of profile, email, phone and address", {
    userinfo: (claims) => ({
      ...claims,
      zoneinfo: "Europe/Berlin",
      phone_number: "+49 30 000000",
      phone_number_verified: true,
      address: { formatted: "1 Quay Street", country: "DE" },
    }),
  }),
  "CERT-045/aggregated": entry("accept", "userinfo has aggregated claims", {
    userinfo: (claims) => ({ ...claims, ...aggregated }),
  }),
  "CERT-045/distributed": withDistributedClaims(),
  "STD-020/missing": badUserinfo("has no sub", (claims) => without(claims, "sub")),
  "STD-020/different": badUserinfo("has a sub in capitals", (claims) => ({
    ...claims,
    sub: String(claims["sub"]).toUpperCase(),
  })),
  "STD-021/array": badUserinfo("is an array", (claims) => [claims]),
  "STD-021/text": badUserinfo("is a text", () => "person"),
  "STD-021/html": otherResponse(
    "is a web page",
    "text/html",
    "<!doctype html><title>Sign in</title>",
  ),
  "STD-021/token-called-json": withContentType(
    "is a JWT that says it is JSON",
    "application/json",
    {
      userinfoToken: {},
    },
  ),
  "STD-021/json-called-token": withContentType("is JSON that says it is a JWT", "application/jwt"),
  "STD-022": withDistributedClaims(),
  "PROVIDERS/nulls": entry("accept", "userinfo has nulls", {
    userinfo: (claims) => ({ ...claims, middle_name: null, picture: null }),
  }),
  "PROVIDERS/userinfo-401": entry("userinfo-discarded", "userinfo responds 401", {
    faults: { userinfo: { kind: "replace", response: json({ error: "invalid_token" }, 401) } },
  }),
} satisfies Readonly<Record<string, Entry>>;

/** Claims at another host, which the relying party must not call. */
function withDistributedClaims(): Entry {
  return entry("accept", "userinfo has distributed claims at another host", {
    userinfo: (claims, { strangerURL }) => ({
      ...claims,
      _claim_names: { address: "src1" },
      _claim_sources: { src1: { endpoint: `${strangerURL}/claims`, access_token: "bait" } },
    }),
  });
}
