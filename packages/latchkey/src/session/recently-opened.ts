import { type SealedJWE, tagLength } from "../crypto/jwe-header.ts";
import type { OpenedText } from "../crypto/sealed-text.ts";

/**
 * Cookies that were opened or sealed a short while ago.
 *
 * A browser brings one cookie with several requests, and the one that it was given last with the next. What was
 * authenticated once need not be decrypted again: the very same text has the very same content. Whether the session
 * still lives is asked anew each time.
 */
export interface RecentlyOpened {
  of(value: string): OpenedText | undefined;
  keep(sealed: SealedJWE, opened: OpenedText): void;
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
  readonly value: string;
  readonly opened: OpenedText;
}

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

  function keep({ value, tag }: SealedJWE, opened: OpenedText): void {
    beginGenerationIfDue();
    recent.set(tag, { value, opened });
    characters += value.length;
  }

  return {
    keep,
    of(value) {
      beginGenerationIfDue();
      // The tag finds the entry, and then the whole of it is compared: to take the whole as a key takes longer.
      const tag = value.slice(-tagLength);
      const found = recent.get(tag) ?? former.get(tag);
      if (found?.value !== value) return undefined;
      if (!recent.has(tag)) keep({ value, tag }, found.opened);
      return found.opened;
    },
  };
}
