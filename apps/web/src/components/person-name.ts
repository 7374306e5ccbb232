import type { Session } from "latchkey";

/** What a person is called: by name, else by email address, else by id. */
export function personName({ user }: Session): string {
  return textClaim(user.name) ?? textClaim(user.email) ?? user.sub;
}

/** A claim that is a text with something in it. */
export function textClaim(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
