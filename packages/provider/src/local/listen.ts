import type { RequestListener, ServerResponse } from "node:http";
import { createCertificate } from "../http/certificate.ts";
import { startLoopbackServer } from "../http/loopback-server.ts";
import type { ProviderSettings } from "./settings.ts";

/** A server of the local provider. */
export interface ProviderServer {
  readonly origin: string;
  readonly caCertificate: string | undefined;
  /** Until then, every request gets 503: the port is known before the issuers, which name it. */
  answerWith(listener: RequestListener): void;
  close(): Promise<void>;
}

/** @throws the server's error when the port is taken (`code` `EADDRINUSE`). */
export async function listen({
  port,
  https = false,
}: Pick<ProviderSettings, "port" | "https">): Promise<ProviderServer> {
  let listener: RequestListener = refuse;
  const certificate = https === true ? await createCertificate() : https || undefined;
  const server = await startLoopbackServer((request, response) => listener(request, response), {
    port,
    certificate,
  });
  return {
    origin: server.origin,
    caCertificate: certificate?.cert,
    answerWith: (next) => void (listener = next),
    close: () => server.close(),
  };
}

function refuse(_request: unknown, response: ServerResponse): void {
  response.writeHead(503).end();
}
