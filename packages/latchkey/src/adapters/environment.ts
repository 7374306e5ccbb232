import { type Auth, createAuth, type Options } from "../auth.ts";
import { optionsFromEnvironment } from "../config/environment.ts";
import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Store } from "../stores/store.ts";
import { openStore } from "./open-store.ts";

/** Options that an environment cannot hold, and those that the app decides itself. */
export type GivenOptions = Partial<Options>;

/** Sign-in that has opened a store of its own. */
export interface EnvironmentAuth extends Auth {
  /** Closes the store that was opened; one that was given stays open. */
  close(): Promise<void>;
}

/**
 * Makes the sign-in that `LATCHKEY_` variables describe, store included. Options given here come first.
 *
 * @throws {ConfigError} with every fault, that of the store included
 */
export async function authFromEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  given: GivenOptions = {},
): Promise<EnvironmentAuth> {
  const { options, storeURL } = optionsFromEnvironment(environment);
  const opened = given.store === undefined ? await tryToOpen(storeURL) : undefined;
  if (isFault(opened)) {
    const others = faultsOf({ ...options, ...given, store: memoryStore() });
    throw new ConfigError([...others, opened]);
  }
  const withStore = opened === undefined ? {} : { store: opened };
  const auth = createAuth({ ...options, ...withStore, ...given });
  return { ...auth, close: async () => opened?.close() };
}

async function tryToOpen(storeURL: string | undefined): Promise<Store | ConfigFault | undefined> {
  if (storeURL === undefined || storeURL === "") return undefined;
  try {
    return await openStore(storeURL);
  } catch (error) {
    return {
      option: "store",
      variable: "LATCHKEY_STORE",
      message: error instanceof Error ? error.message : "cannot be opened",
      // The address of a store may hold a password: its scheme is enough to find the mistake.
      seen: storeURL.split(":", 1)[0] ?? "",
      remedy: "Set memory:, sqlite:<file> or redis://…, and see that it can be reached.",
    };
  }
}

function isFault(opened: Store | ConfigFault | undefined): opened is ConfigFault {
  return opened !== undefined && "remedy" in opened;
}

function faultsOf(options: Options): readonly ConfigFault[] {
  try {
    createAuth(options);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
