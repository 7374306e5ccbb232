import type { IncomingMessage, ServerResponse } from "node:http";

import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import type { AdmittedRequest } from "../../host/host.ts";
import { type FrameworkRequest, hostRequest } from "./node-request.ts";
import { commitAtHead, write } from "./node-response.ts";

/** A request that has passed sign-in. */
export type SignedRequest = IncomingMessage & { auth: RequestAuth };

/**
 * Takes a Node request in: writes our own responses, or hands over a request that may go on. The session's
 * headers are added when the head of the response leaves.
 *
 * @param framework - what it knows, where it keeps that elsewhere than Express
 * @returns `null` where the request was answered
 */
export async function open(
  { host }: Auth,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  framework?: FrameworkRequest,
): Promise<AdmittedRequest | null> {
  const known = host.admittedOf(incoming);
  if (known !== undefined) return known;
  const toRequest = (origin: string) => hostRequest(incoming, origin, framework);
  const received = await host.receive(incoming, toRequest, framework?.outer);
  if ("response" in received) {
    write(received.response, outgoing);
    return null;
  }
  const { admitted } = received;
  (incoming as SignedRequest).auth = admitted.auth;
  commitAtHead(admitted, outgoing);
  return admitted;
}
