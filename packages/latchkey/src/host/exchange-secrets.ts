import { type Config, readConfig } from "../config/config.ts";
import type { Secrets, SecretsObserver } from "../config/code-options.ts";
import type { Settings } from "../config/settings.ts";
import type { HostContext } from "./host-context.ts";
import type { Engine } from "./engine.ts";
import { checkSigningKeys } from "./check-signing-key.ts";

/**
 * Puts new secrets in force while the app runs. Invalid secrets change nothing, and are logged.
 *
 * @param onExchanged - called with all the secrets in force
 */
export function exchangeSecrets(
  { ended, log, sessionKeys }: Pick<HostContext, "ended" | "log" | "sessionKeys">,
  { secrets, connections }: Pick<Engine, "connections" | "secrets">,
  settings: Settings,
  onExchanged: (inForce: SecretsInForce) => void,
): SecretsObserver {
  let current = settings;

  function refuse(error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error);
    log({ event: "key-ring-changed", outcome: "refused", detail });
  }

  function exchange(changed: Settings, checked: Config): void {
    secrets.replace(checked.secrets);
    connections.replace(checked.connections);
    const { clientSecret, clientAssertionSigningKey } = checked;
    onExchanged({
      secrets: checked.secrets,
      connections: checked.connections,
      clientSecret,
      clientAssertionSigningKey,
    });
    current = changed;
    const keyIds = sessionKeys.list().map(({ id }) => id);
    log({ event: "key-ring-changed", outcome: "changed", keyIds });
  }

  /** A new signing key counts when it has been imported. */
  function check(given: Secrets): void {
    const changed = { ...current, ...given };
    const checked = readConfig(changed, { hasStore: ended !== null });
    const inForce = connections.all.map(({ credentials }) => credentials.current());
    const known = new Set(inForce.map((each) => each.clientAssertionSigningKey));
    const keys = Object.values(checked.connections).map((each) => each.clientAssertionSigningKey);
    if (keys.every((key) => known.has(key))) exchange(changed, checked);
    else checkSigningKeys(checked).then(() => exchange(changed, checked), refuse);
  }

  return {
    error: refuse,
    next(given) {
      try {
        check(given);
      } catch (error) {
        refuse(error);
      }
    },
  };
}

type SecretsInForce = Pick<
  Config,
  "secrets" | "connections" | "clientSecret" | "clientAssertionSigningKey"
>;
