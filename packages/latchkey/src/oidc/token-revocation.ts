import { processRevocationResponse, revocationRequest } from "oauth4webapi";

import type { Config } from "../config/config.ts";
import { callOptions, clientOf, refusalOf } from "./client-call.ts";
import { authenticateClient } from "./client-authentication.ts";
import type { Provider } from "./provider.ts";

/**
 * Tells the provider that a refresh token will not be used any more (RFC 7009), where it wants to
 * know.
 *
 * @throws {Refusal} what the call itself throws
 */
export async function revokeRefreshToken(
  config: Config,
  provider: Provider,
  refreshToken: string,
): Promise<void> {
  const metadata = await provider.metadata();
  if (metadata.revocation_endpoint === undefined) return;
  try {
    const { clientAuth } = await authenticateClient(config, metadata);
    const options = {
      ...callOptions(config, provider.fetch),
      additionalParameters: { token_type_hint: "refresh_token" },
    };
    await processRevocationResponse(
      await revocationRequest(metadata, clientOf(config), clientAuth, refreshToken, options),
    );
  } catch (error) {
    throw refusalOf(error, "provider_failed", "token revocation");
  }
}
