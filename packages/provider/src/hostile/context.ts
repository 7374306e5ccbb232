import type { Behaviour, Members, Situation } from "./behaviour.ts";
import type { Grants } from "./grants.ts";
import type { KeyRing } from "./key-ring.ts";
import type { HostileClient } from "./client.ts";

/** A rule of a well-behaved relying party that was broken, by its id in the standards list. */
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
  behaviours: readonly Behaviour[];
  keys: KeyRing;
  lastSid: string;
}

/** The value of a setting; the last behaviour that has it takes precedence. */
export function settingOf<K extends "alg" | "authMethod" | "newKeys" | "responseMode">(
  context: Context,
  name: K,
): Behaviour[K] | undefined {
  return context.behaviours.findLast((behaviour) => behaviour[name] !== undefined)?.[name];
}

export function nowSeconds(context: Context): number {
  const offset = context.behaviours.reduce(
    (sum, behaviour) => sum + (behaviour.clockOffsetSeconds ?? 0),
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

/** A response with the changes of the active behaviours; the first that is no object is sent. */
export function changedBody(
  { behaviours }: Context,
  name: "tokenResponse" | "pushedResponse" | "userinfo",
  good: Members,
  situation: Situation,
): unknown {
  return behaviours.reduce<unknown>(
    (body, behaviour) => (isMembers(body) ? (behaviour[name]?.(body, situation) ?? body) : body),
    good,
  );
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Records that the relying party broke a rule. The response stays the same. */
export function complain(context: Context, id: string, says: string): void {
  context.complaints.push({ id, says });
}
