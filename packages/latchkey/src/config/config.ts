import * as v from "valibot";

import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import type { CookieAttributes } from "../http/cookies.ts";
import { bindingName, rollingDurationSeconds } from "./constants.ts";
import { hasPrefix } from "./rules/cookie-rules.ts";
import { isLoopback, type RuleContext } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";
import { nearestName } from "./nearest-name.ts";
import { type Routes, routesOf } from "./routes.ts";
import { isSecretOption, settingDefinitions, variableOf } from "./setting-definitions.ts";
import { type ResolvedSettings, settingsSchema } from "./settings-schema.ts";

/**
 * Settings that hold together, with everything derived that a request would otherwise work out
 * again.
 */
export interface Config extends Omit<
  ResolvedSettings,
  "production" | "secret" | "session" | "transactionCookie" | "routes"
> {
  /** Those in force: they, the client secret and the signing key may be exchanged while the app runs. */
  readonly secrets: readonly string[];
  /** As set, or else whether the base URL is beyond this machine. */
  readonly production: boolean;
  /** Without a trailing slash. */
  readonly baseURL: string;
  readonly origin: string;
  /** Path of the base URL, without a trailing slash; empty for an app at the root. */
  readonly basePath: string;
  readonly responseMode: "query" | "form_post";
  readonly session: Omit<SessionSettings, keyof SessionDurations | "networkFrom" | "cookie"> & {
    /** Where the network of a browser is read; `null` where it is not kept. */
    readonly networkFrom: string | null;
    readonly transient: boolean;
    readonly lifetime: SessionLifetime;
    readonly cookie: CookieAttributes;
  };
  readonly transactionCookie: NamedCookie & {
    /**
     * A cookie that only this very host can have set: a transaction counts only together with it.
     * `null` where no such cookie is possible, or where the transaction cookie is one itself.
     */
    readonly binding: NamedCookie | null;
  };
  readonly routes: Routes;
}

type SessionSettings = ResolvedSettings["session"];
type SessionDurations = Pick<SessionSettings, "rolling" | "rollingDuration" | "absoluteDuration">;

export interface NamedCookie {
  readonly name: string;
  readonly attributes: CookieAttributes;
}

/** How long a session may last, in seconds; `null` where there is no such end. */
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
  const parsed = v.safeParse(settingsSchema, settings);
  const own = (parsed.issues ?? []).flatMap(faultsOfIssue);
  // Also after a fault the output holds every setting that is good, defaults included; rules look
  // at no other.
  const output = parsed.output as ResolvedSettings;
  const joint = rulesBeside(own).flatMap(({ rule }) => rule(output, context) ?? []);
  if (own.length + joint.length > 0) throw new ConfigError([...own, ...joint]);
  return complete(output);
}

function rulesBeside(faults: readonly ConfigFault[]): typeof rules {
  if (faults.some(({ option }) => option === wholeOptions)) return [];
  return rules.filter(({ reads }) =>
    reads.every((read) => faults.every(({ option }) => !overlaps(option, read))),
  );
}

function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

type Issue = v.InferIssue<typeof settingsSchema>;

const wholeOptions = "options";

/** What somebody who sees the name of a setting for the first time does not know. */
const valuesToSet: Readonly<Record<string, string>> = {
  secret: " to 32 random bytes, for example of openssl rand -base64 32",
  secrets: " to 32 random bytes without a space: spaces stand between several secrets",
  baseURL: " to the address at which people open the app, such as http://localhost:3000",
  issuerBaseURL:
    " to the issuer, exactly as the metadata of your provider spells it, such as https://id.example.com",
  clientID: " to the client ID that your provider gave this app",
  clientAssertionSigningKey:
    " to such a key; openssl pkcs8 -topk8 -nocrypt makes PKCS #8 of another PEM",
  clientAssertionSigningAlg: " to the algorithm of your key, such as RS256, PS256 or ES256",
  idTokenSigningAlg:
    " to the algorithm with which your provider signs ID tokens, such as RS256, PS256 or ES256",
  scope: " to scopes with spaces between them, such as openid profile email",
  authorizationParams: " to parameters such as audience=https://api.example.com&prompt=login",
  httpTimeout: " to a number of milliseconds, such as 5000",
  clockTolerance: " to a number of seconds, such as 60",
  identityClaimFilter: " to names of claims with commas between them, such as aud,iss,nonce",
  clientAddressHeader: " to the name of a header, such as X-Real-IP",
  "session.cookie.domain": " to a domain without scheme and port, such as app.example.com",
  "transactionCookie.domain": " to a domain without scheme and port, such as app.example.com",
  "routes.prefix": " to a path of the app, such as /api/auth",
  "routes.login": " to a path of the app, such as /login",
  "routes.callback": " to a path of the app, such as /callback",
  pagesPrefix: " to a path of the app, such as /_auth",
  publicPaths: " to paths that begin with /, such as /about or /assets/",
};

function faultsOfIssue(issue: Issue): readonly ConfigFault[] {
  const isUnknown = issue.type === "strict_object" && issue.expected === "never";
  return isUnknown ? unknownOptions(issue) : [faultOfIssue(issue)];
}

/** The schema tells only the first unknown option of an object. */
function unknownOptions(issue: Issue): readonly ConfigFault[] {
  const { key: first, input } = issue.path?.at(-1) ?? { key: "", input: {} };
  const group = (v.getDotPath(issue) ?? "").slice(0, -String(first).length);
  const known = settingDefinitions
    .filter(({ option }) => option.startsWith(group))
    .map(({ path }) => path[group.split(".").length - 1]);
  const unknown = Object.keys(input ?? {}).filter((name) => !known.includes(name));
  return [...new Set([String(first), ...unknown])].map((name) => ({
    option: group + name,
    variable: "",
    message: "is not an option",
    remedy: remedyFor(group + name),
  }));
}

function faultOfIssue(issue: Issue): ConfigFault {
  const option = v.getDotPath(issue) ?? wholeOptions;
  // Items of a list and parameters have no variable of their own.
  const setting = option.replace(/\.\d+$|(?<=^authorizationParams)\..*$/s, "");
  if (option === wholeOptions) return noOptions;
  const base = { option, variable: variableOf(setting) };
  const value =
    valuesToSet[option.replace(/^secret\.\d+$/, "secrets")] ?? valuesToSet[setting] ?? "";
  const remedy = (verb: string) => `${verb} ${base.variable}${value}.`;
  if (issue.input === undefined) {
    return { ...base, message: "is required", remedy: remedy("Set") };
  }
  if (issue.type === "strict_object") return noObject(option, issue.message);
  const fault = { ...base, message: issue.message, remedy: remedy("Change") };
  return isSecretOption(option) ? fault : { ...fault, seen: textOf(issue.input) };
}

/** Nobody who forgets them has seen that the variables are read by another function. */
const noOptions: ConfigFault = {
  option: wholeOptions,
  variable: "",
  message: "must be an object of settings: createAuth() reads no variables",
  remedy:
    "Pass createAuth({ secret, baseURL, issuerBaseURL, clientID, clientSecret }), or use authFromEnvironment() of latchkey/node, which reads the LATCHKEY_ variables.",
};

function noObject(option: string, message: string): ConfigFault {
  const [inside = ""] = settingDefinitions
    .filter((each) => each.option.startsWith(`${option}.`))
    .map(({ path }) => path.at(-1));
  return { option, variable: "", message, remedy: `Pass an object of options, such as ${inside}.` };
}

function remedyFor(unknownOption: string): string {
  const options = settingDefinitions.map(({ option }) => option);
  if (options.includes(unknownOption)) return "Write it as nested objects, without dots.";
  const named = settingDefinitions.find(({ variable }) => variable === unknownOption);
  const meant = named?.option ?? nearestName(unknownOption, options);
  return meant === undefined ? "Remove it." : `Did you mean ${meant}?`;
}

function textOf(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

function complete(settings: ResolvedSettings): Config {
  const { secret, session, transactionCookie, routes: _paths, ...rest } = settings;
  const baseURL = settings.baseURL.replace(/\/+$/, "");
  const { origin, pathname, protocol } = new URL(baseURL);
  const responseMode =
    settings.responseType === "code" ? (settings.responseMode ?? "query") : "form_post";
  const secure = protocol === "https:";
  const { cookie, rolling, rollingDuration, absoluteDuration, ...ofSession } = session;
  const { transient, ...sessionCookie } = cookie;
  return {
    ...rest,
    production: settings.production ?? !isLoopback(baseURL),
    secrets: typeof secret === "string" ? [secret] : secret,
    baseURL,
    origin,
    basePath: pathname.replace(/\/+$/, ""),
    responseMode,
    session: {
      ...ofSession,
      networkFrom: session.networkFrom ?? null,
      transient,
      lifetime: lifetimeOf({ rolling, rollingDuration, absoluteDuration }),
      cookie: attributes(sessionCookie, secure),
    },
    transactionCookie: transactionCookieOf(transactionCookie, responseMode, secure),
    routes: routesOf(settings),
  };
}

function transactionCookieOf(
  { name, ...cookie }: ResolvedSettings["transactionCookie"],
  responseMode: Config["responseMode"],
  isHttps: boolean,
): Config["transactionCookie"] {
  const crossSitePost = responseMode === "form_post";
  const written = attributes(
    { ...cookie, sameSite: crossSitePost ? "none" : cookie.sameSite },
    // Browsers take a SameSite=None cookie only when it is secure, and count http on loopback as
    // secure.
    isHttps || crossSitePost,
  );
  const canBind = isHttps && cookie.domain === undefined && cookie.path === "/";
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
  cookie: {
    readonly path: string;
    readonly domain?: string | undefined;
    readonly sameSite: CookieAttributes["sameSite"];
  },
  secure: boolean,
): CookieAttributes {
  const { path, domain, sameSite } = cookie;
  return { path, secure, sameSite, domain };
}
