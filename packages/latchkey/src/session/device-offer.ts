/** What a browser is given to bind a session to its device (decision 0141). */
import { isJSONObject, type JSONObject } from "../crypto/json-object.ts";
import { openJSON, sealJSON } from "../crypto/jwe.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
import { isMACOf, macOf } from "../crypto/mac.ts";
import type { MarkedSession } from "./marks/ended-list.ts";

/** What decides whether a session has ended. */
export interface BoundSession extends MarkedSession {
  /** When it ends at the latest, in epoch seconds. */
  readonly end: number;
}

/** The public key of a device, and its session. */
export interface RegisteredKey extends BoundSession {
  readonly jwk: JSONObject;
}

/**
 * Texts that a browser carries between its requests, so that nothing is stored. The challenges are
 * short: `<value>.….<MAC>`, for the browser alone. The address of a refresh is sealed, since logs
 * keep addresses.
 */
export interface DeviceOffers {
  /** A challenge to register a key for a session, good for five minutes. */
  offer(session: BoundSession, nowSeconds: number): string;
  openOffer(challenge: string, nowSeconds: number): BoundSession | null;
  keep(key: RegisteredKey): string;
  openKept(text: string): RegisteredKey | null;
  /** A challenge to prove the key of a session again, good for a quarter of an hour. */
  challenge(id: string, nowSeconds: number): string;
  isCurrent(challenge: string, id: string, nowSeconds: number): boolean;
}

export interface DeviceOfferOptions {
  /** The app at one host. Another one refuses these texts, even if it has the same secret. */
  readonly app: string;
  readonly sealing: () => KeyRing;
  /** Texts begin with what they are for: none passes for another, nor for the cookie of a proof. */
  readonly macs: () => KeyRing;
}

const offerSeconds = 300;
const challengeSeconds = 900;

export function createDeviceOffers({ app, sealing, macs }: DeviceOfferOptions): DeviceOffers {
  const offerText = (text: string) => `offer ${app} ${text}`;

  return {
    offer(session, now) {
      const text = `${now}.${formatSession(session)}`;
      return `${text}.${macOf(macs(), offerText(text))}`;
    },
    openOffer(challenge, now) {
      const [, text = "", mac = ""] = /^(.*)\.([\w-]*)$/.exec(challenge) ?? [];
      if (!isMACOf(macs(), offerText(text), mac)) return null;
      const [issued, ...session] = text.split(".");
      return now < Number(issued) + offerSeconds ? parseSession(session) : null;
    },
    keep: (key) => sealJSON(sealing(), { app, key }),
    openKept(text) {
      const opened = openJSON(sealing(), text);
      return isJSONObject(opened) && opened["app"] === app
        ? (opened["key"] as RegisteredKey)
        : null;
    },
    challenge: (id, now) => `${now}.${macOf(macs(), challengeText(id, now))}`,
    isCurrent(challenge, id, now) {
      const [issued = "", mac = "", ...others] = challenge.split(".");
      return (
        others.length === 0 &&
        now < Number(issued) + challengeSeconds &&
        isMACOf(macs(), challengeText(id, issued), mac)
      );
    },
  };
}

const challengeText = (id: string, issued: number | string) => `challenge ${issued} ${id}`;

/** Names of sessions and connections have no dots; times are whole. */
function formatSession(session: BoundSession): string {
  const { id, subTag, sidTag, connection, iat, started, issued, end } = session;
  return [id, subTag, sidTag, connection, iat, started, issued, end].join(".");
}

/** Reads what {@link formatSession} has written, after its MAC was verified. */
function parseSession(values: readonly string[]): BoundSession {
  const [id = "", subTag = "", sidTag, connection, iat, started, issued, end] = values;
  return {
    id,
    subTag,
    sidTag: sidTag || undefined,
    connection: connection || undefined,
    iat: Number(iat),
    started: started ? Number(started) : undefined,
    issued: issued ? Number(issued) : undefined,
    end: Number(end),
  };
}
