import { describe, expect, test } from "vitest";

import { configOf } from "../../test/settings.ts";
import { endSessionURL, type LogoutRequest } from "./end-session-url.ts";

const config = configOf();
const metadata = {
  issuer: "https://op.example",
  authorization_endpoint: "https://op.example/authorize",
};
const request = {
  idToken: "id.token.text",
  user: {},
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

describe("an ID token that makes the address too long", () => {
  const metadataWithEnd = { ...metadata, end_session_endpoint: "https://op.example/end" };
  const address = (changes: Partial<LogoutRequest> = {}) =>
    endSessionURL(config, metadataWithEnd, { ...request, ...changes }) ?? "";
  const room = 2000 - address({ idToken: "" }).length;
  const ofGroups = (groups: number) => "x".repeat(1000 + 50 * groups);

  test("is left out above 2,000 characters of the whole address", () => {
    expect(address({ idToken: "x".repeat(room) })).toHaveLength(2000);
    const longer = address({ idToken: "x".repeat(room + 1) });
    expect(longer).not.toContain("id_token_hint");
    expect(longer).toContain("client_id=client");
    expect(longer).toContain("state=state");
  });

  test.each([
    [{ login_hint: "O.abc", preferred_username: "ada", email: "ada@app.example" }, "O.abc"],
    [{ login_hint: 7, preferred_username: "ada@app.example" }, "ada@app.example"],
    [{ preferred_username: "", email: "ada@app.example" }, "ada@app.example"],
  ])("is replaced by the name of the user %j", (user, hint) => {
    const url = new URL(address({ idToken: ofGroups(30), user }));
    expect(url.searchParams.get("logout_hint")).toBe(hint);
    expect(url.href.length).toBeLessThan(2000);
  });

  test("is not replaced by a name that is too long itself, or by none", () => {
    for (const user of [{ email: "x".repeat(2000) }, {}]) {
      expect(address({ idToken: ofGroups(200), user })).not.toContain("logout_hint");
    }
  });
});

test("a logout without an ID token names no user", () => {
  const user = { email: "ada@app.example" };
  const withEnd = { ...metadata, end_session_endpoint: "https://op.example/end" };
  const url = endSessionURL(config, withEnd, { ...request, idToken: undefined, user });
  expect(url).not.toContain("hint");
});

test("there is no logout request if the provider has no such endpoint", () => {
  expect(endSessionURL(config, metadata, request)).toBeNull();
});
