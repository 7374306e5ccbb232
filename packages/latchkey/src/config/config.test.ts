import { describe, expect, test } from "vitest";

import { configOf, faultsBy, faultsOf, goodSettings as good } from "../../test/settings.ts";
import { words } from "../../test/words.ts";
import { ConfigError } from "../errors/config-error.ts";
import { optionsFromEnvironment } from "./environment.ts";
import type { Settings } from "./settings.ts";

describe("the configuration", () => {
  test("has the defaults of section 9 of the specification", () => {
    const config = configOf();
    expect(config).toMatchObject({
      responseType: "code",
      responseMode: "query",
      scope: "openid profile email",
      idTokenSigningAlg: "RS256",
      clockTolerance: 60,
      httpTimeout: 5000,
      idpLogout: true,
      backchannelLogout: false,
      backchannelLogoutStatus: 204,
      production: true,
      pushedAuthorizationRequests: false,
      session: {
        name: "appSession",
        storeIDToken: true,
        renewAfter: 0,
        requireIssuer: false,
        transient: false,
        lifetime: { rolling: 86_400, absolute: 604_800 },
        cookie: { path: "/", secure: true, sameSite: "lax" },
      },
      transactionCookie: {
        name: "auth_verification",
        attributes: { path: "/", secure: true, sameSite: "lax" },
      },
      routes: {
        prefix: "/api/auth",
        login: "/api/auth/login",
        callback: "/api/auth/callback",
        logout: "/api/auth/logout",
        me: "/api/auth/me",
        backchannelLogout: "/api/auth/backchannel-logout",
        postLogoutRedirect: "/_auth/signed-out",
      },
    });
    expect(config.identityClaimFilter).toEqual(
      "aud iss iat exp nbf nonce azp auth_time s_hash at_hash c_hash".split(" "),
    );
  });

  test("splits the base URL into origin and path, and ends it with no slash", () => {
    const { baseURL, basePath, origin } = configOf({ baseURL: "https://app.example:8443/shop/" });
    expect([baseURL, basePath]).toEqual(["https://app.example:8443/shop", "/shop"]);
    expect(origin).toBe("https://app.example:8443");
  });

  test("makes cookies without Secure for an http base URL", () => {
    const { session, transactionCookie } = configOf({ baseURL: "http://app.example" });
    expect(session.cookie.secure).toBe(false);
    expect(transactionCookie.attributes.secure).toBe(false);
  });

  test.each(["code id_token", "id_token"] as const)(
    "uses for the response type %s form_post and a transaction cookie that a cross-site POST carries [STD-144]",
    (responseType) => {
      const config = configOf({ baseURL: "http://localhost:3000", responseType });
      expect(config.responseMode).toBe("form_post");
      const crossSite = { path: "/", secure: true, sameSite: "none" };
      expect(config.transactionCookie.attributes).toEqual(crossSite);
      expect(config.session.cookie).toEqual({ path: "/", secure: false, sameSite: "lax" });
    },
  );

  test("keeps the transaction cookie lax when the session cookie is strict", () => {
    const config = configOf({ session: { cookie: { sameSite: "strict" } } });
    expect(config.session.cookie.sameSite).toBe("strict");
    expect(config.transactionCookie.attributes.sameSite).toBe("lax");
  });

  test("gives a session no rolling end when it is not rolling, and no absolute end without a duration", () => {
    const lifetime = (session: Settings["session"]) => configOf({ session }).session.lifetime;
    expect(lifetime({ rolling: false })).toEqual({ rolling: null, absolute: 604_800 });
    const unrolled = lifetime({ rolling: false, rollingDuration: false });
    expect(unrolled).toEqual({ rolling: null, absolute: 604_800 });
    expect(lifetime({ absoluteDuration: false })).toEqual({ rolling: 86_400, absolute: null });
  });
});

describe("whether the app is in production", () => {
  test.each([
    ["https://app.example", undefined, true],
    ["http://app.example", undefined, true],
    ["http://localhost:3000", undefined, false],
    ["https://127.0.0.1", undefined, false],
    ["http://[::1]:3000", undefined, false],
    ["https://app.example", false, false],
    ["http://localhost:3000", true, true],
  ])("is for %s with the setting %j: %j", (baseURL, production, expected) => {
    const given = { baseURL, ...(production === undefined ? {} : { production }) };
    expect(configOf(given).production).toBe(expected);
  });
});

describe("the cookie that binds a transaction to this host", () => {
  function bindingFor(changes: Partial<Settings>) {
    return configOf({ ...changes }).transactionCookie.binding;
  }

  test("has the prefix __Host- and the attributes of the transaction cookie", () => {
    expect(bindingFor({})).toEqual({
      name: "__Host-auth_verification_binding",
      attributes: { path: "/", secure: true, sameSite: "lax" },
    });
  });

  test("is sent with the provider's cross-site form", () => {
    expect(bindingFor({ responseMode: "form_post" })?.attributes.sameSite).toBe("none");
  });

  test.each([
    ["over http", { baseURL: "http://localhost:3000" }],
    ["over http with form_post", { baseURL: "http://localhost:3000", responseMode: "form_post" }],
    ["where the transaction cookie has a domain", { transactionCookie: { domain: "app.example" } }],
    ["where the transaction cookie has a path", { transactionCookie: { path: "/api" } }],
    ["where the transaction cookie has the prefix", { transactionCookie: { name: "__Host-tx" } }],
  ] as [string, Partial<Settings>][])("does not exist %s", (_, changes) => {
    expect(bindingFor(changes)).toBeNull();
  });
});

describe("the rules", () => {
  const secure = { name: "__Secure-session", cookie: { domain: "app.example" } };
  const elsewhere = "https://x.example/";
  const clientAssertionSigningKey = "-----BEGIN PRIVATE KEY-----";

  test.each([
    ["a secret of 8 characters", { secret: "12345678" }],
    ["several secrets", { secret: ["12345678", "abcdefgh"] }],
    ["a provider on this machine without https", { issuerBaseURL: "http://localhost:4000" }],
    ["a provider on the loopback address", { issuerBaseURL: "http://127.0.0.1:4000" }],
    ["a provider on another loopback address", { issuerBaseURL: "http://127.100.20.30" }],
    ["a provider by a name of this machine", { issuerBaseURL: "http://op.localhost:4000" }],
    ["an issuer with a path and a slash", { issuerBaseURL: "https://op.example/realms/one/" }],
    ["code with form_post", { responseMode: "form_post" }],
    ["code with query", { responseMode: "query" }],
    ["secure said once more", { session: { cookie: { secure: true } } }],
    ["maxAge 0", { maxAge: 0 }],
    ["maxAge 60 with prompt none", { maxAge: 60, authorizationParams: { prompt: "none" } }],
    ["a session cookie with the prefix __Host-", { session: { name: "__Host-session" } }],
    ["a session cookie with the prefix __Secure- and a domain", { session: secure }],
    ["a transaction cookie with the prefix __Host-", { transactionCookie: { name: "__Host-tx" } }],
    ["a return address after logout elsewhere", { routes: { postLogoutRedirect: elsewhere } }],
    ["the base URL itself after logout", { routes: { postLogoutRedirect: "" } }],
    ["id_token without client secret", { responseType: "id_token", clientSecret: undefined }],
    ["a signing key in place of a secret", { clientSecret: undefined, clientAssertionSigningKey }],
    [
      "private_key_jwt with its key",
      { clientAuthMethod: "private_key_jwt", clientSecret: undefined, clientAssertionSigningKey },
    ],
    [
      "a session cookie for a domain above, with a dot and in any case of letters",
      { baseURL: "https://www.app.example", session: { cookie: { domain: ".App.example" } } },
    ],
    [
      "a path of the transaction cookie below a base URL with slashes at its end",
      { baseURL: "https://app.example/shop//", transactionCookie: { path: "/shop/api" } },
    ],
    ["a parameter without a value", { authorizationParams: { login_hint: "" } }],
  ] as [string, Record<string, unknown>][])("accept %s", (_, changes) => {
    expect(faultsBy(changes)).toEqual([]);
  });
});

describe("the faults of settings", () => {
  test("are all reported, including those of rules over several valid settings", () => {
    const found = faultsOf({
      baseURL: "app.example",
      scope: "email",
      session: { rolling: false, rollingDuration: 60, cookie: { secure: false } },
      backchannelLogout: true,
    });
    expect(found.map(({ option }) => option)).toEqual(words`
      secret baseURL issuerBaseURL clientID scope clientSecret session.rollingDuration
      backchannelLogout
    `);
  });

  test("name every required setting if none is set", () => {
    expect(faultsOf({}).map(({ variable }) => variable)).toEqual(words`
      LATCHKEY_SECRET LATCHKEY_BASE_URL LATCHKEY_ISSUER_BASE_URL LATCHKEY_CLIENT_ID
      LATCHKEY_CLIENT_SECRET
    `);
  });

  test("describe the value of every required setting", () => {
    const remedies = faultsOf({}).map(({ remedy }) => remedy);
    expect(remedies).toEqual([
      expect.stringContaining("Set LATCHKEY_SECRET to 32 random bytes"),
      expect.stringContaining("the address at which people open the app"),
      expect.stringContaining("the issuer"),
      expect.stringContaining("the client ID"),
      expect.stringContaining("the client secret"),
    ]);
  });

  test("describe the expected value after a wrong one", () => {
    const wrong = { secret: "short", baseURL: "localhost:3000", publicPaths: ["about"] };
    const found = faultsOf({ ...good, ...wrong });
    expect(found.map(({ remedy }) => remedy)).toEqual([
      expect.stringContaining("openssl rand -base64 32"),
      expect.stringContaining("http://localhost:3000"),
      expect.stringContaining("begin with /"),
    ]);
  });

  test("name the path for a pattern of public paths", () => {
    const [fault] = faultsOf({ ...good, publicPaths: ["/about", "/public/*.css"] });
    expect([fault?.variable, fault?.remedy]).toEqual([
      "LATCHKEY_PUBLIC_PATHS",
      "Write /public/ for everything below this path.",
    ]);
  });

  test.each([
    "/public/:path*",
    "/public/(.*)",
    "/public/[...slug]",
    "/public/(en|de)",
    "/public/.+",
  ])("name the path for the pattern %s of another tool", (path) => {
    expect(faultsOf({ ...good, publicPaths: [path] })).toMatchObject([
      {
        message: "has a pattern in it, and takes paths",
        remedy: "Write /public/ for everything below this path.",
      },
    ]);
  });

  test.each(["/*", "/:path*", "/pub*"])("do not take the front page for all below %s", (path) => {
    expect(faultsOf({ ...good, publicPaths: [path] })).toMatchObject([
      { remedy: "List the public paths, such as /about or /assets/: / is the front page alone." },
    ]);
  });

  test.each(["$(openssl rand -base64 32)", "`openssl rand -base64 32`"])(
    "explain once that no shell reads %s",
    (command) => {
      const { options } = optionsFromEnvironment({ LATCHKEY_SECRET: command });
      expect(faultsOf({ ...good, secret: options.secret })).toMatchObject([
        {
          message: "is a command, and no shell has run it",
          remedy:
            "Change LATCHKEY_SECRET to 32 random bytes, for example the output of openssl rand -base64 32.",
        },
      ]);
    },
  );

  test("explain that spaces in a secret separate several secrets", () => {
    const { options } = optionsFromEnvironment({ LATCHKEY_SECRET: "correct-horse battery" });
    const [fault] = faultsOf({ ...good, secret: options.secret });
    expect([fault?.option, fault?.remedy]).toEqual([
      "secret.1",
      "Change LATCHKEY_SECRET to 32 random bytes without a space: spaces stand between several secrets.",
    ]);
  });

  test("name the variable of all parameters, and how it is written", () => {
    const [fault] = faultsOf({ ...good, authorizationParams: { '{"audience":"api"}': "" } });
    expect([fault?.variable, fault?.remedy]).toEqual([
      "LATCHKEY_AUTHORIZATION_PARAMS",
      "Change LATCHKEY_AUTHORIZATION_PARAMS to parameters such as audience=https://api.example.com&prompt=login.",
    ]);
  });

  test("name an unknown option with the nearest one, and do not repeat its value", () => {
    const found = faultsOf({ ...good, clientSecert: "topsecret", session: { nmae: "topsecret" } });
    const told = found.map(({ option, message, remedy }) => `${option} ${message}. ${remedy}`);
    expect(told.toSorted()).toEqual([
      "clientSecert is not an option. Did you mean clientSecret?",
      "session.nmae is not an option. Did you mean session.name?",
    ]);
    expect(JSON.stringify(found)).not.toContain("topsecret");
  });

  test.each([
    ["keepFragment", { keepFragment: true }],
    ["session.whenStoreIsDown", { session: { whenStoreIsDown: "serve" } }],
  ])("name the removed option %s with what to do instead", (option, settings) => {
    const remedy = expect.stringMatching(/^It was removed: .*Remove the setting/);
    expect(faultsOf({ ...good, ...settings })).toEqual([
      expect.objectContaining({ option, remedy }),
    ]);
  });

  test("name every unknown option, even side by side", () => {
    const cookie = { sameSit: "lax", scure: true };
    const session = { nmae: "x", rolling: true, rollng: true, cookie };
    const unknown = { clientSecert: "x", scpoe: "openid", "session.name": "x", session };
    const found = faultsOf({ ...good, ...unknown });
    expect(found.map(({ option, remedy }) => `${option}: ${remedy}`).toSorted()).toEqual([
      "clientSecert: Did you mean clientSecret?",
      "scpoe: Did you mean scope?",
      "session.cookie.sameSit: Did you mean session.cookie.sameSite?",
      "session.cookie.scure: Did you mean session.cookie.secure?",
      "session.name: Write it as nested objects, without dots.",
      "session.nmae: Did you mean session.name?",
      "session.rollng: Did you mean session.rolling?",
    ]);
  });

  test("name the option if the name of its variable is given", () => {
    const told = { message: "is not an option", remedy: "Did you mean clientID?" };
    expect(faultsOf({ ...good, LATCHKEY_CLIENT_ID: "app" })).toEqual([
      { option: "LATCHKEY_CLIENT_ID", variable: "", ...told },
    ]);
  });

  test.each([
    ["secret", "hunter2"],
    ["secret", ["0123456789abcdef", "hunter2"]],
    ["secret", { a: "hunter2" }],
    ["clientSecret", ["hunter2"]],
    ["clientAssertionSigningKey", ["hunter2"]],
  ])("never repeat a faulty %s", (option, value) => {
    const found = faultsOf({ ...good, [option]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).not.toHaveProperty("seen");
    expect(found[0]?.variable).toMatch(/^LATCHKEY_[A-Z_]+$/);
    expect(new ConfigError(found).message + JSON.stringify(found)).not.toContain("hunter2");
  });

  test("repeat other values", () => {
    expect(faultsOf({ ...good, scope: "email" })[0]?.seen).toBe("email");
    expect(faultsOf({ ...good, idpLogout: ["no"] })[0]?.seen).toBe('["no"]');
  });

  test.each([
    ["a value in a group", { session: { rollingDuration: 60, renewAfter: 60 } }, "60"],
    [
      "what is so by default",
      { baseURL: "http://app.example", responseType: "id_token" },
      "form_post",
    ],
    [
      "the wrong part of a value",
      { authorizationParams: { state: "x", audience: "api" } },
      "state",
    ],
  ])("repeat of a rule over several settings %s", (_, changes, seen) => {
    expect(faultsOf({ ...good, ...changes })[0]?.seen).toBe(seen);
  });

  test("do not repeat a password in an address", () => {
    const baseURL = "https://user:hunter2@app.example";
    const found = faultsOf({ ...good, baseURL, issuerBaseURL: "http://user:hunter2@op.example" });
    expect(found.map(({ option }) => option)).toEqual(["baseURL", "issuerBaseURL"]);
    expect(new ConfigError(found).message + JSON.stringify(found)).not.toContain("hunter2");
  });

  test.each([null, "text", 7])("are one if the options are %j", (options) => {
    expect(faultsOf(options)).toHaveLength(1);
  });

  test("name no variable for a group of options with a wrong type", () => {
    const remedy = "Pass an object of options, such as name.";
    expect(faultsOf({ ...good, session: true })).toEqual([
      { option: "session", variable: "", message: "must be an object", remedy },
    ]);
  });
});
