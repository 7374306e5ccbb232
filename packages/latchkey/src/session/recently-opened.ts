import type { OpenedText } from "../crypto/sealed-text.ts";

/**
 * Cookies that were opened or sealed a short while ago.
 *
 * A browser brings one cookie with several requests, and the one that it was given last with the next. What was
 * authenticated once need not be decrypted again: the very same text has the very same content. Whether the session
 * still lives is asked anew each time.
 */
export interface RecentlyOpened {
  of(sealed: string): OpenedText | undefined;
  /** Returns the sealed text. */
  keep(sealed: string, opened: OpenedText): string;
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

/** The authentication tag ends a sealed text, and is its fingerprint: to look at the whole of it takes longer. */
const tagLength = 22;

export function createRecentlyOpened(parts: RecentlyOpenedParts): RecentlyOpened {
  const { clock, charactersAtMost, generationMs } = parts;
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

  function keep(sealed: string, opened: OpenedText): string {
    beginGenerationIfDue();
    recent.set(sealed.slice(-tagLength), { sealed, opened });
    characters += sealed.length;
    return sealed;
  }

  return {
    keep,
    of(sealed) {
      beginGenerationIfDue();
      const tag = sealed.slice(-tagLength);
      const found = recent.get(tag) ?? former.get(tag);
      if (found?.sealed !== sealed) return undefined;
      if (!recent.has(tag)) keep(sealed, found.opened);
      return found.opened;
    },
  };
}
