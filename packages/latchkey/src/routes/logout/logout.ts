import { absolute, landingURL } from "../../access/addresses.ts";
import { logProviderFault, revokeTokens } from "../../access/ends/revoke-tokens.ts";
import type { Exchange } from "../../access/exchange.ts";
import { signOut, type SignedOutHere } from "../../access/ends/sign-out.ts";
import type { Context } from "../../context.ts";
import { Refusal } from "../../errors/refusal.ts";
import { isSameOrigin } from "../../http/fetch-metadata.ts";
import { cookieHeaders } from "../../http/headers.ts";
import { redirect, type ResponseParts } from "../../http/response-parts.ts";
import { endSessionURL } from "../../oidc/end-session.ts";
import { settledWithin } from "../../deadline.ts";
import { rememberLogout } from "./signed-out.ts";

/**
 * Signs out: the session here is ended first and always, then the provider is asked to end its own
 * (RP-Initiated Logout 1.0). A request that another origin has made, a sister host included, ends nothing
 * and asks for confirmation.
 */
export async function logout(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { request } = exchange;
  if (!isSameOrigin(request, context.config.origin)) throw new Refusal("cross_site_logout");
  const signedOut = await signOut(context, exchange);
  revokeTokens(context, signedOut.stored);
  const { location, setCookies } = await nextStop(context, signedOut);
  const reset = context.loopCounter.reset(exchange.cookies);
  const status = request.method === "POST" ? 303 : 302;
  return redirect(location, status, cookieHeaders([...setCookies, ...reset]));
}

/**
 * The provider's end-session endpoint; home where there is none, or where the provider does not answer. Only our own
 * signed-out page is told what became of the session there: on an app's page a `state` would stay in the address.
 */
async function nextStop(
  context: Context,
  { stored, copiesEndBy }: SignedOutHere,
): Promise<{ readonly location: string; readonly setCookies: readonly string[] }> {
  const { config, provider, randomText } = context;
  const landing = landingURL(config);
  const isOurs = landing === absolute(config, config.routes.signedOut);
  const stop = (location: string, state?: string) => ({
    location,
    setCookies: isOurs ? rememberLogout(context, { state, copiesEndBy }) : [],
  });
  const landingTold = (outcome: "still" | "unconfirmed") =>
    stop(isOurs ? `${landing}?provider=${outcome}` : landing);
  if (!config.idpLogout) return stop(landing);
  try {
    const state = isOurs ? randomText(16) : undefined;
    const url = endSessionURL(config, await soon(provider.metadata()), {
      idToken: stored?.data.idToken,
      postLogoutRedirectURI: landing,
      state,
    });
    return url === null ? landingTold("still") : stop(url, state);
  } catch (error) {
    logProviderFault(context, error, "logout");
    return landingTold("unconfirmed");
  }
}

/** Milliseconds. Whoever signs out has been signed out by now: no provider is worth a longer wait. */
const longestWaitMs = 40;

async function soon<T>(work: Promise<T>): Promise<T> {
  if (await settledWithin(longestWaitMs, work)) return work;
  throw new Refusal("provider_timeout", { detail: "the metadata were not there yet" });
}
