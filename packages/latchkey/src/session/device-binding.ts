/** Sessions that are bound to the device of their sign-in (decision 0141). */
import { sha256 } from "../crypto/digest.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { type CookieAttributes, type Cookies, lastUseName } from "../http/cookies.ts";
import { isPageLoad, isPostedPage } from "../http/fetch-metadata.ts";
import { cookieName, type HeaderList } from "../http/headers.ts";
import { createDeviceCookie, type DeviceCookie, proofSeconds } from "./device-cookie.ts";
import { createDeviceOffers, type DeviceOffers } from "./device-offer.ts";
import { latestEnd, type LifetimeOf } from "./lifetime.ts";
import type { SessionHeader, StoredSession } from "./session.ts";

/** What a response does to the cookies of a session, and the session in them. */
export interface CommittedSession {
  readonly setCookies: readonly string[];
  readonly stored?: StoredSession;
}

export interface DeviceBinding {
  /** Whether a session without a proof counts for nothing, or is reported only. */
  readonly isEnforced: boolean;
  /** One for each app and browser: apps at sister hosts would replace each other's. */
  readonly identifier: string;
  readonly cookie: DeviceCookie;
  readonly offers: DeviceOffers;
  /**
   * By when copies of a session end at the latest, as its key is not proved any more; `null` if it
   * is not bound, or that does not matter.
   */
  endOfCopies(header: SessionHeader, nowSeconds: number): number | null;
  /** Whether a request proves a key for a session that is not bound yet. */
  isNewlyProved(header: SessionHeader, cookies: Cookies, nowSeconds: number): boolean;
  /**
   * The header that offers a page to register a key, whenever its session is sealed; none for a
   * bound session, which never changes its key.
   */
  offerTo(request: HostRequest, committed: CommittedSession, nowSeconds: number): HeaderList;
}

export interface DeviceBindingOptions {
  readonly session: {
    readonly name: string;
    readonly cookie: CookieAttributes;
    readonly deviceBound: "observe" | "enforce";
  };
  readonly lifetimeOf: LifetimeOf;
  readonly baseURL: string;
  /** Path of the route that registers keys and renews proofs, with the base path. */
  readonly path: string;
  readonly algorithms: readonly string[];
  readonly macKeys: () => KeyRing;
  readonly sealingKeys: () => KeyRing;
}

export function createDeviceBinding(options: DeviceBindingOptions): DeviceBinding {
  const { session, path, algorithms, macKeys: macs, sealingKeys: sealing } = options;
  const cookie = createDeviceCookie({ keys: macs, session });
  const identifier = sha256(`${options.baseURL} ${cookie.name}`).slice(0, 22);
  const offers = createDeviceOffers({ app: identifier, sealing, macs });
  const ofUse = lastUseName(session.name);

  const isSealed = ({ setCookies }: CommittedSession) =>
    setCookies.some((each) => cookieName(each) !== ofUse);

  return {
    isEnforced: session.deviceBound === "enforce",
    identifier,
    cookie,
    offers,
    endOfCopies: ({ deviceKey }, now) =>
      session.deviceBound === "enforce" && deviceKey !== undefined ? now + proofSeconds : null,
    isNewlyProved: (header, cookies, now) => cookie.newKey(header, cookies, now) !== null,
    offerTo(request, committed, now) {
      const { stored } = committed;
      if (stored === undefined || !isForTab(request) || !isSealed(committed)) return [];
      if (stored.header.deviceKey !== undefined) return [];
      const end = latestEnd(stored.header, options.lifetimeOf(stored.header));
      const challenge = offers.offer({ ...stored.header, end }, now);
      const value = `(${algorithms.join(" ")});path="${path}";challenge="${challenge}"`;
      return [["Secure-Session-Registration", value]];
    },
  };
}

function isForTab(request: HostRequest): boolean {
  return isPageLoad(request) || isPostedPage(request);
}
