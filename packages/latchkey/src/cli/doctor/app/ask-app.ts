import type { Config } from "../../../config/config.ts";
import { defaultID, doctorHeader } from "../../../config/constants.ts";
import { parseSetCookie } from "../../../http/cookies.ts";
import { ask, type Answer, type Fetch, isResponse, locationOf, type Response } from "../ask.ts";

export interface AppAnswers {
  readonly config: Config;
  /** As given on the command line. */
  readonly address: string;
  readonly me: readonly Answer[];
  /** Redirects of routes to themselves that keep the query. They were followed, as browsers do. */
  readonly moved: readonly Response[];
  /** Two sign-ins that were begun and never finished. */
  readonly logins: readonly Answer[];
  /** The callback without parameters that it knows. */
  readonly callback: Answer;
  readonly signedOut: Answer;
  /** By size of a dummy cookie in bytes; ends with the first refusal. */
  readonly large: readonly { readonly bytes: number; readonly answer: Answer }[];
  /** A login whose response has more than 4 KB of headers. */
  readonly wide: Answer;
  /** The page at the base URL, with the headers of the app. */
  readonly home: Answer;
  /** A logout token without content, as a provider posts it; `null` if none are expected. */
  readonly posted: Answer | null;
  /** What the route of devices answers to no proof; `null` if sessions are not bound. */
  readonly device: Answer | null;
  /** Callbacks with the cookies of the first login and another state; empty without cookies. */
  readonly returns: readonly Answer[];
}

const sizes = [4000, 8000, 12_000, 15_000];

/** Sealed into the cookie of a login, this makes it nearly as large as browsers accept. */
const longReturnTo = `/${"x".repeat(2400)}`;

const returnsAsked = 8;

/** As servers post: without the header Origin. */
const emptyPost = {
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: "logout_token=",
};

/** As browsers post: without a body and a type of it. */
const withoutProof = { method: "POST" };

/** Requests the routes of a running app, as a browser without a session does. */
export async function askApp(config: Config, address: string, fetch: Fetch): Promise<AppAnswers> {
  const base = new URL(address).origin + config.basePath;
  const { routes } = config;
  const moved: Response[] = [];
  const get = async (path: string, init = page): Promise<Answer> => {
    const { answer, before } = await askRoute(fetch, base + path, init);
    if (before !== null) moved.push(before);
    return answer;
  };
  const first = await get(routes.me);
  // An app that hangs would use up the time limit of each request.
  if (first.kind === "fault") {
    const none = { moved, logins: [], large: [], returns: [] };
    const all = { me: [first], callback: first, signedOut: first, wide: first, home: first };
    return { config, address, ...all, ...none, posted: null, device: null };
  }
  const me = [first, await get(routes.me)];
  const login = async (query = ""): Promise<Answer> =>
    followToBaseURL(await get(loginOf(config) + query), config, fetch);
  const logins = [await login(), await login()];
  const [callback, signedOut, home, posted, device] = await Promise.all([
    get(`${routes.callback}?from=latchkey-doctor`),
    get(routes.signedOut),
    ask(fetch, `${base}/`, page),
    config.backchannelLogout ? ask(fetch, base + routes.backchannelLogout, emptyPost) : null,
    config.session.deviceBound === "off" ? null : ask(fetch, base + routes.device, withoutProof),
  ]);
  const large: { bytes: number; answer: Answer }[] = [];
  for (const bytes of sizes) {
    const headers = { ...page.headers, cookie: `latchkey-doctor=${"x".repeat(bytes)}` };
    const answer = await get(routes.me, { headers });
    large.push({ bytes, answer });
    if (answer.kind === "fault" || answer.status >= 400) break;
  }
  const wide = await login(`?returnTo=${longReturnTo}`);
  const cookie = cookiesOf(logins[0]);
  const once = {
    headers: { ...page.headers, accept: "text/plain", cookie, connection: "close" },
  };
  const asks = cookie === "" ? [] : Array.from({ length: returnsAsked }, () => once);
  const withState = `${routes.callback}?state=latchkey-doctor`;
  const returns = await Promise.all(asks.map((init) => get(withState, init)));
  const pages = { callback, signedOut, home, posted, device };
  return { config, address, me, moved, logins, ...pages, large, wide, returns };
}

/** The login of a connection: without a name, users of several choose on a page. */
export function loginOf({ connections, routes }: Config, id: string = defaultID): string {
  const isOnly = Object.keys(connections).length === 1;
  return isOnly ? routes.login : `${routes.login}/${id}`;
}

/** Begins a sign-in, which is never finished. */
export async function askLogin(config: Config, login: string, fetch: Fetch): Promise<Answer> {
  const { answer } = await askRoute(fetch, login, page);
  return followToBaseURL(answer, config, fetch);
}

async function followToBaseURL(answer: Answer, config: Config, fetch: Fetch): Promise<Answer> {
  const next = atBaseURL(answer, config);
  return next === null ? answer : ask(fetch, next, page);
}

/** As browsers open a page. Its header keeps it off the list of the inspector. */
export const page = { headers: { accept: "text/html", [doctorHeader]: "1" } };

/** The answers to a login, if it led away. */
export function loginsOf({ logins }: AppAnswers): readonly Response[] {
  return logins.filter(isResponse).filter((each) => locationOf(each) !== null);
}

/** Requests a route, and once more if a framework adds a slash or a language to its address. */
export async function askRoute(
  fetch: Fetch,
  url: string,
  init: RequestInit,
): Promise<{ readonly answer: Answer; readonly before: Response | null }> {
  const answer = await ask(fetch, url, init);
  if (!isResponse(answer) || !leadsToItself(answer)) return { answer, before: null };
  return { answer: await ask(fetch, locationOf(answer)?.href ?? "", init), before: answer };
}

function leadsToItself(answer: Response): boolean {
  const [asked, location] = [new URL(answer.url), locationOf(answer)];
  return isNear(answer) && location?.origin === asked.origin && location.search === asked.search;
}

/** Whether a route redirects to itself at another spelling, host or scheme. */
export function isNear(answer: Response): boolean {
  const { pathname } = new URL(answer.url);
  const to = locationOf(answer)?.pathname ?? "/";
  return to !== "/" && (to.includes(pathname) || pathname.startsWith(to));
}

/** A proxy of development changes `Host`, so a login first goes to the base URL, once. */
function atBaseURL(answer: Answer, { origin, basePath, routes }: Config): string | null {
  if (answer.kind === "fault") return null;
  const location = locationOf(answer);
  const isLogin =
    location?.origin === origin && location.pathname.startsWith(basePath + routes.login);
  return isLogin && location.searchParams.has("at") ? location.href : null;
}

/** The cookies that a browser would send after a response, also those of a load balancer. */
function cookiesOf(answer: Answer | undefined): string {
  if (answer?.kind !== "response") return "";
  const cookies = answer.headers.getSetCookie().map((line) => parseSetCookie(line));
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}
