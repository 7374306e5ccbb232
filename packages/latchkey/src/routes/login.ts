import { returnToRules } from "../access/addresses.ts";
import { peekAtSession } from "../access/visit-request.ts";
import type { Context } from "../context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import { type Answer, redirect } from "../http/answers.ts";
import { parseCookies } from "../http/cookies.ts";
import { readForm } from "../http/form.ts";
import { cookieHeaders, noStoreHeaders } from "../http/headers.ts";
import { type Parameters, readParameters } from "../http/parameters.ts";
import { safeReturnTo } from "../http/return-to.ts";
import { authorizationURL } from "../oidc/authorization-request.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { checkNoLoop } from "./loop-guard.ts";
import { stateOf } from "./restart.ts";

/** What a login may be asked for; nothing else of the query ever reaches the provider. */
const loginParameters = ["returnTo", "prompt", "restart", "iss", "login_hint", "target_link_uri"];

/**
 * Starts sign-in: remembers a pending login in a cookie and sends the browser to the provider.
 *
 * With `iss` it is a login that a third party has started (OpenID Connect Core, section 4).
 */
export async function login(context: Context, request: Request): Promise<Answer> {
  const asked = await readLogin(request);
  const returnTo = destination(context, asked.get("returnTo") ?? asked.get("target_link_uri"));
  try {
    return await start(context, request, { asked, returnTo });
  } catch (cause) {
    const { setCookies = [] } = cause instanceof HandlerError ? cause.aftermath : {};
    const refusal = cause instanceof HandlerError ? cause.refusal : cause;
    throw new HandlerError("login", refusal, { setCookies, ...(returnTo && { returnTo }) });
  }
}

/** What a login was asked for, and where it shall lead where that is safe. */
interface Asked {
  readonly asked: Parameters;
  readonly returnTo: string | null;
}

async function start(
  context: Context,
  request: Request,
  { asked, returnTo }: Asked,
): Promise<Answer> {
  const { config, provider, transactions } = context;
  const cookies = parseCookies(request);
  checkIssuer(asked.get("iss"), config.issuerBaseURL);
  await checkCookies(context, request);
  await checkNoLoop(context, request);
  const transaction = await newTransaction(context, request, { asked, returnTo });
  const location = await authorizationURL(config, provider, {
    ...transaction,
    extra: await extraParameters(context, asked),
  });
  const setCookies = await transactions.add(transaction, cookies);
  rememberDestination(context, transaction);
  return redirect(location, request.method === "POST" ? 303 : 302, [
    ...noStoreHeaders,
    ...cookieHeaders(setCookies),
  ]);
}

async function readLogin(request: Request): Promise<Parameters> {
  if (request.method === "POST") return readParameters(await readForm(request), loginParameters);
  const query = new URL(request.url).searchParams;
  const [returnTo] = query.getAll("returnTo");
  if (returnTo !== undefined) query.set("returnTo", returnTo);
  return readParameters(query, loginParameters);
}

/** Left-overs of sessions that nobody can read make every request too large for some server on the way. */
async function checkCookies(context: Context, request: Request): Promise<void> {
  const { config, sessions } = context;
  const size = request.headers.get("cookie")?.length ?? 0;
  if (size <= config.session.maxCookieBytes) return;
  if ((await peekAtSession(context, request)).state === "live") return;
  const setCookies = sessions.cookie.clear(parseCookies(request));
  if (setCookies.length === 0) return;
  throw new HandlerError("login", new Refusal("cookies_too_large"), { setCookies });
}

/** Longer ones are not worth the memory: whoever loses such a pending login comes back to the home page. */
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
  request: Request,
  { asked, returnTo }: Asked,
): Promise<Transaction> {
  const { config, randomText, clock } = context;
  const replaces = await sessionOutOfSight(context, request);
  return {
    state: stateOf(randomText(32), asked.get("restart") === "1"),
    nonce: randomText(32),
    returnTo: returnTo ?? `${config.baseURL}/`,
    started: clock(),
    ...(config.responseType.includes("code") ? { codeVerifier: randomText(32) } : {}),
    ...(config.maxAge === undefined ? {} : { maxAge: config.maxAge }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

/** A callback by cross-site POST brings no session cookie: what it replaces is noted beforehand. */
async function sessionOutOfSight(context: Context, request: Request): Promise<string | undefined> {
  if (context.config.responseMode !== "form_post") return undefined;
  const found = await peekAtSession(context, request);
  return found.state === "live" ? found.stored.header.id : undefined;
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
): Promise<Readonly<Record<string, string>>> {
  const hint = asked.has("iss") ? asked.get("login_hint") : undefined;
  return {
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
