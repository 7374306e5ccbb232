import { Refusal } from "../errors/refusal.ts";
import type { SessionData } from "./session.ts";

/**
 * The refusal of a session too large to be read again.
 *
 * @param why - how large it is, and how large it may be
 */
export function sessionTooLarge(data: SessionData, why: string): Refusal {
  return new Refusal("session_too_large", {
    detail: `${why}; largest parts: ${describeLargestParts(data)}`,
    largestParts: largestParts(data).map(({ name }) => name),
  });
}

/** The names of the largest parts with their sizes, no values. */
export function describeLargestParts(data: SessionData): string {
  return largestParts(data)
    .map(({ name, bytes }) => `${name} ${bytes}`)
    .join(", ");
}

function largestParts({ user, ...rest }: SessionData) {
  const parts = [
    ...Object.entries(rest),
    ...Object.entries(user).map(([name, value]) => [`user.${name}`, value] as const),
  ];
  return parts
    .map(([name, value]) => ({ name, bytes: JSON.stringify(value)?.length ?? 0 }))
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, 3);
}
