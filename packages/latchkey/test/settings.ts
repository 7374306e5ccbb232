import { type Config, readConfig } from "../src/config/config.ts";
import type { Settings } from "../src/config/settings.ts";
import { ConfigError, type ConfigFault } from "../src/errors/config-error.ts";

/** Settings without a fault: an app and a provider over https. */
export const goodSettings = {
  secret: "0123456789abcdef0123456789abcdef",
  baseURL: "https://app.example",
  issuerBaseURL: "https://op.example",
  clientID: "client",
  clientSecret: "client-secret",
} as const satisfies Settings;

/** The same as variables. */
export const goodVariables = {
  LATCHKEY_SECRET: goodSettings.secret,
  LATCHKEY_BASE_URL: goodSettings.baseURL,
  LATCHKEY_ISSUER_BASE_URL: goodSettings.issuerBaseURL,
  LATCHKEY_CLIENT_ID: goodSettings.clientID,
  LATCHKEY_CLIENT_SECRET: goodSettings.clientSecret,
};

/** The config of these changes to good settings, in an app without a store. */
export function configOf(changes: Partial<Settings> = {}): Config {
  return readConfig({ ...goodSettings, ...changes }, { hasStore: false });
}

/** Returns the faults of settings; empty for good settings. */
export function faultsOf(settings: unknown, hasStore = false): readonly ConfigFault[] {
  try {
    readConfig(settings, { hasStore });
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

/** Returns option and message of each fault introduced into good settings by these changes. */
export function faultsBy(
  changes: Readonly<Record<string, unknown>>,
  hasStore = false,
): readonly string[] {
  return faultsOf({ ...goodSettings, ...changes }, hasStore).map(
    ({ option, message }) => `${option}: ${message}`,
  );
}
