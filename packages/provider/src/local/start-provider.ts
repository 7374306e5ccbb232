import { listen } from "./listen.ts";
import { openIssuer, type RunningIssuer } from "./open-issuer.ts";
import type { ProviderSettings } from "./settings.ts";

/** A running local provider. */
export interface RunningProvider extends RunningIssuer {
  close(): Promise<void>;
}

/**
 * Starts the local OpenID provider on localhost. Not for production: anyone can sign in.
 *
 * @throws the server's error when the port is taken (`code` `EADDRINUSE`).
 */
export async function startProvider(settings: ProviderSettings = {}): Promise<RunningProvider> {
  const server = await listen(settings);
  const { origin, caCertificate } = server;
  const { running, listener, close } = await openIssuer(settings, {
    issuer: origin,
    caCertificate,
  });
  server.answerWith(listener);
  return {
    ...running,
    close: async () => {
      await server.close();
      close();
    },
  };
}
