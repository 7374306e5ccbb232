import type { Config } from "../config/config.ts";
import { variableOf } from "../config/setting-definitions.ts";
import { ConfigError } from "../errors/config-error.ts";
import { findSigningKeyFault } from "../oidc/client-authentication.ts";

const option = "clientAssertionSigningKey";

/**
 * Imports the signing key of the client, so that a wrong one stops the start and not each sign-in.
 *
 * @throws {ConfigError} if it cannot sign with the configured algorithm
 */
export async function checkSigningKey(config: Config): Promise<void> {
  const message = await findSigningKeyFault(config);
  if (message === null) return;
  const remedy = `Set it to the whole key, and ${variableOf("clientAssertionSigningAlg")} to its algorithm, such as ES256 for a key of the curve P-256.`;
  throw new ConfigError([{ option, variable: variableOf(option), message, remedy }]);
}
