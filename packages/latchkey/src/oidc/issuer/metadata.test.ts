import { describe, expect, test } from "vitest";

import { metadataOf, type Members } from "../../../test/worlds/quick-provider.ts";
import { configOf } from "../../../test/settings.ts";
import { words } from "../../../test/words.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../telemetry/log-event.ts";
import { fetchMetadata } from "./metadata.ts";
import { createMemberReader } from "./provider-document.ts";
import { createProviderFetch } from "./provider-fetch.ts";

const readMembers = createMemberReader(() => undefined);

/** Fetches metadata of this issuer, which has them changed so. */
function fetched(issuerBaseURL: string, changes: Members = {}) {
  const isLocal = issuerBaseURL.startsWith("http:");
  const local = isLocal ? { baseURL: "http://localhost:3000" } : {};
  const config = configOf({ ...local, issuerBaseURL });
  const metadata = { ...metadataOf(issuerBaseURL), ...changes };
  return read(config, Response.json(metadata));
}

function read(config: Config, response: Response, log: Log = () => undefined) {
  return fetchMetadata([config], async () => response, createMemberReader(log));
}

test.each([
  ["https://op.example", { token_endpoint: "https://elsewhere.example/token" }],
  ["http://localhost:4000", { token_endpoint: "https://op.example/token" }],
  ["http://localhost:4000", { token_endpoint: "http://127.0.0.1:4001/token" }],
  ["https://op.example", { userinfo_endpoint: undefined }],
  ["https://op.example", { end_session_endpoint: null }],
  ["https://op.example", { token_endpoint_auth_methods_supported: null }],
])("metadata of %s may have %j", async (issuer, changes) => {
  expect(await fetched(issuer, changes)).toHaveProperty("value.issuer", issuer);
});

test.each([
  ["https://op.example", { authorization_endpoint: undefined }],
  ["https://op.example", { token_endpoint: undefined }],
  ["https://op.example", { jwks_uri: undefined }],
  ["https://op.example", { jwks_uri: ["https://op.example/jwks"] }],
  ["https://op.example", { token_endpoint: "http://op.example/token" }],
  ["https://op.example", { token_endpoint: "http://localhost:4000/token" }],
  ["http://localhost:4000", { token_endpoint: "http://op.example/token" }],
  ["http://localhost:4000", { token_endpoint: "ftp://localhost:4000/token" }],
  ["https://op.example", { token_endpoint: null }],
  ["https://op.example", { authorization_endpoint: "" }],
  ["https://op.example", { authorization_endpoint: "/authorize" }],
  ["https://op.example", { jwks_uri: "https://user@op.example/keys" }],
  ["https://op.example", { token_endpoint: "https://:password@op.example/token" }],
])("metadata of %s are refused with %j (OpenID Connect Discovery 1.0, 3)", async (issuer, more) => {
  const [name = ""] = Object.keys(more);
  const detail = expect.stringMatching(`^${name} is .+, not an absolute https address`) as string;
  await expect(fetched(issuer, more)).rejects.toMatchObject({ reason: "metadata_invalid", detail });
});

test.each([
  undefined,
  "https://op.example/",
  "https://OP.example",
  ["https://op.example"],
  { toString: "https://op.example" },
])(
  "metadata with the issuer %j are refused (OpenID Connect Discovery 1.0, 4.3) [ATK-013]",
  async (issuer) => {
    await expect(fetched("https://op.example", { issuer })).rejects.toMatchObject({
      reason: "issuer_mismatch",
    });
  },
);

test.each([
  [{ responseType: "id_token" }, { token_endpoint: undefined }],
  [{ idTokenSigningAlg: "HS256" }, { jwks_uri: undefined }],
] as const)("with the settings %j metadata may have %j", async (settings, changes) => {
  const config = configOf(settings);
  const metadata = { ...metadataOf(config.issuerBaseURL), ...changes };
  const { value } = await read(config, Response.json(metadata));
  expect(value.issuer).toBe(config.issuerBaseURL);
});

describe("an unusable member that this configuration does not need", () => {
  const config = configOf({ responseType: "id_token", idTokenSigningAlg: "HS256" });
  const endpoint = "not an absolute https address";
  const endpoints = words`
    token_endpoint jwks_uri userinfo_endpoint end_session_endpoint
    pushed_authorization_request_endpoint revocation_endpoint introspection_endpoint
    registration_endpoint check_session_iframe
  `;
  const flags = words`
    authorization_response_iss_parameter_supported require_pushed_authorization_requests
  `;
  const lists = words`token_endpoint_auth_methods_supported prompt_values_supported`;
  const rows: readonly (readonly [readonly string[], unknown, string])[] = [
    [endpoints, "", `an empty text, ${endpoint}`],
    [endpoints, "/relative", `a text, ${endpoint}`],
    [endpoints, "http://op.example/", `a text, ${endpoint}`],
    [endpoints, "http://localhost:4000/", `a text, ${endpoint}`],
    [endpoints, "ftp://op.example/", `a text, ${endpoint}`],
    [endpoints, "javascript:alert(1)", `a text, ${endpoint}`],
    [endpoints, "https://:password@op.example/", `a text, ${endpoint}`],
    [endpoints, "https://user@op.example/", `a text, ${endpoint}`],
    [endpoints, ["https://op.example/"], `a list, ${endpoint}`],
    [endpoints, false, `a boolean, ${endpoint}`],
    [flags, "true", "a text, not true or false"],
    [flags, 1, "a number, not true or false"],
    [lists, "client_secret_post", "a text, not a list of texts"],
    [lists, ["client_secret_post", 7], "a list, not a list of texts"],
    [lists, { 0: "client_secret_post" }, "an object, not a list of texts"],
  ];

  test.each(rows.flatMap(([names, ...row]) => names.map((name) => [name, ...row] as const)))(
    "is absent, with one warning: %s as %j",
    async (name, value, fault) => {
      const messages: unknown[] = [];
      const log: Log = (event) => messages.push("message" in event && event.message);
      const metadata = { ...metadataOf(config.issuerBaseURL), [name]: value };
      const { value: found } = await read(config, Response.json(metadata), log);
      expect(found).not.toHaveProperty(name);
      expect(messages).toEqual([
        `The provider's metadata: ${name} is ${fault}, and counts as absent.`,
      ]);
    },
  );
});

test.each([
  ["a list", () => Response.json([]), "metadata_invalid"],
  ["missing", () => new Response("", { status: 404 }), "metadata_invalid"],
  ["those of a broken server", () => new Response("", { status: 500 }), "provider_failed"],
])("metadata that are %s are refused", async (_, respond, reason) => {
  const config = configOf();
  await expect(read(config, respond())).rejects.toMatchObject({ reason });
});

test("an error in place of metadata is refused, with the words of the provider", async () => {
  const response = Response.json({ error: "realm_disabled" });
  await expect(read(configOf(), response)).rejects.toMatchObject({
    reason: "metadata_invalid",
    detail: "metadata: the provider sent an error: realm_disabled",
  });
});

test("metadata are requested as JSON, one slash after the issuer (OpenID Connect Discovery 1.0, 4.1) [STD-028]", async () => {
  const issuerBaseURL = "https://op.example/tenant/";
  const config = configOf({ issuerBaseURL });
  const asked: unknown[] = [];
  const answer = async (...call: readonly unknown[]) => {
    asked.push(call);
    return Response.json(metadataOf(issuerBaseURL));
  };
  await fetchMetadata([config], answer, readMembers);
  expect(asked).toEqual([
    [
      "https://op.example/tenant/.well-known/openid-configuration",
      { endpoint: "metadata", method: "GET", headers: { Accept: "application/json" } },
    ],
  ]);
});

describe("the metadata of usual providers are used without a warning", () => {
  const basic = "client_secret_basic";
  test.each<[string, string, Members]>([
    ["Google", "https://accounts.google.com", { end_session_endpoint: undefined }],
    ["Apple", "https://appleid.apple.com", { userinfo_endpoint: undefined }],
    [
      "Auth0",
      "https://acme.eu.auth0.com/",
      { mfa_challenge_endpoint: "https://acme.eu.auth0.com/mfa/challenge", x_list: [null] },
    ],
    [
      "Keycloak",
      "https://id.example.com/realms/acme",
      {
        mtls_endpoint_aliases: { token_endpoint: "https://id.example.com/token" },
        check_session_iframe: "https://id.example.com/login-status-iframe.html",
        require_pushed_authorization_requests: false,
      },
    ],
    [
      "Entra ID",
      "https://login.microsoftonline.com/8b1a9953/v2.0",
      { tenant_region_scope: null, cloud_instance_name: "", kerberos_endpoint: "" },
    ],
    [
      "Cognito",
      "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_abc",
      { token_endpoint_auth_methods_supported: [basic, "client_secret_post"] },
    ],
    ["GitLab", "https://gitlab.com", { introspection_endpoint: "https://gitlab.com/introspect" }],
  ])("%s", async (_, issuer, members) => {
    const messages: unknown[] = [];
    const log: Log = (event) => messages.push(event);
    const metadata = { ...metadataOf(issuer), ...members };
    const config = configOf({ issuerBaseURL: issuer });
    const { value } = await read(config, Response.json(metadata), log);
    expect([value.issuer, messages]).toEqual([issuer, []]);
  });
});

describe("metadata at an address of their own", () => {
  const issuer = "https://acme.b2clogin.com/8b1a9953/v2.0/";
  const policy = "https://acme.b2clogin.com/acme/v2.0/.well-known/openid-configuration?p=sign_in";

  test("are fetched there, with its query, for the configured issuer", async () => {
    const config = configOf({ issuerBaseURL: issuer, metadataURL: policy });
    const asked: string[] = [];
    const fetch = async (address: string) => {
      asked.push(address);
      return Response.json(metadataOf(issuer));
    };
    const { value } = await fetchMetadata([config], fetch, readMembers);
    expect([asked, value.issuer]).toEqual([[policy], issuer]);
  });

  test.each([
    [
      "https://acme.example/8b1a9953/v2.0/",
      "set LATCHKEY_ISSUER_BASE_URL to exactly this, and if it has no metadata there, LATCHKEY_METADATA_URL to https://op.example/.well-known/openid-configuration",
    ],
    ["https://op.example/", "set LATCHKEY_ISSUER_BASE_URL to exactly this"],
    ["no address", "itself no address"],
  ])("are advised for the issuer %s", async (found, advice) => {
    await expect(fetched("https://op.example", { issuer: found })).rejects.toMatchObject({
      reason: "issuer_mismatch",
      detail: expect.stringMatching(`${advice}$`) as string,
    });
  });

  test.each(["https://acme.b2clogin.com/other/v2.0/", issuer.slice(0, -1), null])(
    "must name the issuer: %j is refused, without the query in the log",
    async (found) => {
      const config = configOf({ issuerBaseURL: issuer, metadataURL: policy });
      const metadata = { ...metadataOf(issuer), issuer: found };
      await expect(read(config, Response.json(metadata))).rejects.toMatchObject({
        reason: "issuer_mismatch",
        detail: expect.not.stringContaining("sign_in") as string,
      });
    },
  );

  const inContainers = {
    baseURL: "http://localhost:3000",
    issuerBaseURL: "http://localhost:8080/realms/acme",
    metadataURL: "http://keycloak:8080/realms/acme/.well-known/openid-configuration",
  };

  test.each(["http://localhost:8080", "http://keycloak:8080"])(
    "let this server call the provider at their host if they name %s for it",
    async (named) => {
      const { issuerBaseURL } = inContainers;
      const metadata = {
        ...metadataOf(issuerBaseURL),
        token_endpoint: `${named}/token?realm=acme`,
        jwks_uri: `${named}/keys`,
        userinfo_endpoint: "https://elsewhere.example/userinfo",
        revocation_endpoint: undefined,
      };
      const { value } = await read(configOf(inContainers), Response.json(metadata));
      expect(value).toEqual({
        issuer: issuerBaseURL,
        authorization_endpoint: `${issuerBaseURL}/authorize`,
        end_session_endpoint: `${issuerBaseURL}/end-session`,
        token_endpoint: "http://keycloak:8080/token?realm=acme",
        jwks_uri: "http://keycloak:8080/keys",
        userinfo_endpoint: "https://elsewhere.example/userinfo",
      });
    },
  );

  test.each([
    ["another host", inContainers, "http://other:8080/token"],
    ["their host over http, if the issuer is https", {}, "http://keycloak:8080/token"],
  ])("do not admit %s", async (_, changes, endpoint) => {
    const config = configOf(changes);
    const metadata = { ...metadataOf(config.issuerBaseURL), token_endpoint: endpoint };
    await expect(read(config, Response.json(metadata))).rejects.toMatchObject({
      reason: "metadata_invalid",
    });
  });
});

test("a long issuer is cut in the log", async () => {
  await expect(fetched("https://op.example", { issuer: "x".repeat(1000) })).rejects.toMatchObject({
    detail: expect.stringMatching(/ itself x{200}$/) as string,
  });
});

describe("a redirect of the metadata", () => {
  const issuer = "https://op.example";
  const config = configOf({ issuerBaseURL: issuer });

  /** Fetches metadata behind some redirects to these addresses; returns the fetched addresses. */
  async function fetchedBehind(...locations: readonly (string | null)[]) {
    const asked: string[] = [];
    const fetch = async (address: string) => {
      const location = locations[asked.length];
      asked.push(address);
      if (location === undefined) return Response.json(metadataOf(issuer));
      return new Response(null, { status: 302, headers: location === null ? {} : { location } });
    };
    const call = createProviderFetch({ fetch, timeoutMs: 1000, clock: Date.now });
    return {
      asked,
      outcome: await fetchMetadata([config], call, readMembers).catch((error: unknown) => error),
    };
  }

  test("it is followed once within the origin of the issuer", async () => {
    const there = `${issuer}/.well-known/openid-configuration/`;
    const { asked, outcome } = await fetchedBehind(there);
    expect(asked).toEqual([there.slice(0, -1), there]);
    expect(outcome).toHaveProperty("value.issuer", issuer);
  });

  test.each([
    ["another host", ["https://evil.example/"]],
    ["another port", ["https://op.example:8443/"]],
    ["plain http", ["http://op.example/"]],
    ["no address", ["https://"]],
    ["nowhere", [null]],
  ])("it is not followed to %s", async (_, locations) => {
    const { asked, outcome } = await fetchedBehind(...locations);
    expect(asked).toHaveLength(1);
    expect(outcome).toMatchObject({ reason: "provider_redirected" });
  });

  test("a second one is not followed", async () => {
    const { asked, outcome } = await fetchedBehind("/one", "/two");
    expect(asked).toHaveLength(2);
    expect(outcome).toMatchObject({ reason: "provider_redirected" });
  });
});
