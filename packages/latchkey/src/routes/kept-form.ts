import { homeURL } from "../access/addresses.ts";
import type { Exchange } from "../access/exchange.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { html, type ResponseParts } from "../http/response-parts.ts";
import { activeSession } from "../session/read-session.ts";

/**
 * `GET <pages prefix>/form`, where people land who had to prove who they are before a form of theirs was taken:
 * it is offered again, and they send it. Nothing is sent for them.
 */
export async function keptForm(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const stored = activeSession(await exchange.use());
  const form = stored && context.keptForms.read(exchange.cookies, stored.header.subTag);
  if (form === null) throw new Refusal("no_kept_form");
  const { action, fields } = form;
  const toSend = { action, fields, homeURL: homeURL(context.config) };
  return html(await context.renderKeptForm(toSend, exchange.request), 200, headers);
}

/** Without a referrer at all, the form would arrive without its origin. */
const headers = [
  ["Referrer-Policy", "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
] as const;
