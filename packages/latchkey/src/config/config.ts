import * as v from "valibot";

import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import type { CookieAttributes } from "../http/cookies.ts";
import { bindingName, furtherCookies, rollingDurationSeconds } from "./constants.ts";
import { relaxationsIn, withPreset } from "./preset.ts";
import { hasPrefix } from "./rules/cookie-rules.ts";
import { faultOf, isHttps, isLoopback, type Rule, type RuleContext } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";
import { type Routes, routesOf } from "./routes.ts";
import { faultsOfIssue, wholeOptions } from "./settings-faults.ts";
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
    > {
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

/** The settings of a connection: of one client at one issuer, and what we request of it. */
export interface ConnectionSettings extends Pick<Config, keyof typeof connectionEntries> {}

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
  const parsed = v.safeParse(settingsSchema, withPreset(settings));
  const own = (parsed.issues ?? []).flatMap(faultsOfIssue);
  // Also after a fault the output holds every setting that is good, defaults included; rules look
  // at no other.
  const output = parsed.output as ResolvedSettings;
  const broken = rules.filter((rule) => !isSilent(rule, own) && rule.isBroken(output, context));
  const joint = broken.map((rule) => faultOf(rule, output));
  if (own.length + joint.length > 0) throw new ConfigError([...own, ...joint]);
  return complete(output);
}

/** Returns the settings of the connection among those of the app. */
export function connectionSettingsOf(config: Config): ConnectionSettings {
  const names = Object.keys(connectionEntries) as (keyof ConnectionSettings)[];
  return Object.fromEntries(
    names.map((name) => [name, config[name]]),
  ) as unknown as ConnectionSettings;
}

/** Returns whether a sign-in requests a refresh token (OpenID Connect Core, section 11). */
export function wantsOfflineAccess({ scope }: Pick<Config, "scope">): boolean {
  return scope.split(" ").includes("offline_access");
}

/** Returns whether an option of the rule is itself faulty. Such a rule is skipped. */
function isSilent({ option, others = [] }: Rule, faults: readonly ConfigFault[]): boolean {
  return faults.some(
    (fault) =>
      fault.option === wholeOptions ||
      [option, ...others].some((read) => overlaps(fault.option, read)),
  );
}

function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function complete(settings: ResolvedSettings): Config {
  const { secret, session, transactionCookie, routes: _paths, preset, ...rest } = settings;
  const site = siteAt(settings.baseURL, { isPrimary: true });
  const responseMode =
    settings.responseType === "code" ? (settings.responseMode ?? "query") : "form_post";
  const secure = isHttps(site.baseURL);
  const { cookie, rolling, rollingDuration, absoluteDuration, ...ofSession } = session;
  const { transient, ...sessionCookie } = cookie;
  return {
    ...rest,
    production: settings.production ?? !isLoopback(site.baseURL),
    secrets: typeof secret === "string" ? [secret] : secret,
    ...site,
    responseMode,
    pushedAuthorizationRequests:
      settings.pushedAuthorizationRequests ?? (preset === "hardened" ? "if-offered" : false),
    apiPaths: ["/api"],
    hasSessions: true,
    session: {
      ...ofSession,
      networkFrom: session.networkFrom ?? null,
      transient,
      lifetime: lifetimeOf({ rolling, rollingDuration, absoluteDuration }),
      cookie: attributes(sessionCookie, secure),
    },
    transactionCookie: transactionCookieOf(transactionCookie, responseMode, secure),
    cookieNames: [session.name, transactionCookie.name, ...furtherCookies(transactionCookie.name)],
    routes: routesOf(settings),
    relaxations: relaxationsIn(settings),
  };
}

function transactionCookieOf(
  { name, ...cookie }: ResolvedSettings["transactionCookie"],
  responseMode: Config["responseMode"],
  secure: boolean,
): Config["transactionCookie"] {
  const crossSitePost = responseMode === "form_post";
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
