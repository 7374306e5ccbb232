import { expect, test } from "vitest";

import type { Members } from "../../test/worlds/quick-provider.ts";
import { recordedProvider } from "../../test/worlds/recorded-provider.ts";
import { pushAuthorizationRequest } from "./pushed-authorization-request.ts";

const endpoint = { pushed_authorization_request_endpoint: "https://op.example/par" };

/** Pushes a request to a provider with this response. */
function pushed(response: Response, metadata: Members = endpoint) {
  const { connection } = recordedProvider(() => response, { metadata });
  return pushAuthorizationRequest(connection, { scope: "openid" });
}

const accepted = (members: Members) =>
  Response.json({ request_uri: "urn:request:1", ...members }, { status: 201 });

test.each([1, 90, 86_400])(
  "the browser gets only the name of a pushed request with a life of %i seconds (RFC 9126, 2.2)",
  async (seconds) => {
    expect(await pushed(accepted({ expires_in: seconds }))).toEqual({
      client_id: "client",
      request_uri: "urn:request:1",
    });
  },
);

test.each([
  ["that lives no time", accepted({ expires_in: 0 })],
  ["that lives longer than a day", accepted({ expires_in: 86_401 })],
  ["without a life", accepted({})],
  ["without a name", Response.json({ expires_in: 90 }, { status: 201 })],
  ["that is refused", Response.json({ error: "invalid_request" }, { status: 400 })],
])("a pushed request %s fails the login", async (_, response) => {
  await expect(pushed(response)).rejects.toMatchObject({ reason: "pushed_request_rejected" });
});

test("the parameters of the request are pushed, by this client", async () => {
  const respond = () => accepted({ expires_in: 90 });
  const { connection, calls } = recordedProvider(respond, { metadata: endpoint });
  await pushAuthorizationRequest(connection, { scope: "openid", state: "s" });
  expect(calls).toMatchObject([
    { path: "/par", method: "POST", form: { client_id: "client", scope: "openid", state: "s" } },
  ]);
});

test("a refused pushed request is logged with the cause and the client authentication", async () => {
  const refused = Response.json({ error: "invalid_request" }, { status: 400 });
  await expect(pushed(refused)).rejects.toMatchObject({
    detail: "pushed request with client_secret_basic: invalid_request",
  });
});

test("a failing provider is not reported as a refusal", async () => {
  await expect(pushed(new Response("", { status: 500 }))).rejects.toMatchObject({
    reason: "provider_failed",
  });
});

test("a provider without the endpoint is reported", async () => {
  await expect(pushed(accepted({ expires_in: 90 }), {})).rejects.toMatchObject({
    reason: "metadata_invalid",
  });
});
