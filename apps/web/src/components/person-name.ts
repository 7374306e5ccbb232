import type { Session } from "latchkey";

/** What a person is called: by name, else by email address, else by id. */
export function personName({ user }: Session): string {
  return textClaim(user.name) ?? textClaim(user.email) ?? user.sub;
}

/** As much of a name as fits where it only says who is meant; the account page has all of it. */
export function shortName(name: string): string {
  const letters = Array.from(name);
  return letters.length <= 80 ? name : `${letters.slice(0, 79).join("").trimEnd()}…`;
}

/** A claim that is a text with something in it. */
export function textClaim(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
