import { type BackOff, fullJitterMs } from "../../../time/back-off.ts";
import type { Runtime } from "../../../config/runtime.ts";
import type { Reason } from "../../../errors/reasons.ts";
import { Refusal } from "../../../errors/refusal.ts";

/**
 * Remembers a failing part of the provider, so that not every request fails by itself.
 * Closed: it works. Open: no call is made. Half-open: it failed, and the next call may try again.
 */
export interface CircuitBreaker {
  state(): "closed" | "open" | "half-open";
  /** How often it has closed after an outage. */
  recoveries(): number;
  /** The known failure, with the seconds to wait; `null` if the breaker is closed. */
  refusal(): Refusal | null;
  /**
   * Opens for the time in `Retry-After`, else for a random time that grows.
   *
   * @param recoveries - their count when the call began. A call from an earlier outage says nothing
   *   about now.
   */
  failed(refusal: Refusal, recoveries: number): void;
  succeeded(): void;
}

export interface CircuitBreakerOptions extends Pick<Runtime, "clock" | "fraction"> {
  readonly backOff: BackOff;
  /** Failures in a row before the breaker opens. `Retry-After` is obeyed after the first. */
  readonly opensAfter: number;
  /** Called when the breaker opens. The returned function is called when it closes. */
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
    // A clock set back must not keep the breaker open.
    return sinceMs < 0 ? 0 : openForMs - sinceMs;
  }

  return {
    state() {
      if (last === null) return "closed";
      return leftMs() > 0 ? "open" : "half-open";
    },
    recoveries: () => recoveries,
    refusal() {
      if (last === null) return null;
      const retryAfterSeconds = Math.max(1, Math.ceil(leftMs() / 1000));
      return new Refusal(last.fault, { cause: last, detail: last.detail, retryAfterSeconds });
    },
    failed(refusal, begunAfter) {
      if (begunAfter !== recoveries) return;
      // A call from before the breaker opened says nothing new.
      if (last !== null && leftMs() > 0) return;
      failures += 1;
      const { retryAfterSeconds } = refusal;
      if (failures < opensAfter && retryAfterSeconds === undefined) return;
      const rounds = Math.max(1, failures - opensAfter + 1);
      openForMs =
        retryAfterSeconds === undefined
          ? fullJitterMs(rounds, backOff, fraction())
          : retryAfterSeconds * 1000;
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
