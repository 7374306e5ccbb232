import { userAgent } from "../config/constants.ts";
import { Refusal } from "../errors/refusal.ts";
import { readResponse } from "./read-response.ts";
import {
  type ProviderFetch,
  type Incoming,
  isRedirect,
  type Outgoing,
  TimedOut,
  type Transport,
} from "./transport.ts";

export interface ProviderFetchParts {
  readonly transport: Transport;
  /** Milliseconds for the whole exchange, the body included. */
  readonly timeoutMs: number;
}

/** The largest answer of a provider that is read, in bytes. */
export const answerLimit = 256 * 1024;

/**
 * Every call to the provider goes through here: one deadline for connection, headers and body, a cap on the
 * body, no redirect followed, our name in `User-Agent`.
 *
 * @throws {Refusal} `provider_timeout`, `provider_unreachable`, `provider_redirected`, `answer_too_large`
 */
export function createProviderFetch({ transport, timeoutMs }: ProviderFetchParts): ProviderFetch {
  const limits = { timeoutMs, bodyBytes: answerLimit };
  return async (input, { method = "GET", headers, body }) => {
    const request = {
      method,
      headers: { ...lowerCase(headers), "user-agent": userAgent },
      body: formOf(body),
    };
    try {
      const answer = await transport(input, request, limits);
      if (isRedirect(answer.status)) throw redirected(input, answer);
      return readResponse(answer);
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      const timedOut = cause instanceof TimedOut;
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

function redirected(input: string, { status, headers }: Incoming): RedirectedRefusal {
  return new RedirectedRefusal(
    `${pathless(input)} answered ${status}`,
    headers["location"] ?? null,
  );
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** We send forms, or nothing. */
function formOf(body: RequestInit["body"]): Outgoing["body"] {
  if (body == null || typeof body === "string" || body instanceof URLSearchParams) {
    return body ?? null;
  }
  throw new TypeError("The provider is sent forms only");
}

/** An address without query: what is in there may be a secret. */
function pathless(input: string): string {
  return input.split(/[?#]/, 1)[0] ?? "";
}

/** What `fetch` says of a failure is beneath it; one that concerns several addresses says nothing but its code. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  const { cause } = error;
  const { message } = cause instanceof Error && cause.message !== "" ? cause : error;
  return message === "" && "code" in error ? String(error.code) : message;
}
