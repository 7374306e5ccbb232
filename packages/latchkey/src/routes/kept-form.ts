import { homeURL } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { html, type ResponseParts } from "../http/response-parts.ts";
import { activeSession } from "../session/read-session.ts";

/**
 * `GET <pages prefix>/form`: the destination after a step-up needed for a form. It offers the kept
 * form again for the user to send; nothing is sent automatically.
 */
export async function keptForm(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const stored = activeSession(await exchange.use());
  const form = stored && context.signIns.keptForms.read(exchange.cookies, stored.header.subTag);
  if (form === null) throw new Refusal("not_found", { detail: "There is no form to send." });
  const { action, fields } = form;
  const toSend = { action, fields, homeURL: homeURL(context.config) };
  return html(await context.pages.keptForm(toSend, exchange.request), 200, headers);
}

/** Without a referrer at all, the form would arrive without its origin. */
const headers = [
  ["Referrer-Policy", "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
] as const;
