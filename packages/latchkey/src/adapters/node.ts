import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

import type { Auth } from "../index.ts";
import { noStoreHeaders } from "../http/headers.ts";
import { type ResponseParts, text } from "../http/response-parts.ts";
import { assertAuth } from "./assert-auth.ts";
import { open, type SignedRequest } from "./node-http/node-request.ts";
import { write } from "./node-http/node-response.ts";

export { authFromEnvironment } from "./environment/auth-from-environment.ts";
export type { SignedRequest } from "./node-http/node-request.ts";
export { openStore } from "../stores/open-store.ts";

/** Handles an admitted request. `request.auth` has its session and user. */
export type SignedHandler = (request: SignedRequest, response: ServerResponse) => unknown;

/**
 * Sign-in in front of a plain `node:http` handler: answers the auth routes, guards everything else
 * unless it is public, and adds the session's headers to the handler's response. Calls the handler
 * for admitted requests only. An error of the handler is answered 500 and never ends the process.
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
