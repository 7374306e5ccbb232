import { expect, test } from "vitest";

import { recordedProvider } from "../../test/worlds/recorded-provider.ts";
import { revokeToken } from "./token-revocation.ts";

const metadata = { revocation_endpoint: "https://op.example/revoke" };

test.each(["refresh", "access"] as const)(
  "sends the revoked %s token with its type and client to the provider (RFC 7009, 2.1)",
  async (kind) => {
    const { config, provider, calls } = recordedProvider(() => new Response(), { metadata });
    expect(await revokeToken(config, provider, { kind, value: "a-token" })).toBe(true);
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
  const { config, provider, calls } = recordedProvider(() => new Response());
  expect(await revokeToken(config, provider, { kind: "access", value: "a-token" })).toBe(false);
  expect(calls).toEqual([]);
});

test.each([
  [500, "provider_failed"],
  [404, "client_rejected"],
])("a response with status %i is no revocation", async (status, reason) => {
  const { config, provider } = recordedProvider(() => new Response("", { status }), { metadata });
  const revoking = revokeToken(config, provider, { kind: "access", value: "a-token" });
  await expect(revoking).rejects.toMatchObject({ reason });
});
