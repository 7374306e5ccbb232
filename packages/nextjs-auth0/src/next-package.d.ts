/**
 * The parts of Next.js in use. Each app installs Next.js itself, so the package may be absent here.
 */
declare module "next" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export interface NextApiRequest extends IncomingMessage {
    query: Partial<Record<string, string | string[]>>;
  }
  export interface NextApiResponse extends ServerResponse {
    status(code: number): this;
  }
}

declare module "next/server.js" {
  export interface NextRequest extends Request {
    readonly nextUrl: URL;
  }
  /** A response with `cookies`. */
  export class NextResponse extends Response {
    /** The app answers the request. */
    static next(): NextResponse;
  }
  export interface NextFetchEvent {
    waitUntil(promise: Promise<unknown>): void;
  }
  export type NextMiddleware = (
    request: NextRequest,
    event: NextFetchEvent,
    // oxlint-disable-next-line typescript/no-invalid-void-type -- the type of Next
  ) => Promise<Response | null | undefined | void> | Response | null | undefined | void;
}
