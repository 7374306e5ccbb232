import { landingURL } from "../../config/addresses.ts";
import { hasOurLanding, rememberedLogout, rememberLogout } from "../../ends/logout-cookie.ts";
import { endAllSessions } from "../../devices/end-devices.ts";
import { ownerOf } from "../../devices/owner.ts";
import { revokeTokens } from "../../ends/revoke-tokens.ts";
import { logProviderFault } from "../../oidc/log-provider-fault.ts";
import type { Exchange } from "../../request/exchange.ts";
import { signOut, type SignedOutHere } from "../../ends/sign-out.ts";
import { type Context, placeOfSession, withConnection } from "../../context.ts";
import { Refusal } from "../../errors/refusal.ts";
import { isSameOrigin } from "../../http/fetch-metadata.ts";
import { cookieHeaders } from "../../http/headers.ts";
import { leadOn } from "../../http/lead-on.ts";
import { queryOf } from "../../http/parameters.ts";
import type { ResponseParts } from "../../http/response-parts.ts";
import { endSessionURL } from "../../oidc/end-session-url.ts";
import { settledWithin } from "../../time/deadline.ts";

/**
 * Signs out: always ends the local session first, then sends the browser to the provider to end its
 * session (RP-Initiated Logout 1.0). A request from another origin, even a sister host, ends
 * nothing and requires confirmation.
 *
 * With `devices=all` in its address it also ends the user's sessions in all other browsers. If the
 * store fails then, nothing has ended.
 */
export async function logout(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { request } = exchange;
  if (!isSameOrigin(request, context.config.origin)) throw new Refusal("cross_site_logout");
  const signedOut =
    (await signOutEverywhere(context, exchange)) ?? (await signOutHere(context, exchange));
  const { location, setCookies } = await nextStop(context, exchange, signedOut);
  const reset = context.signIns.loopCounter.reset(exchange.cookies);
  const response = leadOn(request, location, cookieHeaders([...setCookies, ...reset]));
  const { connection } = placeOfSession(context, signedOut.stored?.header ?? {});
  return { ...response, connection };
}

interface Ended extends SignedOutHere {
  /** How many others of the user's sessions have ended, if all have. */
  readonly otherDevices?: number | "all";
}

async function signOutHere(context: Context, exchange: Exchange): Promise<SignedOutHere> {
  const signedOut = await signOut(context, exchange);
  revokeTokens(context, signedOut.stored);
  return signedOut;
}

/** `null` if it is not wanted, no user is signed in, or there is no store. */
async function signOutEverywhere(context: Context, exchange: Exchange): Promise<Ended | null> {
  if (queryOf(exchange.request).get("devices") !== "all") return null;
  if (context.ended === null) {
    context.warnings.once("all-devices", withoutStore);
    return null;
  }
  const owner = await ownerOf(context, exchange);
  if (owner === null) return null;
  const { otherDevices } = await endAllSessions(owner);
  return { stored: owner.stored, copiesEndBy: 0, otherDevices };
}

const withoutStore =
  "A logout with devices=all has signed out this browser alone: sessions in other browsers can be ended only in a store. Set LATCHKEY_STORE.";

/**
 * Returns the provider's end-session endpoint, or the page after logout if the provider has none or
 * does not respond. Only our own signed-out page learns the state of the provider's session: on an
 * app's page a `state` would stay in the address.
 */
async function nextStop(
  context: Context,
  { cookies }: Exchange,
  { stored, copiesEndBy, isOfNoConnection, ...ended }: Ended,
): Promise<{ readonly location: string; readonly setCookies: readonly string[] }> {
  const { config, connections, randomText } = context;
  const connection = connections.ofSession(stored?.header ?? {});
  const landing = landingURL(config);
  const isOurs = hasOurLanding(config);
  // All devices were signed out just before, or the provider is tried again.
  const before = rememberedLogout(cookies);
  const facts =
    copiesEndBy === undefined
      ? { copiesEndBy: before.copiesEndBy, otherDevices: before.otherDevices }
      : { copiesEndBy, otherDevices: ended.otherDevices };
  const stop = (location: string, state?: string) => ({
    location,
    setCookies: isOurs ? rememberLogout(context, { state, ...facts }) : [],
  });
  const landingAfter = (outcome: "still" | "unconfirmed") =>
    stop(isOurs ? `${landing}?provider=${outcome}` : landing);
  if (isOfNoConnection === true) return landingAfter("still");
  const isWanted = stored?.header.shared === true || before.outcome === "unconfirmed";
  if (!connection.idpLogout && !isWanted) return stop(landing);
  try {
    const state = isOurs ? randomText(16) : undefined;
    const url = endSessionURL(connection, await soon(connection.issuer.metadata()), {
      idToken: stored?.data.idToken,
      user: stored?.data.user ?? {},
      postLogoutRedirectURI: landing,
      state,
    });
    if (url === null) return landingAfter("still");
    await connection.issuer.checkReachable(url);
    return stop(url, state);
  } catch (error) {
    logProviderFault(withConnection(context, connection), error, "logout");
    return landingAfter("unconfirmed");
  }
}

/** Milliseconds for the metadata. The user is already signed out and waits for a page. */
const longestWaitMs = 1000;

async function soon<T>(work: Promise<T>): Promise<T> {
  if (await settledWithin(longestWaitMs, work)) return work;
  throw new Refusal("provider_timeout", { detail: "the metadata were not there yet" });
}
