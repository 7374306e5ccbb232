import type { PathRule } from "../config/access-rule.ts";
import type { RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { Exchange } from "../request/exchange.ts";
import type { SessionData } from "../session/session.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import type { HostContext } from "./host-context.ts";

/** One way in which requests authenticate: by a session, by an access token, as an MCP client. */
export interface Scheme {
  /**
   * Admits a request that it recognizes, or answers it with its challenge.
   *
   * @returns `passed` for a request that the next scheme gets, `unguarded` for one that the app
   *   itself answers
   */
  receive(call: GuardedCall): Promise<Received | "passed" | "unguarded">;
  /** The same for a request that the app guards itself: none is answered here. */
  admit(call: Call): Promise<AdmittedRequest | "passed">;
  /** Returns the challenge to a request that no scheme has recognized; `null` for other paths. */
  challenge(call: Call): ResponseParts | null;
}

/** A request whose caller is not known yet. */
export interface Call {
  readonly context: HostContext;
  /** The request, and the session of its cookies. */
  readonly exchange: Exchange;
  readonly target: RequestTarget;
  /** The outer request, for internal sub-requests of the app. */
  readonly outer?: AdmittedRequest | undefined;
}

/** The same with what guards its path. */
export interface GuardedCall extends Call {
  readonly rules: readonly PathRule<SessionData>[];
  /** Whether the path needs a caller; else it is public. */
  readonly isGuarded: boolean;
}
