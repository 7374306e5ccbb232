import { processRevocationResponse, revocationRequest } from "oauth4webapi";

import type { Config } from "../config/config.ts";
import { callOptions, clientOf, refusalOfCall } from "./client-call.ts";
import { authenticateClient } from "./client-authentication.ts";
import { checkIsNoError } from "./error-answer.ts";
import type { Provider } from "./provider.ts";

/** A token of a session, and what it is. */
export interface RevocableToken {
  readonly kind: "refresh" | "access";
  readonly value: string;
}

/**
 * Revokes a token (RFC 7009).
 *
 * @returns `false` if the provider has no such endpoint or ignores the token
 * @throws {Refusal} the error of the call
 */
export async function revokeToken(
  config: Config,
  provider: Provider,
  { kind, value }: RevocableToken,
): Promise<boolean> {
  const metadata = await provider.metadata();
  if (metadata.revocation_endpoint === undefined) return false;
  try {
    const clientAuth = await authenticateClient(config, metadata);
    const options = {
      ...callOptions(config, provider.fetch, "revocation"),
      additionalParameters: { token_type_hint: `${kind}_token` },
    };
    const response = await revocationRequest(
      metadata,
      clientOf(config),
      clientAuth,
      value,
      options,
    );
    if (response.status < 500) await checkIsNoError(response, []);
    await processRevocationResponse(response);
    return true;
  } catch (error) {
    throw refusalOfCall(error, "client_rejected", "token revocation");
  }
}
