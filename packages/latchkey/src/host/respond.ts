import { fromFetchRequest } from "../http/auth-request.ts";
import { toResponse } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Host } from "./host.ts";

/** Answers a Web request: by sign-in, or by the application with the session's headers added. */
export async function respond(
  host: Host,
  request: Request,
  next: (request: Request) => MaybePromise<Response>,
): Promise<Response> {
  if (host.passageOf(request) !== undefined) return next(request);
  const received = await host.receive(request, () => fromFetchRequest(request));
  if ("response" in received) return toResponse(received.response);
  const { passage } = received;
  try {
    return host.commit(passage, await next(request));
  } catch (error) {
    const recovered = await passage.recover(error);
    if (recovered === null) throw error;
    return toResponse(recovered);
  }
}
