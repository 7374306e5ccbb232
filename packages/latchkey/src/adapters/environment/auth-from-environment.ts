import { createAuth } from "../../host/auth.ts";
import { type Environment, optionsFromEnvironment } from "../../config/environment.ts";
import type { Settings } from "../../config/settings.ts";
import { isPart } from "../../host/faults-of-code-options.ts";
import { isJSONObject } from "../../crypto/json-object.ts";
import { checkSharedStore } from "../../stores/shared-store.ts";
// The entry point, so that apps may augment its types without an import of it.
import type { Auth, Options } from "../../index.ts";
import type { Store } from "../../stores/store.ts";
import { openStore } from "../../stores/open-store.ts";
import { developmentInspector } from "./development-inspector.ts";
import { openSecretFiles } from "./secret-files.ts";

/** Options without a variable, and options decided by the app. */
export interface GivenOptions extends Partial<Options> {
  /**
   * Names of further `LATCHKEY_` variables which the app reads itself, so that they do not count as
   * misspelt. A `*` at the end of a name stands for anything.
   */
  readonly knownVariables?: readonly string[] | undefined;
}

/**
 * Creates the sign-in described by the `LATCHKEY_` variables, store included. Options given here
 * come first.
 *
 * Opens and checks nothing yet, so that a build can import it. `ready()` or the first request opens
 * the store and checks the settings, and throws a `ConfigError` with every fault.
 */
export function authFromEnvironment(
  environment: Environment = process.env,
  given: GivenOptions = {},
): Auth {
  return createAuth(optionsWithStore(environment, given));
}

/**
 * Returns the options for `createAuth` described by the variables, with a function that opens their
 * store.
 */
export function optionsWithStore(
  environment: Environment,
  { knownVariables, warnings = [], ...given }: GivenOptions = {},
): Options {
  const read = optionsFromEnvironment(environment, knownVariables);
  const { storeURL } = read;
  const { connections } = given;
  const lookedUp = isPart("connections", connections) ? connections : null;
  const listed = isPart("connections", connections) ? connections.listed : connections;
  const files = openSecretFiles({ ...read, given: listed });
  const hasFiles = read.secretFiles.length > 0 || read.connectionsFile !== undefined;
  const { instances = 1 } = { ...read.options, ...given };
  const all = files.secrets.connections ?? joinGroups(read.options.connections, listed);
  const opener = storeURL === undefined ? undefined : () => openSharedStore(storeURL, instances);
  return {
    inspector: developmentInspector,
    ...read.options,
    ...files.secrets,
    watchSecrets: hasFiles ? files.watch : undefined,
    ...given,
    ...mergeSettings(read.options, given),
    connections: lookedUp === null ? all : { ...lookedUp, listed: all },
    store: given.store ?? opener,
    warnings: [
      ...missingFileWarning(environment, given),
      ...read.warnings,
      ...files.warnings,
      ...warnings,
    ],
  };
}

type Groups = Pick<
  Partial<Settings>,
  "session" | "transactionCookie" | "routes" | "authorizationParams"
>;

/** An option inside a group takes the place of its own variable only. */
function mergeSettings(read: Groups, given: Groups): Groups {
  const session = joinGroups(read.session, given.session);
  const cookie = joinGroups(read.session?.cookie, given.session?.cookie);
  return {
    session: isJSONObject(session) ? { ...session, cookie } : session,
    transactionCookie: joinGroups(read.transactionCookie, given.transactionCookie),
    routes: joinGroups(read.routes, given.routes),
    authorizationParams: joinGroups(read.authorizationParams, given.authorizationParams),
  };
}

/** What is given for a group and is none stays as it is: the check of the settings names it. */
function joinGroups<Group extends object>(
  read: Group | undefined,
  given: Group | undefined,
): Group | undefined {
  return isJSONObject(given) ? { ...read, ...given } : (given ?? read);
}

/**
 * Whether the file of variables was not read: no variable is set, and the app names no provider.
 */
function missingFileWarning(
  environment: Environment,
  { issuerBaseURL }: Partial<Options>,
): readonly string[] {
  const isAny = Object.keys(environment).some((name) => name.startsWith("LATCHKEY_"));
  if (isAny || issuerBaseURL !== undefined) return [];
  return [
    "No LATCHKEY_ variable is set. Next.js reads them from .env.local beside package.json; Node does with: node --env-file=.env.local <your server>",
  ];
}

/**
 * Opens a store which all instances reach. A rejected file is not created.
 *
 * @throws {ConfigError} if several instances would each have their own store
 */
async function openSharedStore(address: string, instances: number): Promise<Store> {
  checkSharedStore(address.split(":", 1)[0], instances);
  return openStore(address);
}
