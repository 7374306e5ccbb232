import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

import type { Auth } from "../auth.ts";
import { noStoreHeaders } from "../http/headers.ts";
import { type ResponseParts, text } from "../http/response-parts.ts";
import { assertAuth } from "./assert-auth.ts";
import { open, type SignedRequest } from "./node-http/node-request.ts";
import { write } from "./node-http/node-response.ts";

export { authFromEnvironment, type GivenOptions } from "./environment/auth-from-environment.ts";
export type { SignedRequest } from "./node-http/node-request.ts";
export { openStore } from "./environment/open-store.ts";

/** Handles a request that has passed sign-in: `request.auth` tells who makes it. */
export type SignedHandler = (request: SignedRequest, response: ServerResponse) => unknown;

/**
 * Sign-in in front of a plain `node:http` handler: answers the auth routes, guards everything that is not
 * public, and adds the session's headers to what the handler sends. The handler is called for requests that
 * may go on, and for no others. What it throws is answered 500 and never ends the process.
 */
export function protect(auth: Auth, handler: SignedHandler): RequestListener {
  assertAuth(auth);
  if (typeof handler !== "function") throw new TypeError(handlerIsMissing);
  return (request, response) => void handle(auth, handler, request, response);
}

const handlerIsMissing =
  "The handler is missing: protect(auth, (request, response) => response.end()).";

async function handle(
  auth: Auth,
  handler: SignedHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const admitted = await open(auth, request, response);
  if (admitted === null) return;
  try {
    await handler(request as SignedRequest, response);
  } catch (error) {
    const recovered = await admitted.recover(error);
    if (recovered === null) console.error(error);
    write(recovered ?? failed, response);
  }
}

const failed: ResponseParts = text("Something went wrong on our side.", 500, noStoreHeaders);
