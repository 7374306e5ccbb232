import { userAgent } from "../../telemetry/version.ts";
import { startDeadline } from "../../time/deadline.ts";
import type { PlainReason } from "../../errors/reasons.ts";
import { Refusal } from "../../errors/refusal.ts";
import { retryAfterSeconds } from "./outages/retry-after.ts";
import { isRead } from "../../http/fetch-metadata.ts";

/** The part of the Fetch API used by the engine. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** The endpoints of the provider by their names in metrics: there are too many addresses. */
export type EndpointName =
  | "metadata"
  | "keys"
  | "token"
  | "userinfo"
  | "revocation"
  | "introspection"
  | "par"
  | "page";

/** A complete response of the provider. Its body may be read more than once. */
export type ProviderResponse = Pick<Response, "arrayBuffer" | "headers" | "status" | "text">;

/** `FetchLike` for calls to the provider: headers are a plain record, and all bodies are forms. */
export type ProviderFetch = (
  address: string,
  request: {
    readonly endpoint: EndpointName;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: NonNullable<RequestInit["body"]> | null;
  },
) => Promise<ProviderResponse>;

/** The largest response body, in bytes, after decompression. */
export const bodyLimit = 256 * 1024;

export interface ProviderFetchOptions {
  readonly fetch: Fetch;
  /** Milliseconds for a whole call, the body included. */
  readonly timeoutMs: number;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * Makes every call to the provider. One deadline covers connection, headers and body; the body has
 * a size limit; no redirect is followed; `User-Agent` is Latchkey. A read on a connection that the
 * provider has just closed is repeated once; nothing else is.
 *
 * @throws {Refusal} `provider_timeout`, `provider_unreachable`, `provider_redirected`,
 *   `provider_busy`, `response_too_large`
 */
export function createProviderFetch({
  fetch,
  timeoutMs,
  clock,
}: ProviderFetchOptions): ProviderFetch {
  return async (address, { endpoint: _name, ...request }) => {
    const { signal, stop } = deadlineAfter(timeoutMs);
    const headers = { ...request.headers, "user-agent": userAgent };
    const send = () => fetch(address, { ...request, headers, signal, redirect: "manual" });
    try {
      const response = isRead(request) ? await sendTwiceIfClosed(send) : await send();
      if (isRedirect(response)) throw await toRedirectedRefusal(address, response);
      if (isBusy(response)) throw await busy(address, response, clock());
      return await readToEnd(address, response);
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      const where = withoutQuery(address);
      throw signal.aborted
        ? new Refusal("provider_timeout", {
            cause,
            detail: `${where}: outgoing request timed out after ${timeoutMs}ms`,
          })
        : new Refusal("provider_unreachable", { cause, detail: `${where}: ${reasonOf(cause)}` });
    } finally {
      stop();
    }
  };
}

function deadlineAfter(ms: number): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const abort = () =>
    controller.abort(new DOMException("The time limit has passed.", "TimeoutError"));
  return { signal: controller.signal, stop: startDeadline(ms, abort) };
}

/** A kept-alive connection may close at the moment of its next use (RFC 9110, 9.2.2). */
async function sendTwiceIfClosed(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (closedCodes.has(networkCode(error))) return send();
    throw error;
  }
}

/** What OpenSSL makes of a response in plain text. */
const plainCodes: ReadonlySet<unknown> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "EPROTO",
]);

function reasonOf(cause: unknown): string {
  const message = messageOf(cause);
  if (!plainCodes.has(networkCode(cause))) return message;
  return `${message}; the server does not speak https there: if it is http, write http:// in LATCHKEY_ISSUER_BASE_URL`;
}

const closedCodes: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** Returns the code of a failed call, such as `ECONNREFUSED`; `fetch` has it in its cause. */
export function networkCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const { cause = error } = error;
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}

/** The provider lives, and wants to be left alone for a while (RFC 6585, 4; RFC 9110, 15.6.4). */
function isBusy({ status }: Response): boolean {
  return status === 429 || status === 503;
}

async function busy(address: string, response: Response, now: number): Promise<Refusal> {
  await response.body?.cancel();
  return new Refusal("provider_busy", {
    detail: `${withoutQuery(address)} responded with ${response.status}`,
    retryAfterSeconds: retryAfterSeconds(response.headers, now),
  });
}

/**
 * Checks for the status 200.
 *
 * @param endpoint - its name for the log
 * @throws {Refusal} `provider_failed` for a server error, else the given reason
 */
export function assertOK(
  { status }: Pick<Response, "status">,
  otherwise: PlainReason,
  endpoint: string,
): void {
  if (status === 200) return;
  const reason = status >= 500 ? "provider_failed" : otherwise;
  throw new Refusal(reason, { detail: `${endpoint} responded with ${status}` });
}

/** The target of a redirect, for the one caller that may follow it. */
export class RedirectedRefusal extends Refusal {
  readonly location: string | null;

  constructor(detail: string, location: string | null) {
    super("provider_redirected", { detail });
    this.location = location;
  }
}

/** A browser's `fetch` shows a redirect as an opaque response with the status 0. */
function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

async function toRedirectedRefusal(
  address: string,
  response: Response,
): Promise<RedirectedRefusal> {
  // The connection is not free for other calls until the body is read or cancelled.
  await response.body?.cancel();
  const detail = `${withoutQuery(address)} responded with ${response.status}`;
  return new RedirectedRefusal(detail, response.headers.get("location"));
}

/** Reads the body within the limit; a second `Response` around it is a cost of 4 %. */
async function readToEnd(address: string, response: Response): Promise<ProviderResponse> {
  const { status, headers } = response;
  const body = await readCapped(address, response);
  return {
    status,
    headers,
    arrayBuffer: async () => body.buffer,
    text: async () => new TextDecoder().decode(body),
  };
}

/** The Fetch API has decompressed what is counted here, so a small bomb cannot grow large. */
async function readCapped(address: string, { body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (body !== null) {
    for await (const chunk of body) {
      length += chunk.byteLength;
      if (length > bodyLimit) throw tooLarge(address);
      chunks.push(chunk);
    }
  }
  const whole = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.byteLength;
  }
  return whole;
}

function tooLarge(address: string): Refusal {
  const detail = `${withoutQuery(address)} responded with more than ${bodyLimit} bytes`;
  return new Refusal("response_too_large", { detail });
}

/** What stands in a query may be a secret. */
export function withoutQuery(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? "";
}

/** `fetch` puts the failure into its cause; one of several addresses has a code and no message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  const { cause } = error;
  const { message } = cause instanceof Error && cause.message !== "" ? cause : error;
  if (message === "" && "code" in error) return String(error.code);
  return reasonOfOpenSSL.exec(message)?.[1] ?? message;
}

/** OpenSSL puts its reason between an address in memory, numbers and names of its own files. */
const reasonOfOpenSSL = /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/;
