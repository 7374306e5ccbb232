import { describe, expect, test } from "vitest";

import { faultsBy, faultsOf, goodSettings as good } from "../../../test/settings.ts";

type Given = Readonly<Record<string, unknown>>;

/** Settings by the fault they have, and valid settings beside them. */
function rowsOf(refused: Readonly<Record<string, readonly Given[]>>): [Given, string][] {
  return Object.entries(refused).flatMap(([fault, all]) =>
    all.map((changes): [Given, string] => [changes, fault]),
  );
}

describe("a rule of one setting", () => {
  test.each(["secret", "baseURL", "issuerBaseURL", "clientID"] as const)("requires %s", (name) => {
    expect(faultsOf({ ...good, [name]: undefined })).toMatchObject([
      { option: name, message: "is required" },
    ]);
  });

  test.each(
    rowsOf({
      "secret: is not allowed to be empty": [{ secret: "" }, { secret: [] }],
      "secret: is still the placeholder of an example": [
        { secret: "change-me" },
        { secret: ["#", "what", "openssl", "rand", "-base64", "32", "prints"] },
      ],
      "publicPaths: has a pattern in it, and takes paths": [{ publicPaths: ["/public/*"] }],
      "secret: length must be at least 8 characters long": [{ secret: "1234567" }],
      "secret.1: length must be at least 8 characters long": [{ secret: [good.secret, "short"] }],
      "secret: must be text, or a list of texts": [
        { secret: 12_345_678 },
        { secret: {} },
        { secret: [{}] },
        { secret: true },
        { secret: null },
      ],
      "issuerBaseURL: has an invisible character, U+200B, at place 11": [
        { issuerBaseURL: "https://op\u200b.example" },
      ],
      "issuerBaseURL: has an invisible character, U+FEFF, at place 1": [
        { issuerBaseURL: "\ufeffhttps://op.example" },
      ],
      "clientID: has an invisible character, U+00A0, at place 7": [{ clientID: "client\u00a0" }],
      "clientSecret: has an invisible character, U+200D, at place 3": [
        { clientSecret: "se\u200dcret" },
      ],
      "clientSecret: has an invisible character, U+000A, at place 7": [
        { clientSecret: "secret\n" },
      ],
      "baseURL: must be a valid uri": [
        { baseURL: "app.example" },
        { baseURL: "ftp://app.example" },
      ],
      "baseURL: must be the address of one host, without a comma, a space or *": [
        { baseURL: "https://a.example,https://b.example" },
        { baseURL: "https://a.example/, https://b.example/" },
        { baseURL: "https://a.example https://b.example" },
        { baseURL: "https://a.example;https://b.example" },
        { baseURL: "https://*.example.com" },
      ],
      "issuerBaseURL: must be the address of one host, without a comma, a space or *": [
        { issuerBaseURL: "https://a.example,https://b.example" },
        { issuerBaseURL: "https://*.example.com" },
      ],
      "returnToOrigins.0: must be the address of one host, without a comma, a space or *": [
        { returnToOrigins: ["https://*.example.com"] },
      ],
      "baseURL: must have no query, no fragment, no user name and no password": [
        { baseURL: "https://app.example/?x=1" },
        { baseURL: "https://app.example/#x" },
        { baseURL: "https://user@app.example" },
        { baseURL: "https://:password@app.example" },
      ],
      "session: must be an object": [{ session: true }],
      "routes: must be an object": [{ routes: "/auth" }],
      "session.cookie: must be an object": [{ session: { cookie: "lax" } }],
      "identityClaimFilter.0: is no name of a claim": ['["aud"', '"iss"]', "aud;iss", ""].map(
        (claim) => ({ identityClaimFilter: [claim] }),
      ),
      "issuerBaseURL: must be a valid uri": [{ issuerBaseURL: "op.example" }],
      "metadataURL: must be a valid uri": [
        { metadataURL: "op.example" },
        { metadataURL: "ftp://op.example/" },
        { metadataURL: "" },
      ],
      "metadataURL: must have no fragment, no user name and no password": [
        { metadataURL: "https://user@op.example/metadata?p=a" },
        { metadataURL: "https://op.example/metadata?p=a#x" },
      ],
      "tenants.0: is no id of a tenant": [
        { tenants: ["contoso.onmicrosoft.com"] },
        { tenants: [""] },
        { tenants: ["{tenantid}"] },
      ],
      "tenants: is not allowed to be empty": [{ tenants: [] }],
      "tenants: must be a list of tenant ids": [{ tenants: "any" }],
      "clientID: is not allowed to be empty": [{ clientID: "" }],
      "responseMode: must be one of [query, form_post]": [{ responseMode: "fragment" }],
      "scope: has commas, and scopes have spaces between them": [
        { scope: "profile, email, openid" },
        { scope: "openid,profile,email" },
        { scope: "openid, profile" },
        { scope: "openid ,profile" },
      ],
      "scope: must contain openid": [{ scope: "email" }, { scope: "openidx" }],
      "idTokenSigningAlg: contains an invalid value": ["none", "NONE", "RS256 "].map(
        (idTokenSigningAlg) => ({ idTokenSigningAlg }),
      ),
      "session.cookie.sameSite: must be one of [lax, strict, none]": [
        { session: { cookie: { sameSite: "Lax" } } },
      ],
      "transactionCookie.sameSite: must be one of [lax, strict, none]": [
        { transactionCookie: { sameSite: "x" } },
      ],
      "session.absoluteDuration: must be a number of seconds, or false": [
        { session: { absoluteDuration: true } },
      ],
      "session.absoluteDuration: must be at least 1 second": [{ session: { absoluteDuration: 0 } }],
      "session.rollingDuration: must be a whole number of seconds": [
        { session: { rollingDuration: 1.5 } },
      ],
      "session.maxCookieBytes: must be at least 4096": [{ session: { maxCookieBytes: 100 } }],
      "session.cookie.path: must be a valid relative uri": [
        { session: { cookie: { path: "https://x/" } } },
      ],
      "routes.callback: must be a valid relative uri": [{ routes: { callback: "https://x/y" } }],
      "routes.prefix: must be a valid relative uri": [{ routes: { prefix: "//auth" } }],
      "routes.prefix: must not end with a slash": [{ routes: { prefix: "/api/auth/" } }],
      "pagesPrefix: must not end with a slash": [{ pagesPrefix: "/_auth/" }],
      "clientAddressHeader: must be the name of a header": [{ clientAddressHeader: "X Real IP" }],
      "clientAssertionSigningKey: must be a private key: PKCS #8 as PEM, or a JWK as JSON": [
        { clientAssertionSigningKey: '{ "kty": "RSA", "n": "public", "e": "AQAB" }' },
      ],
      "authorizationParams.audience api: is no name of a parameter": [
        { authorizationParams: { "audience api": "" } },
      ],
      "loginParams.0: is no name of a parameter": [{ loginParams: ["screen hint"] }],
      "loginParams: must be a list of parameters": [{ loginParams: "screen_hint" }],
      "publicPaths.0: must be a valid relative uri": [{ publicPaths: ["about"] }],
      "httpTimeout: must be a number": [{ httpTimeout: "soon" }],
      "httpTimeout: must be at least 1": [{ httpTimeout: 0 }],
      "clockTolerance: must not be negative": [{ clockTolerance: -1 }],
      "maxAge: must not be negative": [{ maxAge: -1 }],
      "backchannelLogoutStatus: must be 200 or 204": [{ backchannelLogoutStatus: 201 }],
      "organization: is not allowed to be empty": [{ organization: "" }],
      "routes.postLogoutRedirect: must be a path of the app, or an absolute http(s) address": [
        "javascript:alert(1)",
        "//x.example",
        "signed-out",
        ".x.example",
      ].map((postLogoutRedirect) => ({ routes: { postLogoutRedirect } })),
    }),
  )("refuses %j", (changes, fault) => {
    expect(faultsBy(changes)).toEqual([fault]);
  });
});

test.each([
  ["https://app.example/api/auth/callback", {}],
  ["https://app.example/shop/api/auth//", {}],
  ["https://app.example/back", { routes: { callback: "/back" } }],
])("the base URL %s is refused, since it is the address of a route", (baseURL, changes) => {
  expect(faultsBy({ baseURL, ...changes })).toEqual([
    "baseURL: is the address of a route of sign-in, not of the app",
  ]);
});

describe("a rule of the standards refuses", () => {
  const [inFront, besideACode] = [{ responseType: "token" }, { responseType: "code token" }];
  const responseTypes = "responseType: must be one of [id_token, code id_token, code]";
  const characters = "must only contain alpha-numeric characters, underscores and hyphens";

  test.each<[string, Given, string]>([
    ["an access token in front (RFC 9700, 2.1.2) [STD-045]", inFront, responseTypes],
    ["it beside a code, too (RFC 9700, 2.1.2) [STD-045]", besideACode, responseTypes],
    [
      "an ID token that is posted over http [CERT-002]",
      { baseURL: "http://app.example", responseType: "code id_token" },
      "responseMode: form_post needs an https base URL",
    ],
    [
      "max_age=0 with prompt=none",
      { maxAge: 0, authorizationParams: { prompt: "none" } },
      "maxAge: 0 asks the person every time, and the prompt none forbids that",
    ],
    [
      "a client that does not authenticate itself [STD-090]",
      { clientAuthMethod: "none" },
      "public clients are not supported",
    ],
    [
      "an endpoint that is set by hand (RFC 9700, 2.6) [STD-058]",
      { tokenEndpoint: "https://evil.example/" },
      "tokenEndpoint: is not an option",
    ],
  ])("%s", (_, changes, fault) => {
    expect(faultsBy(changes)).toEqual([expect.stringContaining(fault)]);
  });

  test.each(["a b", "a;b", "a=b", "a\r\nb", "ä"])("the cookie name %j [ATK-073]", (name) => {
    expect(faultsBy({ session: { name }, transactionCookie: { name: `${name}_` } })).toEqual([
      `session.name: ${characters}`,
      `transactionCookie.name: ${characters}`,
    ]);
  });
});

describe("a rule over several settings", () => {
  const [overHTTP, onThisMachine] = ["http://app.example", "http://localhost"];
  const onlyOverHTTPS = "browsers send cookies with a cross-site POST only over https";
  const hostPrefix =
    "has the prefix __Host-, with which browsers accept neither a domain nor a path other than /";
  const narrowed = [{ domain: "app.example" }, { path: "/api" }];
  const domainRule = "must be app.example or a domain above it, else browsers drop the cookie";
  const others = ["other.example", "www.app.example", "pp.example"];

  test.each(
    rowsOf({
      "issuerBaseURL: must be https, except on this machine itself": [
        { issuerBaseURL: "http://op.example" },
        { issuerBaseURL: "http://localhost.op.example" },
        { issuerBaseURL: "http://127.0.0.1.op.example" },
      ],
      "metadataURL: must be https, except for an issuer on this machine": [
        { metadataURL: "http://keycloak:8080/metadata" },
        { metadataURL: "http://localhost:8080/metadata" },
      ],
      "issuerBaseURL: has a placeholder in it": [
        { issuerBaseURL: "https://login.microsoftonline.com/{tenantid}/v2.0", tenants: ["any"] },
        { issuerBaseURL: "https://op.example/<tenant>/" },
      ],
      "issuerBaseURL: is the address of every tenant of Entra ID": [
        { issuerBaseURL: "https://login.microsoftonline.com/common/v2.0" },
        { issuerBaseURL: "https://login.microsoftonline.com/Organizations/v2.0" },
        { issuerBaseURL: "https://login.microsoftonline.us/common/v2.0" },
        { issuerBaseURL: "https://login.partner.microsoftonline.cn/common/v2.0" },
        { issuerBaseURL: "https://sts.windows.net/common/" },
      ],
      "tenants: has any beside the ids of tenants": [{ tenants: ["any", "8b1a9953"] }],
      "issuerBaseURL: is the address of the metadata, not the issuer": [
        { issuerBaseURL: "https://op.example/.well-known/openid-configuration" },
      ],
      "responseMode: must be [form_post]": [
        { responseType: "id_token", responseMode: "query" },
        { responseType: "code id_token", responseMode: "query" },
      ],
      [`responseMode: form_post needs an https base URL: ${onlyOverHTTPS}`]: [
        { responseMode: "form_post", baseURL: overHTTP },
      ],
      "clientSecret: is required for the clientAuthMethod client_secret_basic": [
        { clientSecret: undefined },
        { clientAuthMethod: "client_secret_basic", clientSecret: undefined },
        {
          clientAuthMethod: "client_secret_basic",
          clientSecret: undefined,
          clientAssertionSigningKey: "-----BEGIN PRIVATE KEY-----",
        },
        { responseType: "id_token", clientSecret: undefined, pushedAuthorizationRequests: true },
      ],
      "clientSecret: is required for the clientAuthMethod client_secret_post": [
        { clientAuthMethod: "client_secret_post", clientSecret: undefined },
      ],
      "clientSecret: is required for the clientAuthMethod client_secret_jwt": [
        { clientAuthMethod: "client_secret_jwt", clientSecret: undefined },
      ],
      "clientSecret: is required for ID tokens with HMAC based algorithms": [
        { responseType: "id_token", clientSecret: undefined, idTokenSigningAlg: "HS256" },
      ],
      'clientAssertionSigningKey: is required for a "clientAuthMethod" of "private_key_jwt"': [
        { clientAuthMethod: "private_key_jwt" },
      ],
      "session.cookie.secure: Cookies must be secure when base url is https.": [
        { session: { cookie: { secure: false } } },
      ],
      "session.cookie.secure: Cookies set with the `Secure` property won't be attached to http requests":
        [{ baseURL: onThisMachine, session: { cookie: { secure: true } } }],
      "transactionCookie.secure: Cookies must be secure when base url is https.": [
        { transactionCookie: { secure: false } },
      ],
      "session.name: has a prefix that browsers accept only over https": [
        "__Host-session",
        "__host-session",
        "__Secure-session",
      ].map((name) => ({ baseURL: onThisMachine, session: { name } })),
      "transactionCookie.name: has a prefix that browsers accept only over https": [
        { baseURL: onThisMachine, transactionCookie: { name: "__Host-tx" } },
      ],
      [`session.name: ${hostPrefix}`]: narrowed.map((cookie) => ({
        session: { name: "__Host-session", cookie },
      })),
      [`transactionCookie.name: ${hostPrefix}`]: narrowed.map((attribute) => ({
        transactionCookie: { name: "__HOST-tx", ...attribute },
      })),
      "session.cookie.sameSite: none needs secure cookies": [
        { baseURL: onThisMachine, session: { cookie: { sameSite: "none" } } },
      ],
      'session.rollingDuration: must be provided an integer value when "session.rolling" is true': [
        { session: { rollingDuration: false } },
      ],
      'session.rollingDuration: must be false when "session.rolling" is disabled': [
        { session: { rolling: false, rollingDuration: 60 } },
      ],
      'session.absoluteDuration: must be provided an integer value when "session.rolling" is false':
        [{ session: { rolling: false, absoluteDuration: false } }],
      "session.renewAfter: must be less than the rolling duration of 60 seconds": [
        { session: { rollingDuration: 60, renewAfter: 60 } },
      ],
      "transactionCookie.name: must differ from the name of the session cookie": [
        { session: { name: "same" }, transactionCookie: { name: "same" } },
      ],
      "session.name: is the name of another cookie of Latchkey": [
        { session: { name: "__Host-auth_verification_binding" } },
        { session: { name: "__host-login_Binding" }, transactionCookie: { name: "login" } },
        { session: { name: "__Host-auth_loop" } },
        { session: { name: "auth_form" } },
        { session: { name: "auth_logout" } },
      ],
      "transactionCookie.name: is the name of another cookie of Latchkey": [
        { transactionCookie: { name: "auth_loop" } },
      ],
      "backchannelLogout: needs a store to remember which sessions have ended": [
        { backchannelLogout: true },
      ],
      "session.stateful: needs a store to keep sessions in": [{ session: { stateful: true } }],
      "session.networkFrom: needs a store to keep networks in": [
        { session: { networkFrom: "x-real-ip" } },
      ],
      "authorizationParams: response_type, state cannot be set here": [
        { authorizationParams: { response_type: "token", state: "x", audience: "api" } },
      ],
      ...Object.fromEntries(
        [
          ["client_id", "client_secret", "client_assertion", "client_assertion_type", "dpop_jkt"],
          ["code_challenge", "code_challenge_method", "nonce", "redirect_uri", "request"],
          ["request_uri", "response_mode", "response_type", "scope", "state", "State"],
          ["returnTo", "restart", "stepUp", "params", "iss", "target_link_uri", "at"],
        ]
          .flat()
          .map((name) => [
            `loginParams: ${name} cannot be set for one login`,
            [{ loginParams: ["login_hint", name] }],
          ]),
      ),
      "pagesPrefix: must be a path of its own": [
        { pagesPrefix: "/" },
        { pagesPrefix: "/api/auth" },
      ],
      "routes.prefix: must be a path of its own": [{ routes: { prefix: "/" } }],
      "routes.callback: is the path of another route": [
        "/api/auth/login",
        "/api/auth/logout",
        "/api/auth/me",
        "/_auth/signed-out",
        "/api/auth/refused",
      ].map((callback) => ({ routes: { callback } })),
      "routes.login: is the path of another route": [
        "/api/auth/callback",
        "/api/auth/logout",
        "/_auth/sign-in",
      ].map((login) => ({ routes: { login } })),
      [`session.cookie.domain: ${domainRule}`]: others.map((domain) => ({
        session: { cookie: { domain } },
      })),
      [`transactionCookie.domain: ${domainRule}`]: others.map((domain) => ({
        transactionCookie: { domain },
      })),
      "transactionCookie.path: must cover the callback, /api/auth/callback, else no sign-in succeeds":
        ["/elsewhere", "/api/auth/call"].map((path) => ({ transactionCookie: { path } })),
      "transactionCookie.path: must cover the callback, /shop/api/auth/callback, else no sign-in succeeds":
        [{ baseURL: "https://app.example/shop", transactionCookie: { path: "/api" } }],
    }),
  )("refuses %j", (changes, fault) => {
    expect(faultsBy(changes)).toEqual([fault]);
  });

  test("accepts back-channel logout and stateful sessions with a store", () => {
    expect(faultsBy({ backchannelLogout: true, session: { stateful: true } }, true)).toEqual([]);
  });
});
