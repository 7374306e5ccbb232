import { chooserURL, homeURL, returnToRules } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import { checkStore, type Context, withConnection } from "../context.ts";
import { HandlerError } from "../errors/handler-error.ts";
import type { StepUp } from "../errors/access-errors.ts";
import { Refusal } from "../errors/refusal.ts";
import { cookieLimit, type Cookies } from "../http/cookies.ts";
import { cookieHeaders } from "../http/headers.ts";
import type { Config } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import { type Parameters, readParameters } from "../http/parameters.ts";
import { leadOn } from "../http/lead-on.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";
import { safeReturnTo } from "../http/return-to.ts";
import { authorizationURL, newRequest, postsResponse } from "../oidc/authorization-request.ts";
import { clientTag, type Connection } from "../oidc/connection.ts";
import { requestedAcr } from "../oidc/tokens/step-up.ts";
import { activeSession } from "../session/read-session.ts";
import type { StoredSession } from "../session/session.ts";
import type { Log } from "../telemetry/log-event.ts";
import type { LoginParams } from "../config/protocol-parameters.ts";
import { stateOf, type Transaction } from "../transaction/transaction.ts";
import { atBaseURLParameter, goToBaseURL } from "./base-url.ts";
import { chooseConnection } from "./choose-connection.ts";
import { originOf } from "./find-transaction.ts";
import {
  carriedFields,
  loginSource,
  ownParameters,
  providerParams,
  readLogin,
  stepUpOf,
} from "./login-request.ts";
import { signInPage } from "./sign-in-page.ts";
import { checkNoLoop } from "./sign-in-loop.ts";

/**
 * Starts sign-in: stores a transaction in a cookie and sends the browser to the provider. Without a
 * connection it leads to the page on which the user chooses one.
 *
 * With `iss` it handles a login started by a third party (OpenID Connect Core, section 4).
 *
 * @param named - the connection of the address; `null` if it names none
 */
export async function login(
  context: Context,
  exchange: Exchange,
  named: Connection | null,
): Promise<ResponseParts> {
  return beginLogin(context, exchange, { source: await loginSource(exchange.request), named });
}

interface GivenLogin {
  /** Everything that the login was given. */
  readonly source: URLSearchParams;
  readonly named: Connection | null;
  /** Whether the user has just chosen the connection on our page. Default: false. */
  readonly isChosen?: boolean;
}

/** Starts the sign-in of a login whose parameters have been read. */
export async function beginLogin(
  context: Context,
  exchange: Exchange,
  { source, named, isChosen = false }: GivenLogin,
): Promise<ResponseParts> {
  const own = readParameters(source, ownParameters);
  const toBaseURL = goToBaseURL(context, exchange, own.has(atBaseURLParameter));
  if (toBaseURL !== null) return toBaseURL;
  const returnTo = destination(context, own.get("returnTo") ?? own.get("target_link_uri"));
  let chosen = named;
  try {
    if (own.get("restart") === "if-needed" && activeSession(await exchange.use()) !== null) {
      return redirect(returnTo ?? homeURL(context.config), 302);
    }
    const wantedWay = { named, source, parameters: own, isChosen };
    const choice = await chooseConnection(context, exchange, wantedWay);
    if (choice.kind === "page") {
      return leadOn(exchange.request, chooserOf(context, source, choice.notice));
    }
    if (choice.kind === "question") {
      return await signInPage(context, exchange, { source, ...choice.question });
    }
    const { connection, hint } = choice;
    chosen = connection;
    const parameters = readLogin(context, connection, source);
    const wanted = { connection, parameters, returnTo, hint };
    const response = await start(withConnection(context, connection), exchange, wanted);
    return { ...response, connection: connection.named };
  } catch (cause) {
    if (cause instanceof HandlerError) throw cause;
    throw new HandlerError("login", cause, {
      connection: chosen?.named,
      returnTo: returnTo ?? undefined,
      shared: own.get("shared") === "1" ? "1" : undefined,
    });
  }
}

/** The page on which the user chooses a connection, with what the login was given. */
function chooserOf(
  { config, connections }: Pick<Context, "config" | "connections">,
  source: URLSearchParams,
  notice: "removed" | undefined,
): string {
  const said = notice === undefined ? [] : [["notice", notice] as const];
  return chooserURL(config, [...said, ...carriedFields(connections.all, source)]);
}

/** The parameters of a login, with a safe destination if there is one. */
interface LoginRequest {
  readonly connection: Connection;
  readonly parameters: Parameters;
  readonly returnTo: string | null;
  /** The address of the user, for the provider. */
  readonly hint?: string | undefined;
  /** For the provider. */
  readonly params: LoginParams;
}

async function start(
  context: Context,
  exchange: Exchange,
  { connection, parameters, returnTo, hint }: Omit<LoginRequest, "params">,
): Promise<ResponseParts> {
  const { issuer } = connection;
  const params = providerParams(context, connection, parameters);
  await checkStore(context, connection);
  await checkCookies(context, exchange, { connection, returnTo });
  await checkNoLoop(context, exchange, { connection, returnTo });
  await issuer.checkReachable((await issuer.metadata()).authorization_endpoint);
  const transaction = await newTransaction(context, exchange, {
    connection,
    parameters,
    returnTo,
    params,
  });
  const location = await authorizationURL(connection, {
    ...transaction,
    redirectURI: context.signIns.redirection.uri(connection),
    maxAge: shortestMaxAge(transaction),
    extra: await extraParameters(connection, { parameters, params, hint }, transaction),
  });
  context.signIns.recent.rememberDestination(transaction, connection.named);
  const pending = { transaction, isPosted: postsResponse(connection) };
  const setCookies = addTransaction(context, pending, exchange.cookies);
  return leadOn(exchange.request, location, cookieHeaders(setCookies));
}

/** Clears unreadable session cookies, which would make requests too large for some servers. */
async function checkCookies(
  { config, sessions }: Context,
  exchange: Exchange,
  { connection, returnTo }: Pick<LoginRequest, "connection" | "returnTo">,
): Promise<void> {
  const size = exchange.request.headers.get("cookie")?.length ?? 0;
  if (size <= config.session.maxCookieBytes) return;
  if (activeSession(await exchange.read()) !== null) return;
  const setCookies = sessions.clear(exchange.cookies);
  if (setCookies.length === 0) return;
  const again = { connection: connection.named, returnTo: returnTo ?? undefined };
  throw new HandlerError("login", new Refusal("cookies_too_large"), { ...again, setCookies });
}

/**
 * Browsers drop a cookie beyond their limit, and the sign-in with it: rather the destination goes.
 *
 * @throws {Refusal} `parameter_invalid`: what the sign-in must prove is too long by itself
 */
function addTransaction(
  { config, log, signIns }: Context,
  { transaction, isPosted }: { readonly transaction: Transaction; readonly isPosted: boolean },
  cookies: Cookies,
): readonly string[] {
  const setCookies = signIns.transactions.add(transaction, cookies, isPosted);
  if (areKept(setCookies)) return setCookies;
  log({ event: "return-to-dropped", length: transaction.returnTo.length });
  const home = { ...transaction, returnTo: homeURL(config) };
  const shorter = signIns.transactions.add(home, cookies, isPosted);
  if (areKept(shorter)) return shorter;
  throw new Refusal("parameter_invalid", { detail: "acr_values or organization is too long" });
}

function areKept(setCookies: readonly string[]): boolean {
  return setCookies.every((line) => line.length <= cookieLimit);
}

async function newTransaction(
  context: Context,
  exchange: Exchange,
  { connection, parameters, returnTo, params }: LoginRequest,
): Promise<Transaction> {
  const { config, randomText, clock, signIns } = context;
  const replaced = await sessionToReplace(connection, exchange);
  const { stepUp } = signIns.loginSeal.open(parameters.get("stepUp"));
  return {
    state: stateOf(signIns.redirection.stateOf(randomText(32), connection), {
      isSecondTry: parameters.has("restart"),
      isShared: parameters.get("shared") === "1" || replaced?.header.shared === true,
    }),
    returnTo: returnTo ?? `${config.baseURL}/`,
    started: clock(),
    ...placeOf(config, connection),
    instance: signIns.recent.instance,
    ...newRequest(connection, randomText),
    stepUp: stepUpOf(params, stepUp),
    ...(await proverOf(exchange, connection, stepUp)),
    organization: params["organization"],
    replaces: replaced?.header.id,
  };
}

/** If there are several connections, a session is proved by its own user alone. */
async function proverOf(
  exchange: Exchange,
  { named, issuer }: Connection,
  stepUp: StepUp | undefined,
): Promise<Pick<Transaction, "proves" | "tenant">> {
  if (named === undefined || stepUp === undefined || stepUp.isFirst === true) return {};
  const stored = activeSession(await exchange.read().catch(() => null));
  if (stored === null) return {};
  const { tid } = stored.data.user;
  const tenant = issuer.hasTenants && typeof tid === "string" ? tid : undefined;
  return { proves: stored.header.subTag, tenant };
}

/** With whom and where a sign-in is started, beside `default` at the first base URL. */
function placeOf(
  config: Config,
  connection: Connection,
): Pick<Transaction, "client" | "connection" | "origin"> {
  const isDefault = connection.id === defaultID;
  return {
    ...(isDefault ? {} : { connection: connection.id, client: clientTag(connection) }),
    origin: originOf(config),
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
function destination(
  { config, log }: { readonly config: Config; readonly log: Log },
  wanted: string | undefined,
): string | null {
  const safe = wanted === undefined ? null : safeReturnTo(wanted, returnToRules(config));
  if (wanted !== undefined && safe === null) {
    log({ event: "return-to-dropped", length: wanted.length });
  }
  return safe;
}

async function extraParameters(
  connection: Connection,
  { parameters, params, hint: typed }: Pick<LoginRequest, "hint" | "parameters" | "params">,
  { stepUp }: Transaction,
): Promise<LoginParams> {
  const { issuer } = connection;
  const { max_age: _inTransaction, ...others } = params;
  const acr = requestedAcr(connection, stepUp?.acr);
  const hint = typed ?? (parameters.has("iss") ? parameters.get("login_hint") : undefined);
  const prompt = params["prompt"] ?? parameters.get("prompt");
  return {
    ...(hint === undefined ? {} : { login_hint: hint }),
    ...others,
    ...(acr.length === 0 ? {} : { acr_values: acr.join(" ") }),
    ...(prompt === "select_account"
      ? { prompt: accountChooserOf((await issuer.metadata())["prompt_values_supported"]) }
      : {}),
  };
}

/**
 * Requests a new sign-in from a provider without an account chooser, which also offers a choice.
 */
function accountChooserOf(supported: unknown): string {
  return Array.isArray(supported) && !supported.includes("select_account")
    ? "login"
    : "select_account";
}
