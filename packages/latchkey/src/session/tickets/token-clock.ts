import { rightClockMs } from "../ends/mark.ts";
import type { Store } from "../../stores/store.ts";

/** The clock by which access tokens end: ours, and where provider and store agree that it is wrong, that of the store. */
export interface TokenClock {
  /** Epoch seconds. */
  nowSeconds(): number;
  /** The time by the store's clock, in epoch seconds, where ours is another; `null` where nothing tells so. */
  byStore(): Promise<number | null>;
  /** The provider has confirmed the store's time: for a while it counts. */
  correctTo(seconds: number): void;
}

export interface TokenClockOptions {
  readonly store: Pick<Store, "now"> | null;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly warn: (message: string) => void;
}

/** Somebody may set the clock right meanwhile. */
const correctedMs = 600_000;

export function createTokenClock({ store, clock, warn }: TokenClockOptions): TokenClock {
  let correction = { ms: 0, since: 0 };

  function correctionMs(): number {
    const age = clock() - correction.since;
    return age >= 0 && age < correctedMs ? correction.ms : 0;
  }

  return {
    nowSeconds: () => Math.floor((clock() + correctionMs()) / 1000),
    async byStore() {
      const shared = await Promise.resolve(store?.now?.()).catch(() => undefined);
      if (shared === undefined || Math.abs(shared - clock()) < rightClockMs) return null;
      return Math.floor(shared / 1000);
    },
    correctTo(seconds) {
      const ms = seconds * 1000 - clock();
      correction = { ms, since: clock() };
      const apart = `${Math.abs(Math.round(ms / 1000))} s ${ms > 0 ? "behind" : "ahead"}`;
      warn(`The clock of this server is ${apart}, by the clocks of the provider and of the store.`);
    },
  };
}
