import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

import { startServer } from "../servers/server.ts";
import { createTestIssuer, type TestIssuer } from "./issuer.ts";

/** Starts an issuer of access tokens with a socket, and closes it at the end of the test. */
export async function startTestIssuer(): Promise<TestIssuer> {
  const server = await startServer();
  const issuer = await createTestIssuer(server.origin);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, ...rest } = await answerOf(String(request.url));
    response.writeHead(status, Object.fromEntries(headers)).end(rest.text);
  };
  const answerOf = async (target: string) => {
    const fetched = await issuer.fetch(server.origin + target);
    return { status: fetched.status, headers: fetched.headers, text: await fetched.text() };
  };
  server.serve((request, response) => void answer(request, response));
  onTestFinished(() => server.close());
  return issuer;
}
