/** What a browser is given to bind a session to its device (decision 0141). */
import { isJSONObject, type JSONObject } from "../crypto/json-object.ts";
import { openJSON, sealJSON } from "../crypto/jwe.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
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
 * Sealed texts that a browser carries between its requests, so that nothing is stored: the
 * challenge of a registration, the address of a refresh and the challenge of a refresh.
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

const offerSeconds = 300;
const challengeSeconds = 900;

/** @param keys - of their own: a text sealed for another purpose does not open */
export function createDeviceOffers(keys: () => KeyRing): DeviceOffers {
  const seal = (use: Use, value: object) => sealJSON(keys(), { use, ...value });

  function open(use: Use, text: string): JSONObject | null {
    const opened = openJSON(keys(), text);
    return isJSONObject(opened) && opened["use"] === use ? opened : null;
  }

  const isFresh = ({ issued }: JSONObject, seconds: number, now: number) =>
    typeof issued === "number" && now < issued + seconds;

  return {
    offer: (session, now) => seal("offer", { session, issued: now }),
    openOffer(challenge, now) {
      const opened = open("offer", challenge);
      return opened !== null && isFresh(opened, offerSeconds, now)
        ? (opened["session"] as BoundSession)
        : null;
    },
    keep: (key) => seal("key", { key }),
    openKept: (text) => (open("key", text)?.["key"] ?? null) as RegisteredKey | null,
    challenge: (id, now) => seal("challenge", { id, issued: now }),
    isCurrent(challenge, id, now) {
      const opened = open("challenge", challenge);
      return opened?.["id"] === id && isFresh(opened, challengeSeconds, now);
    },
  };
}

type Use = "offer" | "key" | "challenge";
