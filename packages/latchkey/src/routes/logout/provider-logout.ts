import type { Context } from "../../context.ts";
import { type Refusal, refusalOf } from "../../errors/refusal.ts";
import { type ResponseParts, text } from "../../http/response-parts.ts";

/** The routes by which a provider ends sessions, as the log calls them, and their standards. */
const standards = {
  "backchannel-logout": "Back-Channel Logout",
  "frontchannel-logout": "Front-Channel Logout",
} as const;

type ProviderLogout = keyof typeof standards;

/** The response of a disabled route. */
export function notEnabled({ log }: Context, route: ProviderLogout): ResponseParts {
  const variable = `LATCHKEY_${route.replace("-", "_").toUpperCase()}`;
  const detail = `${variable} is not set to true, which needs a store`;
  log({ event: "refusal", route, reason: "not_found", status: 404, detail });
  return text(`${standards[route]} is not enabled.`, 404);
}

/** Logs why a provider could not end what it has named; these routes answer it 400. */
export function logRefusal({ log }: Context, route: ProviderLogout, error: unknown): Refusal {
  const refusal = refusalOf(error);
  const { reason, detail, cause } = refusal;
  const fault = reason === "internal" ? cause : undefined;
  log({ event: "refusal", route, reason, status: 400, detail, error: fault });
  return refusal;
}
