import { createHash } from "node:crypto";

import type { HostileClient, SeenRequest } from "@latchkey/provider/hostile";

/** What the provider saw of a client during one module. */
export interface Seen {
  readonly requests: readonly SeenRequest[];
  readonly client: Pick<HostileClient, "id" | "secret">;
  /** The only registered one. */
  readonly redirectURI: string;
}

/** What every module demands of the client, whatever its own subject. */
export interface Duty {
  /** The condition of the suite that looks at it. */
  readonly condition: string;
  /** What the client does. */
  readonly says: string;
  readonly isKept: (seen: Seen) => boolean;
}

/** The names of the conditions that the client has broken. */
export function brokenDuties(seen: Seen): readonly string[] {
  return duties.filter(({ isKept }) => !isKept(seen)).map(({ condition }) => condition);
}

const of = ({ requests }: Seen, ...endpoints: readonly SeenRequest["endpoint"][]) =>
  requests.filter(({ endpoint }) => endpoints.includes(endpoint));

/** The parameters of a request that a browser may also post. */
const parametersOf = ({ method, form, query }: SeenRequest) => (method === "POST" ? form : query);

/** Looks at the parameters of each authorization request. */
const authorization =
  (isGood: (parameters: URLSearchParams, seen: Seen) => boolean) => (seen: Seen) =>
    of(seen, "authorization").every((each) => isGood(parametersOf(each), seen));

/** Looks at the form of each request with a code. */
const code = (isGood: (form: URLSearchParams, seen: Seen) => boolean) => (seen: Seen) =>
  of(seen, "token").every(({ form }) => isGood(form, seen));

/** The duties of a client with a secret and plain requests for a code. */
export const duties: readonly Duty[] = [
  {
    condition: "EnsureRequestDoesNotContainRequestObject",
    says: "sends neither `request` nor `request_uri`",
    isKept: authorization((sent) => !sent.has("request") && !sent.has("request_uri")),
  },
  {
    condition: "EnsureOpenIDInScopeRequest",
    says: "has `openid` in its scope",
    isKept: authorization((sent) => (sent.get("scope") ?? "").split(" ").includes("openid")),
  },
  {
    condition: "EnsureMatchingClientId",
    says: "sends its `client_id`",
    isKept: authorization((sent, { client }) => sent.get("client_id") === client.id),
  },
  {
    condition: "EnsureResponseTypeIsCode",
    says: "requests the chosen response type",
    isKept: authorization((sent) => sent.get("response_type") === "code"),
  },
  {
    condition: "EnsureValidRedirectUriForAuthorizationEndpointRequest",
    says: "sends the registered redirect address, character by character",
    isKept: authorization((sent, { redirectURI }) => sent.get("redirect_uri") === redirectURI),
  },
  {
    condition: "DisallowMaxAgeEqualsZeroAndPromptNone",
    says: "never sends `max_age=0` together with `prompt=none`",
    isKept: authorization((sent) => sent.get("max_age") !== "0" || sent.get("prompt") !== "none"),
  },
  {
    condition: "ValidateCodeVerifierWithS256",
    says: "sends a challenge of S256, and its verifier with the code",
    isKept: keepsPKCE,
  },
  {
    condition: "ValidateAuthorizationCode",
    says: "sends each code once",
    isKept: (seen) => {
      const codes = of(seen, "token").map(({ form }) => form.get("code") ?? "");
      return !codes.includes("") && new Set(codes).size === codes.length;
    },
  },
  {
    condition: "ValidateRedirectUriForTokenEndpointRequest",
    says: "repeats the redirect address with the code",
    isKept: code((form, { redirectURI }) => form.get("redirect_uri") === redirectURI),
  },
  {
    condition: "CheckClientIdMatchesOnTokenRequestIfPresent",
    says: "sends no other `client_id` with the code",
    isKept: code((form, { client }) => (form.get("client_id") ?? client.id) === client.id),
  },
  {
    condition: "OIDCCValidateClientAuthenticationWithClientSecretBasic",
    says: "authenticates by the registered method, and by no second one",
    isKept: (seen) => of(seen, "token", "refresh").every((each) => isBasicOnly(each, seen)),
  },
  {
    condition: "OIDCCExtractBearerAccessTokenFromRequest",
    says: "sends the access token to userinfo in one way, and never in the address",
    isKept: (seen) => of(seen, "userinfo").every(isBearerOnly),
  },
  {
    condition: "ValidateIdTokenHintInRPInitiatedLogoutRequest",
    says: "sends an `id_token_hint` at logout",
    isKept: (seen) =>
      of(seen, "end-session").every((each) => parametersOf(each).has("id_token_hint")),
  },
  {
    condition: "handleClientRequestForPath",
    says: "calls no address that the metadata do not name",
    // `/` is requested by a client of the server that had this port before.
    isKept: (seen) => of(seen, undefined).every(({ path }) => path === "/"),
  },
];

/** RFC 7636, sections 4.3 to 4.6. */
function keepsPKCE(seen: Seen): boolean {
  const challenges = of(seen, "authorization").map((each) =>
    parametersOf(each).get("code_challenge"),
  );
  const isS256 = authorization((sent) => sent.get("code_challenge_method") === "S256");
  const isProved = code((form) =>
    challenges.includes(
      createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url"),
    ),
  );
  return isS256(seen) && isProved(seen);
}

/** RFC 6749, section 2.3.1: both parts are form-encoded. */
function isBasicOnly({ headers, form }: SeenRequest, { client }: Seen): boolean {
  const [scheme, credentials = ""] = (headers.authorization ?? "").split(" ");
  const sent = Buffer.from(credentials, "base64").toString().split(":").map(decodeForm);
  const isRight = sent.length === 2 && sent[0] === client.id && sent[1] === client.secret;
  const isSecond = form.has("client_secret") || form.has("client_assertion");
  return scheme === "Basic" && isRight && !isSecond;
}

function decodeForm(text: string): string | null {
  return new URLSearchParams(`x=${text}`).get("x");
}

/** RFC 6750, sections 2.1 and 2.2. */
function isBearerOnly({ headers, form, query }: SeenRequest): boolean {
  const isInHeader = /^Bearer \S+$/iu.test(headers.authorization ?? "");
  return isInHeader !== form.has("access_token") && !query.has("access_token");
}
