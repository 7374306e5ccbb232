import { rightClockMs } from "../session/ends/mark.ts";
import type { Store } from "../stores/store.ts";

/** The clock of this instance, corrected where provider and store agree that it is wrong. */
export interface InstanceClock {
  /** Epoch milliseconds. */
  now(): number;
  /** What {@link now} adds to the clock of the machine, in milliseconds: 0 where that one is right. */
  correctionMs(): number;
  /** The time for what all instances judge by: ours where the provider has told the same one, else the store's. */
  shared(): Promise<number>;
  /**
   * The provider has told its time. Where that is another than ours, the store is asked, which has a clock of its own: where
   * both agree, theirs counts from now on. For the first time the store is asked in any case: its clock may be the wrong one.
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
  /** Tells of each kind once. */
  readonly warn: (kind: string, message: string) => void;
}

export function createInstanceClock(options: InstanceClockOptions): InstanceClock {
  const { clock, monotonic, store, clockTolerance, warn } = options;
  let correction = { ms: 0, startedAt: 0 };
  /** As {@link startedAt} was when the provider told the same time as we. */
  let agreedAt: number | null = null;
  let hasAskedStore = false;

  const isNear = (one: number, other: number) => Math.abs(one - other) <= clockTolerance * 1000;

  /** When this process started, by a clock that somebody may set right meanwhile. */
  const startedAt = () => clock() - monotonic();

  function correctionMs(): number {
    const isInForce = correction.ms !== 0 && isNear(startedAt(), correction.startedAt);
    return isInForce ? correction.ms : 0;
  }

  const now = () => clock() + correctionMs();

  function correctTo(storeMs: number): void {
    const ms = Math.round(storeMs - clock());
    correction = { ms: isNear(ms, 0) ? 0 : ms, startedAt: startedAt() };
    if (correction.ms !== 0) warn("clock", wrongClock(ms));
  }

  return {
    now,
    correctionMs,
    async shared() {
      const ours = now();
      if (agreedAt !== null && isRight(startedAt(), agreedAt)) return ours;
      const storeMs = (await store?.now?.()) ?? ours;
      return isRight(storeMs, ours) ? ours : storeMs;
    },
    async compare(providerMs) {
      agreedAt = isRight(providerMs, now()) ? startedAt() : null;
      if (isNear(providerMs, now()) && hasAskedStore) return;
      hasAskedStore = true;
      const askedAt = now();
      const storeMs = await Promise.resolve(store?.now?.()).catch(() => undefined);
      // What was told before a pause of this process, or of its machine, tells nothing of now.
      if (storeMs === undefined || !isRight(askedAt, now())) return;
      const isOursRight = isNear(now(), providerMs);
      const isStoreRight = isNear(storeMs, providerMs);
      if (isStoreRight && !isOursRight) correctTo(storeMs);
      if (isOursRight && !isStoreRight) warn("store-clock", wrongStoreClock(storeMs - providerMs));
    },
  };
}

const isRight = (one: number, other: number) => Math.abs(one - other) < rightClockMs;

function wrongClock(correctionMs: number): string {
  return `The clock of this server is ${apart(-correctionMs)}, by the clocks of the provider and of the store: theirs count. Let NTP set it.`;
}

function wrongStoreClock(aheadMs: number): string {
  return `The clock of the store is ${apart(aheadMs)}, by the clocks of the provider and of this server. Let NTP set it.`;
}

function apart(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead" : "behind"}`;
}
