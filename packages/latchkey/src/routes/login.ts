import { returnToRules } from "../access/addresses.ts";
import type { Exchange } from "../access/exchange.ts";
import { checkStore, type Context } from "../context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { readForm } from "../http/form.ts";
import { cookieHeaders } from "../http/headers.ts";
import { type Parameters, readParameters } from "../http/parameters.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";
import { safeReturnTo } from "../http/return-to.ts";
import { authorizationURL } from "../oidc/authorization-request.ts";
import { activeSession } from "../session/read-session.ts";
import { stateOf, type Transaction } from "../transaction/transaction.ts";
import { atBaseURLParameter, goToBaseURL } from "./base-url.ts";
import { fragmentParameter, keepFragment } from "./keep-fragment.ts";
import { checkNoLoop } from "./sign-in-loop.ts";

/** What a login may be asked for; nothing else of the query ever reaches the provider. */
const loginParameters = [
  "returnTo",
  "prompt",
  "restart",
  "iss",
  "login_hint",
  "target_link_uri",
  "stepUp",
  atBaseURLParameter,
  fragmentParameter,
];

/**
 * Starts sign-in: keeps a transaction in a cookie and sends the browser to the provider.
 *
 * With `iss` it is a login that a third party has started (OpenID Connect Core, section 4).
 */
export async function login(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const asked = await readLogin(exchange.request);
  const toBaseURL = goToBaseURL(context, exchange, asked.has(atBaseURLParameter));
  if (toBaseURL !== null) return toBaseURL;
  const returnTo = destination(context, asked.get("returnTo") ?? asked.get("target_link_uri"));
  try {
    return await start(context, exchange, { asked, returnTo });
  } catch (cause) {
    if (cause instanceof HandlerError) throw cause;
    throw new HandlerError("login", cause, { returnTo: returnTo ?? undefined });
  }
}

/** What a login was asked for, and where it shall lead where that is safe. */
interface LoginRequest {
  readonly asked: Parameters;
  readonly returnTo: string | null;
}

async function start(
  context: Context,
  exchange: Exchange,
  { asked, returnTo }: LoginRequest,
): Promise<ResponseParts> {
  const { config, provider, transactions } = context;
  checkIssuer(asked.get("iss"), config.issuerBaseURL);
  await checkStore(context);
  await checkCookies(context, exchange, returnTo);
  await checkNoLoop(context, exchange, returnTo);
  const fragmentFirst = await keepFragment(context, exchange, asked);
  if (fragmentFirst !== null) return fragmentFirst;
  // First: what the provider says of the time corrects a clock that is wrong.
  await provider.metadata();
  const transaction = await newTransaction(context, exchange, { asked, returnTo });
  const location = await authorizationURL(config, provider, {
    ...transaction,
    maxAge: shortestMaxAge(transaction),
    extra: await extraParameters(context, asked, transaction),
  });
  rememberDestination(context, transaction);
  const setCookies = transactions.add(transaction, exchange.cookies);
  const status = exchange.request.method === "POST" ? 303 : 302;
  return redirect(location, status, cookieHeaders(setCookies));
}

async function readLogin(request: HostRequest): Promise<Parameters> {
  if (request.method === "POST") return readParameters(await readForm(request), loginParameters);
  const query = new URL(request.url).searchParams;
  const [returnTo] = query.getAll("returnTo");
  if (returnTo !== undefined) query.set("returnTo", returnTo);
  return readParameters(query, loginParameters);
}

/** Left-overs of sessions that nobody can read make every request too large for some server on the way. */
async function checkCookies(
  { config, sessions }: Context,
  exchange: Exchange,
  returnTo: string | null,
): Promise<void> {
  const size = exchange.request.headers.get("cookie")?.length ?? 0;
  if (size <= config.session.maxCookieBytes) return;
  if (activeSession(await exchange.read()) !== null) return;
  const setCookies = sessions.clear(exchange.cookies);
  if (setCookies.length === 0) return;
  const recovery = { setCookies, returnTo: returnTo ?? undefined };
  throw new HandlerError("login", new Refusal("cookies_too_large"), recovery);
}

/** Longer ones are not worth the memory: whoever loses such a transaction comes back to the home page. */
const longestRemembered = 512;

/** Several tabs that start at the same moment write the same cookie: all but one come back without it. */
function rememberDestination({ destinations }: Context, { state, returnTo }: Transaction): void {
  if (returnTo.length <= longestRemembered) destinations.add(state, returnTo);
}

/** Only our own provider may be asked for: anything else would be a way to send people elsewhere. */
function checkIssuer(iss: string | undefined, issuer: string): void {
  if (iss !== undefined && iss !== issuer) throw new Refusal("foreign_issuer");
}

async function newTransaction(
  context: Context,
  exchange: Exchange,
  { asked, returnTo }: LoginRequest,
): Promise<Transaction> {
  const { config, randomText, clock, stepUpSeal } = context;
  const replaces = await sessionToReplace(context, exchange);
  const stepUp = stepUpSeal.open(asked.get("stepUp") ?? "");
  return {
    state: stateOf(randomText(32), asked.has("restart")),
    nonce: randomText(32),
    returnTo: returnTo ?? `${config.baseURL}/`,
    started: clock(),
    instance: context.instance,
    codeVerifier: config.responseType.includes("code") ? randomText(32) : undefined,
    maxAge: config.maxAge,
    stepUp: stepUp ?? undefined,
    replaces,
  };
}

/** The shorter of the app's own and what a page asks for. */
function shortestMaxAge({ maxAge, stepUp }: Transaction): number | undefined {
  const asked = [maxAge, stepUp?.maxAge].filter((each) => each !== undefined);
  return asked.length === 0 ? undefined : Math.min(...asked);
}

/** A callback by cross-site POST brings no session cookie: what it replaces is noted beforehand. */
async function sessionToReplace(
  { config }: Context,
  exchange: Exchange,
): Promise<string | undefined> {
  if (config.responseMode !== "form_post") return undefined;
  return activeSession(await exchange.read())?.header.id;
}

/** An unsafe return address is dropped, and logged. */
function destination({ config, log }: Context, wanted: string | undefined): string | null {
  const safe = wanted === undefined ? null : safeReturnTo(wanted, returnToRules(config));
  if (wanted !== undefined && safe === null) {
    log({ event: "return-to-dropped", length: wanted.length });
  }
  return safe;
}

async function extraParameters(
  { provider }: Context,
  asked: Parameters,
  { stepUp }: Transaction,
): Promise<Readonly<Record<string, string>>> {
  const hint = asked.has("iss") ? asked.get("login_hint") : undefined;
  return {
    ...(stepUp?.acr === undefined ? {} : { acr_values: stepUp.acr.join(" ") }),
    ...(hint === undefined ? {} : { login_hint: hint }),
    ...(asked.get("prompt") === "select_account"
      ? { prompt: chooserOf((await provider.metadata())["prompt_values_supported"]) }
      : {}),
  };
}

/** A provider without an account chooser is asked to sign in anew: that lets the person choose, too. */
function chooserOf(supported: unknown): string {
  return Array.isArray(supported) && !supported.includes("select_account")
    ? "login"
    : "select_account";
}
