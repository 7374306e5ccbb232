import { isJSONObject, isListOfTexts } from "../crypto/json-object.ts";
import type { DeviceTrace } from "../session/device-trace.ts";

const kinds = [
  "signed-in",
  /** The person signed out there. */
  "signed-out",
  /** The person ended it on another device: alone, with those on all others, or with all. */
  "signed-out-elsewhere",
  "signed-out-others",
  "signed-out-everywhere",
  "signed-out-by-provider",
  "signed-out-by-operator",
  /** The provider has shown a reason to refuse the user. */
  "signed-out-by-app",
  /** It was bound to a device, and the browser of the next sign-in did not prove that it is it. */
  "signed-out-unproved",
  /** It was not used for too long, or was too old. */
  "expired",
  /** The provider has proved who it was, and the app has refused them. */
  "sign-in-refused",
  /** The provider has refused to renew the access to other services. */
  "refresh-refused",
] as const;

/** What can happen to the sign-ins of a person. */
export type ActivityKind = (typeof kinds)[number];

/** One event, as it is kept. */
export interface ActivityEntry {
  readonly kind: ActivityKind;
  /** Epoch seconds. */
  readonly at: number;
  /** Ids of its sessions; empty if it names none. */
  readonly sessions: readonly string[];
  /** Stands for the session at the provider; see `providerSessionTag`. */
  readonly sidTag?: string | undefined;
  /** The browser of a sign-in. Later events of the same session do not repeat it. */
  readonly device?: DeviceTrace | undefined;
  /** Of a sign-in: the id of its connection, if the app has several. */
  readonly connection?: string | undefined;
  /** Of a sign-in: the first session of its browser, if it replaced one; see `inBrowserOf`. */
  readonly first?: string | undefined;
  /** The session that ended it from another device. */
  readonly by?: string | undefined;
  /** The reference shown to the user. */
  readonly reference?: string | undefined;
}

/** Adds an entry: repeated events are kept once, and what happened together is one entry. */
export function withEntry(
  entries: readonly ActivityEntry[],
  entry: ActivityEntry,
): readonly ActivityEntry[] {
  if (isKnown(entries, entry)) return entries;
  const together = entries.find(
    ({ kind, at }) => entry.kind === "signed-out-others" && kind === entry.kind && at === entry.at,
  );
  if (together === undefined) return [entry, ...entries];
  const joined = { ...together, sessions: [...together.sessions, ...entry.sessions] };
  return entries.map((each) => (each === together ? joined : each));
}

/**
 * Several requests and instances report some events; a provider also reports ends that we started.
 */
function isKnown(entries: readonly ActivityEntry[], entry: ActivityEntry): boolean {
  const { kind } = entry;
  if (kind === "refresh-refused") {
    return entries.some((each) => each.kind === kind && sharesSession(each, entry));
  }
  if (kind !== "expired" && kind !== "signed-out-by-provider") return false;
  const signIn = entries.find((each) => each.kind === "signed-in" && sharesSession(each, entry));
  return entries.some((each) => isEnd(each) && sharesSession(each, signIn ?? entry));
}

function isEnd({ kind }: ActivityEntry): boolean {
  return kind === "expired" || kind.startsWith("signed-out");
}

/** The entries of one session with another device; what was done to several sessions has none. */
export function withDevice(
  entries: readonly ActivityEntry[],
  session: string,
  change: (device: DeviceTrace | undefined) => DeviceTrace | undefined,
): readonly ActivityEntry[] {
  return entries.map((entry) =>
    entry.sessions.length === 1 && entry.sessions[0] === session
      ? { ...entry, device: change(entry.device) }
      : entry,
  );
}

/**
 * The first of the sessions which replaced one another in one browser, for one more sign-in there.
 *
 * @param replaced - the session that the sign-in replaced; absent for a browser without one
 */
export function inBrowserOf(
  entries: readonly ActivityEntry[],
  replaced: string | undefined,
): Pick<ActivityEntry, "first"> {
  const before = entries.find(
    ({ kind, sessions }) => kind === "signed-in" && sessions[0] === replaced,
  );
  // A session of another user is not in the list.
  return before === undefined ? {} : { first: before.first ?? replaced };
}

/** Whether two entries are about one session, here or at the provider. */
export function sharesSession(one: ActivityEntry, other: ActivityEntry): boolean {
  if (one.sidTag !== undefined && one.sidTag === other.sidTag) return true;
  return one.sessions.some((session) => other.sessions.includes(session));
}

/**
 * Whether a member of an opened text is an entry: another version of the engine may have sealed it.
 */
export function isActivityEntry(value: unknown): value is ActivityEntry {
  if (!isJSONObject(value)) return false;
  const { kind, at, sessions } = value;
  return kinds.some((each) => each === kind) && Number.isSafeInteger(at) && isListOfTexts(sessions);
}
