import { homeURL, returnToRules } from "../request/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import { checkStore, type Context } from "../context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import { cookieLimit, type Cookies } from "../http/cookies.ts";
import { cookieHeaders } from "../http/headers.ts";
import type { Parameters } from "../http/parameters.ts";
import { leadOn } from "../http/lead-on.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";
import { safeReturnTo } from "../http/return-to.ts";
import {
  authorizationURL,
  newRequest,
  postsResponse,
  redirectURI,
} from "../oidc/authorization-request.ts";
import type { Connection } from "../oidc/connection.ts";
import { activeSession } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { LoginParams } from "../transaction/params-seal.ts";
import { stateOf, type Transaction } from "../transaction/transaction.ts";
import { atBaseURLParameter, goToBaseURL } from "./base-url.ts";
import { providerParams, readLogin, requirementsOf } from "./login-request.ts";
import { checkNoLoop } from "./sign-in-loop.ts";

/**
 * Starts sign-in: stores a transaction in a cookie and sends the browser to the provider.
 *
 * With `iss` it handles a login started by a third party (OpenID Connect Core, section 4).
 */
export async function login(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const parameters = await readLogin(context, context.connections.default, exchange.request);
  const shared = parameters.get("shared") === "1" ? "1" : undefined;
  const toBaseURL = goToBaseURL(context, exchange, parameters.has(atBaseURLParameter));
  if (toBaseURL !== null) return toBaseURL;
  const returnTo = destination(
    context,
    parameters.get("returnTo") ?? parameters.get("target_link_uri"),
  );
  try {
    if (parameters.get("restart") === "if-needed" && activeSession(await exchange.use()) !== null) {
      return redirect(returnTo ?? homeURL(context.config), 302);
    }
    return await start(context, exchange, { parameters, returnTo });
  } catch (cause) {
    if (cause instanceof HandlerError) throw cause;
    throw new HandlerError("login", cause, { returnTo: returnTo ?? undefined, shared });
  }
}

/** The parameters of a login, with a safe destination if there is one. */
interface LoginRequest {
  readonly connection: Connection;
  readonly parameters: Parameters;
  readonly returnTo: string | null;
  /** For the provider. */
  readonly params: LoginParams;
}

async function start(
  context: Context,
  exchange: Exchange,
  { parameters, returnTo }: Pick<LoginRequest, "parameters" | "returnTo">,
): Promise<ResponseParts> {
  const connection = await connectionOf(context, parameters.get("iss"));
  const { issuer } = connection;
  const params = providerParams(context, connection, parameters);
  await checkStore(context);
  await checkCookies(context, exchange, returnTo);
  await checkNoLoop(context, exchange, returnTo);
  await issuer.checkReachable((await issuer.metadata()).authorization_endpoint);
  const transaction = await newTransaction(context, exchange, {
    connection,
    parameters,
    returnTo,
    params,
  });
  const location = await authorizationURL(connection, {
    ...transaction,
    redirectURI: redirectURI(context.config, connection),
    maxAge: shortestMaxAge(transaction),
    extra: await extraParameters(connection, { parameters, params }, transaction),
  });
  rememberDestination(context, transaction);
  const setCookies = addTransaction(context, transaction, exchange.cookies);
  return leadOn(exchange.request, location, cookieHeaders(setCookies));
}

/** Clears unreadable session cookies, which would make requests too large for some servers. */
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

/** Longer ones are not worth the memory. A browser without its transaction then goes home. */
const longestRemembered = 512;

/** Tabs with a simultaneous start write the same cookie, so all but one lose their transaction. */
function rememberDestination({ signIns }: Context, { state, returnTo }: Transaction): void {
  if (returnTo.length <= longestRemembered) signIns.destinations.add(state, returnTo);
}

/**
 * Browsers drop a cookie beyond their limit, and the sign-in with it: rather the destination goes.
 *
 * @throws {Refusal} `parameter_invalid`: what the sign-in must prove is too long by itself
 */
function addTransaction(
  { config, log, signIns }: Context,
  transaction: Transaction,
  cookies: Cookies,
): readonly string[] {
  const setCookies = signIns.transactions.add(transaction, cookies);
  if (areKept(setCookies)) return setCookies;
  log({ event: "return-to-dropped", length: transaction.returnTo.length });
  const home = { ...transaction, returnTo: homeURL(config) };
  const shorter = signIns.transactions.add(home, cookies);
  if (areKept(shorter)) return shorter;
  throw new Refusal("parameter_invalid", { detail: "acr_values or organization is too long" });
}

function areKept(setCookies: readonly string[]): boolean {
  return setCookies.every((line) => line.length <= cookieLimit);
}

/**
 * Chooses the connection of a login. Only issuers of ours count: any other one would be an open
 * redirect.
 */
async function connectionOf(
  { connections }: Context,
  iss: string | undefined,
): Promise<Connection> {
  if (iss === undefined) return connections.default;
  const connection = await connections.ofIssuer(iss);
  if (connection === null) throw new Refusal("foreign_issuer");
  return connection;
}

async function newTransaction(
  context: Context,
  exchange: Exchange,
  { connection, parameters, returnTo, params }: LoginRequest,
): Promise<Transaction> {
  const { config, randomText, clock, signIns } = context;
  const replaced = await sessionToReplace(connection, exchange);
  const stepUp = signIns.stepUpSeal.open(parameters.get("stepUp") ?? "");
  return {
    state: stateOf(randomText(32), {
      isSecondTry: parameters.has("restart"),
      isShared: parameters.get("shared") === "1" || replaced?.header.shared === true,
    }),
    returnTo: returnTo ?? `${config.baseURL}/`,
    started: clock(),
    instance: context.instance,
    ...newRequest(connection, randomText),
    stepUp: requirementsOf(params, stepUp),
    organization: params["organization"],
    replaces: replaced?.header.id,
  };
}

/** The shorter of the app's max_age and the page's. */
function shortestMaxAge({ maxAge, stepUp }: Transaction): number | undefined {
  const limits = [maxAge, stepUp?.maxAge].filter((each) => each !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** A callback by cross-site POST brings no session cookie: what it replaces is noted beforehand. */
async function sessionToReplace(
  connection: Connection,
  exchange: Exchange,
): Promise<StoredSession | null> {
  if (!postsResponse(connection)) return null;
  return activeSession(await exchange.read());
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
  { issuer }: Connection,
  { parameters, params }: Pick<LoginRequest, "parameters" | "params">,
  { stepUp }: Transaction,
): Promise<LoginParams> {
  const { max_age: _inTransaction, ...others } = params;
  const hint = parameters.has("iss") ? parameters.get("login_hint") : undefined;
  const prompt = params["prompt"] ?? parameters.get("prompt");
  return {
    ...(hint === undefined ? {} : { login_hint: hint }),
    ...others,
    ...(stepUp?.acr === undefined ? {} : { acr_values: stepUp.acr.join(" ") }),
    ...(prompt === "select_account"
      ? { prompt: chooserOf((await issuer.metadata())["prompt_values_supported"]) }
      : {}),
  };
}

/**
 * Requests a new sign-in from a provider without an account chooser, which also offers a choice.
 */
function chooserOf(supported: unknown): string {
  return Array.isArray(supported) && !supported.includes("select_account")
    ? "login"
    : "select_account";
}
