import { type Auth, createAuth, type Options } from "../auth.ts";
import { type Environment, optionsFromEnvironment } from "../config/environment.ts";
import { openStore } from "./open-store.ts";
import { openSecretFiles } from "./secret-files.ts";

/** Options that an environment cannot hold, and those that the app decides itself. */
export interface GivenOptions extends Partial<Options> {
  /**
   * Names of further `LATCHKEY_` variables that the app reads for itself, which are therefore not
   * misspelt; a `*` at the end of a name stands for anything.
   */
  readonly knownVariables?: readonly string[] | undefined;
}

/**
 * Makes the sign-in that the `LATCHKEY_` variables describe, store included. Options given here
 * come first.
 *
 * Opens and checks nothing yet, so that a build can import it: `ready()` or the first request opens
 * the store and checks the settings, and throws a `ConfigError` with every fault.
 */
export function authFromEnvironment(
  environment: Environment = process.env,
  given: GivenOptions = {},
): Auth {
  return createAuth(optionsWithStore(environment, given));
}

/**
 * The options for `createAuth` that the variables describe, with a function that opens their store.
 */
export function optionsWithStore(
  environment: Environment,
  { knownVariables, warnings = [], ...given }: GivenOptions = {},
): Options {
  const read = optionsFromEnvironment(environment, knownVariables);
  const { storeURL } = read;
  const files = openSecretFiles(read.secretFiles);
  const hasFiles = Object.keys(read.secretFiles).length > 0;
  const opener = storeURL === undefined ? undefined : () => openStore(storeURL);
  return {
    ...read.options,
    ...files.secrets,
    ...(hasFiles ? { watchSecrets: files.watch } : {}),
    ...given,
    store: given.store ?? opener,
    warnings: [...read.warnings, ...files.warnings, ...warnings],
  };
}
