import { recordActivity } from "../access/activity/record-activity.ts";
import { homeURL, returnToRules } from "../access/addresses.ts";
import { identityOf } from "../access/identity.ts";
import type { Exchange } from "../access/exchange.ts";
import { beforeSave } from "../access/hooks.ts";
import { requestDevice } from "../access/request-device.ts";
import { checkSize } from "../access/session-size.ts";
import { checkStore, type Context, nowSeconds } from "../context.ts";
import { isNumericDate } from "../crypto/numeric-date.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { readForm } from "../http/form.ts";
import { cookieHeaders } from "../http/headers.ts";
import { checkUnrepeated, collectParameters, type Collected } from "../http/parameters.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";
import { safeReturnTo } from "../http/return-to.ts";
import { responseParameters } from "../oidc/authorization-response.ts";
import type { TokenResponse } from "../oidc/token-request.ts";
import type { IDTokenClaims } from "../oidc/tokens/id-token.ts";
import { type DeviceTrace, deviceTraceIn, withDeviceName } from "../session/device.ts";
import { registrationOf, userTag } from "../session/session-handle.ts";
import type { SignInFacts, WrittenSession } from "../session/sessions.ts";
import type { SessionData, StoredSession } from "../session/session.ts";
import type { SessionResult } from "../session/read-session.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { admittedProfile, completeSignIn, type SignIn } from "./complete-sign-in.ts";
import { findTransaction, recoveryOf } from "./find-transaction.ts";
import { cameBack } from "./sign-in-loop.ts";

/**
 * Finishes sign-in, in the order of the standard: transaction, authorization response, token request, ID token,
 * organization, profile; then the session is made, and the browser goes where it wanted to go.
 *
 * Whatever fails, no session comes of it, and only this attempt's transaction is taken away.
 */
export async function callback(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { parameters, repeated } = await readResponse(exchange.request);
  const { cookie, transaction } = await findTransaction(context, exchange, parameters);
  const removed = context.transactions.remove(cookie);
  let sub: string | undefined;
  try {
    checkUnanswered(context, transaction);
    checkUnrepeated(repeated);
    await Promise.all([checkStore(context), exchange.read()]);
    const signIn = await completeSignIn(context, transaction, parameters);
    ({ sub } = signIn.claims);
    const profile = await admittedProfile(context, transaction, signIn);
    const facts = factsOf(context, signIn, transaction);
    const data = await newSessionData(context, exchange, { ...signIn, profile });
    const { stored, setCookies } = await replaceSession(
      context,
      exchange,
      { data, facts },
      transaction,
    );
    logSignIn(context, exchange.request, signIn, { ...transaction, stored });
    const location = safeReturnTo(transaction.returnTo, returnToRules(context.config));
    return redirect(
      location ?? homeURL(context.config),
      exchange.request.method === "POST" ? 303 : 302,
      cookieHeaders([...setCookies, removed]),
    );
  } catch (cause) {
    const recovery = await recoveryOf(context, exchange, transaction, cause);
    const { started } = transaction;
    throw new HandlerError("callback", cause, { ...recovery, setCookies: [removed], started, sub });
  }
}

/** A parameter that is in the address beside a form is one too many, as if it came twice. */
async function readResponse(request: HostRequest): Promise<Collected> {
  const query = collectParameters(new URL(request.url).searchParams, responseParameters);
  if (request.method !== "POST") return query;
  const { parameters, repeated } = collectParameters(await readForm(request), responseParameters);
  return { parameters, repeated: [...repeated, ...query.parameters.keys()] };
}

/** A transaction takes one response: a second is refused, also when both arrive at the same time. */
function checkUnanswered({ answeredStates }: Context, { state }: Transaction): void {
  if (!answeredStates.add(state, true)) {
    throw new Refusal("code_rejected", { detail: "this transaction was answered before" });
  }
}

async function newSessionData(
  context: Context,
  exchange: Exchange,
  { claims, profile, idToken, tokens }: SignIn & { readonly profile: IDTokenClaims },
): Promise<SessionData> {
  const { config, hooks } = context;
  const { request } = exchange;
  const data: SessionData = {
    user: identityOf(config, { ...profile, sub: claims.sub }),
    ...(config.session.storeIDToken ? { idToken } : {}),
    ...(tokens === null ? {} : tokenFields(context, tokens)),
    ...(config.session.stateful ? { device: await newDevice(context, exchange, claims) } : {}),
  };
  const kept = hooks.afterCallback === undefined ? data : await hooks.afterCallback(data, request);
  return beforeSave(context, kept);
}

/** A browser keeps the name that the same person has given it. */
async function newDevice(
  { config }: Context,
  exchange: Exchange,
  { sub }: IDTokenClaims,
): Promise<DeviceTrace> {
  const trace = requestDevice(config, exchange.request);
  const before = await exchange.read();
  const former = before.state === "none" ? null : before.stored;
  if (former?.header.subTag !== userTag(registrationOf(config), sub)) return trace;
  return withDeviceName(trace, deviceTraceIn(former.data.device).name ?? "");
}

function tokenFields(context: Context, tokens: TokenResponse): Partial<SessionData> {
  const { accessToken, refreshToken, expiresIn, scope = context.config.scope } = tokens;
  return {
    accessToken,
    accessTokenScope: scope,
    ...(expiresIn === undefined
      ? {}
      : { accessTokenExpiresAt: nowSeconds(context) + Math.floor(expiresIn) }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
}

/** The cookies are those beside the session's own, which are kept with it. */
async function replaceSession(
  context: Context,
  exchange: Exchange,
  { data, facts }: { readonly data: SessionData; readonly facts: SignInFacts },
  transaction: Transaction,
): Promise<WrittenSession> {
  const { sessions, loopCounter } = context;
  const { cookies } = exchange;
  const before = await exchange.read();
  const written = await sessions.create(data, facts, cookies);
  checkSize(context, written.setCookies, data);
  await endPreviousSession(context, transaction, before);
  const { returnTo } = transaction;
  const counted = loopCounter.recordSignIn(cookies, { cameBack: cameBack(before), returnTo });
  // Last, so that nothing after it fails: a refused callback must not bring a session.
  exchange.keep(written);
  return { stored: written.stored, setCookies: [counted] };
}

/** The person may have signed in at the provider later than here: then that is when this sign-in began. */
function factsOf(
  { instance }: Context,
  { claims, receivedAt }: SignIn,
  transaction: Transaction,
): SignInFacts {
  const { sub, iat: issued, auth_time: authTime } = claims;
  const { started } = transaction;
  const facts = { ...namesOf(claims), sub, started, issued: Math.trunc(issued) };
  if (transaction.instance !== instance) return facts;
  const sinceAuthentication = typeof authTime === "number" ? (issued - authTime) * 1000 : Infinity;
  const took = Math.min(receivedAt - started, sinceAuthentication);
  return { ...facts, took: Math.max(0, Math.trunc(took)) };
}

/** The session is made: nothing in here may fail. */
function logSignIn(
  context: Context,
  request: HostRequest,
  { claims, receivedAt }: SignIn,
  { started, stored }: Transaction & { readonly stored: StoredSession },
): void {
  const { id: session, sidTag } = stored.header;
  const { sub, iss: issuer } = claims;
  const { sid } = namesOf(claims);
  const durationMs = Math.max(0, receivedAt - started);
  context.log({ event: "sign-in", sub, issuer, session, sid, durationMs });
  const device = stored.data.device ?? requestDevice(context.config, request);
  recordActivity(context, sub, { kind: "signed-in", sessions: [session], sidTag, device });
}

/** How the provider calls its session, and how and when the person has proved who they are. */
function namesOf({ sid, auth_time: authTime, acr }: IDTokenClaims) {
  return {
    sid: isText(sid) ? sid : undefined,
    ...(isNumericDate(authTime) ? { authTime: Math.floor(authTime) } : {}),
    ...(isText(acr) && acr.length <= longestAcr ? { acr } : {}),
  };
}

/** Characters: a longer one is no name, and every request would carry it. */
const longestAcr = 255;

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The session that this browser had before is ended: what was copied of it must not live on. */
async function endPreviousSession(
  { sessions, ended, log }: Context,
  { replaces }: Transaction,
  before: SessionResult,
): Promise<void> {
  if (before.state === "active") {
    await sessions.end(before.stored);
    const { data, header } = before.stored;
    log({ event: "sign-out", reason: "replaced", sub: data.user.sub, session: header.id });
  } else if (replaces !== undefined) {
    await ended?.endSession(replaces);
    log({ event: "sign-out", reason: "replaced", session: replaces });
  }
}
