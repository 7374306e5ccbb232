import type { Store } from "../stores/store.ts";

/** The clock of this instance, corrected where provider and store agree that it is wrong. */
export interface InstanceClock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * The provider has told its time. Where that is another than ours, the store is asked, which has a clock of its own: where
   * both agree, theirs counts from now on.
   *
   * @param providerMs epoch milliseconds
   */
  compare(providerMs: number): Promise<void>;
}

export interface InstanceClockOptions {
  /** As the machine has it, in epoch milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since some moment, whatever is done to the clock. */
  readonly monotonic: () => number;
  readonly store: Pick<Store, "now"> | null;
  /** Clocks that differ by no more count as right, in seconds. */
  readonly clockTolerance: number;
  readonly warn: (message: string) => void;
}

export function createInstanceClock(options: InstanceClockOptions): InstanceClock {
  const { clock, monotonic, store, clockTolerance, warn } = options;
  let correction = { ms: 0, startedAt: 0 };

  const isNear = (one: number, other: number) => Math.abs(one - other) <= clockTolerance * 1000;

  /** When this process started, by a clock that somebody may set right meanwhile. */
  const startedAt = () => clock() - monotonic();

  function now(): number {
    const isInForce = correction.ms !== 0 && isNear(startedAt(), correction.startedAt);
    return clock() + (isInForce ? correction.ms : 0);
  }

  function correctTo(storeMs: number): void {
    const ms = Math.round(storeMs - clock());
    correction = { ms: isNear(ms, 0) ? 0 : ms, startedAt: startedAt() };
    if (correction.ms === 0) return;
    const apart = `${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? "behind" : "ahead"}`;
    warn(
      `The clock of this server is ${apart}, by the clocks of the provider and of the store: theirs count. Let NTP set it.`,
    );
  }

  return {
    now,
    async compare(providerMs) {
      if (isNear(providerMs, now())) return;
      const storeMs = await Promise.resolve(store?.now?.()).catch(() => undefined);
      if (storeMs !== undefined && isNear(storeMs, providerMs)) correctTo(storeMs);
    },
  };
}
