import type { Config } from "../config/config.ts";
import { isExpectedEnd } from "../errors/access-errors.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { fromFetchRequest, type HostRequest } from "../http/auth-request.ts";
import { refuseCrossSiteForm } from "../http/cross-site-form.ts";
import { toResponse } from "../http/response-parts.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { AdmittedRequest } from "./admitted-request.ts";
import type { Host } from "./host.ts";
import { mayBeErrorPage } from "./refuse.ts";

/** What a host knows of a request and of the response to it. */
export interface RespondOptions {
  /** What the host knows better than the `Request`. Called once the settings are valid. */
  readonly request?: (config: Config) => Partial<HostRequest>;
  /** Whether the app renders pages, parts of which may read the session after the head has left. */
  readonly rendersPages?: boolean;
  /** Whether the framework reports an error in a response whose status shows none. */
  readonly carriesError?: (response: Response) => Promise<boolean>;
}

/** Answers a Web request: by sign-in, or by the application with the session's headers added. */
export async function respond(
  host: Host,
  request: Request,
  next: (request: Request) => MaybePromise<Response>,
  { request: known, rendersPages = false, carriesError }: RespondOptions = {},
): Promise<Response> {
  if (host.admittedOf(request) !== undefined) return next(request);
  const received = await host.receive(request, (origin, config) => ({
    ...fromFetchRequest(request, origin),
    ...(config && known?.(config)),
  }));
  if ("response" in received) return toResponse(received.response);
  const { admitted } = received;
  let refusal: unknown;
  admitted.onRefused((error) => {
    refusal = error;
    // Frameworks print the stack of each error below them, and any client can cause a refusal.
    if (isExpectedEnd(error)) error.stack = `${error.name}: ${error.message}`;
  });
  try {
    const response = await next(request);
    assertResponse(response);
    const isOfHost =
      refusal !== undefined &&
      (isErrorPage(response, refusal, rendersPages) || (await carriesError?.(response)) === true);
    const recovered = isOfHost ? await admitted.recover(refusal) : null;
    if (recovered !== null) return toResponse(recovered);
    return rendersPages
      ? await commitPage(host, admitted, response)
      : host.commit(admitted, response);
  } catch (error) {
    const recovered = await admitted.recover(error);
    if (recovered === null) throw error;
    return toResponse(recovered);
  }
}

/**
 * Returns the response to a form that neither the site of the request nor another trusted one has
 * sent; `null` for any other request.
 */
export function refuseForm(
  { host }: { readonly host: Host },
  request: Request,
  trustedOrigins: readonly string[],
): Response | null {
  const { origin } = new URL(host.admittedOf(request)?.request.url ?? request.url);
  return refuseCrossSiteForm(request, [origin, ...trustedOrigins]);
}

/**
 * Commits a page, or the data of one. For a request with a session it is private even if the
 * session has not been read yet: a part of the page may read it later, and no shared cache may keep
 * that.
 */
export async function commitPage(
  host: Host,
  admitted: AdmittedRequest,
  response: Response,
): Promise<Response> {
  const { request, exchange, carriesSession } = admitted;
  const isPage =
    request.pageClient !== undefined ||
    response.headers.get("content-type")?.startsWith("text/html") === true;
  if (isPage && (await carriesSession())) await exchange?.use();
  return host.commit(admitted, response);
}

/**
 * JavaScript lets a handler forget its `return`.
 *
 * @throws {TypeError} if the application has returned something else
 */
function assertResponse(given: Partial<Response> | undefined): void {
  if (typeof given?.status === "number") return;
  throw new TypeError("The application returned no Response: return one from its handler.");
}

/**
 * A framework makes its own error page of a refusal, with status 500 or the status of the error. An
 * app that hides a page with a 404 has caught the refusal itself. Without a framework, the error of
 * an access token that no handler catches is thrown to us.
 */
function isErrorPage({ status }: Response, refusal: unknown, rendersPages: boolean): boolean {
  if (refusal instanceof AccessTokenError && refusal.needsSignIn && !rendersPages) {
    return refusal.code === "ERR_MISSING_SESSION" && status >= 500;
  }
  const isError = status >= 500 || status === (refusal as { readonly status?: number }).status;
  return isError && mayBeErrorPage(status, refusal);
}
