import type { Config, ConnectionSettings } from "../config/config.ts";
import { connectionVariable } from "../config/connection-ids.ts";
import { defaultID } from "../config/constants.ts";
import { variableOf } from "../config/setting-definitions.ts";
import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import { findSigningKeyFault } from "../oidc/client-authentication.ts";

const option = "clientAssertionSigningKey";

/**
 * Imports the signing key of each client, so that a wrong one stops the start and not each sign-in.
 *
 * @throws {ConfigError} if one cannot sign with the configured algorithm
 */
export async function checkSigningKeys({
  connections,
}: Pick<Config, "connections">): Promise<void> {
  const own = Object.values(connections).filter(({ id, uses }) => uses === id);
  const faults = (await Promise.all(own.map(faultsOf))).flat();
  if (faults.length > 0) throw new ConfigError(faults);
}

async function faultsOf(settings: ConnectionSettings): Promise<readonly ConfigFault[]> {
  const message = await findSigningKeyFault(settings);
  if (message === null) return [];
  const { id } = settings;
  const name = (setting: string) => connectionVariable(id, variableOf(setting));
  const remedy = `Set it to the whole key, and ${name("clientAssertionSigningAlg")} to its algorithm, such as ES256 for a key of the curve P-256.`;
  const place = id === defaultID ? option : `connections.${id}.${option}`;
  return [{ option: place, variable: name(option), message, remedy }];
}
