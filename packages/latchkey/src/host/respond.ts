import { AccessError } from "../errors/access-errors.ts";
import { fromFetchRequest, type HostRequest } from "../http/auth-request.ts";
import { type ResponseParts, toResponse } from "../http/response-parts.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { AdmittedRequest, Host } from "./host.ts";

/** What a host knows of a request. */
export interface RespondOptions {
  /** What it knows better than the `Request` tells; called where the settings can be used. */
  readonly request?: () => Partial<HostRequest>;
  /** Whether the app renders pages, parts of which may read the session after the head has left. */
  readonly rendersPages?: boolean;
  /** Text in the body of what the framework makes of an error, where the status does not tell; of a stream, in its first event. */
  readonly errorMark?: string | undefined;
}

/** Answers a Web request: by sign-in, or by the application with the session's headers added. */
export async function respond(
  host: Host,
  request: Request,
  next: (request: Request) => MaybePromise<Response>,
  { request: known, rendersPages = false, errorMark }: RespondOptions = {},
): Promise<Response> {
  if (host.admittedOf(request) !== undefined) return next(request);
  const received = await host.receive(request, (origin) => ({
    ...fromFetchRequest(request, origin),
    ...known?.(),
  }));
  if ("response" in received) return ownResponse(request, received.response);
  const { admitted } = received;
  let refusal: unknown;
  admitted.onRefused((error) => {
    refusal = error;
    // SvelteKit prints the stack of whatever it makes an error page of, and anybody can ask for what is refused.
    if (error instanceof AccessError) error.stack = `${error.name}: ${error.message}`;
  });
  try {
    const response = await next(request);
    assertResponse(response);
    // What is refused before the first event is not known yet when the framework returns its stream.
    const start = errorMark === undefined ? null : await firstEventOf(response);
    // A framework makes an error page of its own of whatever is thrown below it.
    const isOurs =
      refusal !== undefined && (await isErrorPage(response, refusal, { start, mark: errorMark }));
    const recovered = isOurs ? await admitted.recover(refusal) : null;
    if (recovered !== null) return ownResponse(request, recovered);
    return rendersPages
      ? await commitPage(host, admitted, response)
      : host.commit(admitted, response);
  } catch (error) {
    const recovered = await admitted.recover(error);
    if (recovered === null) throw error;
    return ownResponse(request, recovered);
  }
}

/**
 * A WebSocket is opened by crossws, for h3 and Nitro: whatever status it is answered, unless a hook that the response
 * carries refuses it.
 */
function ownResponse({ headers }: Request, parts: ResponseParts): Response {
  const response = toResponse(parts);
  return headers.get("upgrade")?.toLowerCase() === "websocket"
    ? Object.assign(response, { crossws: { upgrade: () => response } })
    : response;
}

/**
 * Whoever carries a session is sent a page, or the data of one, of their own, whether it has read the session by now or not:
 * no shared cache may keep it.
 */
export async function commitPage(
  host: Host,
  admitted: AdmittedRequest,
  response: Response,
): Promise<Response> {
  const { exchange, carriesSession } = admitted;
  const isPage =
    exchange.request.clientNavigation !== undefined ||
    response.headers.get("content-type")?.startsWith("text/html") === true;
  if (isPage && (await carriesSession())) await exchange.use();
  return host.commit(admitted, response);
}

/**
 * JavaScript lets a handler forget its `return`.
 *
 * @throws {TypeError} where the application has returned something else
 */
function assertResponse(given: Partial<Response> | undefined): void {
  if (typeof given?.status === "number") return;
  throw new TypeError("The application returned no Response: see that its handler returns one.");
}

interface ErrorSigns {
  /** What a stream begins with; `null` where the response is none. */
  readonly start: string | null;
  readonly mark: string | undefined;
}

/** An error is sent with 500, or with the status that it carries; an app that hides a page with a 404 has caught it. */
async function isErrorPage(
  response: Response,
  refusal: unknown,
  { start, mark }: ErrorSigns,
): Promise<boolean> {
  const { status } = response;
  if (status >= 500 || status === (refusal as { readonly status?: number }).status) return true;
  return mark !== undefined && (start ?? (await response.clone().text())).includes(mark);
}

/** `null` where the response is no stream of events. Such a stream may go on for hours: no more of it is awaited. */
async function firstEventOf(response: Response): Promise<string | null> {
  if (!isEventStream(response)) return null;
  const reader = response.clone().body?.getReader();
  const first = await reader?.read();
  // Settles with the stream itself, whose maker may throw then.
  reader?.cancel().catch(() => undefined);
  return new TextDecoder().decode(first?.value);
}

export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}
