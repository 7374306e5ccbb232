import type { Config } from "../../../config/config.ts";
import { parseSetCookie } from "../../../http/cookies.ts";
import { ask, type Answer, type Fetch } from "../ask.ts";

/** What the running app answered. */
export interface AppAnswers {
  readonly config: Config;
  /** As given on the command line. */
  readonly address: string;
  readonly me: readonly Answer[];
  /** Two sign-ins that were begun and never finished. */
  readonly logins: readonly Answer[];
  /** The callback without parameters. */
  readonly callback: Answer;
  readonly signedOut: Answer;
  /** By size of a dummy cookie in bytes; ends with the first refusal. */
  readonly large: readonly { readonly bytes: number; readonly answer: Answer }[];
  /** A login whose response has more than 4 KB of headers. */
  readonly wide: Answer;
  /** Callbacks with the cookies of the first login; empty if it set none. */
  readonly returns: readonly Answer[];
}

const sizes = [4000, 8000, 12_000, 15_000];

/** Sealed into the cookie of a login, this makes it nearly as large as browsers accept. */
const longReturnTo = `/${"x".repeat(2400)}`;

const returnsAsked = 8;

/** Asks the routes of a running app, as a browser without a session does. */
export async function askApp(config: Config, address: string, fetch: Fetch): Promise<AppAnswers> {
  const base = new URL(address).origin + config.basePath;
  const { routes } = config;
  const page = { headers: { accept: "text/html" } };
  const get = (path: string, init = page) => ask(fetch, base + path, init);
  const first = await get(routes.me);
  // An app that hangs would use up the time limit of each request.
  if (first.kind === "fault") {
    const none = { logins: [], large: [], returns: [] };
    return {
      config,
      address,
      me: [first],
      callback: first,
      signedOut: first,
      wide: first,
      ...none,
    };
  }
  const me = [first, await get(routes.me)];
  const login = async (query = ""): Promise<Answer> => {
    const answer = await get(routes.login + query);
    const next = atBaseURL(answer, config);
    return next === null ? answer : ask(fetch, next, page);
  };
  const logins = [await login(), await login()];
  const [callback, signedOut] = await Promise.all([get(routes.callback), get(routes.signedOut)]);
  const large: { bytes: number; answer: Answer }[] = [];
  for (const bytes of sizes) {
    const headers = { accept: "text/html", cookie: `latchkey-doctor=${"x".repeat(bytes)}` };
    const answer = await get(routes.me, { headers });
    large.push({ bytes, answer });
    if (answer.kind === "fault" || answer.status >= 400) break;
  }
  const wide = await login(`?returnTo=${longReturnTo}`);
  const cookie = cookiesOf(logins[0]);
  const once = { headers: { accept: "text/plain", cookie, connection: "close" } };
  const asks = cookie === "" ? [] : Array.from({ length: returnsAsked }, () => once);
  const returns = await Promise.all(asks.map((init) => ask(fetch, base + routes.callback, init)));
  return { config, address, me, logins, callback, signedOut, large, wide, returns };
}

/** A proxy of development changes `Host`, so a login first goes to the base URL, once. */
function atBaseURL(answer: Answer, { origin, basePath, routes }: Config): string | null {
  if (answer.kind === "fault" || answer.status < 300 || answer.status > 399) return null;
  const location = URL.parse(answer.headers.get("location") ?? "", answer.url);
  const isLogin = location?.origin === origin && location.pathname === basePath + routes.login;
  return isLogin && location.searchParams.has("at") ? location.href : null;
}

/** The cookies that a browser would send after a response, also those of a load balancer. */
function cookiesOf(answer: Answer | undefined): string {
  if (answer?.kind !== "response") return "";
  const cookies = answer.headers.getSetCookie().map((line) => parseSetCookie(line));
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}
