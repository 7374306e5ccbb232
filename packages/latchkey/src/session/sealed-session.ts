import { andThen, type Awaitable } from "../crypto/awaitable.ts";
import type { KeyRing } from "../crypto/keys.ts";
import { type OpenedText, openText, sealText } from "../crypto/sealed-text.ts";
import type { Party } from "./ended-list.ts";
import { isSessionData, isSessionHeader, type StoredSession } from "./session.ts";

/** Seals a session: the header stays readable but cannot be changed, the data cannot be read. */
export function sealSession(ring: KeyRing, session: StoredSession): Awaitable<string> {
  const { header, data, text = JSON.stringify(data) } = session;
  return sealText(ring, { ...header }, text);
}

/**
 * Opens a sealed session; `null` where no key fits, where it was changed, where it is something else than a
 * session, or where it was made for another issuer or client.
 */
export function openSession(
  ring: KeyRing,
  party: Party,
  value: string,
): Awaitable<StoredSession | null> {
  return andThen(openText(ring, value), (opened) =>
    opened === null ? null : readSession(opened, party),
  );
}

function readSession({ header, text }: OpenedText, party: Party): StoredSession | null {
  if (!isSessionHeader(header)) return null;
  const { issuer, client } = header;
  if (issuer !== undefined && issuer !== party.issuer) return null;
  if (client !== undefined && client !== party.client) return null;
  const data = parse(text);
  return isSessionData(data) ? { header, data, text } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
