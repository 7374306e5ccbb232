import type { AccessRule } from "../config/access-rule.ts";
import type { Context } from "../context.ts";
import { Forbidden, type UnmetRequirement } from "../errors/access-errors.ts";
import type { RequestAuth, SignedIn } from "../host/request-auth.ts";
import { accessErrorOf, type Explanation, explainRule } from "../request/guard/access-rules.ts";
import type { Claims, Session, StoredSession } from "../session/session.ts";
import type { AccessToken } from "./jwt.ts";
import type { TokenVerifier, VerifiedToken } from "./token-verifier.ts";
import { InsufficientScope } from "./refuse.ts";
import { exchangeCallerToken } from "./exchange-caller-token.ts";
import { SessionRequired } from "./token-refused.ts";

/** The token of a request, or why it does not count. */
export type Presented =
  | (VerifiedToken & {
      /** The token itself: a secret. */
      readonly sent: string;
      readonly verifiedBy: TokenVerifier;
      readonly error?: undefined;
    })
  | { readonly token?: undefined; readonly verifiedBy?: undefined; readonly error: unknown };

export interface CallerAuthOptions {
  readonly context: Context;
  readonly presented: Presented;
  /** The scopes that the rules of the path need. */
  readonly pathScopes: readonly string[];
  /** Receives what is thrown here, also if the host never passes it on. */
  readonly onRefusal: (error: unknown) => void;
}

/** The object for handlers of a request with an access token. It reads and changes no session. */
export class CallerAuth implements RequestAuth {
  readonly #options: CallerAuthOptions;
  readonly #stored: StoredSession | null;
  readonly session: Session | null;

  constructor(options: CallerAuthOptions) {
    const { token } = options.presented;
    this.#options = options;
    this.#stored = token === undefined ? null : sessionOf(token);
    this.session = this.#stored && viewOf(this.#stored);
  }

  readonly ended = undefined;
  readonly endedTimes = null;

  get token(): AccessToken | null {
    return this.#options.presented.token ?? null;
  }

  tokenVerifiedBy(verify: TokenVerifier): AccessToken | null {
    const { presented } = this.#options;
    return presented.verifiedBy === verify ? presented.token : null;
  }

  get credential(): "access_token" | null {
    return this.token === null ? null : "access_token";
  }

  get user(): Claims | null {
    return this.claims;
  }

  get claims(): Claims | null {
    return this.token?.claims ?? null;
  }

  get scopes(): readonly string[] {
    return this.token?.scopes ?? [];
  }

  get client(): string | null {
    return this.token?.client ?? null;
  }

  readonly require: RequestAuth["require"] = (rule = () => true) => {
    const { presented, pathScopes } = this.#options;
    if (presented.token === undefined) return this.#refuse(presented.error);
    const refusal = callerErrorOf(this.explain(rule), pathScopes);
    if (refusal !== null) return this.#refuse(refusal);
    // The token counts, so nothing here is null.
    return this as unknown as SignedIn;
  };

  readonly explain: RequestAuth["explain"] = (rule: AccessRule<Session>) =>
    explainRule(this.#options.context, this.#stored, { rule, session: this.session });

  readonly login: RequestAuth["login"] = () => this.#needsSession("login");
  readonly accessToken: RequestAuth["accessToken"] = async (request = {}) => {
    const { context, presented } = this.#options;
    if (presented.token === undefined || request.exchange === undefined) {
      return this.#needsSession("accessToken");
    }
    return exchangeCallerToken(context, presented, request).catch((error: unknown) =>
      this.#refuse(error),
    );
  };
  readonly update: RequestAuth["update"] = async () => this.#needsSession("update");
  readonly touch: RequestAuth["touch"] = async () => this.#needsSession("touch");
  readonly devices: RequestAuth["devices"] = async () => this.#needsSession("devices");
  readonly activity: RequestAuth["activity"] = async () => this.#needsSession("activity");
  readonly renameDevice: RequestAuth["renameDevice"] = async () =>
    this.#needsSession("renameDevice");
  readonly endDevice: RequestAuth["endDevice"] = async () => this.#needsSession("endDevice");
  readonly endDevices: RequestAuth["endDevices"] = async () => this.#needsSession("endDevices");

  #needsSession(method: string): never {
    return this.#refuse(this.#options.presented.error ?? new SessionRequired(method));
  }

  #refuse(error: unknown): never {
    this.#options.onRefusal(error);
    throw error;
  }
}

/** A token as rules see it: like a session with its claims, scopes and authentication. */
export function sessionOf({ claims, scopes, expiresAt }: AccessToken): StoredSession {
  const { iat, auth_time: authTime, acr } = claims;
  const start = typeof iat === "number" ? iat : 0;
  return {
    header: {
      iat: start,
      uat: start,
      exp: expiresAt,
      id: "",
      subTag: "",
      ...(typeof authTime === "number" ? { authTime } : {}),
      ...(typeof acr === "string" ? { acr } : {}),
    },
    data: {
      user: claims,
      accessTokenScope: scopes.join(" "),
      accessTokenExpiresAt: expiresAt,
    },
    record: null,
  };
}

export function viewOf({ header: { iat, exp }, data }: StoredSession): Session {
  const started = { startedAt: iat, createdAt: iat, updatedAt: iat };
  const times = { ...started, rollingEndsAt: null, absoluteEndsAt: exp, endsAt: exp };
  return { ...data, times };
}

/**
 * Why a caller may not go on; `null` if it may. Scopes come first: a client can ask for them, and
 * only then for a stronger sign-in.
 */
export function callerErrorOf(
  explanation: Explanation,
  otherScopes: readonly string[] = [],
): Error | null {
  const error = accessErrorOf(explanation);
  if (!(error instanceof Forbidden)) return error;
  // A scope is among them: without one, a stronger sign-in is no `Forbidden`.
  return error.unmet.every(isForClient)
    ? new InsufficientScope(error, [...new Set([...otherScopes, ...scopesIn(explanation)])])
    : error;
}

function isForClient({ part }: UnmetRequirement): boolean {
  return part === "scope" || part === "maxAge" || part === "acr";
}

/** All scopes that a rule needs, held or not. */
export function scopesIn({ parts }: Explanation): readonly string[] {
  return parts.filter(({ part }) => part === "scope").flatMap(({ required }) => required);
}
