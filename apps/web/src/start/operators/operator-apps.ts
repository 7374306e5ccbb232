import type { Server } from "node:http";

import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";

import { listen } from "../../serving/http-server.ts";

export interface OperatorEnv {
  Bindings: HttpBindings;
}

export type OperatorApp = Hono<OperatorEnv>;

export interface OperatorApps {
  /** In front of the application, on its port. */
  readonly own: OperatorApp;
  /** On other ports, for operators alone. */
  readonly byPort: ReadonlyMap<number, OperatorApp>;
  /** The app of a port; without one, that of the application's port. */
  at(port: number | undefined): OperatorApp;
}

export function createOperatorApps(): OperatorApps {
  const own: OperatorApp = new Hono();
  const byPort = new Map<number, OperatorApp>();
  return {
    own,
    byPort,
    at(port) {
      if (port === undefined) return own;
      const app = byPort.get(port) ?? new Hono<OperatorEnv>();
      byPort.set(port, app);
      return app;
    },
  };
}

/**
 * Listens on the ports for operators.
 *
 * @returns closes them
 */
export async function listenForOperators(
  { byPort }: Pick<OperatorApps, "byPort">,
  host: string,
): Promise<() => Promise<void>> {
  const servers = await Promise.all(
    [...byPort].map(async ([port, { fetch }]) => {
      const server = createAdaptorServer({ fetch }) as Server;
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
