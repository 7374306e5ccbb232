import type { PathRule } from "../config/access-rule.ts";
import type { Context } from "../context.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import type { HostRequest } from "../http/auth-request.ts";
import type { RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { SessionData } from "../session/session.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";

/** An option that lets requests authenticate by something else than a session. */
export interface CallersPart {
  /** Paths that are an API, beside `/api`: no request for them is led to login. */
  readonly paths: readonly string[];
  /** Whether users sign in, too; by default they do. */
  readonly hasSessions?: boolean;
  /** What is wrong with its settings. */
  readonly faults: readonly ConfigFault[];
  /** Called once, after the settings were checked. */
  open(context: Context): Callers;
}

/** Callers with access tokens; `latchkey/api` knows them. */
export interface Callers {
  /**
   * Answers or admits a request that names a caller by its headers.
   *
   * @returns `null` if the rules of sessions hold, `unguarded` if the app itself answers it
   */
  receive(called: GuardedCall): Promise<Received | "unguarded" | null>;
  /** The same for a request without a guard. */
  admit(called: Called): Promise<AdmittedRequest | null>;
  /** Returns the 401 of an API to a request without a session; `null` for other paths. */
  challenge(called: Pick<Called, "context" | "request" | "target">): ResponseParts | null;
}

/** A request that may name a caller. */
export interface Called {
  readonly context: Context;
  readonly request: HostRequest;
  readonly target: RequestTarget;
  /** The outer request, for internal sub-requests of the app. */
  readonly outer?: AdmittedRequest | undefined;
}

/** The same with what guards its path. */
export interface GuardedCall extends Called {
  readonly rules: readonly PathRule<SessionData>[];
  /** Whether the path needs a caller; else it is public. */
  readonly isGuarded: boolean;
}
