import { type Activity, type Device, referenceOf } from "latchkey";

/** What is known of the sign-ins of a user before the list of devices is read. */
export interface KnownSignIns {
  /** Newest first. */
  readonly activity: readonly Activity[];
  /** When the sign-in of this session began, epoch seconds. */
  readonly startedAt: number;
  /** The browsers that the user has recognized here, as in `Activity`. */
  readonly recognized: readonly string[];
}

/** The engine lists the last ten events: a full list may have lost some. */
const fullList = 10;

/** Whether the list of devices may have a new sign-in: only then is it worth a read. */
export function mayHaveNewSignIn(known: KnownSignIns): boolean {
  const { activity, startedAt } = known;
  const isCut = activity.length >= fullList && activity.every(({ at }) => at > startedAt);
  return isCut || unknownSignIns(known).some((signIn) => !hasEnded(signIn, activity));
}

/**
 * The devices with a new sign-in, newest first: later than that of this browser, in another one,
 * and not recognized.
 */
export function newSignIns(known: KnownSignIns, devices: readonly Device[]): readonly Device[] {
  const { activity, startedAt, recognized } = known;
  const unknown = new Set(unknownSignIns(known).map(({ reference }) => reference));
  const listed = activity.filter(isSignIn).map(({ reference }) => reference);
  const isNew = ({ id, startedAt: at }: Device) => {
    const reference = referenceOf(id);
    const isLater = listed.includes(reference) ? unknown.has(reference) : at > startedAt;
    return isLater && !recognized.includes(reference);
  };
  // The list of events has the order of sign-ins in one second; the oldest ones are not in it.
  const placeOf = ({ id }: Device) => {
    const place = listed.indexOf(referenceOf(id));
    return place === -1 ? listed.length : place;
  };
  return devices
    .filter((device) => !device.isCurrent && isNew(device))
    .toSorted((one, other) => placeOf(one) - placeOf(other) || other.startedAt - one.startedAt);
}

/** The browser of a device, as the user recognizes it. */
export function browserOf(id: string, activity: readonly Activity[]): string {
  const reference = referenceOf(id);
  return (
    activity.filter(isSignIn).find((each) => each.reference === reference)?.browser ?? reference
  );
}

/**
 * Sign-ins after the first one in this browser, in browsers that have none before it. Their order
 * counts: moments have whole seconds.
 */
function unknownSignIns({ activity, startedAt, recognized }: KnownSignIns): readonly Activity[] {
  const signIns = activity.filter(isSignIn);
  const here = activity.find(({ isCurrent }) => isCurrent)?.browser;
  const own = signIns.findLastIndex(({ browser }) => browser === here);
  const later = own === -1 ? signIns.filter(({ at }) => at > startedAt) : signIns.slice(0, own);
  const before = signIns.slice(later.length).map(({ browser }) => browser);
  const known = new Set([here, ...recognized, ...before]);
  return later.filter(({ browser }) => !known.has(browser));
}

function isSignIn({ kind }: Activity): boolean {
  return kind === "signed-in";
}

function hasEnded(signIn: Activity, activity: readonly Activity[]): boolean {
  return activity
    .slice(0, activity.indexOf(signIn))
    .some(
      ({ kind, browser }) =>
        browser === signIn.browser && (kind === "expired" || kind.startsWith("signed-out")),
    );
}
