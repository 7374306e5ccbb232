import type { OpenedText } from "../crypto/key-ring.ts";

/** Characters of the authentication tag, which ends the text. */
const tagLength = 22;

/**
 * Sealed texts that were opened a short while ago, and more than once.
 *
 * A page that opens brings one cookie with several requests; where sessions are renewed now and then only, it comes with
 * all requests until then. What was authenticated twice need not be decrypted a third time: the very same text has the
 * very same content. Whether the session still lives is asked anew each time.
 */
export interface RecentlyOpened {
  of(sealed: string): OpenedText | undefined;
  /** Remembers what was opened from the second time on: most texts of sessions that roll come but once. */
  keep(sealed: string, opened: OpenedText): void;
}

export interface RecentlyOpenedParts {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Characters of sealed text that one generation holds; there are two. */
  readonly charactersAtMost: number;
  /** How long a generation lasts, in milliseconds. What is not asked for is forgotten after two. */
  readonly generationMs: number;
}

interface Kept {
  readonly sealed: string;
  readonly opened: OpenedText;
}

export function createRecentlyOpened(parts: RecentlyOpenedParts): RecentlyOpened {
  const { clock, charactersAtMost, generationMs } = parts;
  const isSecondTime = createSightings();
  let recent = new Map<string, Kept>();
  let former = new Map<string, Kept>();
  let since = clock();
  let characters = 0;

  function beginGenerationIfDue(): void {
    const age = clock() - since;
    if (age < generationMs && characters < charactersAtMost) return;
    former = age < 2 * generationMs ? recent : new Map();
    recent = new Map();
    since += age;
    characters = 0;
  }

  function remember(tag: string, kept: Kept): void {
    recent.set(tag, kept);
    characters += kept.sealed.length;
  }

  return {
    of(sealed) {
      beginGenerationIfDue();
      // The tag tells a text from all others, and then the whole is compared: a key of its length would take longer.
      const tag = sealed.slice(-tagLength);
      const found = recent.get(tag) ?? former.get(tag);
      if (found?.sealed !== sealed) return undefined;
      if (!recent.has(tag)) remember(tag, found);
      return found.opened;
    },
    keep(sealed, opened) {
      const tag = sealed.slice(-tagLength);
      if (isSecondTime(tag)) remember(tag, { sealed, opened });
    },
  };
}

/** The last thousand tags that were seen, by a few letters of each: enough to know most of them again. */
const sightings = 1024;

function createSightings(): (tag: string) => boolean {
  const seen = new Uint32Array(sightings);
  return (tag) => {
    const print = fingerprint(tag);
    const place = print % sightings;
    if (seen[place] === print) return true;
    seen[place] = print;
    return false;
  };
}

/** Four letters of a tag, seven bits each. */
function fingerprint(tag: string): number {
  let print = 0;
  for (let place = 0; place < 4; place += 1) print = (print << 7) | (tag.charCodeAt(place) & 127);
  return print;
}
