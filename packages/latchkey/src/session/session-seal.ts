import { andThen, type Awaitable } from "../awaitable.ts";
import { type KeyRing, type OpenedText, openText, sealText } from "../crypto/key-ring.ts";
import type { Party } from "./ended-list.ts";
import type { RecentlyOpened } from "./recently-opened.ts";
import { isSessionData, isSessionHeader, type StoredSession } from "./session.ts";
import { personTag } from "./stored-keys.ts";

/** Makes a sealed text of a session, and a session of a sealed text. */
export interface SessionSeal {
  /** The header stays readable but cannot be changed, the data cannot be read. */
  seal(session: StoredSession): Awaitable<string>;
  /**
   * `null` where no key fits, where the text was changed, where it is something else than a session, or where it was
   * made for another issuer or client.
   */
  open(sealed: string): Awaitable<StoredSession | null>;
}

export interface SessionSealParts {
  readonly keys: () => KeyRing;
  readonly party: Party;
  readonly recent: RecentlyOpened;
}

export function createSessionSeal({ keys, party, recent }: SessionSealParts): SessionSeal {
  return {
    seal({ header, data, text = JSON.stringify(data) }) {
      return sealText(keys(), header, text);
    },
    open(sealed) {
      const known = recent.of(sealed);
      if (known !== undefined) return readSession(known, party);
      const opened = openText(keys(), sealed);
      if (typeof opened === "string") return null;
      recent.keep(sealed, opened);
      return readSession(opened, party);
    },
  };
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
function named({ header, ...content }: StoredSession, party: Party): Awaitable<StoredSession> {
  return andThen(personTag(party, content.data.user.sub), (tag) => ({
    header: { ...header, id: `${tag}.${header.iat}` },
    ...content,
  }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
