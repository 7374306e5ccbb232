import {
  type AccessRule,
  type PathRule,
  type Requirement,
  requirementsOf,
} from "../config/access-rule.ts";
import { nowSeconds, type Runtime } from "../config/runtime.ts";
import {
  Forbidden,
  type StepUp,
  StepUpRequired,
  type UnmetRequirement,
} from "../errors/access-errors.ts";
import { organizationClaim } from "../oidc/tokens/organization.ts";
import type { Connections } from "../oidc/connections.ts";
import { isRecent } from "../oidc/tokens/step-up.ts";
import { timeAt } from "../oidc/tokens/token-claims.ts";
import type { Claims, Session, StoredSession } from "../session/session.ts";
import { findClaim } from "./find-claim.ts";
import { type Principal, principalOfSession } from "./principal.ts";

/** What rules need of the engine. */
export interface RuleRuntime extends Pick<Runtime, "clock"> {
  readonly connections: Pick<Connections, "default">;
  readonly warnings: { readonly once: (kind: string, message: string) => void };
}

/** One part of a rule, and whether it holds. */
export interface CheckedRequirement extends UnmetRequirement {
  readonly holds: boolean;
}

/** What became of a rule. */
export interface Explanation {
  /** Whether every part holds. */
  readonly holds: boolean;
  readonly parts: readonly CheckedRequirement[];
}

/**
 * Checks a rule, part by part.
 *
 * @param principal - `null` without a caller: then nothing holds
 * @throws {TypeError} if it is no rule
 */
export function explainRule(
  runtime: RuleRuntime,
  principal: Principal | null,
  rule: AccessRule<Session>,
): Explanation {
  const parts =
    typeof rule === "function"
      ? [explainFunction(runtime, principal, rule)]
      : requirementsOf(rule).map((each) => explainRequirement(runtime, principal, each));
  return { holds: principal !== null && parts.every(({ holds }) => holds), parts };
}

/**
 * Checks all rules of a path.
 *
 * @param principal - `null` without a caller: then nothing holds
 */
export function explainRules(
  runtime: RuleRuntime,
  principal: Principal | null,
  rules: readonly Pick<PathRule<Session>, "rule">[],
): Explanation {
  const explanations = rules.map(({ rule }) => explainRule(runtime, principal, rule));
  return {
    holds: explanations.every(({ holds }) => holds),
    parts: explanations.flatMap(({ parts }) => parts),
  };
}

function explainFunction(
  runtime: RuleRuntime,
  principal: Principal | null,
  rule: (session: Session) => boolean,
): CheckedRequirement {
  const holds = principal !== null && isTrue(runtime, rule(principal.session));
  return { part: "rule", required: [], holds };
}

/** Any other result of a function, such as a promise, admits no user. */
function isTrue({ warnings }: RuleRuntime, returned: unknown): boolean {
  if (returned instanceof Promise) {
    // It is not awaited, and an unhandled rejection ends the process.
    returned.catch(() => undefined);
    warnings.once("async-rule", asyncRule);
  }
  return returned === true;
}

const asyncRule =
  "An access rule is an async function: it returned a promise, which admits no user. Let it return true or false. What it needs of elsewhere belongs into the session, or await it in the handler before require().";

function explainRequirement(
  runtime: RuleRuntime,
  principal: Principal | null,
  requirement: Requirement,
): CheckedRequirement {
  const holds = principal !== null && isMet(runtime, principal, requirement);
  if (requirement.part === "maxAge") {
    return { part: "maxAge", required: [String(requirement.seconds)], holds };
  }
  return { ...requirement, required: requirement.required.map(String), holds };
}

function isMet(
  runtime: RuleRuntime,
  { scopes, claims, authTime, acr, connection }: Principal,
  requirement: Requirement,
): boolean {
  switch (requirement.part) {
    case "scope":
      return requirement.required.every((scope) => scopes.includes(scope));
    case "claim":
      return hasClaim(claims, requirement.name, requirement.required);
    case "organization":
      return isOfOrganization(claims, requirement.required);
    case "maxAge": {
      const time = timeAt(runtime.connections.default, nowSeconds(runtime));
      return isRecent(authTime, requirement.seconds, time);
    }
    case "acr":
      return acr !== undefined && requirement.required.includes(acr);
    case "connection":
      return connection !== null && requirement.required.includes(connection);
  }
}

function hasClaim(claims: Claims, name: string, values: readonly unknown[]): boolean {
  const claim = findClaim(claims, name);
  const members: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return members.some((member) => values.includes(member));
}

function isOfOrganization(claims: Claims, organizations: readonly string[]): boolean {
  return organizations.some((each) => {
    const { name, value } = organizationClaim(each);
    return Object.hasOwn(claims, name) && claims[name] === value;
  });
}

/** Returns the error for what a session does not meet of rules; `null` if it meets all. */
export function accessErrorOfSession(
  runtime: RuleRuntime & { readonly connections: Connections },
  stored: StoredSession,
  rules: readonly Pick<PathRule<Session>, "rule">[],
): Forbidden | StepUpRequired | null {
  if (rules.length === 0) return null;
  return accessErrorOf(explainRules(runtime, principalOfSession(stored, runtime), rules));
}

/**
 * Why a user may not go on; `null` if they may. If only a better sign-in is missing, it is
 * requested; otherwise it would not help. A sign-in with another connection brings another user:
 * it may help whatever else is missing.
 */
export function accessErrorOf(explanation: Explanation): Forbidden | StepUpRequired | null {
  const { holds, parts } = explanation;
  if (holds) return null;
  const unmet = parts.filter((each) => !each.holds).map(({ holds: _no, ...each }) => each);
  const isProvable = unmet.every(({ part }) => part === "maxAge" || part === "acr");
  return isProvable && unmet.length > 0
    ? new StepUpRequired(unmet, stepUpOf(parts))
    : new Forbidden(unmet, elsewhere(unmet, explanation));
}

function elsewhere(
  unmet: readonly UnmetRequirement[],
  explanation: Explanation,
): StepUp | undefined {
  if (unmet.every(({ part }) => part !== "connection")) return undefined;
  const stepUp = firstStepUp(explanation);
  return stepUp?.connections === undefined ? undefined : stepUp;
}

/** Returns what a rule demands of the first sign-in; `undefined` if any sign-in will do. */
export function firstStepUp({ parts }: Explanation): StepUp | undefined {
  const connections = sharedOf(parts, "connection");
  const stepUp = { ...stepUpOf(parts), ...(connections.length > 0 && { connections }) };
  return Object.keys(stepUp).length === 0 ? undefined : { ...stepUp, isFirst: true };
}

/** Requests both if one is missing: a new sign-in must not lose what the former one proved. */
function stepUpOf(parts: readonly CheckedRequirement[]): StepUp {
  const seconds = requiredOf(parts, "maxAge").map(([each]) => Number(each));
  const [first = []] = requiredOf(parts, "acr");
  const shared = sharedOf(parts, "acr");
  return {
    ...(seconds.length === 0 ? {} : { maxAge: Math.min(...seconds) }),
    ...(first.length === 0 ? {} : { acr: shared.length === 0 ? first : shared }),
  };
}

/** What is enough for each part of this kind. */
function sharedOf(parts: readonly CheckedRequirement[], part: UnmetRequirement["part"]) {
  const [first = [], ...others] = requiredOf(parts, part);
  return first.filter((each) => others.every((list) => list.includes(each)));
}

function requiredOf(parts: readonly CheckedRequirement[], part: UnmetRequirement["part"]) {
  return parts.filter((each) => each.part === part).map(({ required }) => required);
}
