import { expect, test } from "vitest";

import { recordedProvider } from "../../test/worlds/recorded-provider.ts";
import { revokeToken } from "./token-revocation.ts";

const metadata = { revocation_endpoint: "https://op.example/revoke" };

test.each(["refresh", "access"] as const)(
  "revokeToken() sends the revoked %s token with its type and client to the provider (RFC 7009, 2.1)",
  async (kind) => {
    const { connection, calls } = recordedProvider(() => new Response(), { metadata });
    expect(await revokeToken(connection, { kind, value: "a-token" })).toBe(true);
    expect(calls).toMatchObject([
      {
        path: "/revoke",
        method: "POST",
        form: { token: "a-token", token_type_hint: `${kind}_token` },
      },
    ]);
    expect(calls[0]?.headers.get("authorization")).toBe(`Basic ${btoa("client:client-secret")}`);
  },
);

test("a provider without the endpoint is not called", async () => {
  const { connection, calls } = recordedProvider(() => new Response());
  expect(await revokeToken(connection, { kind: "access", value: "a-token" })).toBe(false);
  expect(calls).toEqual([]);
});

test.each([
  [500, "provider_failed"],
  [404, "client_rejected"],
])("a response with status %i is no revocation", async (status, reason) => {
  const { connection } = recordedProvider(() => new Response("", { status }), { metadata });
  const revoking = revokeToken(connection, { kind: "access", value: "a-token" });
  await expect(revoking).rejects.toMatchObject({ reason });
});
