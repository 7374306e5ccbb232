import { fullJitterMs } from "../../time/back-off.ts";
import type { Outage, StoreFault } from "../../telemetry/log-event.ts";

export interface ProbingBreakerOptions {
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** A number from 0 to less than 1. */
  readonly fraction: () => number;
  /** Reads something small from the store; rejects after the time limit at the latest. */
  readonly probe: () => Promise<unknown>;
  readonly onOpen: (fault: StoreFault) => void;
  readonly onClose: (outage: Outage) => void;
}

const failuresToOpen = 5;
const backOff = { baseMs: 100, capMs: 500 };
/**
 * If no probe settles within this time, the next operation acts as the probe: some runtimes keep no
 * timer beyond its request.
 */
const overdueMs = 2000;

/**
 * A circuit breaker that closes itself: it refuses operations immediately while the store is down.
 * One probe at a time checks for its return, after waits with full jitter; the first success closes
 * the breaker.
 */
export function createProbingBreaker(options: ProbingBreakerOptions) {
  const { clock, onOpen, onClose } = options;
  let failuresInARow = 0;
  let recoveries = 0;
  let outage: { readonly since: number; failures: number; readonly probing: Probing } | null = null;

  function open(fault: StoreFault): void {
    outage = {
      since: clock(),
      failures: failuresInARow,
      probing: probeUntilAnswered(options, close),
    };
    onOpen(fault);
  }

  function close(): void {
    failuresInARow = 0;
    if (outage === null) return;
    const { failures, since, probing } = outage;
    probing.stop();
    outage = null;
    recoveries += 1;
    onClose({ failures, durationMs: Math.round(clock() - since) });
  }

  return {
    /** Whether an operation may go to the store now. */
    admits(): boolean {
      if (outage === null || outage.probing.isOverdue()) return true;
      outage.failures += 1;
      return false;
    },
    isOpen: () => outage !== null,
    /** How often it has closed after an outage. */
    get recoveries(): number {
      return recoveries;
    },
    succeeded: close,
    /**
     * @param begunAfter - the recoveries when the operation began. An operation from an earlier
     *   outage says nothing about now.
     */
    failed(fault: StoreFault, begunAfter: number): void {
      if (begunAfter !== recoveries) return;
      failuresInARow += 1;
      if (outage !== null) outage.failures += 1;
      else if (failuresInARow >= failuresToOpen) open(fault);
    },
    stop: () => outage?.probing.stop(),
  };
}

type Probing = ReturnType<typeof probeUntilAnswered>;

/** Probes one after the other, with waits by full jitter between them, until one succeeds. */
function probeUntilAnswered(
  { clock, fraction, probe }: ProbingBreakerOptions,
  onAnswer: () => void,
) {
  let failures = 0;
  let overdueAt = 0;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(): void {
    failures += 1;
    const waitMs = fullJitterMs(failures, backOff, fraction());
    overdueAt = clock() + waitMs + overdueMs;
    timer = setTimeout(() => void ask(), waitMs);
    // The process may end meanwhile.
    if (typeof timer === "object") timer.unref();
  }

  async function ask(): Promise<void> {
    try {
      await probe();
      if (!isStopped) onAnswer();
    } catch {
      if (!isStopped) wait();
    }
  }

  wait();
  return {
    /** Whether no probe has come to a result for long; then the next operation is the probe. */
    isOverdue(): boolean {
      const now = clock();
      if (now <= overdueAt) return false;
      overdueAt = now + overdueMs;
      return true;
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
