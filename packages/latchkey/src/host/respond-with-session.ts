import type { Context } from "../context.ts";
import { isHeaderValue, noStoreHeaders, sessionCacheHeaders } from "../http/headers.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { Exchange } from "../request/exchange.ts";
import { errorResponse } from "../routes/error-response.ts";
import type { Received } from "./admitted-request.ts";

/** Answers a request with a response of ours. */
export async function respondWith(
  context: Context,
  exchange: Exchange,
  making: MaybePromise<ResponseParts>,
): Promise<Received> {
  return { response: await withSession(context, exchange, making) };
}

/** Adds the session's headers. A header that no server can send becomes an error, and is logged. */
export async function withSession(
  context: Context,
  exchange: Exchange,
  making: MaybePromise<ResponseParts>,
): Promise<ResponseParts> {
  const parts = withSessionHeaders(exchange, await making);
  const wrong = parts.headers.find(([, value]) => !isHeaderValue(value));
  if (wrong === undefined) return parts;
  const error = new TypeError(`The header ${wrong[0]} has characters that HTTP cannot send.`);
  const instead = await errorResponse(context, exchange, "unknown", error);
  const { headers, ...rest } = withSessionHeaders(exchange, instead);
  return { ...rest, headers: headers.filter(([, value]) => isHeaderValue(value)) };
}

/** Adds the session's headers, and `Cache-Control` to a response of ours without one. */
function withSessionHeaders(exchange: Exchange, parts: ResponseParts): ResponseParts {
  const committed = exchange.commit();
  const hasCacheControl = parts.headers.some(([name]) => name === "Cache-Control");
  const ofResponse = exchange.hasRead() ? sessionCacheHeaders : noStoreHeaders;
  const headers = committed.length > 0 || hasCacheControl ? committed : ofResponse;
  return { ...parts, headers: [...parts.headers, ...headers] };
}
