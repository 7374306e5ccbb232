import { Refusal } from "../errors/refusal.ts";

/** The part of the Fetch API that the engine uses. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** The same as the engine calls it: headers are a plain record, and of bodies there are forms alone. */
export type ProviderFetch = (
  input: string,
  init: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: RequestInit["body"];
  },
) => Promise<Response>;

/** A request to the provider. */
export interface Outgoing {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | URLSearchParams | null;
}

export interface Limits {
  /** Milliseconds for the whole exchange, the body included. */
  readonly timeoutMs: number;
  /** The largest body that is read, in bytes, decoded. */
  readonly bodyBytes: number;
}

/** What came of it, read to its end. */
export interface Incoming {
  readonly status: number;
  /** Names in lower case; without those that tell how the body was carried. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a redirect: none is followed, and none is read. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Carries one request to the provider: one deadline for connection, headers and body, a cap on the body, no
 * redirect followed.
 *
 * @throws {TimedOut}, {Refusal} `answer_too_large`, or whatever the network says
 */
export type Transport = (address: string, request: Outgoing, limits: Limits) => Promise<Incoming>;

/** The deadline has passed before the answer was there. */
export class TimedOut extends Error {}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** How a body was carried; it is plain when the engine sees it. */
export const carriage: readonly string[] = [
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
];

/** Puts the parts of a body together, as long as they are not too many. */
export function createBody(limit: number): {
  /** @throws {Refusal} `answer_too_large` */
  add(chunk: Uint8Array): void;
  all(): Uint8Array<ArrayBuffer>;
} {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    add(chunk) {
      length += chunk.byteLength;
      if (length > limit) throw new Refusal("answer_too_large");
      chunks.push(chunk);
    },
    all() {
      const bytes = new Uint8Array(length);
      let offset = 0;
      for (const chunk of chunks) {
        bytes.set(chunk, offset);
        offset += chunk.byteLength;
      }
      return bytes;
    },
  };
}
