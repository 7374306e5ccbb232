import { ambient } from "../ambient.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import { consoleLog } from "../telemetry/console-log.ts";
import { limitOwnFaults } from "../telemetry/limit-own-faults.ts";
import type { Log } from "../telemetry/log-event.ts";
import type { CodeOptions } from "../config/code-options.ts";
import { isLoopback } from "../config/rules/rule.ts";
import type { Settings } from "../config/settings.ts";
import type { Session, SessionData } from "../session/session.ts";
import type { Store } from "../stores/store.ts";
import { faultsOfCodeOptions, isPart, partsIn } from "./faults-of-code-options.ts";
import type { Part } from "./part.ts";

type AppOptions = CodeOptions<SessionData, Store, Session>;

/** The options which take a part: apps that do not import one do not carry it. */
interface PartOptions {
  /**
   * Further connections by their ids, each with the settings of its provider, or `lookUp()` of
   * `latchkey/connections`, which finds them in a database.
   */
  readonly connections?: Settings["connections"] | Part<"connections"> | undefined;
  /**
   * Lets clients call with access tokens, beside sessions: `api({ audience: "…" })` of
   * `latchkey/api`.
   */
  readonly api?: Part<"api"> | undefined;
  /** Access tokens for other APIs on behalf of the user: `tokenExchange()` of its entry point. */
  readonly tokenExchange?: Part<"tokenExchange"> | undefined;
  /**
   * Keeps users signed in when an app moves from another library: `nextjsAuth0()` or
   * `expressOpenIDConnect()` of `latchkey/moving`.
   */
  readonly formerSessions?: Part<"formerSessions"> | undefined;
  /** Further pages, and better ones: `pages()` of `@latchkey/pages`. */
  readonly pages?: Part<"pages"> | undefined;
  /**
   * Shows developers the recent sign-ins at `/api/auth/inspector`: `inspector` of
   * `latchkey/inspector`. In development only; `authFromEnvironment` brings it along.
   */
  readonly inspector?: Part<"inspector"> | undefined;
  /**
   * Lets previews and further hosts sign in by the redirect URI of one app: `relay()` of
   * `latchkey/relay`.
   */
  readonly relay?: Part<"relay"> | undefined;
}

/** All options together: what `createAuth` takes. */
export interface Options extends Omit<Settings, "connections">, AppOptions, PartOptions {}

/** The options of code which need no opening. */
export interface ReadyOptions extends Omit<AppOptions, "store" | "log"> {
  readonly log: Log;
  /** Whether the log is the console, which a developer reads. */
  readonly logsToConsole?: boolean;
}

/**
 * Options by what becomes of them: settings are checked, a store and parts are opened, the
 * others are used as they are.
 */
export interface SeparatedOptions {
  readonly settings: Settings;
  readonly store: AppOptions["store"];
  readonly ready: ReadyOptions;
  readonly parts: readonly Part[];
  readonly faults: readonly ConfigFault[];
}

export function separateOptions(options: Options): SeparatedOptions {
  // JavaScript lets an app pass nothing. The check of the settings reports it.
  if (typeof options !== "object" || options === null) {
    const ready = { log: ambientLog({}) };
    return { settings: options, store: undefined, ready, parts: [], faults: [] };
  }
  const { store, log: given, hooks, ...others } = options;
  const log = typeof given === "function" ? given : ambientLog(options);
  const { renderProblem, renderSignedOut, renderKeptForm, ...unseen } = others;
  const { fetch, clock, random, waitUntil, ...more } = unseen;
  const { warnings, watchSecrets, telemetry, accessRules, ...unset } = more;
  const { api, tokenExchange, formerSessions, pages, inspector, relay, connections, ...settings } =
    unset;
  // The inspector of the relay shows no sign-in of a preview.
  const ofParts = { relay, api, tokenExchange, formerSessions, pages, inspector };
  const parts = partsIn({ ...ofParts, connections });
  const listed = isPart("connections", connections) ? connections.listed : connections;
  const rendered = { renderProblem, renderSignedOut, renderKeptForm };
  const logsToConsole = consoleLogs.has(log);
  const runtime = { fetch, clock, random, waitUntil };
  const functions = { ...rendered, ...runtime, warnings, watchSecrets, telemetry };
  return {
    settings: { ...settings, connections: listed },
    store,
    ready: { log, logsToConsole, hooks, accessRules, ...functions },
    parts,
    faults: faultsOfCodeOptions(options),
  };
}

type ShownSettings = Pick<Partial<Settings>, "production" | "baseURL">;

/** Read before the settings are checked. `undefined` if they do not show it. */
export function isProduction({ production, baseURL = "" }: ShownSettings): boolean | undefined {
  if (production !== undefined) return production;
  const baseURLs = [baseURL].flat();
  return baseURLs.every((each) => URL.canParse(each)) ? !baseURLs.every(isLoopback) : undefined;
}

/**
 * Warnings and errors on stderr, one line each. Readable unless the settings show production: the
 * very first start has no settings at all.
 */
export function ambientLog(options: ShownSettings): Log {
  const { print: write, clock, monotonic } = ambient;
  const production = isProduction(options) === true;
  return asConsoleLog(limitOwnFaults(consoleLog({ production, write, clock }), monotonic));
}

const consoleLogs = new WeakSet<Log>();

/** Marks a log that writes to the console, such as a filter before the ambient one. */
export function asConsoleLog(log: Log): Log {
  consoleLogs.add(log);
  return log;
}
