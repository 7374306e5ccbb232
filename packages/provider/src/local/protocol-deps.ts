import type { ProviderKeys } from "./keys.ts";
import type { User } from "./users/sample-users.ts";
import type { ClientSettings, ProviderSettings } from "./settings.ts";
import type { Storage } from "./storage.ts";

/** What the protocol depends on. */
export interface ProtocolDeps {
  readonly issuer: string;
  /** The name of the customer that this issuer plays, if there are several. */
  readonly customer: string | undefined;
  readonly settings: ProviderSettings;
  readonly clients: readonly ClientSettings[];
  readonly users: readonly User[];
  readonly keys: ProviderKeys;
  readonly storage: Storage;
}
