import type { Runtime } from "../../config/runtime.ts";

/**
 * Compares the clock of this machine with the provider's. A wrong clock is reported, never
 * corrected.
 */
export interface ProviderClock {
  /** Reads the time of a response (RFC 9110, 6.6.1), and its age in a cache (RFC 9111, 5.1). */
  hear(response: Pick<Response, "headers">): void;
  /**
   * Returns a sentence for the operator if the clocks differ by more than the tolerance; else
   * `null`.
   */
  fault(): string | null;
}

export interface ProviderClockOptions extends Pick<Runtime, "clock" | "log"> {
  /** Seconds. */
  readonly clockTolerance: number;
}

export function createProviderClock({
  clock,
  log,
  clockTolerance,
}: ProviderClockOptions): ProviderClock {
  let aheadSeconds = 0;
  let isReported = false;

  function fault(): string | null {
    if (Math.abs(aheadSeconds) <= clockTolerance) return null;
    const apart = `${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? "ahead of" : "behind"}`;
    return `The clock of this server is ${apart} the provider's: it signs no user in. Let NTP set it. LATCHKEY_CLOCK_TOLERANCE is ${clockTolerance} s.`;
  }

  return {
    hear({ headers }) {
      const ageSeconds = Number(headers.get("age"));
      const providerMs = Date.parse(headers.get("date") ?? "") + ageSeconds * 1000;
      if (Number.isNaN(providerMs)) return;
      aheadSeconds = Math.round((clock() - providerMs) / 1000);
      const message = fault();
      if (message !== null && !isReported) log({ event: "warning", message });
      isReported = message !== null;
    },
    fault,
  };
}
