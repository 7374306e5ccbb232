import type { Runtime } from "../../config/runtime.ts";
import type { Connection } from "../../oidc/connection.ts";
import type { Context } from "../../context.ts";
import { type Refusal, refusalOf } from "../../errors/refusal.ts";
import { empty, type ResponseParts, text } from "../../http/response-parts.ts";
import type { EndedList, EndsByProvider } from "../../session/marks/ended-list.ts";

/** The routes by which a provider ends sessions, as the log calls them, and their standards. */
const standards = {
  "backchannel-logout": "Back-Channel Logout",
  "frontchannel-logout": "Front-Channel Logout",
} as const;

type ProviderLogout = keyof typeof standards;

/** The ends that a provider writes by a route; `null` if it is off for the connection. */
export function endsBy(
  route: ProviderLogout,
  ended: EndedList | null,
  { backchannelLogout, frontchannelLogout, registration }: Connection,
): EndsByProvider | null {
  const isOn = route === "backchannel-logout" ? backchannelLogout : frontchannelLogout;
  return isOn && ended !== null ? ended.of(registration) : null;
}

/** The response to a logout token that has ended what it names. */
export function endedResponse({ backchannelLogoutStatus }: Connection): ResponseParts {
  return empty(backchannelLogoutStatus);
}

/**
 * The response of a disabled route. The log says once how to enable it. Without a store the
 * warnings at the start have said that there is none.
 */
export function notEnabled({ store, warnings }: Context, route: ProviderLogout): ResponseParts {
  const variable = `LATCHKEY_${route.replace("-", "_").toUpperCase()}`;
  const name = standards[route];
  if (store !== null) {
    warnings.once(
      route,
      `A request for ${name} was answered with 404, as it is off. If the provider has sent it, set ${variable}=true, or remove the address at the provider.`,
    );
  }
  return text(`${name} is not enabled.`, 404);
}

/** Logs why a provider could not end what it has named; these routes answer it 400. */
export function logRefusal(
  { log }: Pick<Runtime, "log">,
  route: ProviderLogout,
  error: unknown,
): Refusal {
  const refusal = refusalOf(error);
  const { reason, kind, detail, cause } = refusal;
  const fault = reason === "internal" ? cause : undefined;
  log({ event: "refusal", route, reason, kind, status: 400, detail, error: fault });
  return refusal;
}
