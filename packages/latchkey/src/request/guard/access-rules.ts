import { type AccessRule, type Requirement, requirementsOf } from "../../config/access-rule.ts";
import type { Context } from "../../context.ts";
import { nowSeconds } from "../../config/runtime.ts";
import {
  Forbidden,
  type StepUp,
  StepUpRequired,
  type UnmetRequirement,
} from "../../errors/access-errors.ts";
import { organizationClaim } from "../../oidc/tokens/organization.ts";
import { isRecent } from "../../oidc/tokens/step-up.ts";
import { hasScopes, type Session, type StoredSession } from "../../session/session.ts";
import { findClaim } from "./find-claim.ts";

/** A signed-in person, as rules see them. */
interface Subject {
  readonly stored: StoredSession;
  /** Epoch seconds. */
  readonly now: number;
  /** Seconds. */
  readonly clockTolerance: number;
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
 * Asks a rule, part by part.
 *
 * @param session - the argument of a function; `null` without a signed-in user: then nothing holds
 * @throws {TypeError} if it is no rule
 */
export function explainRule(
  context: Context,
  stored: StoredSession | null,
  { rule, session }: { readonly rule: AccessRule<Session>; readonly session: Session | null },
): Explanation {
  const parts =
    typeof rule === "function"
      ? [
          {
            part: "rule",
            required: [],
            holds: session !== null && isTrue(context, rule(session)),
          } as const,
        ]
      : requirementsOf(rule).map((each) => explainRequirement(context, stored, each));
  return { holds: session !== null && parts.every(({ holds }) => holds), parts };
}

/** Any other result of a function, such as a promise, admits no user. */
function isTrue({ warnings }: Pick<Context, "warnings">, returned: unknown): boolean {
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
  context: Context,
  stored: StoredSession | null,
  requirement: Requirement,
): CheckedRequirement {
  const { clockTolerance } = context.config;
  const holds =
    stored !== null && isMet(requirement, { stored, now: nowSeconds(context), clockTolerance });
  if (requirement.part === "maxAge") {
    return { part: "maxAge", required: [String(requirement.seconds)], holds };
  }
  return { ...requirement, required: requirement.required.map(String), holds };
}

function isMet(requirement: Requirement, subject: Subject): boolean {
  const { header } = subject.stored;
  switch (requirement.part) {
    case "scope":
      return hasScopes(subject.stored.data, requirement.required);
    case "claim":
      return hasClaim(subject, requirement.name, requirement.required);
    case "organization":
      return isOfOrganization(subject, requirement.required);
    case "maxAge":
      return isRecent(header.authTime, requirement.seconds, subject);
    case "acr":
      return header.acr !== undefined && requirement.required.includes(header.acr);
  }
}

function hasClaim({ stored }: Subject, name: string, values: readonly unknown[]): boolean {
  const claim = findClaim(stored.data.user, name);
  const members: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return members.some((member) => values.includes(member));
}

function isOfOrganization({ stored }: Subject, organizations: readonly string[]): boolean {
  return organizations.some((each) => {
    const { name, value } = organizationClaim(each);
    return Object.hasOwn(stored.data.user, name) && stored.data.user[name] === value;
  });
}

/**
 * Why a user may not go on; `null` if they may. If only a better sign-in is missing, it is
 * requested; otherwise it would not help.
 */
export function accessErrorOf({ holds, parts }: Explanation): Forbidden | StepUpRequired | null {
  if (holds) return null;
  const unmet = parts.filter((each) => !each.holds).map(({ holds: _no, ...each }) => each);
  const isProvable = unmet.every(({ part }) => part === "maxAge" || part === "acr");
  return isProvable && unmet.length > 0
    ? new StepUpRequired(unmet, stepUpOf(parts))
    : new Forbidden(unmet);
}

/** Returns what a rule demands of the first sign-in; `undefined` if any sign-in will do. */
export function firstStepUp({ parts }: Explanation): StepUp | undefined {
  const stepUp = stepUpOf(parts);
  const isAny = stepUp.maxAge === undefined && stepUp.acr === undefined;
  return isAny ? undefined : { ...stepUp, isFirst: true };
}

/** Requests both if one is missing: a new sign-in must not lose what the former one proved. */
function stepUpOf(parts: readonly CheckedRequirement[]): StepUp {
  const seconds = requiredOf(parts, "maxAge").map(([each]) => Number(each));
  const [first = [], ...others] = requiredOf(parts, "acr");
  const shared = first.filter((each) => others.every((list) => list.includes(each)));
  return {
    ...(seconds.length === 0 ? {} : { maxAge: Math.min(...seconds) }),
    ...(first.length === 0 ? {} : { acr: shared.length === 0 ? first : shared }),
  };
}

function requiredOf(parts: readonly CheckedRequirement[], part: UnmetRequirement["part"]) {
  return parts.filter((each) => each.part === part).map(({ required }) => required);
}

/** Joins the requirements of several rules. */
export function joinExplanations(explanations: readonly Explanation[]): Explanation {
  return {
    holds: explanations.every(({ holds }) => holds),
    parts: explanations.flatMap(({ parts }) => parts),
  };
}
