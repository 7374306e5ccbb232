import type { Exchange } from "../access/exchange.ts";
import { peekOf } from "../access/request-auth.ts";
import type { Context } from "../context.ts";
import { sessionCacheHeaders } from "../http/headers.ts";
import { json, type ResponseParts } from "../http/response-parts.ts";

/** `GET <pages prefix>/session.json`: looks at the session and leaves everything as it is. */
export async function sessionJSON(context: Context, exchange: Exchange): Promise<ResponseParts> {
  return json(peekOf(context, await exchange.read()), 200, sessionCacheHeaders);
}
