import { describe, expect, test } from "vitest";

import type { Members } from "../../test/worlds/quick-provider.ts";
import { recordedProvider } from "../../test/worlds/recorded-provider.ts";
import { configOf } from "../../test/settings.ts";
import type { Settings } from "../config/settings.ts";
import { authorizationURL, redirectURI, withQuery } from "./authorization-request.ts";

const request = {
  redirectURI: "https://app.example/api/auth/callback",
  state: "s",
  nonce: "n",
  codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
};

async function parametersOf(
  settings: Partial<Settings> = {},
  more: Partial<Parameters<typeof authorizationURL>[1]> = {},
  metadata: Members = {},
): Promise<Record<string, string>> {
  const { connection, calls } = recordedProvider(Response.error, { settings, metadata });
  const url = await authorizationURL(connection, { ...request, ...more });
  expect(calls).toEqual([]);
  return Object.fromEntries(new URL(url).searchParams);
}

describe("the authorization request", () => {
  test("has the challenge of the published example for its verifier (RFC 7636, appendix B) [STD-060, STD-061]", async () => {
    expect(await parametersOf()).toEqual({
      client_id: "client",
      redirect_uri: "https://app.example/api/auth/callback",
      response_type: "code",
      scope: "openid profile email",
      state: "s",
      nonce: "n",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
  });

  test("has no challenge without a code, and requests form_post", async () => {
    const parameters = await parametersOf(
      { responseType: "id_token" },
      { codeVerifier: undefined },
    );
    expect(parameters).toMatchObject({ response_type: "id_token", response_mode: "form_post" });
    expect(parameters).not.toHaveProperty("code_challenge");
  });

  test("uses S256 even if the provider lists plain only, or no method (RFC 9700, 4.8)", async () => {
    for (const methods of [["plain"], []]) {
      const metadata = { code_challenge_methods_supported: methods };
      expect(await parametersOf({}, {}, metadata)).toHaveProperty("code_challenge_method", "S256");
    }
  });

  test("carries the parameters of the settings, then those of this sign-in, and neither replaces ours", async () => {
    const parameters = await parametersOf(
      { authorizationParams: { audience: "api", prompt: "login", ui_locales: "de en" } },
      { extra: { prompt: "select_account", login_hint: "ada" } },
    );
    expect(parameters).toMatchObject({
      audience: "api",
      ui_locales: "de en",
      prompt: "select_account",
      login_hint: "ada",
      client_id: "client",
    });
    const forced = await parametersOf(
      {},
      { extra: { client_id: "evil", state: "evil", scope: "x" } },
    );
    expect(forced).toMatchObject({
      client_id: "client",
      state: "s",
      scope: "openid profile email",
    });
  });

  test("requests each API of the settings (RFC 8707, 2.1), in the query and pushed", async () => {
    const resources = ["https://orders.example", "urn:invoices"];
    const answer = () => Response.json({ request_uri: "urn:r", expires_in: 60 }, { status: 201 });
    const metadata = { pushed_authorization_request_endpoint: "https://op.example/par" };
    const { connection, calls } = recordedProvider(answer, {
      settings: { resources, authorizationParams: { resource: "https://other.example" } },
      metadata,
    });
    const sent = new URL(await authorizationURL(connection, request)).searchParams;
    expect(sent.getAll("resource")).toEqual(resources);
    await authorizationURL({ ...connection, pushedAuthorizationRequests: true }, request);
    const pushed = calls[0]?.pairs.filter(([name]) => name === "resource");
    expect(pushed?.map(([, value]) => value)).toEqual(resources);
  });

  test("names the organization, unless the settings name another one by hand", async () => {
    expect(await parametersOf({ organization: "org_1" })).toHaveProperty("organization", "org_1");
    expect(
      await parametersOf({ organization: "org_1", authorizationParams: { organization: "org_2" } }),
    ).toHaveProperty("organization", "org_2");
  });

  test.each([
    [0, "0"],
    [3600, "3600"],
  ])("requests max_age %i (OpenID Connect Core 3.1.2.1) [ATK-012]", async (maxAge, text) => {
    expect(await parametersOf({}, { maxAge })).toHaveProperty("max_age", text);
    expect(await parametersOf()).not.toHaveProperty("max_age");
  });

  test("returns to the callback of the base URL, its path included", () => {
    const config = configOf({ baseURL: "https://h.example/shop/", routes: { callback: "/back" } });
    expect(redirectURI(config)).toBe("https://h.example/shop/back");
  });
});

describe("withQuery joins parameters to an address", () => {
  test.each([
    ["https://op/a", "https://op/a?x=1%202"],
    ["https://op/a?", "https://op/a?x=1%202"],
    ["https://op/a?y=2", "https://op/a?y=2&x=1%202"],
    ["https://op/a?x=old&y=a%2Bb", "https://op/a?x=1%202&y=a%2Bb"],
    ["https://op/a?y=2#part", "https://op/a?y=2&x=1%202#part"],
  ])("%s", (address, joined) => {
    expect(withQuery(address, { x: "1 2" })).toBe(joined);
  });

  test("are encoded so every server reads them back", () => {
    const value = "a b+c&d=e#f%20é\u{1f511}'\"";
    const url = withQuery("https://op/a", { x: value });
    expect(new URL(url).searchParams.get("x")).toBe(value);
    expect(url).not.toMatch(/[+\s'"]/);
  });
});

test.each([
  ["the settings say so", { pushedAuthorizationRequests: true }, {}],
  ["the provider demands it", {}, { require_pushed_authorization_requests: true }],
])("the request is pushed if %s (RFC 9126) [STD-072]", async (_, settings, metadata) => {
  const { connection, calls } = recordedProvider(
    () => Response.json({ request_uri: "urn:request:1", expires_in: 90 }, { status: 201 }),
    {
      settings,
      metadata: { ...metadata, pushed_authorization_request_endpoint: "https://op.example/par" },
    },
  );
  const url = new URL(await authorizationURL(connection, request));
  expect([...url.searchParams.keys()]).toEqual(["client_id", "request_uri"]);
  expect(calls).toMatchObject([{ path: "/par", form: { state: "s", nonce: "n" } }]);
});

test("the request is not pushed if neither the settings nor the provider require it", async () => {
  const metadata = { require_pushed_authorization_requests: false };
  expect(await parametersOf({}, {}, metadata)).toHaveProperty("state", "s");
});
