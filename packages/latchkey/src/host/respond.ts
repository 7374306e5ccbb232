import { fromFetchRequest, type HostRequest } from "../http/auth-request.ts";
import { toResponse } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Host } from "./host.ts";

/**
 * Answers a Web request: by sign-in, or by the application with the session's headers added.
 *
 * @param given - what the host knows better than the `Request` tells
 */
export async function respond(
  host: Host,
  request: Request,
  next: (request: Request) => MaybePromise<Response>,
  given: Partial<HostRequest> = {},
): Promise<Response> {
  if (host.passageOf(request) !== undefined) return next(request);
  const received = await host.receive(request, () => ({
    ...fromFetchRequest(request),
    ...given,
  }));
  if ("response" in received) return toResponse(received.response);
  const { passage } = received;
  let refusal: unknown;
  passage.onRefused((error) => (refusal = error));
  try {
    const response = await next(request);
    // A framework makes an error page of its own of whatever is thrown below it.
    const recovered = response.status >= 400 ? await passage.recover(refusal) : null;
    return recovered === null ? host.commit(passage, response) : toResponse(recovered);
  } catch (error) {
    const recovered = await passage.recover(error);
    if (recovered === null) throw error;
    return toResponse(recovered);
  }
}
