import { type UnmetRequirement, namesOf } from "../errors/access-errors.ts";
import { organizationClaim } from "../oidc/tokens/organization.ts";
import { findClaim } from "./find-claim.ts";
import type { Principal } from "./principal.ts";

/**
 * Returns what does not hold of a rule and what the user has instead, for the log.
 *
 * @param principal - `null` if it is not known
 */
export function explainRefusal(
  unmet: readonly UnmetRequirement[],
  principal: Caller | null,
): string {
  const sentences = unmet.map((each) => {
    const actual = principal === null ? undefined : actualOf(each, principal);
    return actual === undefined ? namesOf([each]) : `${namesOf([each])} (the user has ${actual})`;
  });
  return sentences.join("; ");
}

type Caller = Pick<Principal, "claims" | "connection" | "scopes">;

function actualOf(
  { part, name = "", required }: UnmetRequirement,
  { claims, connection, scopes }: Caller,
) {
  switch (part) {
    case "scope":
      return shorten(scopes.join(" ") || "none", valuesAtMost * lengthAtMost);
    case "claim":
      return claimText(claims, name);
    case "organization":
      return claimText(claims, organizationClaim(required[0] ?? "").name);
    case "connection":
      return connection ?? "none";
    default:
      return undefined;
  }
}

function claimText(claims: Principal["claims"], name: string): string {
  const claim = findClaim(claims, name);
  return claim === undefined ? `no ${name}, but ${listText(Object.keys(claims))}` : listText(claim);
}

const valuesAtMost = 8;
const lengthAtMost = 40;

/** A provider may list hundreds of groups. */
function listText(value: unknown): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) return "an empty list";
  const shown = values.slice(0, valuesAtMost).map((each) => shorten(textOf(each), lengthAtMost));
  const rest = values.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function textOf(value: unknown): string {
  if (typeof value === "object" && value !== null) return `{ ${Object.keys(value).join(", ")} }`;
  return String(value);
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
