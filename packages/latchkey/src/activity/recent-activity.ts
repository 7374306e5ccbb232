import { nowSeconds, type Runtime } from "../config/runtime.ts";
import { isJSONObject } from "../crypto/json-object.ts";
import { openJSON, sealJSON } from "../crypto/jwe.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
import type { Store } from "../stores/store.ts";
import { type ActivityEntry, isActivityEntry } from "./activity-entry.ts";

/**
 * What has happened to the sign-ins of each person lately: one sealed text a person, of bounded
 * size and life.
 */
export interface RecentActivity {
  /**
   * Changes the activity of a user in the background: no request waits for it, and its failure
   * affects nothing else. Changes of one user at the same time are written together.
   *
   * @param change - called again if another instance wrote meanwhile
   */
  change(subTag: string, change: ChangeEntries): void;
  /** The events of a person, at most thirty days old, newest first. */
  list(subTag: string): Promise<readonly ActivityEntry[]>;
}

/** @param now - epoch seconds */
export type ChangeEntries = (
  entries: readonly ActivityEntry[],
  now: number,
) => readonly ActivityEntry[];

export interface RecentActivityOptions extends Pick<Runtime, "background" | "clock"> {
  readonly store: Store;
  readonly keys: () => KeyRing;
}

/** More than are shown: what is to come may be taken back. */
const entriesAtMost = 20;
const keptSeconds = 30 * 86_400;
/** This many instances may write for one user at the same moment; beyond it an event is lost. */
const triesAtMost = 20;

export function createRecentActivity(options: RecentActivityOptions): RecentActivity {
  const { store, background } = options;
  const waiting = new Map<string, ChangeEntries[]>();
  const underWay = new Map<string, Promise<void>>();

  async function writeAll(subTag: string): Promise<void> {
    // Changes at the same time are written together.
    await Promise.resolve();
    for (let changes = waiting.get(subTag); changes !== undefined; changes = waiting.get(subTag)) {
      waiting.delete(subTag);
      const together = changes;
      const change: ChangeEntries = (entries, now) =>
        together.reduce((changed, each) => each(changed, now), entries);
      // Changes made meanwhile are written afterwards, also if this fails.
      // oxlint-disable-next-line no-await-in-loop -- see above
      await write(options, subTag, change).catch(() => undefined);
    }
    underWay.delete(subTag);
  }

  return {
    change(subTag, change) {
      waiting.set(subTag, [...(waiting.get(subTag) ?? []), change]);
      if (underWay.has(subTag)) return;
      const writing = writeAll(subTag);
      underWay.set(subTag, writing);
      background.run("recent activity", writing);
    },
    async list(subTag) {
      await underWay.get(subTag);
      const [text = null] = await store.get([keyOf(subTag)]);
      return prune(openEntries(options, subTag, text), nowSeconds(options));
    },
  };
}

/** Writes by compare-and-set, and again if another instance was quicker. */
async function write(
  options: RecentActivityOptions,
  subTag: string,
  change: ChangeEntries,
): Promise<void> {
  const { store } = options;
  const key = keyOf(subTag);
  for (let tries = 0; tries < triesAtMost; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    const [before = null] = await store.get([key]);
    const entries = openEntries(options, subTag, before);
    const now = nowSeconds(options);
    const changed = change(entries, now);
    if (changed === entries) return;
    const text = sealEntries(options, subTag, prune(changed, now));
    const until = now + keptSeconds;
    // oxlint-disable-next-line no-await-in-loop -- see above
    const written = await (before === null
      ? store.add(key, text, until)
      : store.swap(key, before, text, until));
    if (written === true || written === "done") return;
  }
}

function keyOf(subTag: string): string {
  return `activity|${subTag}`;
}

function prune(entries: readonly ActivityEntry[], now: number): readonly ActivityEntry[] {
  return entries
    .filter(({ at }) => at > now - keptSeconds)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, entriesAtMost);
}

/**
 * The text names its user, so its events cannot be given to another user by a write to the store.
 */
function sealEntries(
  { keys }: RecentActivityOptions,
  subTag: string,
  entries: readonly ActivityEntry[],
): string {
  return sealJSON(keys(), { of: subTag, entries });
}

/** An unreadable text is forgotten: another version or a removed secret may have written it. */
function openEntries(
  { keys }: RecentActivityOptions,
  subTag: string,
  text: string | null,
): readonly ActivityEntry[] {
  const content = text === null ? null : openJSON(keys(), text);
  if (!isJSONObject(content) || content["of"] !== subTag) return [];
  const { entries } = content;
  return Array.isArray(entries) ? entries.filter(isActivityEntry) : [];
}
