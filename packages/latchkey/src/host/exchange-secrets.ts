import { type Config, readConfig } from "../config/config.ts";
import type { Secrets, SecretsObserver } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import type { Context } from "../context.ts";
import type { Engine } from "./engine.ts";
import { checkSigningKey } from "./check-signing-key.ts";

/**
 * Puts new secrets in force while the app runs. Invalid secrets change nothing, and are logged.
 *
 * @param onExchanged - called with all the secrets in force
 */
export function exchangeSecrets(
  { secrets, connections, ended, log, sessionKeys }: ExchangePlaces,
  settings: Settings,
  onExchanged: (inForce: SecretsInForce) => void,
): SecretsObserver {
  const { credentials } = connections.default;
  let current = settings;

  function refuse(error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error);
    log({ event: "key-ring-changed", outcome: "refused", detail });
  }

  function exchange(changed: Settings, checked: Config): void {
    const { clientSecret, clientAssertionSigningKey } = checked;
    secrets.replace(checked.secrets);
    credentials.replace({ clientSecret, clientAssertionSigningKey });
    onExchanged({ secrets: checked.secrets, clientSecret, clientAssertionSigningKey });
    current = changed;
    const keyIds = sessionKeys.list().map(({ id }) => id);
    log({ event: "key-ring-changed", outcome: "changed", keyIds });
  }

  /** A new signing key counts when it has been imported. */
  function check(given: Secrets): void {
    const changed = { ...current, ...given };
    const checked = readConfig(changed, { hasStore: ended !== null });
    const { clientAssertionSigningKey: key } = checked;
    const isKnown = key === credentials.current().clientAssertionSigningKey;
    if (key === undefined || isKnown) exchange(changed, checked);
    else checkSigningKey(checked).then(() => exchange(changed, checked), refuse);
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

interface ExchangePlaces
  extends Pick<Context, "ended" | "log" | "sessionKeys">, Pick<Engine, "connections" | "secrets"> {}

type SecretsInForce = Pick<Config, "secrets" | "clientSecret" | "clientAssertionSigningKey">;
