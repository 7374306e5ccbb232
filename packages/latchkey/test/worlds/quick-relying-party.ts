import type { Config } from "../../src/config/config.ts";
import type { Settings } from "../../src/config/settings.ts";
import { type Connection, createConnection } from "../../src/oidc/connection.ts";
import type { LogEvent } from "../../src/telemetry/log-event.ts";
import { createQuickProvider, quickClient, type QuickProvider } from "./quick-provider.ts";
import { quietProviderDeps } from "./quiet-provider-deps.ts";
import { configOf } from "../settings.ts";

/** What a relying party knows of the quick provider: how the modules of `oidc/` are called. */
export interface QuickRelyingParty {
  readonly quick: QuickProvider;
  readonly config: Config;
  readonly connection: Connection;
  /** What was logged. */
  readonly events: readonly LogEvent[];
}

/** @param clock in epoch milliseconds */
export function quickRelyingParty(
  clock: () => number = Date.now,
  settings: Partial<Settings> = {},
): QuickRelyingParty {
  const quick = createQuickProvider(clock);
  const config = configOf({ ...quickClient, idTokenSigningAlg: "HS256", ...settings });
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => void events.push(event);
  const deps = {
    ...quietProviderDeps,
    fetch: quick.fetch,
    clock,
    log,
  };
  const connection = createConnection(config.connections.default, deps);
  return { quick, config, connection, events };
}
