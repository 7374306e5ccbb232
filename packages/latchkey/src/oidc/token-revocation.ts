import { revocationRequest } from "oauth4webapi";

import { callOptions, clientOf, refusalOfCall } from "./client-call.ts";
import { authenticateClient } from "./client-authentication.ts";
import type { Connection } from "./connection.ts";
import { checkSuccess } from "./error-answer.ts";

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
  connection: Connection,
  { kind, value }: RevocableToken,
): Promise<boolean> {
  const metadata = await connection.issuer.metadata();
  if (metadata.revocation_endpoint === undefined) return false;
  try {
    const clientAuth = await authenticateClient(connection, metadata);
    const options = {
      ...callOptions(connection, "revocation"),
      additionalParameters: { token_type_hint: `${kind}_token` },
    };
    const response = await revocationRequest(
      metadata,
      clientOf(connection),
      clientAuth,
      value,
      options,
    );
    await checkSuccess(response, { status: 200, needed: [] });
    return true;
  } catch (error) {
    throw refusalOfCall(error, "client_rejected", "token revocation");
  }
}
