import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { queryOf, readParameters } from "../http/parameters.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";
import type { Exchange } from "../request/exchange.ts";
import { explainRefusal } from "../principal/explain-refusal.ts";
import { principalOfSession } from "../principal/principal.ts";
import { refusalParameter } from "../request/guard/refused-url.ts";
import { activeSession } from "../session/read-session.ts";

/**
 * Shows our page of a refused rule, for clients that show no response of ours in the place of a
 * page. A reload after a minute leads back to the refused page.
 *
 * @throws {Refusal} `forbidden`, or `not_found` for an address that was not made here
 */
export async function showRefusal(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { config, signIns } = context;
  const query = queryOf(exchange.request);
  const sealed = readParameters(query, [refusalParameter]).get(refusalParameter);
  const refusal = signIns.refusalSeal.open(sealed ?? "");
  if (refusal === null) throw new Refusal("not_found");
  const { returnTo, unmet } = refusal;
  const stored = activeSession(await exchange.read());
  if (!refusal.isRecent || stored === null) return backTo(config, returnTo);
  const principal = principalOfSession(stored, context);
  const detail = unmet.length === 0 ? undefined : explainRefusal(unmet, principal);
  throw new Refusal("forbidden", { detail, unmet, returnTo });
}

function backTo({ origin }: Config, returnTo: string): ResponseParts {
  return redirect(new URL(returnTo, origin).href, 302);
}
