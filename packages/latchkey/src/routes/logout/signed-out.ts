import type { Runtime } from "../../config/runtime.ts";
import { absolute, homeURL, loginURL } from "../../config/addresses.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { ProviderSession, SignedOut } from "../../config/pages.ts";
import type { Context } from "../../context.ts";
import {
  forgetLogout,
  rememberedLogout,
  type RememberedLogout,
  rememberLogout,
} from "../../ends/logout-cookie.ts";
import { cookieHeaders } from "../../http/headers.ts";
import { queryOf } from "../../http/parameters.ts";
import { html, redirect, type ResponseParts } from "../../http/response-parts.ts";
import type { EndedList } from "../../session/marks/ended-list.ts";
import { activeSession } from "../../session/read-session.ts";

/**
 * `GET <pages prefix>/signed-out`, the page after logout. Sends a signed-in browser home, and the
 * return from the provider on to the address without `state`, which a browser keeps in its history.
 */
export async function signedOut(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { config, pages } = context;
  const session = await exchange.read().then(activeSession, () => null);
  if (session !== null) return redirect(homeURL(config), 302);
  const remembered = rememberedLogout(exchange.cookies);
  const query = queryOf(exchange.request);
  if (query.has("state")) return withoutState(context, query, remembered);
  const { copiesEndBy, otherDevices } = remembered;
  const provider = providerSession(context, query, remembered);
  const page = await pages.signedOut(
    {
      provider,
      ...copiesOf(context, copiesEndBy),
      otherDevices,
      signInURL: loginURL(config),
      homeURL: homeURL(config),
    },
    exchange.request,
  );
  // A second try at the provider leads here again, with the same facts.
  const kept =
    provider === "unconfirmed"
      ? rememberLogout(context, { copiesEndBy, otherDevices, outcome: provider })
      : forgetLogout(context.config);
  return html(page, 200, cookieHeaders(kept));
}

function copiesOf(
  { ended }: { readonly ended: EndedList | null },
  copiesEndBy: number | undefined,
): Pick<SignedOut, "copies" | "copiesEndBy"> {
  if (copiesEndBy === undefined) return {};
  if (copiesEndBy === 0) return { copies: "ended" };
  return { copies: ended === null ? "expiring" : "pending", copiesEndBy };
}

/** Compares the `state` with that of the logout, and keeps the outcome for the page. */
function withoutState(
  context: Context,
  query: URLSearchParams,
  { state, outcome: former, ...facts }: RememberedLogout,
): ResponseParts {
  const isOurs = state !== undefined && query.get("state") === state;
  const isForeign = state !== undefined && !isOurs;
  if (isForeign) context.log({ event: "logout-state-mismatch", received: true });
  const outcome = isOurs ? "ended" : isForeign ? "unconfirmed" : former;
  const rest = new URLSearchParams(query);
  rest.delete("state");
  const search = rest.size === 0 ? "" : `?${rest}`;
  const address = absolute(context.config, context.config.routes.signedOut) + search;
  return redirect(address, 302, cookieHeaders(rememberLogout(context, { ...facts, outcome })));
}

/**
 * Returns the state of the provider's session. The local session is gone anyway, so a missing or
 * wrong `state` is only logged, and the page makes no claim.
 */
function providerSession(
  { log }: Pick<Runtime, "log">,
  query: URLSearchParams,
  { state, outcome }: RememberedLogout,
): ProviderSession {
  if (outcome !== undefined) return outcome;
  if (state !== undefined) {
    log({ event: "logout-state-mismatch", received: false });
    return "unconfirmed";
  }
  const named = query.get("provider");
  return named === "still" || named === "unconfirmed" ? named : "unknown";
}
