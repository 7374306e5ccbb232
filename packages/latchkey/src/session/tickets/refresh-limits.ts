import { fullJitterMs } from "../../back-off.ts";
import type { Runtime } from "../../config/runtime.ts";

/** Keeps refreshes that need not be made now from the provider. */
export interface RefreshLimits {
  /** `false` where so many refreshes are under way that another has to wait. */
  enter(): boolean;
  leave(): void;
  /** No usable answer came: refreshes that can wait begin later, and later still if the next one fails too. */
  failed(): void;
  succeeded(): void;
  /**
   * Whether a session whose token is still good should start now. Alone it starts when the margin begins; in a crowd
   * of sessions whose tokens end together each has a moment of its own.
   *
   * @param name of the session's ticket, as good as random
   * @param secondsInMargin since the margin began
   */
  isTurnOf(name: string, secondsInMargin: number): boolean;
}

const callsAtMost = 32;
const spreadSeconds = 20;
const backOff = { baseMs: 2000, capMs: 30_000 };

type Given = Pick<Runtime, "clock" | "fraction">;

export function createRefreshLimits({ clock, fraction }: Given): RefreshLimits {
  let running = 0;
  /** When the last refreshes began, oldest first. */
  const begun: number[] = [];
  let failures = 0;
  let pausedUntil = 0;

  function isCrowd(): boolean {
    const [oldest = 0] = begun;
    return begun.length === callsAtMost && clock() - oldest < spreadSeconds * 1000;
  }

  return {
    enter() {
      if (running >= callsAtMost) return false;
      running += 1;
      begun.push(clock());
      if (begun.length > callsAtMost) begun.shift();
      return true;
    },
    leave() {
      running -= 1;
    },
    failed() {
      failures += 1;
      pausedUntil = clock() + fullJitterMs(failures, backOff, fraction());
    },
    succeeded() {
      failures = 0;
      pausedUntil = 0;
    },
    isTurnOf(name, secondsInMargin) {
      if (clock() < pausedUntil) return false;
      return !isCrowd() || secondsInMargin >= momentOf(name);
    },
  };
}

/** The moment of a session, from 0 to {@link spreadSeconds}. */
function momentOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) % 1000;
  return (sum / 1000) * spreadSeconds;
}
