import type { Exchange } from "../request/exchange.ts";
import { isAtOtherHost, warnOfOtherHost, warnOfPlainRequest } from "../request/other-host.ts";
import type { Context } from "../context.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";

/** Marks the address of a login already redirected to the base URL. */
export const atBaseURLParameter = "at";

/**
 * Redirects a login at a host other than that of the base URL. The provider would return the
 * browser to the base URL, without its cookies. Only in development.
 *
 * @returns the redirect, or `null` if login may continue
 */
export function goToBaseURL(
  context: Context,
  { request }: Exchange,
  wasSent: boolean,
): ResponseParts | null {
  const { config } = context;
  if (!config.production) warnOfPlainRequest(context, request);
  if (!isAtOtherHost(config, request)) return null;
  warnOfOtherHost(context, request);
  if (config.production || wasSent || request.method !== "GET") return null;
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set(atBaseURLParameter, "base-url");
  return redirect(`${config.origin}${pathname}?${searchParams}`, 302);
}
