import { andThen, type Awaitable } from "../awaitable.ts";
import type { KeyRing } from "../crypto/keys.ts";
import { type OpenedText, openText, sealText } from "../crypto/sealed-text.ts";
import type { Party } from "./ended-list.ts";
import { isSessionData, isSessionHeader, type StoredSession } from "./session.ts";
import { personTag } from "./stored-keys.ts";

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

function readSession({ header, text }: OpenedText, party: Party): Awaitable<StoredSession | null> {
  if (!isSessionHeader(header)) return null;
  const { issuer, client } = header;
  if (issuer !== undefined && issuer !== party.issuer) return null;
  if (client !== undefined && client !== party.client) return null;
  const data = parse(text);
  if (!isSessionData(data)) return null;
  return header.id === undefined ? named({ header, data, text }, party) : { header, data, text };
}

/** A session made elsewhere has no id: it gets one that all its copies share, so that its end can be remembered. */
async function named({ header, ...content }: StoredSession, party: Party): Promise<StoredSession> {
  const tag = await personTag(party, content.data.user.sub);
  return { header: { ...header, id: `${tag}.${header.iat}` }, ...content };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
