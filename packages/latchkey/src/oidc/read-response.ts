import type { Incoming } from "./transport.ts";

/** What was read of an answer, for those who ask for a `Response`. */
export function readResponse(incoming: Incoming): Response {
  return new ReadResponse(incoming) as unknown as Response;
}

/**
 * An answer that has been read to its end, in the shape of a `Response`. A real one wraps its body in a stream, which
 * costs more than to verify a signature, and each sign-in would make two.
 *
 * The OAuth library knows it by its tag, as it does a `Response` of another realm.
 */
export class ReadResponse {
  readonly status: number;
  readonly body = null;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #isUsed = false;

  constructor({ status, headers, body }: Incoming) {
    this.status = status;
    this.#headers = headers;
    this.#bytes = body;
  }

  get [Symbol.toStringTag](): string {
    return "Response";
  }

  get headers(): Headers {
    return new Headers(this.#headers);
  }

  get bodyUsed(): boolean {
    return this.#isUsed;
  }

  clone(): ReadResponse {
    return new ReadResponse({ status: this.status, headers: this.#headers, body: this.#bytes });
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#isUsed) throw new TypeError("The body was read before");
    this.#isUsed = true;
    return this.#bytes;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}
