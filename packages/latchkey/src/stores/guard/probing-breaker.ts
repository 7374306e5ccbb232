import { fullJitterMs } from "../../back-off.ts";
import type { Outage, StoreFault } from "../../config/telemetry/log-event.ts";

export interface ProbingBreakerOptions {
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** A number from 0 to less than 1. */
  readonly fraction: () => number;
  /** Asks the store for something small; rejects after the deadline at the latest. */
  readonly probe: () => Promise<unknown>;
  readonly onOpen: (fault: StoreFault) => void;
  readonly onClose: (outage: Outage) => void;
}

const failuresToOpen = 5;
const backOff = { baseMs: 100, capMs: 500 };
/**
 * Where no probe has come to a result for so long, an operation is the probe: some runtimes keep no timer beyond the
 * request in which it was set.
 */
const overdueMs = 2000;

/**
 * A circuit breaker that closes itself: it refuses operations immediately while the store is known to be down. One small
 * operation at a time asks whether it is back, after waits by full jitter; the first that succeeds closes the breaker.
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
     * @param begunAfter - the recoveries as the operation began: one that ends after the outage in which it began tells
     *   nothing of now
     */
    failed(fault: StoreFault, begunAfter: number): void {
      if (begunAfter !== recoveries) return;
      failuresInARow += 1;
      if (outage !== null) outage.failures += 1;
      else if (failuresInARow >= failuresToOpen) open(fault);
    },
    /** Asks no more. */
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
