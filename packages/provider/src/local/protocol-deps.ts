import type { ProviderKeys } from "./keys.ts";
import type { Person } from "./people/sample-people.ts";
import type { ClientSettings, ProviderSettings } from "./settings.ts";
import type { Storage } from "./storage.ts";

/** What the protocol depends on. */
export interface ProtocolDeps {
  readonly issuer: string;
  readonly settings: ProviderSettings;
  readonly clients: readonly ClientSettings[];
  readonly people: readonly Person[];
  readonly keys: ProviderKeys;
  readonly storage: Storage;
}
