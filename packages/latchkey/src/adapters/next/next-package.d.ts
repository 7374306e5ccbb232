/**
 * The part of Next.js that is used. The package is the app's to install, so its own types may be
 * absent.
 */
declare module "next/headers.js" {
  /** The headers of the request that is being handled; the same object for all who ask in one request. */
  export function headers(): Promise<{
    get(name: string): string | null;
    keys(): Iterator<string>;
  }>;

  export interface CookieStore {
    set(cookie: { readonly name: string; readonly value: string }): unknown;
    delete(name: string): unknown;
  }

  export function cookies(): Promise<CookieStore>;
}

/** For `latchkey/next/compat`: what its signatures name. */
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
  /** Resolves when a request is there: what follows is not rendered ahead of it. */
  export function connection(): Promise<void>;

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
    // oxlint-disable-next-line typescript/no-invalid-void-type -- as Next has it
  ) => Promise<Response | null | undefined | void> | Response | null | undefined | void;
}
