import { type BackOff, fullJitterMs } from "../../back-off.ts";
import type { Runtime } from "../../config/runtime.ts";
import type { Reason } from "../../errors/reasons.ts";
import { Refusal } from "../../errors/refusal.ts";

/**
 * Remembers that something of the provider fails, so that not every request finds that out anew.
 *
 * Closed: it works. Open: nobody tries. Half-open: it failed, and may be tried again.
 */
export interface CircuitBreaker {
  readonly state: "closed" | "open" | "half-open";
  /** How often it has closed after an outage. */
  readonly recoveries: number;
  /** The failure as it is known, with the seconds to wait; `null` where it is closed. */
  refusal(): Refusal | null;
  /**
   * Opens for as long as the provider asked for, else for a random while that grows.
   *
   * @param recoveries as they were when the call began: one that ends after the outage in which it began tells
   *   nothing of now
   */
  failed(refusal: Refusal, recoveries: number): void;
  succeeded(): void;
}

export interface CircuitBreakerOptions extends Pick<Runtime, "clock" | "fraction"> {
  readonly backOff: BackOff;
  /** Failures in a row before it opens; a provider that says when to come again is obeyed after the first. */
  readonly opensAfter: number;
  /** Told when it opens after it worked; the result is called when it closes. */
  readonly onOpen: (refusal: Refusal) => () => void;
}

const outages: ReadonlySet<Reason> = new Set([
  "provider_busy",
  "provider_failed",
  "provider_timeout",
  "provider_unreachable",
] as const);

/** Whether the provider gave no usable response, in contrast to a wrong one. */
export function isOutage(error: unknown): error is Refusal {
  return error instanceof Refusal && outages.has(error.reason);
}

export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { backOff, opensAfter, clock, fraction, onOpen } = options;
  let failures = 0;
  let last: Refusal | null = null;
  let openedAt = 0;
  let openForMs = 0;
  let recoveries = 0;
  let onClose: () => void = () => undefined;

  function leftMs(): number {
    const sinceMs = clock() - openedAt;
    // A clock that was set back must not keep it open.
    return sinceMs < 0 ? 0 : openForMs - sinceMs;
  }

  return {
    get state() {
      if (last === null) return "closed";
      return leftMs() > 0 ? "open" : "half-open";
    },
    get recoveries() {
      return recoveries;
    },
    refusal() {
      if (last === null) return null;
      const retryAfterSeconds = Math.max(1, Math.ceil(leftMs() / 1000));
      return new Refusal(last.reason, { cause: last, detail: last.detail, retryAfterSeconds });
    },
    failed(refusal, begunAfter) {
      if (begunAfter !== recoveries) return;
      // What was under way when it opened tells nothing new.
      if (last !== null && leftMs() > 0) return;
      failures += 1;
      const asked = refusal.retryAfterSeconds;
      if (failures < opensAfter && asked === undefined) return;
      const rounds = Math.max(1, failures - opensAfter + 1);
      openForMs = asked === undefined ? fullJitterMs(rounds, backOff, fraction()) : asked * 1000;
      openedAt = clock();
      if (last === null) onClose = onOpen(refusal);
      last = refusal;
    },
    succeeded() {
      failures = 0;
      if (last === null) return;
      last = null;
      recoveries += 1;
      onClose();
    },
  };
}
