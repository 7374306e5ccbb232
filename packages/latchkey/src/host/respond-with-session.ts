import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import {
  type HeaderList,
  isHeaderValue,
  noStoreHeaders,
  sessionCacheHeaders,
} from "../http/headers.ts";
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
  const parts = isolate(context.config, withSessionHeaders(exchange, await making));
  const wrong = parts.headers.find(([, value]) => !isHeaderValue(value));
  if (wrong === undefined) return parts;
  const error = new TypeError(`The header ${wrong[0]} has characters that HTTP cannot send.`);
  const instead = await errorResponse(context, exchange, "unknown", error);
  const { headers, ...rest } = withSessionHeaders(exchange, instead);
  return { ...rest, headers: headers.filter(([, value]) => isHeaderValue(value)) };
}

/** Keeps our pages apart from those of other sites, if the app wants it (decision 0139). */
function isolate({ preset }: Pick<Config, "preset">, parts: ResponseParts): ResponseParts {
  const isPage = parts.headers.some(
    ([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("text/html"),
  );
  if (preset === undefined || !isPage) return parts;
  return { ...parts, headers: [...parts.headers, ...isolatingHeaders] };
}

const isolatingHeaders: HeaderList = [
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
];

/** Adds the session's headers, and `Cache-Control` to a response of ours without one. */
function withSessionHeaders(exchange: Exchange, parts: ResponseParts): ResponseParts {
  const committed = exchange.commit();
  const hasCacheControl = parts.headers.some(([name]) => name === "Cache-Control");
  const ofResponse = exchange.hasRead() ? sessionCacheHeaders : noStoreHeaders;
  const headers = committed.length > 0 || hasCacheControl ? committed : ofResponse;
  return { ...parts, headers: [...parts.headers, ...headers] };
}
