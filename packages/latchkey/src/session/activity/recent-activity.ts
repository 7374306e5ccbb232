import type { Runtime } from "../../config/runtime.ts";
import { isJSONObject } from "../../crypto/json-object.ts";
import { openJSON, sealJSON } from "../../crypto/jwe.ts";
import type { KeyRing } from "../../crypto/key-ring.ts";
import type { Store } from "../../stores/store.ts";
import { type ActivityEntry, isActivityEntry } from "./activity-entry.ts";

/** What has happened to the sign-ins of each person lately: one sealed text a person, of bounded size and life. */
export interface RecentActivity {
  /**
   * Changes what is kept of a person, in the background: nobody waits for it, and where it fails nothing else does, not
   * even the clock. Changes of one person that come together are written together.
   *
   * @param change - called again where another instance has written meanwhile
   */
  change(subTag: string, change: ChangeEntries): void;
  /** The events of a person, at most thirty days old, newest first; also those that are to come. */
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
/** So many instances may write for one person at the same moment; beyond that an event is lost, and nothing else. */
const triesAtMost = 20;

export function createRecentActivity(options: RecentActivityOptions): RecentActivity {
  const { store, background } = options;
  const waiting = new Map<string, ChangeEntries[]>();
  const underWay = new Map<string, Promise<void>>();

  async function writeAll(subTag: string): Promise<void> {
    // Changes that are told together are written together.
    await Promise.resolve();
    for (let changes = waiting.get(subTag); changes !== undefined; changes = waiting.get(subTag)) {
      waiting.delete(subTag);
      const together = changes;
      const change: ChangeEntries = (entries, now) =>
        together.reduce((changed, each) => each(changed, now), entries);
      // What came meanwhile is written afterwards, also where this fails.
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
      return pruned(opened(options, subTag, text), nowSeconds(options));
    },
  };
}

/** By compare-and-set, and again where another instance was quicker. */
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
    const entries = opened(options, subTag, before);
    const now = nowSeconds(options);
    const changed = change(entries, now);
    if (changed === entries) return;
    const text = sealed(options, subTag, pruned(changed, now));
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

function nowSeconds({ clock }: RecentActivityOptions): number {
  return Math.floor(clock() / 1000);
}

function pruned(entries: readonly ActivityEntry[], now: number): readonly ActivityEntry[] {
  return entries
    .filter(({ at }) => at > now - keptSeconds)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, entriesAtMost);
}

/** The text names its person: whoever writes to the store can give nobody the events of another. */
function sealed(
  { keys }: RecentActivityOptions,
  subTag: string,
  entries: readonly ActivityEntry[],
): string {
  return sealJSON(keys(), { of: subTag, entries });
}

/** What cannot be read is forgotten: another version may have written it, or a secret that is gone. */
function opened(
  { keys }: RecentActivityOptions,
  subTag: string,
  text: string | null,
): readonly ActivityEntry[] {
  const content = text === null ? null : openJSON(keys(), text);
  if (!isJSONObject(content) || content["of"] !== subTag) return [];
  const { entries } = content;
  return Array.isArray(entries) ? entries.filter(isActivityEntry) : [];
}
