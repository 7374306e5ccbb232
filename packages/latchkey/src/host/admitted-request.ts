import type { HostRequest } from "../http/auth-request.ts";
import type { HeaderList } from "../http/headers.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { Exchange } from "../request/exchange.ts";
import type { RequestAuth } from "./request-auth.ts";

/** The outcome for a request: a response of sign-in, or an admitted request. */
export type Received =
  | { readonly response: ResponseParts }
  | { readonly admitted: AdmittedRequest };

/** A request on its way to the application, as its host holds it. */
export interface AdmittedRequest {
  readonly request: HostRequest;
  readonly auth: RequestAuth;
  /** The session of its cookies; `null` if its caller counts by an access token. */
  readonly exchange: Exchange | null;
  /**
   * Whether the request carries a session, active or ended. It does not count as reading the
   * session.
   */
  carriesSession(): Promise<boolean>;
  /** The APIs for which the connection of its session requests access tokens (RFC 8707). */
  resources(): Promise<readonly string[]>;
  /** Returns the headers which the response must carry. Call it once, when its head leaves. */
  commit(): HeaderList;
  /** Calls back when `auth` refuses, for hosts whose own error handling would answer first. */
  onRefused(listener: (error: unknown) => void): void;
  /**
   * Returns the location to which an error of ours leads a page, for hosts that
   * cannot wait for {@link recover}.
   */
  leadOf(error: unknown): string | null;
  /**
   * Calls back when the session of the request ends, elsewhere or by time. For open streams.
   *
   * @returns a function that removes the listener
   */
  onSessionEnd(listener: () => void): Promise<() => void>;
  /**
   * Returns our response to an error of ours which the application threw; `null` for other errors.
   */
  recover(error: unknown): Promise<ResponseParts> | null;
}
