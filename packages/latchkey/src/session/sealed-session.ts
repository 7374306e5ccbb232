import type { KeyRing } from "../crypto/keys.ts";
import { openText, sealText } from "../crypto/sealed-text.ts";
import type { Party } from "./ended-list.ts";
import { isSessionData, isSessionHeader, type StoredSession } from "./session.ts";

/** Seals a session: the header stays readable but cannot be changed, the data cannot be read. */
export async function sealSession(ring: KeyRing, session: StoredSession): Promise<string> {
  const { header, data, text = JSON.stringify(data) } = session;
  return sealText(ring, { ...header }, text);
}

/**
 * Opens a sealed session; `null` where no key fits, where it was changed, where it is something else than a
 * session, or where it was made for another issuer or client.
 */
export async function openSession(
  ring: KeyRing,
  party: Party,
  value: string,
): Promise<StoredSession | null> {
  const opened = await openText(ring, value);
  if (opened === null || !isSessionHeader(opened.header)) return null;
  const { issuer, client } = opened.header;
  if (issuer !== undefined && issuer !== party.issuer) return null;
  if (client !== undefined && client !== party.client) return null;
  const data = parse(opened.text);
  const { header, text } = opened;
  return isSessionData(data) ? { header, data, text } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
