import type { AuthRequest } from "./auth-request.ts";

const changing = ["POST", "PUT", "PATCH", "DELETE"];
/** What a form of another site can send without asking first (Fetch Standard, CORS-safelisted request-header). */
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

/**
 * The response to a request that may be a form of another site; `null` for any other. SvelteKit and Astro refuse these
 * before any middleware, and therefore also the posts of a provider. Adapters make the same check behind our own routes.
 *
 * @param origins - those that may post: the app's own, and those that it trusts
 */
export function refuseCrossSiteForm(
  { method, headers }: AuthRequest,
  origins: readonly string[],
): Response | null {
  if (!changing.includes(method)) return null;
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  const name = type.trim().toLowerCase();
  const isForm =
    name === "" || formTypes.includes(name) || name.startsWith("application/x-sveltekit-");
  if (!isForm || origins.includes(headers.get("origin") ?? "")) return null;
  return new Response(`Cross-site ${method} form submissions are forbidden`, { status: 403 });
}
