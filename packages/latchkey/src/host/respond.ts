import { fromFetchRequest, type HostRequest } from "../http/auth-request.ts";
import { toResponse } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Host } from "./host.ts";

/** What a host knows of a request. */
export interface RespondOptions {
  /** What it knows better than the `Request` tells. */
  readonly request?: Partial<HostRequest>;
  /** Text in the body of what the framework makes of an error, where the status does not tell. */
  readonly errorMark?: string;
}

/** Answers a Web request: by sign-in, or by the application with the session's headers added. */
export async function respond(
  host: Host,
  request: Request,
  next: (request: Request) => MaybePromise<Response>,
  { request: known, errorMark }: RespondOptions = {},
): Promise<Response> {
  if (host.admittedOf(request) !== undefined) return next(request);
  const received = await host.receive(request, (origin) => ({
    ...fromFetchRequest(request, origin),
    ...known,
  }));
  if ("response" in received) return toResponse(received.response);
  const { admitted } = received;
  let refusal: unknown;
  admitted.onRefused((error) => (refusal = error));
  try {
    const response = await next(request);
    // A framework makes an error page of its own of whatever is thrown below it.
    const isOurs = refusal !== undefined && (await isErrorPage(response, refusal, errorMark));
    const recovered = isOurs ? await admitted.recover(refusal) : null;
    return recovered === null ? host.commit(admitted, response) : toResponse(recovered);
  } catch (error) {
    const recovered = await admitted.recover(error);
    if (recovered === null) throw error;
    return toResponse(recovered);
  }
}

/** An error is sent with 500, or with the status that it carries; an app that hides a page with a 404 has caught it. */
async function isErrorPage(response: Response, refusal: unknown, mark?: string): Promise<boolean> {
  const { status } = response;
  if (status >= 500 || status === (refusal as { readonly status?: number }).status) return true;
  return mark !== undefined && (await response.clone().text()).includes(mark);
}
