import { homeURL } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import type { Pages } from "../config/pages.ts";
import { Refusal } from "../errors/refusal.ts";
import { html, type ResponseParts } from "../http/response-parts.ts";
import { activeSession } from "../session/read-session.ts";
import type { KeptForms } from "../transaction/form-cookie.ts";

interface FormOffer {
  readonly config: Config;
  readonly keptForms: KeptForms;
  readonly pages: Pick<Pages, "keptForm">;
}

/**
 * `GET <pages prefix>/form`: the destination after a step-up needed for a form. It offers the kept
 * form again for the user to send; nothing is sent automatically.
 */
export async function keptForm(
  { config, keptForms, pages }: FormOffer,
  exchange: Exchange,
): Promise<ResponseParts> {
  const stored = activeSession(await exchange.use());
  const form = stored && keptForms.read(exchange.cookies, stored.header.subTag);
  if (form === null) throw new Refusal("not_found", { detail: "There is no form to send." });
  const { action, fields } = form;
  const toSend = { action, fields, homeURL: homeURL(config) };
  return html(await pages.keptForm(toSend, exchange.request), 200, headers);
}

/** Without a referrer at all, the form would arrive without its origin. */
const headers = [
  ["Referrer-Policy", "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
] as const;
