import { explainRule, type RuleRuntime } from "../principal/access-rules.ts";
import type { Identity } from "../config/identity.ts";
import { identityOfPrincipal } from "../principal/principal.ts";
import type { Principal } from "../principal/principal.ts";
import type { Claims, Session } from "../session/session.ts";
import type { RequestAuth } from "./request-auth.ts";

/**
 * What the object for handlers says of the caller.
 *
 * A class, since its getters are then made once: getters of an object literal cost each request a
 * hidden class of its own, which outlives the request. Methods are fields: handlers may take the
 * object apart.
 */
export abstract class PrincipalAuth {
  readonly #runtime: RuleRuntime;
  readonly #onRefusal: (error: unknown) => void;

  /** @param onRefusal - receives what is thrown here, also if the host never passes it on */
  constructor(runtime: RuleRuntime, onRefusal: (error: unknown) => void) {
    this.#runtime = runtime;
    this.#onRefusal = onRefusal;
  }

  /** Who calls; `null` without a caller. */
  abstract get principal(): Principal | null;

  get session(): Session | null {
    return this.principal?.session ?? null;
  }

  get user(): Claims | null {
    return this.claims;
  }

  get credential(): Principal["credential"] | null {
    return this.principal?.credential ?? null;
  }

  get claims(): Claims | null {
    return this.principal?.claims ?? null;
  }

  get scopes(): readonly string[] {
    return this.principal?.scopes ?? [];
  }

  get connection(): string | null {
    return this.principal?.connection ?? null;
  }

  get identity(): Identity | null {
    return this.principal && identityOfPrincipal(this.principal);
  }

  get client(): string | null {
    return this.principal?.client ?? null;
  }

  readonly explain: RequestAuth["explain"] = (rule) =>
    explainRule(this.#runtime, this.principal, rule);

  protected readonly refuse = (error: unknown): never => {
    this.#onRefusal(error);
    throw error;
  };
}
