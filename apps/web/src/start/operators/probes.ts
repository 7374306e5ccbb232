import type { IncomingMessage } from "node:http";

import { type Environment, optionsFromEnvironment } from "latchkey";

const defaultPagesPrefix = "/_auth";

/** Below the pages of sign-in. */
export function probePrefixes(environment: Environment, baseURL: string): readonly string[] {
  return pagesPrefixes(environment, baseURL).map((prefix) => `${prefix}/health`);
}

/** With the base path and without it: probes do not pass the proxy, and a proxy may remove it. */
function pagesPrefixes(environment: Environment, baseURL: string): readonly string[] {
  const { pagesPrefix = defaultPagesPrefix } = optionsFromEnvironment(environment).options;
  const basePath = URL.canParse(baseURL) ? new URL(baseURL).pathname.replace(/\/+$/, "") : "";
  return [...new Set([`${basePath}${pagesPrefix}`, pagesPrefix])];
}

/**
 * Returns a test for requests without a user: probes of orchestrators and balancers, and reconnects
 * of listening pages.
 */
export function automaticRequestTest(
  environment: Environment,
  baseURL: string,
): (incoming: Pick<IncomingMessage, "url">) => boolean {
  const starts = pagesPrefixes(environment, baseURL).flatMap((prefix) => [
    `${prefix}/health/`,
    `${prefix}/session-events`,
  ]);
  return ({ url = "" }) => starts.some((start) => url.startsWith(start));
}
