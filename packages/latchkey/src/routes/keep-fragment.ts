import type { Context } from "../context.ts";
import type { Exchange } from "../access/exchange.ts";
import type { Parameters } from "../http/parameters.ts";
import { html, type ResponseParts } from "../http/response-parts.ts";
import { fragmentPage, fragmentScriptHash } from "./built-in-pages.ts";

/** With `ask` in the address of login the guard says that the page may have been opened at a fragment. */
export const fragmentParameter = "fragment";

const headers = [
  ["Content-Security-Policy", `default-src 'none'; script-src '${fragmentScriptHash}'`],
  ["Referrer-Policy", "no-referrer"],
] as const;

/**
 * Keeps the fragment of the page that the guard has sent the browser here from. No request tells it to a server. A browser
 * takes it along every redirect, up to the first page: at a provider that asks something, it would be gone. So the first
 * page is one of ours, with a script that puts the fragment into `returnTo` and goes on.
 *
 * @returns the page; `null` where login may go on
 */
export async function keepFragment(
  { config, provider }: Context,
  { request }: Exchange,
  asked: Parameters,
): Promise<ResponseParts | null> {
  if (!config.keepFragment || asked.get(fragmentParameter) !== "ask") return null;
  // A provider that cannot be asked is told of first.
  await provider.metadata();
  const { searchParams } = new URL(request.url);
  searchParams.delete(fragmentParameter);
  return html(fragmentPage(`?${searchParams}`), 200, headers);
}
