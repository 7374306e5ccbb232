import type { Context } from "../../context.ts";
import type { RequestTarget } from "../../http/request-target.ts";
import { isSameOrigin } from "../../http/fetch-metadata.ts";
import { readForm } from "../../http/form.ts";
import type { Exchange } from "../exchange.ts";
import { pageAddress } from "./guard.ts";

/**
 * Keeps the form of a request that is answered with a sign-in, so that the person can send it afterwards.
 *
 * A form that another site has posted is not kept: sent again from our own page it would look like the person's.
 *
 * @returns the `Set-Cookie` values; `null` where it cannot be kept: it is too large, no form, or somebody has
 * read it
 */
export async function keepForm(
  { config, keptForms }: Context,
  { request }: Exchange,
  { target, subTag }: { readonly target: RequestTarget; readonly subTag: string | undefined },
): Promise<readonly string[] | null> {
  if (request.method !== "POST" || !isSameOrigin(request, config.origin)) return null;
  const fields = await readForm(request).catch(() => null);
  if (fields === null || subTag === undefined || fields.size === 0) return null;
  const address = pageAddress(config, target);
  const action = address.startsWith("/") ? config.origin + address : address;
  return keptForms.keep({ action, fields: [...fields], subTag });
}
