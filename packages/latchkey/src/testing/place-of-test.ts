import { type Config, configAt } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import { createContext, type ContextOptions } from "../host/create-context.ts";
import { createEngine } from "../host/create-engine.ts";
import type { HostContext } from "../host/host-context.ts";
import { createSiteMap } from "../http/site-map.ts";
import { withoutTrailingSlashes } from "../http/trailing-slash.ts";

type Connection = HostContext["connections"]["default"];

/** Where and with whom a user of a test has signed in. */
export interface TestPlace {
  /** The id of a connection of the settings. Default: `default`, the flat settings. */
  readonly connection?: string;
  /** A base URL of the app. Default: the first one. */
  readonly baseURL?: string;
}

/**
 * Returns the connection, and the context of the site.
 *
 * @throws {TypeError} if the settings have no such connection or base URL
 */
export async function openPlace(
  config: Config,
  options: ContextOptions,
  { connection: id = defaultID, baseURL = config.baseURL }: TestPlace,
): Promise<{ readonly context: HostContext; readonly connection: Connection }> {
  const engine = createEngine(config, options);
  const connection = await engine.connections.byID(id);
  if (connection === null) {
    const known = engine.connections.all.map((each) => each.id).join(", ");
    throw new TypeError(`The settings have no connection ${id}, but ${known}.`);
  }
  return { context: createContext(siteOf(config, baseURL), options, engine), connection };
}

function siteOf(config: Config, baseURL: string): Config {
  const { baseURLs } = config;
  const isPrimary = withoutTrailingSlashes(baseURL) === config.baseURL;
  if (isPrimary) return config;
  const host = URL.parse(baseURL)?.host ?? "";
  const found = createSiteMap(baseURLs).baseURLAt(host);
  if (found === null) {
    throw new TypeError(`The app has no base URL ${baseURL}, but ${baseURLs.join(", ")}.`);
  }
  return found === config.baseURL ? config : configAt(config, found);
}
