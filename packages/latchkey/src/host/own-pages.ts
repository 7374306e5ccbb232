import type { Context } from "../context.ts";
import { readForm } from "../http/form.ts";
import { isUnder, type RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { appPath } from "../request/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import { errorResponse } from "../routes/error-response.ts";
import { refuse } from "./refuse.ts";
import { ExchangeAuth } from "./request-auth.ts";

/** Returns the response of a page below the prefix of pages, `null` for any other path. */
export function respondByPages(
  context: Context,
  exchange: Exchange,
  target: RequestTarget,
): Promise<ResponseParts> | null {
  const { pages, config } = context;
  const path = appPath(config, target.path);
  if (pages.respond === undefined || !isUnder(config.pagesPrefix, path)) return null;
  const { request } = exchange;
  const responding = pages.respond({
    method: request.method,
    url: request.url,
    headers: request.headers,
    path: path.slice(config.pagesPrefix.length),
    form: () => readForm(request),
    async auth() {
      // If the store fails, reading the session throws.
      await exchange.read().catch(() => undefined);
      return new ExchangeAuth(context, exchange, () => undefined);
    },
  });
  return (
    responding?.catch(
      (error: unknown) =>
        refuse(context, { exchange, target, by: "app" }, error) ??
        errorResponse(context, exchange, "app", error),
    ) ?? null
  );
}
