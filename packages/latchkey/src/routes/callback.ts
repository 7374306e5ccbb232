import { homeURL, returnToRules } from "../access/addresses.ts";
import type { Exchange } from "../access/exchange.ts";
import { type SignIn, startSession } from "../access/start-session.ts";
import { checkStore, type Context } from "../context.ts";
import { isNumericDate } from "../crypto/json-object.ts";
import { HandlerError } from "../errors/handler-error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { readForm } from "../http/form.ts";
import { cookieHeaders } from "../http/headers.ts";
import { collectParameters, type Collected } from "../http/parameters.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";
import { safeReturnTo } from "../http/return-to.ts";
import { responseParameters } from "../oidc/authorization-response.ts";
import type { IDTokenClaims } from "../oidc/tokens/id-token.ts";
import { isName } from "../oidc/tokens/token-claims.ts";
import type { SignInFacts } from "../session/sessions.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { admittedProfile, completeSignIn } from "./complete-sign-in.ts";
import { findTransaction, recoveryOf } from "./find-transaction.ts";
import { cameBack } from "./sign-in-loop.ts";

/**
 * Finishes sign-in, in the order of the standard: transaction, authorization response, token request, ID token,
 * organization, profile; then the session is made, and the browser goes where it wanted to go.
 *
 * Whatever fails, no session comes of it, and only this attempt's transaction is taken away.
 */
export async function callback(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { config, transactions, loopCounter } = context;
  const response = await readResponse(exchange.request);
  const { cookie, transaction } = await findTransaction(context, exchange, response.parameters);
  const { started, returnTo, replaces } = transaction;
  const removed = transactions.remove(cookie);
  let sub: string | undefined;
  try {
    checkUnanswered(context, transaction);
    const [before] = await Promise.all([exchange.read(), checkStore(context)]);
    const signIn = await completeSignIn(context, transaction, response);
    ({ sub } = signIn.claims);
    const profile = await admittedProfile(context, transaction, signIn);
    const finished = { cameBack: cameBack(before), returnTo };
    const counted = loopCounter.recordSignIn(exchange.cookies, finished);
    const facts = factsOf(context, signIn, transaction);
    await startSession(context, exchange, { ...signIn, profile, facts, replaces });
    return redirect(
      safeReturnTo(returnTo, returnToRules(config)) ?? homeURL(config),
      exchange.request.method === "POST" ? 303 : 302,
      cookieHeaders([counted, removed]),
    );
  } catch (cause) {
    const recovery = await recoveryOf(context, exchange, transaction, cause);
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
