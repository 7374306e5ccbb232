import type { Session } from "latchkey";
import { type Context } from "hono";
import { generateCookie, getCookie } from "hono/cookie";

import type { RenderContext } from "../../rendering/render-context.ts";

/** When the page before a sign-in that proves more was shown, in epoch seconds. */
const cookieName = "step_up_flash";
/** A sign-in may take as long. */
const lifetimeSeconds = 600;
/** Later than this after the sign-in, a word of thanks comes out of nowhere. */
const recentSeconds = 60;

/** Returns a `Set-Cookie` value by which the next page will say that the sign-in is done. */
export function setStepUpFlash(rendering: RenderContext): string {
  return cookie(rendering, String(rendering.now()), lifetimeSeconds);
}

/** Returns a `Set-Cookie` value after which no page says it again. */
export function clearStepUpFlash(rendering: RenderContext): string {
  return cookie(rendering, "", 0);
}

/** Returns if the user has signed in a moment ago, and was led there by our page. */
export function hasSteppedUp(
  context: Context,
  { times: { createdAt } }: Pick<Session, "times">,
  { now }: Pick<RenderContext, "now">,
): boolean {
  const shownAt = Number(getCookie(context, cookieName) || Infinity);
  return createdAt > shownAt && now() - createdAt <= recentSeconds;
}

function cookie({ site }: RenderContext, value: string, maxAge: number): string {
  return generateCookie(cookieName, value, {
    path: site.root || "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: site.baseURL.startsWith("https:"),
    maxAge,
  });
}
