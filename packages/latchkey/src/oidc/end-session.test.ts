import { expect, test } from "vitest";

import { configOf } from "../../test/settings.ts";
import { endSessionURL } from "./end-session.ts";

const config = configOf();
const metadata = {
  issuer: "https://op.example",
  authorization_endpoint: "https://op.example/authorize",
};
const request = {
  idToken: "id.token.text",
  postLogoutRedirectURI: "https://app.example/bye?a=b&c=d",
  state: "state",
};

function parametersOf(endpoint: string, changes: Partial<typeof request> = {}) {
  const url = endSessionURL(
    config,
    { ...metadata, end_session_endpoint: endpoint },
    { ...request, ...changes },
  );
  return Object.fromEntries(new URL(url ?? "").searchParams);
}

test("the logout request carries hint, client, return address and state (RP-Initiated Logout 1.0, 2) [STD-124]", () => {
  expect(parametersOf("https://op.example/end")).toEqual({
    id_token_hint: "id.token.text",
    client_id: "client",
    post_logout_redirect_uri: "https://app.example/bye?a=b&c=d",
    state: "state",
  });
});

test("the logout request keeps the query of the endpoint, and names nothing twice [STD-125]", () => {
  const endpoint = "https://op.example/end?tenant=a%20b&client_id=old#part";
  expect(parametersOf(endpoint)).toMatchObject({ tenant: "a b", client_id: "client" });
  const url = endSessionURL(config, { ...metadata, end_session_endpoint: endpoint }, request) ?? "";
  expect(url.match(/client_id=/g)).toHaveLength(1);
  expect(url).toContain("tenant=a%20b");
});

test("the logout request has no hint too long for an address", () => {
  const endpoint = "https://op.example/end";
  expect(parametersOf(endpoint, { idToken: "x".repeat(6144) })).toHaveProperty("id_token_hint");
  expect(parametersOf(endpoint, { idToken: "x".repeat(6145) })).not.toHaveProperty("id_token_hint");
});

test("there is no logout request if the provider has no such endpoint", () => {
  expect(endSessionURL(config, metadata, request)).toBeNull();
});
