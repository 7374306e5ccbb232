import {
  appProblem,
  type AppProblemKind,
  type PageDeps,
  problemPage,
  renderPage,
} from "../../../../packages/pages/src/web-application.ts";
import type { Config } from "latchkey";

import type { OversizedPart } from "../serving/header-limits.ts";
import type { OversizedResponse } from "../serving/malformed-request.ts";

const kinds: Readonly<Record<OversizedPart, AppProblemKind>> = {
  address: "address-too-long",
  cookies: "too-many-cookies",
  headers: "headers-too-large",
};

/** Chunks of 4096 bytes, well beyond what the server reads. */
const chunksAtMost = 40;

/**
 * Renders the page for a request with a too large head. If the cookies are too large, it clears
 * ours: otherwise the browser would stay locked out until the user clears them. Other parts may
 * come from another site, so they sign no user out.
 */
export function oversizedRequest({
  config,
  rendering,
  logger,
}: Pick<PageDeps, "config" | "rendering" | "logger">): (
  part: OversizedPart,
  language: string | null,
) => OversizedResponse {
  const clearing = clearingCookies(config);
  const addresses = {
    baseURL: config.baseURL,
    loginPath: config.routes.login,
    now: rendering.now,
  };
  return (part, language) => {
    const problem = appProblem(kinds[part], addresses);
    const { reason, status, reference } = problem;
    logger.warn({ event: "refusal", route: "page", reason, status, reference });
    return {
      status,
      html: renderPage(problemPage(problem, null), language, rendering),
      setCookies: part === "cookies" ? clearing : [],
    };
  };
}

function clearingCookies({ session: { name, cookie }, transactionCookie }: Config): string[] {
  const chunks = Array.from({ length: chunksAtMost }, (_, index) => `${name}.${index}`);
  const attributes = [
    "Max-Age=0",
    `Path=${cookie.path}`,
    ...(cookie.domain === undefined ? [] : [`Domain=${cookie.domain}`]),
    ...(cookie.secure ? ["Secure"] : []),
  ].join("; ");
  return [name, ...chunks, `${name}.t`, transactionCookie.name].map(
    (each) => `${each}=; ${attributes}`,
  );
}
