import { type Config, readConfig } from "../config/config.ts";
import type { Secrets, SecretsObserver } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import type { Context } from "../context.ts";
import { checkSigningKey } from "./check-signing-key.ts";

/**
 * Puts new secrets in force while the app runs. They replace those in the config, which all code
 * reads. Invalid secrets change nothing, and are logged.
 */
export function exchangeSecrets(
  { config, ended, log, sessionKeys }: Context,
  settings: Settings,
): SecretsObserver {
  let inForce = settings;

  function refuse(error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error);
    log({ event: "key-ring-changed", outcome: "refused", detail });
  }

  function exchange(changed: Settings, checked: Config): void {
    const { clientSecret, clientAssertionSigningKey } = checked;
    Object.assign(config, { secrets: checked.secrets, clientSecret, clientAssertionSigningKey });
    inForce = changed;
    const keyIds = sessionKeys.list().map(({ id }) => id);
    log({ event: "key-ring-changed", outcome: "changed", keyIds });
  }

  /** A new signing key counts when it has been imported. */
  function check(secrets: Secrets): void {
    const changed = { ...inForce, ...secrets };
    const checked = readConfig(changed, { hasStore: ended !== null });
    const { clientAssertionSigningKey: key } = checked;
    if (key === undefined || key === config.clientAssertionSigningKey) exchange(changed, checked);
    else checkSigningKey(checked).then(() => exchange(changed, checked), refuse);
  }

  return {
    error: refuse,
    next(secrets) {
      try {
        check(secrets);
      } catch (error) {
        refuse(error);
      }
    },
  };
}
