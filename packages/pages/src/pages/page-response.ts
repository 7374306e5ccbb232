import type { RequestAuth } from "latchkey";

import type { SignInWay } from "../components/page-frame.tsx";
import type { Page, SignedInPage } from "../rendering/page.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { renderFor } from "../rendering/render.tsx";
import { readNewSignIn, type SignIns } from "./new-sign-in/read-new-sign-in.ts";
import type { PageContext } from "./page-deps.ts";
import { clearStepUpFlash, hasSteppedUp } from "./step-up/step-up-flash.ts";

/**
 * A page for a signed-in user as a response, with the question about a new sign-in on another
 * device, if there is one.
 *
 * @param signIns by default those of the request; a page that has read them passes them on
 */
export async function signedInResponse(
  context: PageContext,
  page: SignedInPage,
  signIns: SignIns = context.var.auth,
): Promise<Response> {
  const newSignIn = await readNewSignIn(context, page.session, signIns);
  return pageResponse(context, { ...page, newSignIn });
}

/**
 * A page as a response, in the language of the browser. The first one after a sign-in that proves
 * more says so.
 */
export function pageResponse(context: PageContext, page: Page): Response {
  if (page.access === "public") return responseOf(context, page);
  const { rendering } = context.env.deps;
  const way = wayOf(context.var.auth, rendering);
  // If there are several ways, pages name that of the session, else the only one.
  const named = way === undefined ? page : { ...page, way, provider: way.label };
  if (!hasSteppedUp(context, page.session, rendering)) return responseOf(context, named);
  const response = responseOf(context, { ...named, hasSteppedUp: true });
  response.headers.append("Set-Cookie", clearStepUpFlash(rendering));
  return response;
}

function wayOf(
  { connection }: Pick<RequestAuth, "connection">,
  { labelOf }: RenderContext,
): SignInWay | undefined {
  if (labelOf === undefined || connection === null) return undefined;
  return { connection, label: labelOf(connection) ?? connection };
}

/**
 * The HTML of a response, which its body would encode, and decode again. A property: a `WeakMap`
 * would keep it until the next full garbage collection.
 */
const place = Symbol("HTML");

function responseOf({ env }: PageContext, page: Page): Response {
  const html = renderFor(env.page, page, env.deps.rendering);
  return Object.assign(new Response(null, { headers: pageHeaders }), { [place]: html });
}

/** Returns the HTML of a page; `null` for any other response. */
export function htmlIn(response: Response & { readonly [place]?: string }): string | null {
  return response[place] ?? null;
}

/** Sign-in keeps pages out of caches: each is for one person and one moment. */
export const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  Vary: "Accept-Language, Accept-Encoding",
} as const;
