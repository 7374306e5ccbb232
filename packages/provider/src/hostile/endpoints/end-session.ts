import type { Parameter } from "../behavior.ts";
import type { Context } from "../context.ts";
import { complain } from "../context.ts";
import type { ResponseParts } from "../faults.ts";
import { oauthError } from "../faults.ts";
import type { SeenRequest } from "../request-log.ts";

/** Handles an end-session request (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export function handleEndSession(context: Context, seen: SeenRequest): ResponseParts {
  const parameters = seen.method === "POST" ? seen.form : seen.query;
  const hint = parameters.get("id_token_hint");
  if (hint !== null && !context.issuedIDTokens.includes(hint)) {
    complain(context, "CERT-070", "id_token_hint is not an ID token of this provider");
    return oauthError("invalid_request", "id_token_hint is unknown");
  }
  if (hint === null && parameters.get("client_id") !== context.client.id) {
    complain(context, "STD-126", "neither id_token_hint nor client_id");
  }
  const target = parameters.get("post_logout_redirect_uri");
  if (target === null) return page("You are signed out.");
  const allowed = context.client.postLogoutRedirectURIs;
  if (!URL.canParse(target) || (allowed !== undefined && !allowed.includes(target))) {
    complain(context, "CERT-070", "post_logout_redirect_uri is not registered");
    return oauthError("invalid_request", "post_logout_redirect_uri is not registered");
  }
  const state = parameters.get("state");
  const good: readonly Parameter[] = state === null ? [] : [["state", state]];
  const url = new URL(target);
  for (const [name, value] of context.behaviors.reduce(
    (list, behavior) => behavior.afterLogout?.(list) ?? list,
    good,
  )) {
    url.searchParams.append(name, value);
  }
  return { status: 302, headers: { Location: url.href, "Cache-Control": "no-store" }, body: "" };
}

function page(text: string): ResponseParts {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  return { status: 200, headers, body: `<!doctype html><title>${text}</title><p>${text}</p>\n` };
}
