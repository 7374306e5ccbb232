import { userAgent } from "../config/constants.ts";
import { Refusal } from "../errors/refusal.ts";

/** The part of the Fetch API that the engine uses. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** The same, as the engine calls the provider: headers are a plain record, and the only bodies are forms. */
export type ProviderFetch = (
  address: string,
  request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: BodyInit | null;
  },
) => Promise<Response>;

/** The largest response body that is read, in bytes, after decompression. */
export const bodyLimit = 256 * 1024;

/**
 * Carries every call to the provider: one deadline covers connection, headers and body, the body has a cap, no
 * redirect is followed, and `User-Agent` names Latchkey. The returned response has been read to its end.
 *
 * @param timeoutMs milliseconds for the whole call, the body included
 * @throws {Refusal} `provider_timeout`, `provider_unreachable`, `provider_redirected`, `response_too_large`
 */
export function createProviderFetch(fetch: Fetch, timeoutMs: number): ProviderFetch {
  return async (address, request) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(address, {
        ...request,
        headers: { ...request.headers, "user-agent": userAgent },
        signal,
        redirect: "manual",
      });
      if (isRedirect(response)) throw await redirected(address, response);
      return await readToEnd(response);
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      const where = withoutQuery(address);
      throw signal.aborted
        ? new Refusal("provider_timeout", {
            cause,
            detail: `${where}: outgoing request timed out after ${timeoutMs}ms`,
          })
        : new Refusal("provider_unreachable", { cause, detail: `${where}: ${messageOf(cause)}` });
    }
  };
}

/** Where a redirect pointed to, for the one caller that may follow it. */
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

async function redirected(address: string, response: Response): Promise<RedirectedRefusal> {
  // The connection is not free for other calls until the body is read or cancelled.
  await response.body?.cancel();
  const detail = `${withoutQuery(address)} answered ${response.status}`;
  return new RedirectedRefusal(detail, response.headers.get("location"));
}

/** Reads the body within the cap, and returns a response that holds it. */
async function readToEnd(response: Response): Promise<Response> {
  const { status, headers } = response;
  const body = await readCapped(response);
  // The Fetch API refuses a body beside these statuses, even an empty one.
  return new Response(status === 204 || status === 205 ? null : body, { status, headers });
}

/** The Fetch API decompresses the body before it is counted here, so that a small bomb cannot grow large. */
async function readCapped({ body }: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  if (body !== null) {
    for await (const chunk of body) {
      length += chunk.byteLength;
      if (length > bodyLimit) throw new Refusal("response_too_large");
      chunks.push(chunk);
    }
  }
  return new Blob(chunks);
}

/** What stands in a query may be a secret. */
function withoutQuery(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? "";
}

/** What `fetch` says of a failure stands in its cause; a failure of several addresses has only a code. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  const { cause } = error;
  const { message } = cause instanceof Error && cause.message !== "" ? cause : error;
  return message === "" && "code" in error ? String(error.code) : message;
}
