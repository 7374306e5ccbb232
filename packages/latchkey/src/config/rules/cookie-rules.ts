import { isUnder } from "../../http/request-target.ts";
import { furtherCookies } from "../constants.ts";
import { routesOf } from "../routes.ts";
import type { ResolvedSettings } from "../settings-schema.ts";
import { isHttps, type Rule } from "./rule.ts";
import { basePathOf } from "../site.ts";

/**
 * Whether browsers treat a cookie name as prefixed: they compare without regard to case (RFC
 * 6265bis, 5.7).
 */
export function hasPrefix(name: string, prefix: "__Host-" | "__Secure-"): boolean {
  return name.toLowerCase().startsWith(prefix.toLowerCase());
}

interface CookieSettings {
  readonly name: string;
  readonly domain?: string | undefined;
  readonly path: string;
  readonly secure?: boolean | undefined;
}

type CookieIn = (settings: ResolvedSettings) => CookieSettings;

/** @param group - the option with the attributes of the cookie */
function attributeRules(group: string, cookieIn: CookieIn): readonly Rule[] {
  return [
    {
      option: `${group}.secure`,
      others: ["baseURL"],
      isBroken: (settings) => cookieIn(settings).secure === true && !isHttps(settings.baseURL),
      message: "Cookies set with the `Secure` property won't be attached to http requests",
      remedy: "Leave it out, or use an https base URL.",
    },
    {
      option: `${group}.secure`,
      others: ["baseURL"],
      isBroken: (settings) => cookieIn(settings).secure === false && isHttps(settings.baseURL),
      message: "Cookies must be secure when base url is https.",
      remedy: "Leave it out: it is true for https by itself.",
    },
    {
      option: `${group}.domain`,
      others: ["baseURL"],
      isBroken: (settings) => !isForHost(cookieIn(settings).domain, hostOf(settings)),
      message: (settings) =>
        `must be ${hostOf(settings)} or a domain above it, else browsers drop the cookie`,
      remedy: "Leave it out: then the cookie belongs to the host of the base URL.",
    },
  ];
}

function nameRules(option: string, group: string, cookieIn: CookieIn): readonly Rule[] {
  const others = [`${group}.domain`, `${group}.path`, "baseURL"];
  return [
    {
      option,
      others,
      isBroken: (settings) => isPrefixed(cookieIn(settings)) && !isHttps(settings.baseURL),
      message: "has a prefix that browsers accept only over https",
      remedy: "Use an https base URL, or a name without prefix.",
    },
    {
      option,
      others,
      isBroken: (settings) => isHttps(settings.baseURL) && !isHostOnly(cookieIn(settings)),
      message:
        "has the prefix __Host-, with which browsers accept neither a domain nor a path other than /",
      remedy: "Leave out domain and path of the cookie, or use the prefix __Secure-.",
    },
    {
      option,
      others: ["transactionCookie.name"],
      isBroken: (settings) => isTaken(cookieIn(settings).name, settings),
      message: "is the name of another cookie of Latchkey",
      remedy: "Choose another name.",
    },
  ];
}

function hostOf({ baseURL }: ResolvedSettings): string {
  return new URL(baseURL).hostname;
}

/** Browsers drop a cookie for another host, or for one below (RFC 6265bis, 5.7). */
export function isForHost(domain: string | undefined, hostname: string): boolean {
  const wanted = domain?.toLowerCase().replace(/^\./, "") ?? hostname;
  return hostname === wanted || hostname.endsWith(`.${wanted}`);
}

function isPrefixed({ name }: CookieSettings): boolean {
  return hasPrefix(name, "__Host-") || hasPrefix(name, "__Secure-");
}

function isHostOnly({ name, domain, path }: CookieSettings): boolean {
  return !hasPrefix(name, "__Host-") || (domain === undefined && path === "/");
}

/** A cookie of ours must not be taken for another: each would clear and overwrite the other. */
function isTaken(name: string, { transactionCookie }: ResolvedSettings): boolean {
  const ours = furtherCookies(transactionCookie.name);
  return ours.some((each) => each.toLowerCase() === name.toLowerCase());
}

/** The path of the callback as browsers see it. */
function callbackPath(settings: ResolvedSettings): string {
  return basePathOf(settings.baseURL) + routesOf(settings).callback;
}

const ofSession: CookieIn = ({ session: { name, cookie } }) => ({ ...cookie, name });
const ofTransaction: CookieIn = (settings) => settings.transactionCookie;

/** The rules about names and attributes of cookies. */
export const cookieRules: readonly Rule[] = [
  ...attributeRules("session.cookie", ofSession),
  ...nameRules("session.name", "session.cookie", ofSession),
  ...attributeRules("transactionCookie", ofTransaction),
  ...nameRules("transactionCookie.name", "transactionCookie", ofTransaction),
  {
    option: "transactionCookie.path",
    others: ["routes", "baseURL"],
    // Browsers choose the cookies for a request in this way (RFC 6265bis, 5.1.4).
    isBroken: (settings) => !isUnder(settings.transactionCookie.path, callbackPath(settings)),
    message: (settings) =>
      `must cover the callback, ${callbackPath(settings)}, else no sign-in succeeds`,
    remedy: "Leave it out: it is / by itself.",
  },
  {
    option: "session.cookie.sameSite",
    others: ["baseURL"],
    isBroken: ({ session, baseURL }) => session.cookie.sameSite === "none" && !isHttps(baseURL),
    message: "none needs secure cookies",
    remedy: "Use lax or strict, or an https base URL.",
  },
  {
    option: "transactionCookie.name",
    others: ["session.name"],
    isBroken: ({ session, transactionCookie }) => session.name === transactionCookie.name,
    message: "must differ from the name of the session cookie",
    remedy: "Choose another name.",
  },
];
