import { createServer, type IncomingMessage } from "node:http";

import { type Environment, optionsFromEnvironment } from "latchkey";

import type { NodeListener } from "../../serving/compress-pages.ts";
import type { OperatorListener } from "../../serving/operators/health.ts";
import { listen } from "../../serving/http-server.ts";

const defaultPagesPrefix = "/_auth";

/** Below the pages of sign-in. */
export function probePrefixes(environment: Environment, baseURL: string): readonly string[] {
  return pagesPrefixes(environment, baseURL).map((prefix) => `${prefix}/health`);
}

/** With the base path and without it: probes do not come by the proxy, and a proxy may remove it. */
function pagesPrefixes(environment: Environment, baseURL: string): readonly string[] {
  const { pagesPrefix = defaultPagesPrefix } = optionsFromEnvironment(environment).options;
  const basePath = URL.canParse(baseURL) ? new URL(baseURL).pathname.replace(/\/+$/, "") : "";
  return [...new Set([`${basePath}${pagesPrefix}`, pagesPrefix])];
}

/**
 * Tells requests that come by themselves from those that people make: orchestrators and balancers probe, and pages whose
 * stream has ended come back to it.
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

/** Who answers operators on a port; without one, beside the application. */
export interface PortListener {
  readonly port: number | undefined;
  readonly respond: OperatorListener;
}

/**
 * Answers operators, and nobody else, on ports of their own.
 *
 * @returns closes them
 */
export async function listenForOperators(
  listeners: readonly PortListener[],
  host: string,
): Promise<() => Promise<void>> {
  const ports = new Set(listeners.flatMap(({ port }) => port ?? []));
  const servers = await Promise.all(
    [...ports].map(async (port) => {
      const here = listeners.filter((each) => each.port === port);
      const server = createServer((incoming, outgoing) => {
        if (!here.some(({ respond }) => respond(incoming, outgoing))) outgoing.writeHead(404).end();
      });
      await listen(server, port, host, "LATCHKEY_HEALTH_PORT or LATCHKEY_METRICS_PORT");
      return server;
    }),
  );
  return async () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
}

/** While the store has not answered yet nobody can be let in or sent away. */
export const respondStarting: NodeListener = (_incoming, outgoing) => {
  outgoing.writeHead(503, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Retry-After": "5",
  });
  outgoing.end("The app is starting. Please try again in a moment.\n");
};
