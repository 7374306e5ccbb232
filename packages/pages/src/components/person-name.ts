import type { Session } from "latchkey";

/** Returns the name of a person, otherwise the email address, otherwise the id. */
export function personName({ user }: Session): string {
  return textClaim(user.name) ?? textClaim(user.email) ?? user.sub;
}

/** Shortens a name for places that only identify the person; the account page has all of it. */
export function shortName(name: string): string {
  const letters = Array.from(name);
  return letters.length <= 80 ? name : `${letters.slice(0, 79).join("").trimEnd()}…`;
}

/** Returns a claim if it is a text with something in it. */
export function textClaim(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Returns a claim if it says yes or no. Some providers, such as Cognito, send it as text. */
export function booleanClaim(value: unknown): boolean | undefined {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "boolean" ? value : undefined;
}
