import { createHTTPServer, type FetchHandler, listen } from "../serving/http-server.ts";
import type { AppSettings } from "./settings/settings.ts";

/** The server for proxies in front of other applications. */
export interface CheckServer {
  /** Requests are refused until it is known how to answer them. */
  answerBy(check: FetchHandler | null): void;
  /**
   * Listens on its own port.
   *
   * @returns closes it
   */
  listen(): Promise<() => Promise<void>>;
}

/** Returns `null` if no proxy is expected. */
export function createCheckServer({ check, host }: AppSettings): CheckServer | null {
  if (check === undefined) return null;
  let current: FetchHandler = () =>
    new Response("The app is starting.\n", { status: 503, headers: { "Retry-After": "5" } });
  const server = createHTTPServer({
    fetch: (request, env) => current(request, env),
    headers: [],
  });
  return {
    answerBy: (answers) => void (current = answers ?? current),
    async listen() {
      await listen(server, check.port, host, "LATCHKEY_CHECK_PORT");
      return () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        });
    },
  };
}
