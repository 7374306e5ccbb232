import { expect, test } from "vitest";

import {
  createQuickProvider,
  type Members,
  quickClient,
} from "../../test/conformance/quick-provider.ts";
import { quietProviderDeps } from "../../test/quiet-provider-deps.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import { createProvider } from "./provider.ts";
import { requestTokens } from "./token-request.ts";

const config = readConfig(
  { ...goodSettings, ...quickClient, idTokenSigningAlg: "HS256" },
  { hasStore: false },
);

/** What a code is exchanged for, where the token endpoint responds so. */
function tokensFrom(respond: (good: Members) => Response) {
  const quick = createQuickProvider(Date.now);
  quick.answers.token = respond;
  const provider = createProvider({
    ...quietProviderDeps,
    config,
    fetch: quick.fetch,
    clock: Date.now,
  });
  return requestTokens(config, provider, { code: "a-code", codeVerifier: "v".repeat(43) });
}

const withMembers = (changes: Members) =>
  tokensFrom((good) => Response.json({ ...good, ...changes }));

test("a member that is null counts as absent, and so does an empty scope", async () => {
  const changes = { refresh_token: null, expires_in: null, id_token: null, scope: "" };
  expect(await withMembers({ ...changes, access_token: "a" })).toEqual({
    accessToken: "a",
    idToken: undefined,
    refreshToken: undefined,
    scope: undefined,
    expiresIn: undefined,
  });
});

test.each(["Bearer", "bearer", "BEARER"])(
  "a token of type %s is taken (RFC 6749, 5.1)",
  async (type) => {
    expect(await withMembers({ token_type: type })).toHaveProperty("accessToken");
  },
);

test.each(["DPoP", "mac"])("a token of type %s is refused (RFC 6749, 7.1)", async (type) => {
  await expect(withMembers({ token_type: type })).rejects.toMatchObject({
    reason: "token_type_unknown",
    detail: type,
  });
});

test.each([
  ["an HTML page with status 502", () => new Response("<h1>", { status: 502 }), "provider_failed"],
  [
    "an error with status 503",
    () => Response.json({ error: "x" }, { status: 503 }),
    "provider_busy",
  ],
  [
    "an unknown error",
    () => Response.json({ error: "x" }, { status: 400 }),
    "token_response_invalid",
  ],
  [
    "a spent code",
    () => Response.json({ error: "invalid_grant" }, { status: 400 }),
    "code_rejected",
  ],
  [
    "a refused client",
    () => Response.json({ error: "invalid_client" }, { status: 401 }),
    "client_rejected",
  ],
  ["a list", () => Response.json([]), "token_response_invalid"],
] as const)(
  "a token response that is %s is refused under its own reason",
  async (_, respond, reason) => {
    await expect(tokensFrom(respond)).rejects.toMatchObject({ reason });
  },
);
