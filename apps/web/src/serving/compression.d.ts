declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface CompressionOptions {
    /** Whether a response is worth compressing, judged when its head is written. */
    readonly filter?: (request: IncomingMessage, response: ServerResponse) => boolean;
  }

  /** Compresses what `next` writes to the response, by the request's `Accept-Encoding`. */
  export default function compression(
    options?: CompressionOptions,
  ): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}
