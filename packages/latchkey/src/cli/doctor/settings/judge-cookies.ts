import type { Config } from "../../../config/config.ts";
import { isLoopback } from "../../../config/rules/rule.ts";
import { failure, type Judgement, note } from "../finding.ts";

/** The public suffixes of two labels that apps are most often at. */
const suffixes: readonly string[] = [
  "azurewebsites.net",
  "cloudfront.net",
  "co.jp",
  "co.uk",
  "com.au",
  "com.br",
  "fly.dev",
  "github.io",
  "herokuapp.com",
  "netlify.app",
  "onrender.com",
  "org.uk",
  "pages.dev",
  "run.app",
  "vercel.app",
  "workers.dev",
];

/** The part of a host that cookies of one site share. */
function siteOf(address: string): string {
  const { hostname } = new URL(address);
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname;
  const labels = hostname.split(".");
  return labels.slice(suffixes.includes(labels.slice(-2).join(".")) ? -3 : -2).join(".");
}

const isSameSite = (one: string, other: string): boolean => siteOf(one) === siteOf(other);

function judgePathAndEnd({ session, routes, basePath }: Config): readonly Judgement[] {
  const judgements: Judgement[] = [];
  const { path } = session.cookie;
  const route = basePath + routes.me;
  if (!`${route}/`.startsWith(path.replace(/\/?$/, "/"))) {
    judgements.push(
      failure(
        `LATCHKEY_SESSION_COOKIE_PATH is ${path}, so browsers do not send the cookie to ${route}.`,
        "Remove the setting, or set it to a path above the app and its routes of sign-in.",
      ),
    );
  }
  const { rolling, absolute } = session.lifetime;
  const seconds = Math.min(rolling ?? Infinity, absolute ?? Infinity);
  if (seconds < 60) {
    judgements.push(
      failure(
        `A session ends after ${seconds} s, so users have to sign in again at once.`,
        "The durations are in seconds: raise LATCHKEY_SESSION_ROLLING_DURATION and LATCHKEY_SESSION_ABSOLUTE_DURATION.",
      ),
    );
  }
  return judgements;
}

export function judgeCookies(config: Config): readonly Judgement[] {
  const { secure, sameSite, domain } = config.session.cookie;
  const isHttps = config.baseURL.startsWith("https:");
  const judgements: Judgement[] = [];
  if (secure && !isHttps && isLoopback(config.baseURL)) {
    judgements.push(note("The session cookie is Secure on http. Safari drops such a cookie."));
  }
  for (const [name, cookie] of [
    ["SESSION", config.session.cookie],
    ["TRANSACTION", config.transactionCookie.attributes],
  ] as const) {
    if (cookie.sameSite !== "strict" || isSameSite(config.baseURL, config.issuerBaseURL)) continue;
    judgements.push(
      failure(
        `LATCHKEY_${name}_COOKIE_SAME_SITE is strict, so the cookie is not sent after the return from a provider on another site.`,
        "Remove the setting, unless the provider is on the site of the app.",
      ),
    );
  }
  if (sameSite === "none" && !secure) {
    judgements.push(
      failure("A SameSite=None cookie without Secure is dropped.", "Serve the app over https."),
    );
  }
  judgements.push(...judgePathAndEnd(config));
  const host = new URL(config.baseURL).hostname;
  const bare = domain?.replace(/^\./, "").toLowerCase();
  if (bare !== undefined && host !== bare && !host.endsWith(`.${bare}`)) {
    judgements.push(
      failure(
        `LATCHKEY_SESSION_COOKIE_DOMAIN is ${domain}, and the app is at ${host}: browsers drop the cookie.`,
        `Remove the setting, or set it to a parent of ${host}.`,
      ),
    );
  }
  const isSuffix =
    bare !== undefined && (suffixes.includes(bare) || (!bare.includes(".") && bare !== host));
  if (isSuffix) {
    judgements.push(
      failure(
        `LATCHKEY_SESSION_COOKIE_DOMAIN is ${domain}, below which anyone may have a site: browsers drop the cookie.`,
        "Remove the setting, or set it to a domain of your own.",
      ),
    );
  }
  return judgements;
}
