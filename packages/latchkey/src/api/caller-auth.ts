import type { Context } from "../context.ts";
import { Forbidden, type UnmetRequirement } from "../errors/access-errors.ts";
import { PrincipalAuth } from "../host/principal-auth.ts";
import type { RequestAuth, SignedIn } from "../host/request-auth.ts";
import { accessErrorOf, type Explanation } from "../principal/access-rules.ts";
import type { Principal } from "../principal/principal.ts";
import { exchangeCallerToken } from "./exchange-caller-token.ts";
import { InsufficientScope } from "./refuse.ts";
import { SessionRequired } from "./token-refused.ts";
import type { TokenVerifier, VerifiedToken } from "./token-verifier.ts";

/** The caller that a request names by its token, or why the token does not count. */
export type Presented =
  | (VerifiedToken & {
      readonly principal: Principal;
      /** The token itself: a secret. */
      readonly sent: string;
      readonly verifiedBy: TokenVerifier;
      readonly error?: undefined;
    })
  | { readonly principal: null; readonly verifiedBy?: undefined; readonly error: unknown };

export interface CallerAuthOptions {
  readonly context: Context;
  readonly presented: Presented;
  /** The scopes that the rules of the path need. */
  readonly pathScopes: readonly string[];
  /** Receives what is thrown here, also if the host never passes it on. */
  readonly onRefusal: (error: unknown) => void;
}

/** The object for handlers of a request with an access token. It reads and changes no session. */
export class CallerAuth extends PrincipalAuth implements RequestAuth {
  readonly #options: CallerAuthOptions;

  constructor(options: CallerAuthOptions) {
    super(options.context, options.onRefusal);
    this.#options = options;
  }

  readonly ended = undefined;
  readonly endedTimes = null;

  get principal(): Principal | null {
    return this.#options.presented.principal;
  }

  /** Returns the token if this very check has admitted it. */
  tokenVerifiedBy(verify: TokenVerifier): VerifiedToken["token"] | null {
    const { presented } = this.#options;
    return presented.verifiedBy === verify ? presented.token : null;
  }

  readonly require: RequestAuth["require"] = (rule = () => true) => {
    const { presented, pathScopes } = this.#options;
    if (presented.principal === null) return this.refuse(presented.error);
    const refusal = callerErrorOf(this.explain(rule), pathScopes);
    if (refusal !== null) return this.refuse(refusal);
    // The token counts, so nothing here is null.
    return this as unknown as SignedIn;
  };

  readonly login: RequestAuth["login"] = () => this.#needsSession("login");
  readonly accessToken: RequestAuth["accessToken"] = async (request = {}) => {
    const { context, presented } = this.#options;
    if (presented.principal === null || request.exchange === undefined) {
      return this.#needsSession("accessToken");
    }
    return exchangeCallerToken(context, presented, request).catch((error: unknown) =>
      this.refuse(error),
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
    return this.refuse(this.#options.presented.error ?? new SessionRequired(method));
  }
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
