import * as v from "valibot";

import { isJSONObject, type JSONObject } from "../crypto/json-object.ts";
import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import type { CookieAttributes } from "../http/cookies.ts";
import { readBaseURLs } from "./base-urls.ts";
import { oneMoreConnection, readConnections, type ResolvedConnection } from "./read-connections.ts";
import { bindingName, defaultID, furtherCookies, rollingDurationSeconds } from "./constants.ts";
import { relaxationsIn, withPreset } from "./preset.ts";
import { hasPrefix, isForHost } from "./rules/cookie-rules.ts";
import { faultsByRules, isHttps, isLoopback, type RuleContext } from "./rules/rule.ts";
import { needsIdentity } from "./rules/connection-rules.ts";
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
  /** Those of all sites, as set; the first one is the primary. Others may have a star. */
  readonly baseURLs: readonly string[];
  /** As set, or else whether a base URL is beyond this machine. */
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
    /** Those for a response in an address, which needs no cookie from a cross-site form. */
    readonly queryAttributes: CookieAttributes;
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
  /** Whether the durations that count are unknown now: then use moves no end of a session. */
  readonly endsAsWritten?: true;
}

/**
 * Checks settings and completes them.
 *
 * @throws {ConfigError} with every fault there is, never only the first
 */
export function readConfig(settings: unknown, context: RuleContext): Config {
  const { written: first, others, faults: ofBaseURLs } = readBaseURLs(settings);
  const written = withPreset(first);
  const parsed = v.safeParse(settingsSchema, written);
  const own = (parsed.issues ?? []).flatMap(faultsOfIssue);
  // Also after a fault the output holds every setting that is good, defaults included; rules look
  // at no other.
  const checked = parsed.output as ResolvedSettings;
  const faulty = own.map(({ option }) => option);
  const joint = [
    ...faultsByRules(rules, checked, context, faulty),
    ...others.flatMap((baseURL) =>
      faultsByRules(ofEachSite, { ...checked, baseURL }, context, faulty),
    ),
  ];
  const more = isJSONObject(written)
    ? readConnections({ written, checked, faulty }, context)
    : { connections: [], faults: [] };
  const looked =
    context.hasLookUps === true && checked.identity === undefined ? [needsIdentity] : [];
  const faults = [...own, ...ofBaseURLs, ...once(joint), ...more.faults, ...looked];
  if (faults.length > 0) throw new ConfigError(faults);
  return complete(checked, { others, more: more.connections });
}

/** Checks and completes the settings of one connection. */
export type ReadConnection = (id: string, written: JSONObject) => ConnectionSettings;

/**
 * Returns a function that reads one more connection, by every rule that those of the app must keep.
 * It throws a `ConfigError` with every fault.
 *
 * @param settings - those of the app, without a fault; they are read once
 */
export function connectionReader(settings: unknown, context: RuleContext): ReadConnection {
  const written = withPreset(readBaseURLs(settings).written);
  const checked = v.parse(settingsSchema, written);
  const given = { written: isJSONObject(written) ? written : {}, checked, faulty: [] };
  const readOneMore = oneMoreConnection(given, context);
  const lifetime = lifetimeOf(checked.session);
  return (id, ofOne) => {
    const { connections, faults } = readOneMore(id, ofOne);
    const [connection] = connections;
    if (faults.length > 0 || connection === undefined) throw new ConfigError(faults);
    return connectionSettings(connection, checked.preset, lifetime);
  };
}

/** The settings as they count at another site of the app. */
export function configAt(config: Config, baseURL: string): Config {
  const site = siteAt(baseURL, { isPrimary: false });
  const { session, transactionCookie } = config;
  const { name, queryAttributes: written } = transactionCookie;
  return {
    ...config,
    ...site,
    session: { ...session, cookie: attributesAt(site, session.cookie) },
    transactionCookie: transactionCookieAt(site, { name, ...written }, postsForms(config)),
  };
}

/** At a host outside the domain of a cookie, the cookie belongs to that host. */
const ofEachSite = rules.filter(({ option }) => !option.endsWith(".domain"));

/** Several sites break most rules in the same way. */
function once(faults: readonly ConfigFault[]): readonly ConfigFault[] {
  const keys = faults.map(({ option, message }) => `${option} ${message}`);
  return faults.filter((_, nth) => keys.indexOf(keys[nth] ?? "") === nth);
}

/** Returns whether a sign-in requests a refresh token (OpenID Connect Core, section 11). */
export function wantsOfflineAccess({ scope }: Pick<Config, "scope">): boolean {
  return scope.split(" ").includes("offline_access");
}

interface Further {
  /** The base URLs after the first. */
  readonly others: readonly string[];
  readonly more: readonly ResolvedConnection[];
}

function complete(settings: ResolvedSettings, { others: otherSites, more }: Further): Config {
  const { secret, session, transactionCookie, routes: _paths, ...others } = settings;
  const { connections: _written, ...rest } = others;
  const site = siteAt(settings.baseURL, { isPrimary: true });
  const byDefault = completeConnection(defaultID, settings, settings.preset);
  const baseURLs = [site.baseURL, ...otherSites];
  const { cookie, rolling, rollingDuration, absoluteDuration, ...ofSession } = session;
  const { transient, ...sessionCookie } = cookie;
  const lifetime = lifetimeOf({ rolling, rollingDuration, absoluteDuration });
  const connections = connectionsOf(settings, more, lifetime);
  return {
    ...rest,
    ...byDefault,
    connections,
    baseURLs,
    production: settings.production ?? !baseURLs.every(isLoopback),
    secrets: typeof secret === "string" ? [secret] : secret,
    ...site,
    apiPaths: ["/api"],
    hasSessions: true,
    session: {
      ...ofSession,
      networkFrom: session.networkFrom ?? null,
      transient,
      lifetime,
      cookie: attributesAt(site, sessionCookie),
    },
    transactionCookie: transactionCookieAt(site, transactionCookie, postsForms({ connections })),
    cookieNames: [session.name, transactionCookie.name, ...furtherCookies(transactionCookie.name)],
    routes: routesOf(settings),
    relaxations: relaxationsIn(settings, more),
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
  const all = [{ ...first, session: {} }, ...more].map((each) =>
    connectionSettings(each, settings.preset, lifetime),
  );
  return Object.assign(Object.create(null), Object.fromEntries(all.map((each) => [each.id, each])));
}

function connectionSettings(
  { session, ...connection }: ResolvedConnection,
  preset: ResolvedSettings["preset"],
  lifetime: SessionLifetime,
): ConnectionSettings {
  return {
    ...connection,
    ...completeConnection(connection.id, connection, preset),
    lifetime: shorter(lifetime, session),
  };
}

function connectionPart(settings: ResolvedSettings): ClientSettings {
  const names = Object.keys(connectionEntries) as (keyof ClientSettings)[];
  return Object.fromEntries(
    names.map((name) => [name, settings[name]]),
  ) as unknown as ClientSettings;
}

/** Whether a provider posts its responses across sites. */
function postsForms({ connections }: Pick<Config, "connections">): boolean {
  return Object.values(connections).some(({ responseMode }) => responseMode === "form_post");
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

function transactionCookieAt(
  site: Site,
  { name, ...cookie }: Omit<CookieAttributes, "secure"> & { readonly name: string },
  crossSitePost: boolean,
): Config["transactionCookie"] {
  const queryAttributes = attributesAt(site, cookie);
  const { secure, domain, path } = queryAttributes;
  const attributes = crossSitePost ? forCrossSiteForm(queryAttributes) : queryAttributes;
  const canBind = secure && domain === undefined && path === "/" && !hasPrefix(name, "__Host-");
  const binding = canBind ? { name: bindingName(name), attributes } : null;
  return { name, attributes, queryAttributes, binding };
}

/**
 * Returns the attributes of a cookie that arrives with the form of another site. Browsers take a
 * `SameSite=None` cookie only when it is secure, and count http on loopback as secure.
 */
export function forCrossSiteForm(attributes: CookieAttributes): CookieAttributes {
  return { ...attributes, sameSite: "none", secure: true };
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

/** A cookie of a domain that a host is not below is one of that host alone. */
function attributesAt(
  { baseURL }: Site,
  { path, domain, sameSite }: Omit<CookieAttributes, "secure">,
): CookieAttributes {
  const isBelow = isForHost(domain, new URL(baseURL).hostname);
  return { path, secure: isHttps(baseURL), sameSite, domain: isBelow ? domain : undefined };
}
