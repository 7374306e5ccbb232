import type { AuthRequest } from "./auth-request.ts";
import { mediaTypeOf } from "./media-type.ts";

const changing = ["POST", "PUT", "PATCH", "DELETE"];
/** The content types of a cross-site form (Fetch Standard, CORS-safelisted request-header). */
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

/**
 * Returns the response to a possible cross-site form; `null` for any other request. SvelteKit and
 * Astro refuse such forms before any middleware, and so also the posts of a provider. Their
 * adapters make the same check after our own routes.
 *
 * @param origins - the allowed ones: the app's own, and the trusted ones
 */
export function refuseCrossSiteForm(
  { method, headers }: AuthRequest,
  origins: readonly string[],
): Response | null {
  if (!changing.includes(method)) return null;
  const type = mediaTypeOf(headers);
  const isForm =
    type === "" || formTypes.includes(type) || type.startsWith("application/x-sveltekit-");
  if (!isForm || origins.includes(headers.get("origin") ?? "")) return null;
  return new Response(`Cross-site ${method} form submissions are forbidden`, { status: 403 });
}
