import { homeURL, returnToRules } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import { checkNoMarkAhead } from "../session/marks/mark-ahead.ts";
import { type SignIn, startSession } from "../request/start-session.ts";
import { checkStore, type Context, withConnection } from "../context.ts";
import { isNumericDate } from "../crypto/json-object.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { cookieHeaders } from "../http/headers.ts";
import type { Collected } from "../http/parameters.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";
import { safeReturnTo } from "../http/return-to.ts";
import type { IDTokenClaims } from "../oidc/tokens/id-token.ts";
import type { Connection } from "../oidc/connection.ts";
import { sessionExpiryOf } from "../oidc/tokens/session-expiry.ts";
import { isName } from "../oidc/tokens/token-claims.ts";
import { activeSession, type SessionResult } from "../session/read-session.ts";
import { userTag } from "../session/session-handle.ts";
import type { SignInFacts } from "../session/sessions.ts";
import { isForSharedComputer, type Transaction } from "../transaction/transaction.ts";
import { answerOnce } from "./answer-once.ts";
import { admittedProfile, completeSignIn } from "./complete-sign-in.ts";
import { type FoundTransaction, findTransaction } from "./find-transaction.ts";
import { noteIdentity } from "./note-identity.ts";
import { readResponse } from "./read-response.ts";
import { recoveryOf } from "./recover-sign-in.ts";
import { cameBack } from "./sign-in-loop.ts";

/**
 * Finishes sign-in, in the order of the standard: transaction, authorization response, token
 * request, ID token, organization, profile. It then creates the session and redirects the browser
 * to its destination.
 *
 * A failure creates no session and removes only the transaction of this attempt.
 *
 * @param client - that of the address
 */
export async function callback(
  context: Context,
  exchange: Exchange,
  client: Connection,
): Promise<ResponseParts> {
  const { parameters, repeated } = await readResponse(exchange.request);
  const found = await findTransaction(context, exchange, { parameters, client });
  const response = { parameters, repeated };
  return finish(withConnection(context, found.connection), exchange, { ...found, response });
}

interface Answered extends FoundTransaction {
  readonly response: Collected;
}

async function finish(
  context: Context,
  exchange: Exchange,
  answered: Answered,
): Promise<ResponseParts> {
  const { config, clock, signIns } = context;
  const { transaction, connection, response } = answered;
  const completion = { connection, redirectURI: signIns.redirection.uri(connection), clock };
  const { state, started, returnTo, replaces } = transaction;
  const removed = signIns.transactions.remove(answered.cookie);
  let sub: string | undefined;

  async function signIn(): Promise<readonly string[]> {
    const [before] = await Promise.all([exchange.read(), checkStore(context, connection)]);
    const completed = await completeSignIn(completion, transaction, response);
    ({ sub } = completed.claims);
    const profile = await admittedProfile(completion, transaction, completed);
    const finished = { cameBack: cameBack(before), connection: connection.id, returnTo };
    const counted = signIns.loopCounter.recordSignIn(exchange.cookies, finished);
    const facts = { ...factsOf(context, completed, transaction), ...sharing(transaction, before) };
    await checkNoMarkAhead(context, connection, facts);
    await startSession(context, exchange, { ...completed, connection, profile, facts, replaces });
    await noteIdentity(context, activeSession(exchange.current()));
    const isRemembered = connection.named !== undefined && facts.shared !== true;
    const used = isRemembered ? [signIns.lastConnection.write(connection.id)] : [];
    return [counted, removed, ...used];
  }

  try {
    const setCookies = await answerOnce(context, { ...response, state }, signIn);
    const landed = redirect(
      safeReturnTo(returnTo, returnToRules(config)) ?? homeURL(config),
      exchange.request.method === "POST" ? 303 : 302,
      cookieHeaders(setCookies ?? []),
    );
    return { ...landed, connection: connection.named };
  } catch (cause) {
    const recovery = await recoveryOf(context, exchange, answered, cause);
    const subTag = sub && userTag(connection.registration, sub);
    const failed = { ...recovery, setCookies: [removed], started, subTag };
    throw new HandlerError("callback", cause, failed);
  }
}

function factsOf(context: Context, signIn: SignIn, transaction: Transaction): SignInFacts {
  const { claims } = signIn;
  const { started } = transaction;
  const issued = Math.trunc(claims.iat) - secondsTaken(context.signIns.recent, signIn, transaction);
  return { ...namesOf(claims), ...sessionExpiryOf(claims), sub: claims.sub, started, issued };
}

/**
 * Whether the sign-in is for a shared computer. One in the place of such a session is, too: proving
 * more must not make it last longer.
 */
function sharing({ state }: Transaction, before: SessionResult): Pick<SignInFacts, "shared"> {
  const isStill = activeSession(before)?.header.shared === true;
  return isStill || isForSharedComputer(state) ? { shared: true } : {};
}

/**
 * Returns the whole seconds from the start of a sign-in to the issue of its ID token. If the user
 * authenticated after the start, it counts from then. If different instances started and finished
 * the sign-in, the duration is unknown: 0.
 */
function secondsTaken(
  { instance }: { readonly instance: string },
  { claims, receivedAt }: SignIn,
  transaction: Transaction,
): number {
  if (transaction.instance !== instance) return 0;
  const { iat, auth_time: authTime } = claims;
  const sinceAuthentication = isNumericDate(authTime) ? iat - authTime : Infinity;
  const sinceStart = (receivedAt - transaction.started) / 1000;
  return Math.max(0, Math.floor(Math.min(sinceStart, sinceAuthentication)));
}

/** How the provider calls its session, and how and when the person has proved who they are. */
function namesOf({ sid, auth_time: authTime, acr }: IDTokenClaims) {
  return {
    sid: isName(sid) ? sid : undefined,
    ...(isNumericDate(authTime) ? { authTime: Math.floor(authTime) } : {}),
    ...(isName(acr, longestAcr) ? { acr } : {}),
  };
}

/** Characters: a longer one is no name, and every request would carry it. */
const longestAcr = 255;
