import { postAsClient, refusalOfCall } from "./client-call.ts";
import type { Connection } from "./connection.ts";
import { readSuccess } from "./error-answer.ts";

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
    const response = await postAsClient(connection, {
      endpoint: "revocation",
      address: metadata.revocation_endpoint,
      members: { token_type_hint: `${kind}_token`, token: value },
      accept: null,
    });
    await readSuccess(response, { status: 200, needed: [] });
    return true;
  } catch (error) {
    throw refusalOfCall(error, "client_rejected", "token revocation");
  }
}
