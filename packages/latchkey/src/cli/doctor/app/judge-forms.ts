import { bare, isResponse } from "../ask.ts";
import { failure, type Judgement, ok, warning } from "../finding.ts";
import type { AppAnswers } from "./ask-app.ts";

/** The route itself answers 400 to a logout token without content, or 404 if it is off. */
export function judgePosted({ posted }: AppAnswers): Judgement {
  if (!isResponse(posted) || posted.status !== 403) return ok;
  return failure(
    `${bare(posted.url)} answers 403 to the provider: a check of origins comes before Latchkey.`,
    "Switch the check of the framework off, as its guide shows: sign-in makes the same check.",
  );
}

/**
 * "Sign out" is a form. Chromium applies `form-action` to a redirect to the provider, too, so the
 * logout goes on from a page. It cannot recognize a form without Fetch Metadata, which Chromium
 * sends over https and to localhost alone.
 */
export function judgeForms(
  answers: Pick<AppAnswers, "home" | "config"> & { readonly endSessionEndpoint: string | null },
): Judgement {
  const { home, config, endSessionEndpoint } = answers;
  if (endSessionEndpoint === null || !config.idpLogout || !isResponse(home)) return ok;
  const policy = home.headers.get("content-security-policy") ?? "";
  const end = new URL(endSessionEndpoint).origin;
  const refused = policy
    .split(",")
    .map(formSources)
    .find((sources) => sources !== null && !allows(sources, end));
  if (!refused) return ok;
  return warning(
    `The policy of ${bare(home.url)} lets forms lead to ${refused.join(" ")} only: over plain http, and in browsers without Fetch Metadata, "Sign out" does nothing.`,
    `Add ${end} to form-action of the Content-Security-Policy: with helmet, as formAction of its directives.`,
  );
}

function formSources(policy: string): readonly string[] | null {
  const directive = policy
    .split(";")
    .map((each) => each.trim().split(/\s+/))
    .find(([name]) => name?.toLowerCase() === "form-action");
  return directive?.slice(1) ?? null;
}

function allows(sources: readonly string[], origin: string): boolean {
  const { protocol, host, hostname, port } = new URL(origin);
  return sources.some((source) => {
    if (source === "*" || source === protocol) return true;
    const [, scheme, name = "", own] = /^(?:(\w+:)\/\/)?([^/:]+)(?::([^/]+))?/.exec(source) ?? [];
    if (scheme !== undefined && scheme !== protocol) return false;
    if (own !== "*" && `${name}${own === undefined ? "" : `:${own}`}` === host) return true;
    const isName = name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : name === hostname;
    return isName && (own === "*" || (own ?? "") === port);
  });
}
