import { describe, expect, test } from "vitest";

import { metadataOf, type Members } from "../../test/worlds/quick-provider.ts";
import { configOf } from "../../test/settings.ts";
import { words } from "../../test/words.ts";
import { fetchMetadata } from "./metadata.ts";
import { createProviderFetch } from "./provider-fetch.ts";

/** Fetches metadata of this issuer, which has them changed so. */
function fetched(issuerBaseURL: string, changes: Members = {}) {
  const isLocal = issuerBaseURL.startsWith("http:");
  const local = isLocal ? { baseURL: "http://localhost:3000" } : {};
  const config = configOf({ ...local, issuerBaseURL });
  const metadata = { ...metadataOf(issuerBaseURL), ...changes };
  return fetchMetadata(config, async () => Response.json(metadata));
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
  ["https://op.example", { userinfo_endpoint: "no address" }],
  ["https://op.example", { userinfo_endpoint: "javascript:alert(1)" }],
  ["https://op.example", { end_session_endpoint: "https://user@op.example/" }],
  ["https://op.example", { token_endpoint: "http://op.example/token" }],
  ["https://op.example", { token_endpoint: "http://localhost:4000/token" }],
  ["http://localhost:4000", { token_endpoint: "http://op.example/token" }],
  ["http://localhost:4000", { token_endpoint: "ftp://localhost:4000/token" }],
  ["https://op.example", { token_endpoint: null }],
  ["https://op.example", { token_endpoint_auth_methods_supported: "client_secret_post" }],
  ["https://op.example", { token_endpoint_auth_methods_supported: ["client_secret_post", 7] }],
])("metadata of %s are refused with %j (OpenID Connect Discovery 1.0, 3)", async (issuer, more) => {
  await expect(fetched(issuer, more)).rejects.toMatchObject({ reason: "metadata_invalid" });
});

test.each([
  undefined,
  "https://op.example/",
  "https://OP.example",
  ["https://op.example"],
  { toString: "https://op.example" },
])(
  "rejects metadata with the issuer %j (OpenID Connect Discovery 1.0, 4.3) [ATK-013]",
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
  const { value } = await fetchMetadata(config, async () => Response.json(metadata));
  expect(value.issuer).toBe(config.issuerBaseURL);
});

test.each(words`
  token_endpoint jwks_uri userinfo_endpoint end_session_endpoint
  pushed_authorization_request_endpoint revocation_endpoint introspection_endpoint
`)("metadata are refused with an unusable %s, also where it is not needed", async (name) => {
  const settings = { responseType: "id_token", idTokenSigningAlg: "HS256" } as const;
  const config = configOf(settings);
  const metadata = { ...metadataOf(config.issuerBaseURL), [name]: "ftp://op.example/" };
  await expect(fetchMetadata(config, async () => Response.json(metadata))).rejects.toMatchObject({
    reason: "metadata_invalid",
    detail: `${name} is missing or not a usable address`,
  });
});

test.each([
  ["a list", () => Response.json([]), "metadata_invalid"],
  ["missing", () => new Response("", { status: 404 }), "metadata_invalid"],
  ["those of a broken server", () => new Response("", { status: 500 }), "provider_failed"],
])("rejects metadata that are %s", async (_, respond, reason) => {
  const config = configOf();
  await expect(fetchMetadata(config, async () => respond())).rejects.toMatchObject({ reason });
});

test("requests metadata as JSON, one slash after the issuer (OpenID Connect Discovery 1.0, 4.1) [STD-028]", async () => {
  const issuerBaseURL = "https://op.example/tenant/";
  const config = configOf({ issuerBaseURL });
  const asked: unknown[] = [];
  await fetchMetadata(config, async (...call) => {
    asked.push(call);
    return Response.json(metadataOf(issuerBaseURL));
  });
  expect(asked).toEqual([
    [
      "https://op.example/tenant/.well-known/openid-configuration",
      { endpoint: "metadata", method: "GET", headers: { Accept: "application/json" } },
    ],
  ]);
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
    return { asked, outcome: await fetchMetadata(config, call).catch((error: unknown) => error) };
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
