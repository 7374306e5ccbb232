import { userAgent } from "../config/constants.ts";
import { Refusal } from "../errors/refusal.ts";

/** The part of the Fetch API that the engine uses. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export interface ProviderFetchParts {
  readonly fetch: Fetch;
  /** Milliseconds for the whole exchange, the body included. */
  readonly timeoutMs: number;
}

/** The largest answer of a provider that is read, in bytes. */
export const answerLimit = 256 * 1024;

const headersToDrop = ["content-encoding", "content-length", "transfer-encoding"];

/**
 * Every call to the provider goes through here: one deadline for connection, headers and body, a cap on the
 * body, no redirect followed, our name in `User-Agent`.
 *
 * @throws {Refusal} `provider_timeout`, `provider_unreachable`, `provider_redirected`, `answer_too_large`
 */
export function createProviderFetch({ fetch, timeoutMs }: ProviderFetchParts): Fetch {
  return async (input, init) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = new Headers(init.headers);
    headers.set("User-Agent", userAgent);
    try {
      const response = await fetch(input, { ...init, headers, signal, redirect: "manual" });
      if (isRedirect(response)) throw redirected(input, response);
      return rebuilt(response, await readCapped(response));
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      const timedOut = signal.aborted;
      throw new Refusal(timedOut ? "provider_timeout" : "provider_unreachable", {
        cause,
        detail: `${pathless(input)}: ${timedOut ? `outgoing request timed out after ${timeoutMs}ms` : messageOf(cause)}`,
      });
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

function redirected(input: string, response: Response): RedirectedRefusal {
  return new RedirectedRefusal(
    `${pathless(input)} answered ${response.status}`,
    response.headers.get("location"),
  );
}

function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

async function readCapped(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (response.body !== null) {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      if (length > answerLimit) throw new Refusal("answer_too_large");
      chunks.push(chunk);
    }
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function rebuilt(response: Response, bytes: Uint8Array<ArrayBuffer>): Response {
  const headers = new Headers(response.headers);
  for (const name of headersToDrop) headers.delete(name);
  const bodiless = [101, 204, 205, 304].includes(response.status);
  return new Response(bodiless ? null : bytes, { status: response.status, headers });
}

/** An address without query: what is in there may be a secret. */
function pathless(input: string): string {
  return input.split(/[?#]/, 1)[0] ?? "";
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
