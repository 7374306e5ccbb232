import { ambient } from "../ambient.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import { consoleLog } from "../telemetry/console-log.ts";
import { limitOwnFaults } from "../telemetry/limit-own-faults.ts";
import type { Log } from "../telemetry/log-event.ts";
import type { PagesOption } from "../config/pages.ts";
import type { Parts } from "../config/parts.ts";
import { isLoopback } from "../config/rules/rule.ts";
import type { Settings } from "../config/settings.ts";
import type { FormerSessions } from "../session/former-session.ts";
import type { Session, SessionData } from "../session/session.ts";
import type { Store } from "../stores/store.ts";
import type { TokenExchange } from "../oidc/token-exchange.ts";
import type { CallersPart } from "./callers.ts";
import { faultyParts } from "./faulty-parts.ts";
import type { InspectorPart } from "./inspector.ts";
import type { RequestAuth } from "./request-auth.ts";

type AllParts = Parts<SessionData, Store, Session>;

/** Features with an entry point of their own: apps that do not import one do not carry it. */
interface Features {
  /** Access tokens for other APIs on behalf of the user: `tokenExchange()` of its entry point. */
  readonly tokenExchange?: TokenExchange | undefined;
  /**
   * Keeps users signed in when an app moves from another library: `nextjsAuth0()` or
   * `expressOpenIDConnect()` of `latchkey/moving`.
   */
  readonly formerSessions?: FormerSessions | undefined;
  /** Further pages, and better ones: `pages()` of `@latchkey/pages`. */
  readonly pages?: PagesOption<RequestAuth, Session> | undefined;
}

/** Settings and parts together: what `createAuth` takes. */
export interface Options extends Settings, AllParts, Features {
  /**
   * Lets clients call with access tokens, beside sessions: `api({ audience: "…" })` of
   * `latchkey/api`.
   */
  readonly api?: CallersPart | undefined;
  /**
   * Shows developers the recent sign-ins at `/api/auth/inspector`: `inspector` of
   * `latchkey/inspector`. Called in development only; `authFromEnvironment` brings it along.
   */
  readonly inspector?: InspectorPart | undefined;
}

/** The parts which need no opening. */
export interface ReadyParts extends Omit<AllParts, "store" | "log">, Features {
  readonly log: Log;
  /** Whether the log is the console, which a developer reads. */
  readonly logsToConsole?: boolean;
}

/**
 * Options by what becomes of them: settings are checked, a store is opened, parts without a fault
 * are used as they are.
 */
export interface SeparatedOptions {
  readonly settings: Settings;
  readonly store: AllParts["store"];
  readonly api?: CallersPart | undefined;
  readonly inspector?: InspectorPart | undefined;
  readonly parts: ReadyParts;
  readonly faults: readonly ConfigFault[];
}

export function separateOptions(options: Options): SeparatedOptions {
  // JavaScript lets an app pass nothing. The check of the settings reports it.
  if (typeof options !== "object" || options === null) {
    return { settings: options, store: undefined, parts: { log: ambientLog({}) }, faults: [] };
  }
  const { store, api, inspector, log: given, hooks, ...others } = options;
  const log = typeof given === "function" ? given : ambientLog(options);
  const { renderProblem, renderSignedOut, renderKeptForm, ...unseen } = others;
  const { fetch, clock, random, waitUntil, ...more } = unseen;
  const { warnings, watchSecrets, telemetry, accessRules, ...unset } = more;
  const { tokenExchange, formerSessions, pages, ...settings } = unset;
  const features = { tokenExchange, formerSessions, pages };
  const rendered = { renderProblem, renderSignedOut, renderKeptForm };
  const logsToConsole = consoleLogs.has(log);
  const runtime = { fetch, clock, random, waitUntil };
  const functions = { ...rendered, ...runtime, warnings, watchSecrets, telemetry };
  return {
    settings,
    store,
    api,
    inspector,
    parts: { log, logsToConsole, hooks, accessRules, ...features, ...functions },
    faults: [...faultyParts(options), ...(pages?.faults ?? [])],
  };
}

/** Read before the settings are checked. `undefined` if they do not show it. */
export function isProduction({ production, baseURL = "" }: Partial<Settings>): boolean | undefined {
  return production ?? (URL.canParse(baseURL) ? !isLoopback(baseURL) : undefined);
}

/**
 * Warnings and errors on stderr, one line each. Readable unless the settings show production: the
 * very first start has no settings at all.
 */
export function ambientLog(options: Partial<Settings>): Log {
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
