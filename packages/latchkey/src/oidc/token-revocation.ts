import type { Provider } from "./provider.ts";

/** A token of a session, and what it is. */
export interface RevocableToken {
  readonly kind: "refresh" | "access";
  readonly value: string;
}

/**
 * Tells the provider that a token will not be used any more (RFC 7009).
 *
 * @returns `false` where the provider does not want to know
 * @throws {Refusal} what the call itself throws
 */
export async function revokeToken(
  provider: Provider,
  { kind, value }: RevocableToken,
): Promise<boolean> {
  const metadata = await provider.metadata();
  if (metadata.revocation_endpoint === undefined) return false;
  await provider.send({
    endpoint: "revocation_endpoint",
    parameters: { token: value, token_type_hint: `${kind}_token` },
    expected: 200,
    otherwise: "client_rejected",
  });
  return true;
}
