import * as v from "valibot";

import { isJSONObject } from "../crypto/json-object.ts";
import { ConfigError } from "../errors/config-error.ts";
import type { CookieAttributes } from "../http/cookies.ts";
import { readConnections, type ResolvedConnection } from "./connections.ts";
import { bindingName, defaultID, furtherCookies, rollingDurationSeconds } from "./constants.ts";
import { relaxationsIn, withPreset } from "./preset.ts";
import { hasPrefix } from "./rules/cookie-rules.ts";
import { faultsByRules, isHttps, isLoopback, type RuleContext } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";
import { type Routes, routesOf } from "./routes.ts";
import { faultsOfIssue } from "./settings-faults.ts";
import { connectionEntries, type ResolvedSettings, settingsSchema } from "./settings-schema.ts";
import { type Site, siteAt } from "./site.ts";

/**
 * Settings which fit together as they count at one site, with everything derived from them, so
 * requests need not compute it.
 */
export interface Config
  extends
    Site,
    Omit<
      ResolvedSettings,
      | "baseURL"
      | "preset"
      | "production"
      | "pushedAuthorizationRequests"
      | "secret"
      | "session"
      | "transactionCookie"
      | "routes"
      | "connections"
      | "label"
      | "otherEmails"
    > {
  /** By default the id of the connection, and for `default` the host of its issuer. */
  readonly label: string;
  readonly otherEmails: "refuse" | "admit";
  /** The settings of each connection by its id. The flat ones are `default`. */
  readonly connections: SettingsByID;
  /** Those in force; others may follow while the app runs. */
  readonly secrets: readonly string[];
  /** As set, or else whether the base URL is beyond this machine. */
  readonly production: boolean;
  readonly responseMode: "query" | "form_post";
  /** Whether authorization requests are pushed, though the provider does not require it. */
  readonly pushedAuthorizationRequests: boolean | "if-offered";
  /** Paths below which no request is led to login. */
  readonly apiPaths: readonly string[];
  /** Whether users sign in; else the app is an API alone. */
  readonly hasSessions: boolean;
  readonly session: Omit<SessionSettings, keyof SessionDurations | "networkFrom" | "cookie"> & {
    /** The source of a browser's network; `null` if it is not kept. */
    readonly networkFrom: string | null;
    readonly transient: boolean;
    readonly lifetime: SessionLifetime;
    readonly cookie: CookieAttributes;
  };
  readonly transactionCookie: NamedCookie & {
    /**
     * The companion cookie, which only this very host can set: a transaction counts only together
     * with it. `null` if no such cookie is possible, or if the transaction cookie is one itself.
     */
    readonly binding: NamedCookie | null;
  };
  /** The names of all our cookies. Of some there are several, with a suffix behind a dot. */
  readonly cookieNames: readonly string[];
  readonly routes: Routes;
  /** What the settings relax of their preset, each in a sentence. */
  readonly relaxations: readonly string[];
}

/** Has no prototype: only an id finds settings. */
interface SettingsByID {
  readonly default: ConnectionSettings;
  readonly [id: string]: ConnectionSettings;
}

/** The settings of a connection: of one client at one issuer, and what we request of it. */
export interface ConnectionSettings extends Pick<Config, keyof typeof connectionEntries> {
  /** `default` for the flat settings. */
  readonly id: string;
  /** The id of the connection whose client it has: its own, unless it uses another one. */
  readonly uses: string;
  /** Whether responses arrive at the redirect URI of `default`. */
  readonly callback: "own" | "shared";
  /** The shorter ones of the app and of the connection. */
  readonly lifetime: SessionLifetime;
}

type SessionSettings = ResolvedSettings["session"];
type SessionDurations = Pick<SessionSettings, "rolling" | "rollingDuration" | "absoluteDuration">;

export interface NamedCookie {
  readonly name: string;
  readonly attributes: CookieAttributes;
}

/** The longest life of a session, in seconds; `null` without such an end. */
export interface SessionLifetime {
  readonly rolling: number | null;
  readonly absolute: number | null;
}

/**
 * Checks settings and completes them.
 *
 * @throws {ConfigError} with every fault there is, never only the first
 */
export function readConfig(settings: unknown, context: RuleContext): Config {
  const written = withPreset(settings);
  const parsed = v.safeParse(settingsSchema, written);
  const own = (parsed.issues ?? []).flatMap(faultsOfIssue);
  // Also after a fault the output holds every setting that is good, defaults included; rules look
  // at no other.
  const checked = parsed.output as ResolvedSettings;
  const faulty = own.map(({ option }) => option);
  const joint = faultsByRules(rules, checked, context, faulty);
  const more = isJSONObject(written)
    ? readConnections({ written, checked, faulty }, context)
    : { connections: [], faults: [] };
  const faults = [...own, ...joint, ...more.faults];
  if (faults.length > 0) throw new ConfigError(faults);
  return complete(checked, more.connections);
}

/** Returns whether a sign-in requests a refresh token (OpenID Connect Core, section 11). */
export function wantsOfflineAccess({ scope }: Pick<Config, "scope">): boolean {
  return scope.split(" ").includes("offline_access");
}

function complete(settings: ResolvedSettings, more: readonly ResolvedConnection[]): Config {
  const { secret, session, transactionCookie, routes: _paths, ...others } = settings;
  const { preset: _preset, connections: _written, ...rest } = others;
  const site = siteAt(settings.baseURL, { isPrimary: true });
  const byDefault = completeConnection(defaultID, settings, settings.preset);
  const secure = isHttps(site.baseURL);
  const { cookie, rolling, rollingDuration, absoluteDuration, ...ofSession } = session;
  const { transient, ...sessionCookie } = cookie;
  const lifetime = lifetimeOf({ rolling, rollingDuration, absoluteDuration });
  const connections = connectionsOf(settings, more, lifetime);
  const postsForms = Object.values(connections).some((each) => each.responseMode === "form_post");
  return {
    ...rest,
    ...byDefault,
    connections,
    production: settings.production ?? !isLoopback(site.baseURL),
    secrets: typeof secret === "string" ? [secret] : secret,
    ...site,
    apiPaths: ["/api"],
    hasSessions: true,
    session: {
      ...ofSession,
      networkFrom: session.networkFrom ?? null,
      transient,
      lifetime,
      cookie: attributes(sessionCookie, secure),
    },
    transactionCookie: transactionCookieOf(transactionCookie, postsForms, secure),
    cookieNames: [session.name, transactionCookie.name, ...furtherCookies(transactionCookie.name)],
    routes: routesOf(settings),
    relaxations: relaxationsIn(settings),
  };
}

type ClientSettings = Pick<ResolvedSettings, keyof typeof connectionEntries>;

/** What is left open means another thing with another setting. */
function completeConnection(
  id: string,
  settings: ClientSettings,
  preset: ResolvedSettings["preset"],
): Pick<Config, "label" | "otherEmails" | "pushedAuthorizationRequests" | "responseMode"> {
  const { responseType, responseMode = "query", pushedAuthorizationRequests: pushed } = settings;
  const {
    issuerBaseURL,
    domains,
    otherEmails = domains.length > 0 ? "refuse" : "admit",
  } = settings;
  return {
    label: settings.label ?? (id === defaultID ? new URL(issuerBaseURL).host : id),
    otherEmails,
    responseMode: responseType === "code" ? responseMode : "form_post",
    pushedAuthorizationRequests: pushed ?? (preset === "hardened" ? "if-offered" : false),
  };
}

function connectionsOf(
  settings: ResolvedSettings,
  more: readonly ResolvedConnection[],
  lifetime: SessionLifetime,
): Config["connections"] {
  const isShared = more.some(({ callback }) => callback === "shared");
  const callback = isShared ? "shared" : "own";
  const first = { ...connectionPart(settings), id: defaultID, uses: defaultID, callback } as const;
  const all = [{ ...first, session: {} }, ...more].map(({ session, ...each }) => ({
    ...each,
    ...completeConnection(each.id, each, settings.preset),
    lifetime: shorter(lifetime, session),
  }));
  return Object.assign(Object.create(null), Object.fromEntries(all.map((each) => [each.id, each])));
}

function connectionPart(settings: ResolvedSettings): ClientSettings {
  const names = Object.keys(connectionEntries) as (keyof ClientSettings)[];
  return Object.fromEntries(
    names.map((name) => [name, settings[name]]),
  ) as unknown as ClientSettings;
}

/** The longest life of the sessions of a connection. */
function shorter(
  { rolling, absolute }: SessionLifetime,
  own: ResolvedConnection["session"],
): SessionLifetime {
  return {
    rolling: shortest(rolling, own.rollingDuration),
    absolute: shortest(absolute, own.absoluteDuration),
  };
}

function shortest(app: number | null, own: number | undefined): number | null {
  return own === undefined ? app : Math.min(app ?? own, own);
}

function transactionCookieOf(
  { name, ...cookie }: ResolvedSettings["transactionCookie"],
  crossSitePost: boolean,
  secure: boolean,
): Config["transactionCookie"] {
  const written = attributes(
    { ...cookie, sameSite: crossSitePost ? "none" : cookie.sameSite },
    // Browsers take a SameSite=None cookie only when it is secure, and count http on loopback as
    // secure.
    secure || crossSitePost,
  );
  const canBind = secure && cookie.domain === undefined && cookie.path === "/";
  const binding =
    canBind && !hasPrefix(name, "__Host-")
      ? { name: bindingName(name), attributes: written }
      : null;
  return { name, attributes: written, binding };
}

function lifetimeOf({
  rolling,
  rollingDuration = rollingDurationSeconds,
  absoluteDuration,
}: SessionDurations): SessionLifetime {
  return {
    rolling: rolling && rollingDuration !== false ? rollingDuration : null,
    absolute: absoluteDuration === false ? null : absoluteDuration,
  };
}

function attributes(
  { path, domain, sameSite }: Omit<CookieAttributes, "secure">,
  secure: boolean,
): CookieAttributes {
  return { path, secure, sameSite, domain };
}
