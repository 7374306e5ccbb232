import { describe, expect, test } from "vitest";

import { faultsBy, faultsOf, goodSettings as good } from "../../../test/settings.ts";

const bare = "must have no query, no fragment, no user name and no password";

type Given = Readonly<Record<string, unknown>>;

describe("a rule of one setting", () => {
  test.each(["secret", "baseURL", "issuerBaseURL", "clientID"] as const)("requires %s", (name) => {
    expect(faultsOf({ ...good, [name]: undefined })).toMatchObject([
      { option: name, message: "is required" },
    ]);
  });

  test.each([
    [{ secret: "" }, "secret: is not allowed to be empty"],
    [{ secret: "1234567" }, "secret: length must be at least 8 characters long"],
    [{ secret: [good.secret, "short"] }, "secret.1: length must be at least 8 characters long"],
    [{ secret: [] }, "secret: is not allowed to be empty"],
    [{ secret: 12_345_678 }, "secret: must be text, or a list of texts"],
    [{ baseURL: "app.example" }, "baseURL: must be a valid uri"],
    [{ baseURL: "ftp://app.example" }, "baseURL: must be a valid uri"],
    [{ baseURL: "https://app.example/?x=1" }, `baseURL: ${bare}`],
    [{ baseURL: "https://app.example/#x" }, `baseURL: ${bare}`],
    [{ baseURL: "https://user@app.example" }, `baseURL: ${bare}`],
    [{ baseURL: "https://:password@app.example" }, `baseURL: ${bare}`],
    [{ session: true }, "session: must be an object"],
    [{ routes: "/auth" }, "routes: must be an object"],
    [{ session: { cookie: "lax" } }, "session.cookie: must be an object"],
    ...['["aud"', '"iss"]', "aud;iss", ""].map((claim) => [
      { identityClaimFilter: [claim] },
      "identityClaimFilter.0: is no name of a claim",
    ]),
    [{ issuerBaseURL: "op.example" }, "issuerBaseURL: must be a valid uri"],
    [{ clientID: "" }, "clientID: is not allowed to be empty"],
    [{ responseMode: "fragment" }, "responseMode: must be one of [query, form_post]"],
    [{ scope: "email" }, "scope: must contain openid"],
    [{ scope: "openidx" }, "scope: must contain openid"],
    [{ idTokenSigningAlg: "none" }, "idTokenSigningAlg: contains an invalid value"],
    [{ idTokenSigningAlg: "NONE" }, "idTokenSigningAlg: contains an invalid value"],
    [{ idTokenSigningAlg: "RS256 " }, "idTokenSigningAlg: contains an invalid value"],
    [
      { session: { cookie: { sameSite: "Lax" } } },
      "session.cookie.sameSite: must be one of [lax, strict, none]",
    ],
    [
      { transactionCookie: { sameSite: "x" } },
      "transactionCookie.sameSite: must be one of [lax, strict, none]",
    ],
    [
      { session: { absoluteDuration: true } },
      "session.absoluteDuration: must be a number of seconds, or false",
    ],
    [{ session: { absoluteDuration: 0 } }, "session.absoluteDuration: must be at least 1 second"],
    [
      { session: { rollingDuration: 1.5 } },
      "session.rollingDuration: must be a whole number of seconds",
    ],
    [{ session: { maxCookieBytes: 100 } }, "session.maxCookieBytes: must be at least 4096"],
    [
      { session: { cookie: { path: "https://x/" } } },
      "session.cookie.path: must be a valid relative uri",
    ],
    [{ routes: { callback: "https://x/y" } }, "routes.callback: must be a valid relative uri"],
    [{ routes: { prefix: "//auth" } }, "routes.prefix: must be a valid relative uri"],
    [{ routes: { prefix: "/api/auth/" } }, "routes.prefix: must not end with a slash"],
    [{ pagesPrefix: "/_auth/" }, "pagesPrefix: must not end with a slash"],
    [{ clientAddressHeader: "X Real IP" }, "clientAddressHeader: must be the name of a header"],
    [
      { clientAssertionSigningKey: '{ "kty": "RSA", "n": "public", "e": "AQAB" }' },
      "clientAssertionSigningKey: must be a private key: PKCS #8 as PEM, or a JWK as JSON",
    ],
    [
      { authorizationParams: { "audience api": "" } },
      "authorizationParams.audience api: is no name of a parameter",
    ],
    [{ publicPaths: ["about"] }, "publicPaths.0: must be a valid relative uri"],
    [{ httpTimeout: "soon" }, "httpTimeout: must be a number"],
    [{ httpTimeout: 0 }, "httpTimeout: must be at least 1"],
    [{ clockTolerance: -1 }, "clockTolerance: must not be negative"],
    [{ maxAge: -1 }, "maxAge: must not be negative"],
    [{ backchannelLogoutStatus: 201 }, "backchannelLogoutStatus: must be 200 or 204"],
    [{ organization: "" }, "organization: is not allowed to be empty"],
    ...["javascript:alert(1)", "//x.example", "signed-out", ".x.example"].map((destination) => [
      { routes: { postLogoutRedirect: destination } },
      "routes.postLogoutRedirect: must be a path of the app, or an absolute http(s) address",
    ]),
  ] as [Given, string][])("refuses %j", (changes, fault) => {
    expect(faultsBy(changes)).toEqual([fault]);
  });
});

test.each([
  ["https://app.example/api/auth/callback", {}],
  ["https://app.example/shop/api/auth/", {}],
  ["https://app.example/back", { routes: { callback: "/back" } }],
])("refuses the base URL %s, which is that of a route", (baseURL, changes) => {
  expect(faultsBy({ baseURL, ...changes })).toEqual([
    "baseURL: is the address of a route of sign-in, not of the app",
  ]);
});

describe("a rule of the standards refuses", () => {
  const responseTypes = "responseType: must be one of [id_token, code id_token, code]";
  const characters = "must only contain alpha-numeric characters, underscores and hyphens";

  test.each<[string, Given, string]>([
    [
      "an access token in front (RFC 9700, 2.1.2) [STD-045, CERT-039]",
      { responseType: "token" },
      responseTypes,
    ],
    [
      "it beside a code, too (RFC 9700, 2.1.2) [STD-045, CERT-039]",
      { responseType: "code token" },
      responseTypes,
    ],
    [
      "an ID token that is posted over http [CERT-002]",
      { baseURL: "http://app.example", responseType: "code id_token" },
      "responseMode: form_post needs an https base URL",
    ],
    [
      "max_age=0 with prompt=none [CERT-009]",
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
  test.each([
    [
      { issuerBaseURL: "http://op.example" },
      "issuerBaseURL: must be https, except on this machine itself",
    ],
    [
      { issuerBaseURL: "https://op.example/.well-known/openid-configuration" },
      "issuerBaseURL: is the address of the metadata, not the issuer",
    ],
    [{ responseType: "id_token", responseMode: "query" }, "responseMode: must be [form_post]"],
    [{ responseType: "code id_token", responseMode: "query" }, "responseMode: must be [form_post]"],
    [
      { responseMode: "form_post", baseURL: "http://app.example" },
      "responseMode: form_post needs an https base URL: browsers send cookies with a cross-site POST only over https",
    ],
    [
      { clientSecret: undefined },
      "clientSecret: is required for the clientAuthMethod client_secret_basic",
    ],
    ...(["client_secret_basic", "client_secret_post", "client_secret_jwt"] as const).map(
      (clientAuthMethod) => [
        { clientAuthMethod, clientSecret: undefined },
        `clientSecret: is required for the clientAuthMethod ${clientAuthMethod}`,
      ],
    ),
    [
      { responseType: "id_token", clientSecret: undefined, pushedAuthorizationRequests: true },
      "clientSecret: is required for the clientAuthMethod client_secret_basic",
    ],
    [
      { responseType: "id_token", clientSecret: undefined, idTokenSigningAlg: "HS256" },
      "clientSecret: is required for ID tokens with HMAC based algorithms",
    ],
    [
      { clientAuthMethod: "private_key_jwt" },
      'clientAssertionSigningKey: is required for a "clientAuthMethod" of "private_key_jwt"',
    ],
    [
      { session: { cookie: { secure: false } } },
      "session.cookie.secure: Cookies must be secure when base url is https.",
    ],
    [
      { baseURL: "http://localhost", session: { cookie: { secure: true } } },
      "session.cookie.secure: Cookies set with the `Secure` property wont be attached to http requests",
    ],
    [
      { transactionCookie: { secure: false } },
      "transactionCookie.secure: Cookies must be secure when base url is https.",
    ],
    ...["__Host-session", "__host-session", "__Secure-session"].map((name) => [
      { baseURL: "http://localhost", session: { name } },
      "session.name: has a prefix that browsers accept only over https",
    ]),
    [
      { baseURL: "http://localhost", transactionCookie: { name: "__Host-tx" } },
      "transactionCookie.name: has a prefix that browsers accept only over https",
    ],
    ...[{ domain: "app.example" }, { path: "/api" }].flatMap((attribute) => [
      [
        { session: { name: "__Host-session", cookie: attribute } },
        "session.name: has the prefix __Host-, with which browsers accept neither a domain nor a path other than /",
      ],
      [
        { transactionCookie: { name: "__HOST-tx", ...attribute } },
        "transactionCookie.name: has the prefix __Host-, with which browsers accept neither a domain nor a path other than /",
      ],
    ]),
    [
      { baseURL: "http://localhost", session: { cookie: { sameSite: "none" } } },
      "session.cookie.sameSite: none needs secure cookies",
    ],
    [
      { session: { rollingDuration: false } },
      'session.rollingDuration: must be provided an integer value when "session.rolling" is true',
    ],
    [
      { session: { rolling: false, rollingDuration: 60 } },
      'session.rollingDuration: must be false when "session.rolling" is disabled',
    ],
    [
      { session: { rolling: false, absoluteDuration: false } },
      'session.absoluteDuration: must be provided an integer value when "session.rolling" is false',
    ],
    [
      { session: { rollingDuration: 60, renewAfter: 60 } },
      "session.renewAfter: must be less than the rolling duration of 60 seconds",
    ],
    [
      { session: { name: "same" }, transactionCookie: { name: "same" } },
      "transactionCookie.name: must differ from the name of the session cookie",
    ],
    [
      { session: { name: "__Host-auth_verification_binding" } },
      "session.name: is the name of another cookie of Latchkey",
    ],
    [
      { session: { name: "__host-login_Binding" }, transactionCookie: { name: "login" } },
      "session.name: is the name of another cookie of Latchkey",
    ],
    [
      { session: { name: "__Host-auth_loop" } },
      "session.name: is the name of another cookie of Latchkey",
    ],
    [{ session: { name: "auth_form" } }, "session.name: is the name of another cookie of Latchkey"],
    [
      { transactionCookie: { name: "auth_loop" } },
      "transactionCookie.name: is the name of another cookie of Latchkey",
    ],
    [
      { backchannelLogout: true },
      "backchannelLogout: needs a store to remember which sessions have ended",
    ],
    [{ session: { stateful: true } }, "session.stateful: needs a store to keep sessions in"],
    [
      { session: { networkFrom: "x-real-ip" } },
      "session.networkFrom: needs a store to keep networks in",
    ],
    [
      { authorizationParams: { response_type: "token", state: "x", audience: "api" } },
      "authorizationParams: response_type, state cannot be set here",
    ],
    [{ pagesPrefix: "/" }, "pagesPrefix: must be a path of its own"],
    [{ routes: { prefix: "/" } }, "routes.prefix: must be a path of its own"],
    ...["login", "logout", "me"].map((name) => [
      { routes: { callback: `/api/auth/${name}` } },
      "routes.callback: is the path of another route",
    ]),
    [
      { routes: { callback: "/_auth/signed-out" } },
      "routes.callback: is the path of another route",
    ],
    ...["other.example", "www.app.example", "pp.example"].flatMap((domain) => [
      [
        { session: { cookie: { domain } } },
        "session.cookie.domain: must be app.example or a domain above it, else browsers drop the cookie",
      ],
      [
        { transactionCookie: { domain } },
        "transactionCookie.domain: must be app.example or a domain above it, else browsers drop the cookie",
      ],
    ]),
    ...["/elsewhere", "/api/auth/call"].map((path) => [
      { transactionCookie: { path } },
      "transactionCookie.path: must cover the callback, /api/auth/callback, else no sign-in succeeds",
    ]),
    [
      { baseURL: "https://app.example/shop", transactionCookie: { path: "/api" } },
      "transactionCookie.path: must cover the callback, /shop/api/auth/callback, else no sign-in succeeds",
    ],
    [{ pagesPrefix: "/api/auth" }, "pagesPrefix: must be a path of its own"],
  ] as [Given, string][])("refuses %j", (changes, fault) => {
    expect(faultsBy(changes)).toEqual([fault]);
  });

  test("accepts back-channel logout and stateful sessions where there is a store", () => {
    expect(faultsBy({ backchannelLogout: true, session: { stateful: true } }, true)).toEqual([]);
  });
});
