import type { Config } from "./config.ts";

const goodSecretBytes = 32;

/** What an operator should know at start-up, in sentences; none of it stops the app. */
export function startUpWarnings(config: Config, hasStore: boolean): readonly string[] {
  const warnings: string[] = [];
  const { clientSecret = "" } = config;
  if (config.secrets.some(isShort)) {
    warnings.push(
      `LATCHKEY_SECRET is shorter than ${goodSecretBytes} bytes and could be guessed. Make a good one: openssl rand -base64 32`,
    );
  }
  if (config.idTokenSigningAlg.startsWith("HS") && isShort(clientSecret)) {
    warnings.push(
      `LATCHKEY_CLIENT_SECRET is shorter than ${goodSecretBytes} bytes: who guesses it can sign ID tokens. Ask the provider for a longer one, or choose RS256.`,
    );
  }
  if (!hasStore) {
    warnings.push(
      "There is no store: logout ends a session in this browser only. A cookie that was copied stays good until it expires, and back-channel logout is not available. Set LATCHKEY_STORE.",
    );
  }
  return warnings;
}

function isShort(secret: string): boolean {
  return new TextEncoder().encode(secret).length < goodSecretBytes;
}
