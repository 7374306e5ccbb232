import { isUnder } from "../../http/request-target.ts";
import { bindingName, formCookie, loopCookie } from "../constants.ts";
import { routesOf } from "../routes.ts";
import { fault, isHttps, type Rule, type RuleOver } from "./rule.ts";

function secureAgrees(option: string, secure: boolean | undefined, baseURL: string) {
  if (secure === undefined || secure === isHttps(baseURL)) return null;
  return secure
    ? fault(
        option,
        "Cookies set with the `Secure` property wont be attached to http requests",
        "Leave it out, or use an https base URL.",
        secure,
      )
    : fault(
        option,
        "Cookies must be secure when base url is https.",
        "Leave it out: it is true for https by itself.",
        secure,
      );
}

/**
 * Whether browsers treat a cookie name as prefixed: they compare without regard to case (RFC
 * 6265bis, 5.7).
 */
export function hasPrefix(name: string, prefix: "__Host-" | "__Secure-"): boolean {
  return name.toLowerCase().startsWith(prefix.toLowerCase());
}

function prefixAgrees(
  option: string,
  name: string,
  cookie: { readonly domain?: string | undefined; readonly path: string },
  baseURL: string,
) {
  const isHost = hasPrefix(name, "__Host-");
  if ((isHost || hasPrefix(name, "__Secure-")) && !isHttps(baseURL)) {
    return fault(
      option,
      "has a prefix that browsers accept only over https",
      "Use an https base URL, or a name without prefix.",
      name,
    );
  }
  return isHost && (cookie.domain !== undefined || cookie.path !== "/")
    ? fault(
        option,
        "has the prefix __Host-, with which browsers accept neither a domain nor a path other than /",
        "Leave out domain and path of the cookie, or use the prefix __Secure-.",
        name,
      )
    : null;
}

const sessionCookiePrefix: Rule = ({ session, baseURL }) =>
  prefixAgrees("session.name", session.name, session.cookie, baseURL);

const transactionCookiePrefix: Rule = ({ transactionCookie, baseURL }) =>
  prefixAgrees("transactionCookie.name", transactionCookie.name, transactionCookie, baseURL);

const sessionCookieSecure: Rule = ({ session, baseURL }) =>
  secureAgrees("session.cookie.secure", session.cookie.secure, baseURL);

const transactionCookieSecure: Rule = ({ transactionCookie, baseURL }) =>
  secureAgrees("transactionCookie.secure", transactionCookie.secure, baseURL);

/** Browsers drop a cookie for another host, or for one below (RFC 6265bis, 5.7). */
function domainFits(option: string, domain: string | undefined, baseURL: string) {
  if (domain === undefined) return null;
  const { hostname } = new URL(baseURL);
  const wanted = domain.toLowerCase().replace(/^\./, "");
  return hostname === wanted || hostname.endsWith(`.${wanted}`)
    ? null
    : fault(
        option,
        `must be ${hostname} or a domain above it, else browsers drop the cookie`,
        "Leave it out: then the cookie belongs to the host of the base URL.",
        domain,
      );
}

const sessionDomainFits: Rule = ({ session, baseURL }) =>
  domainFits("session.cookie.domain", session.cookie.domain, baseURL);

const transactionDomainFits: Rule = ({ transactionCookie, baseURL }) =>
  domainFits("transactionCookie.domain", transactionCookie.domain, baseURL);

const callbackGetsTransaction: Rule = (settings) => {
  const { path } = settings.transactionCookie;
  const basePath = new URL(settings.baseURL).pathname.replace(/\/+$/, "");
  const callback = basePath + routesOf(settings).callback;
  // So browsers choose the cookies that they send (RFC 6265bis, 5.1.4).
  return isUnder(path, callback)
    ? null
    : fault(
        "transactionCookie.path",
        `must cover the callback, ${callback}, else no sign-in succeeds`,
        "Leave it out: it is / by itself.",
        path,
      );
};

const noneNeedsSecure: Rule = ({ session, baseURL }) =>
  session.cookie.sameSite === "none" && !isHttps(baseURL)
    ? fault(
        "session.cookie.sameSite",
        "none needs secure cookies",
        "Use lax or strict, or an https base URL.",
        "none",
      )
    : null;

const namesDiffer: Rule = ({ session, transactionCookie }) =>
  session.name === transactionCookie.name
    ? fault(
        "transactionCookie.name",
        "must differ from the name of the session cookie",
        "Choose another name.",
        transactionCookie.name,
      )
    : null;

/** A cookie of ours must not be taken for another: each would clear and overwrite the other. */
function isFree(option: string, name: string, transactionName: string) {
  const ours = [bindingName(transactionName), loopCookie, `__Host-${loopCookie}`, formCookie];
  return ours.some((each) => each.toLowerCase() === name.toLowerCase())
    ? fault(option, "is the name of another cookie of Latchkey", "Choose another name.", name)
    : null;
}

const sessionNameIsFree: Rule = ({ session, transactionCookie }) =>
  isFree("session.name", session.name, transactionCookie.name);

const transactionNameIsFree: Rule = ({ transactionCookie }) =>
  isFree("transactionCookie.name", transactionCookie.name, transactionCookie.name);

function prefixed(name: string, cookie: string): readonly string[] {
  return [name, `${cookie}.domain`, `${cookie}.path`, "baseURL"];
}

/** The rules about names and attributes of cookies. */
export const cookieRules: readonly RuleOver[] = [
  { reads: ["session.cookie.secure", "baseURL"], rule: sessionCookieSecure },
  { reads: ["transactionCookie.secure", "baseURL"], rule: transactionCookieSecure },
  { reads: ["session.cookie.domain", "baseURL"], rule: sessionDomainFits },
  { reads: ["transactionCookie.domain", "baseURL"], rule: transactionDomainFits },
  { reads: ["transactionCookie.path", "routes", "baseURL"], rule: callbackGetsTransaction },
  { reads: ["session.cookie.sameSite", "baseURL"], rule: noneNeedsSecure },
  { reads: prefixed("session.name", "session.cookie"), rule: sessionCookiePrefix },
  { reads: prefixed("transactionCookie.name", "transactionCookie"), rule: transactionCookiePrefix },
  { reads: ["session.name", "transactionCookie.name"], rule: namesDiffer },
  { reads: ["session.name", "transactionCookie.name"], rule: sessionNameIsFree },
  { reads: ["transactionCookie.name"], rule: transactionNameIsFree },
];
