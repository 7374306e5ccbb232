import { encodeBase64url } from "../crypto/base64url.ts";
import { digest } from "../crypto/digest.ts";
import { andThen, type Awaitable } from "../awaitable.ts";
import type { Party } from "./ended-list.ts";

/** What the cookie of a stored session holds: `<person tag>.<handle>`. */
export interface Ticket {
  readonly tag: string;
  readonly handle: string;
}

/** Bytes of a person's tag: no two people will ever share one, and 16 letters say it. */
const tagBytes = 12;
const ticketForm = /^([\w-]{16})\.([\w-]{43})$/;

/** Reads the value of the cookie; `null` where we cannot have written it. */
export function readTicket(value: string | undefined): Ticket | null {
  const [, tag, handle] = ticketForm.exec(value ?? "") ?? [];
  return tag === undefined || handle === undefined ? null : { tag, handle };
}

export function writeTicket({ tag, handle }: Ticket): string {
  return `${tag}.${handle}`;
}

/**
 * Stands for a person in keys, so that all their sessions are found by one prefix and the store need not hold a name.
 * It is no secret and opens nothing: with another one than its own a handle finds nothing.
 */
export function personTag({ issuer, client }: Party, sub: string): Awaitable<string> {
  return andThen(digest("SHA-256", JSON.stringify([issuer, client, sub])), (bytes) =>
    encodeBase64url(bytes.subarray(0, tagBytes)),
  );
}

/** Where a person's sessions lie. */
export function personPrefix(tag: string): string {
  return `session|${tag}|`;
}

/** Where a session lies: under the hash of its handle, so that who reads the store cannot use what lies there. */
export function sessionKey({ tag, handle }: Ticket): Awaitable<string> {
  return andThen(digest("SHA-256", handle), (bytes) => personPrefix(tag) + hexOf(bytes));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where it is remembered that a session was ended from another device. */
export function endedKey(sessionKeyOfIt: string): string {
  return `ended-${sessionKeyOfIt}`;
}
