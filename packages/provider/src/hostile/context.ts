import type { Behavior, Members, Situation } from "./behavior.ts";
import type { Grants } from "./grants.ts";
import type { KeyRing } from "./key-ring.ts";
import type { HostileClient } from "./client.ts";

/** A broken rule for relying parties, by its id in the standards list. */
export interface Complaint {
  readonly id: string;
  readonly says: string;
}

/** What every endpoint reads. The mutable members are the state of the running provider. */
export interface Context {
  readonly origin: string;
  readonly issuer: string;
  readonly client: HostileClient;
  readonly person: Members;
  readonly claimsIn: "id-token" | "userinfo";
  readonly strangerURL: string;
  readonly now: () => number;
  readonly grants: Grants;
  readonly issuedIDTokens: string[];
  readonly complaints: Complaint[];
  readonly usedAssertions: Set<string>;
  behaviors: readonly Behavior[];
  keys: KeyRing;
  lastSid: string;
}

/** The value of a setting; the last behavior with a value takes precedence. */
export function settingOf<K extends "alg" | "authMethod" | "newKeys" | "responseMode">(
  context: Context,
  name: K,
): Behavior[K] | undefined {
  return context.behaviors.findLast((behavior) => behavior[name] !== undefined)?.[name];
}

export function nowSeconds(context: Context): number {
  const offset = context.behaviors.reduce(
    (sum, behavior) => sum + (behavior.clockOffsetSeconds ?? 0),
    0,
  );
  return Math.floor(context.now() / 1000) + offset;
}

export function situationOf(
  context: Context,
  at: Situation["at"],
  request: Readonly<Record<string, string>>,
): Situation {
  return {
    at,
    request,
    issuer: context.issuer,
    client: context.client,
    alg: settingOf(context, "alg") ?? context.client.idTokenSigningAlg,
    keys: context.keys,
    nowSeconds: nowSeconds(context),
    strangerURL: context.strangerURL,
    previousIDToken: context.issuedIDTokens.at(-1),
  };
}

/** A response with the changes of the active behaviors; the first non-object result is sent. */
export function changeBody(
  { behaviors }: Context,
  name: "tokenResponse" | "pushedResponse" | "userinfo" | "introspection",
  good: Members,
  situation: Situation,
): unknown {
  return behaviors.reduce<unknown>(
    (body, behavior) => (isMembers(body) ? (behavior[name]?.(body, situation) ?? body) : body),
    good,
  );
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Records a rule broken by the relying party. The response stays the same. */
export function complain(context: Context, id: string, says: string): void {
  context.complaints.push({ id, says });
}
