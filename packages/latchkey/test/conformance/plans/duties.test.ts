import { createHash } from "node:crypto";
import { expect, test } from "vitest";

import { brokenDuties, duties, type Seen } from "./duties.ts";

type Request = Seen["requests"][number];
type Members = Readonly<Record<string, string>>;

const client = { id: "a client", secret: "a:secret/of 20 letters" };
const redirectURI = "https://app.example/api/auth/callback";
const verifier = "v".repeat(43);
const basic = `Basic ${btoa("a+client:a%3Asecret%2Fof+20+letters")}`;

const authorization = {
  client_id: client.id,
  response_type: "code",
  redirect_uri: redirectURI,
  scope: "profile openid",
  code_challenge_method: "S256",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
};
const token = { code: "a-code", redirect_uri: redirectURI, code_verifier: verifier };

function request(
  endpoint: Request["endpoint"],
  { query = {}, form = {}, header = "" }: { query?: Members; form?: Members; header?: string },
  path = "/some-path",
): Request {
  const headers = header === "" ? {} : { authorization: header };
  const [method, body] = endpoint === "token" ? ["POST", "…"] : ["GET", ""];
  return {
    time: 0,
    endpoint,
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    body,
    form: new URLSearchParams(form),
  };
}

const authorize = (more: Members = {}) =>
  request("authorization", { query: { ...authorization, ...more } });
const exchange = (more: Members = {}, header = basic) =>
  request("token", { form: { ...token, ...more }, header });
const good = [
  request(undefined, {}, "/"),
  authorize(),
  exchange(),
  request("userinfo", { header: "Bearer abc" }),
  request("end-session", { query: { id_token_hint: "a.b.c" } }),
];
const brokenBy = (...requests: readonly Request[]) =>
  brokenDuties({ requests, client, redirectURI });

test("a client that does everything right breaks no duty", () => {
  expect(brokenBy(...good)).toEqual([]);
});

const broken: readonly (readonly [condition: string, requests: readonly Request[]])[] = [
  ["EnsureRequestDoesNotContainRequestObject", [authorize({ request: "a.b.c" })]],
  ["EnsureRequestDoesNotContainRequestObject", [authorize({ request_uri: "urn:x" })]],
  ["EnsureOpenIDInScopeRequest", [authorize({ scope: "openidx profile" })]],
  ["EnsureMatchingClientId", [authorize({ client_id: "another" })]],
  ["EnsureResponseTypeIsCode", [authorize({ response_type: "code id_token" })]],
  [
    "EnsureValidRedirectUriForAuthorizationEndpointRequest",
    [authorize({ redirect_uri: `${redirectURI}/` })],
  ],
  ["DisallowMaxAgeEqualsZeroAndPromptNone", [authorize({ max_age: "0", prompt: "none" })]],
  ["ValidateCodeVerifierWithS256", [authorize({ code_challenge_method: "plain" })]],
  ["ValidateCodeVerifierWithS256", [authorize(), exchange({ code_verifier: "w".repeat(43) })]],
  ["ValidateAuthorizationCode", [authorize(), exchange(), exchange()]],
  ["ValidateAuthorizationCode", [authorize(), exchange({ code: "" })]],
  ["ValidateRedirectUriForTokenEndpointRequest", [authorize(), exchange({ redirect_uri: "" })]],
  ["CheckClientIdMatchesOnTokenRequestIfPresent", [authorize(), exchange({ client_id: "b" })]],
  ...[
    exchange({}, ""),
    exchange({ client_secret: client.secret }),
    exchange({ client_assertion: "a.b.c" }),
    exchange({}, `Basic ${btoa("a+client:another")}`),
  ].map(
    (each) =>
      ["OIDCCValidateClientAuthenticationWithClientSecretBasic", [authorize(), each]] as const,
  ),
  ...[
    request("userinfo", {}),
    request("userinfo", { query: { access_token: "abc" } }),
    request("userinfo", { header: "Bearer abc", form: { access_token: "abc" } }),
  ].map((each) => ["OIDCCExtractBearerAccessTokenFromRequest", [each]] as const),
  ["ValidateIdTokenHintInRPInitiatedLogoutRequest", [request("end-session", {})]],
  ["handleClientRequestForPath", [request(undefined, {}, "/revoke")]],
];
test.each(broken)("%s finds the client that breaks it", (condition, requests) => {
  expect(brokenBy(...requests)).toEqual([condition]);
});

test("each duty has been broken above", () => {
  const found = new Set(broken.map(([condition]) => condition));
  expect(duties.filter(({ condition }) => !found.has(condition))).toEqual([]);
});
