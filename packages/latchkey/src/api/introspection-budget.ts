import { type Clocks, elapsedMs, type Moment, momentOf } from "../time/deadline.ts";
import { createRecentMap } from "../time/recent-map.ts";

/** Bounds what strangers may cause. */
export interface Budget {
  /** Takes one question of a network; `false` if it has none left. */
  take(network: string): boolean;
  /** Gives it back: its token was good. */
  giveBack(network: string): void;
}

/** How many questions there are at once, and how many come back in a second. */
interface Bounds {
  readonly atOnce: number;
  readonly perSecond: number;
}

const ofNetwork: Bounds = { atOnce: 100, perSecond: 10 };
const ofAll: Bounds = { atOnce: 1000, perSecond: 100 };
const networksAtMost = 10_000;

/**
 * Creates the budget of questions about tokens that were not active lately: 100 of one network and
 * 1000 of all, of which 10 and 100 come back in each second. Good tokens cost nothing.
 */
export function createBudget(clocks: Clocks): Budget {
  const all = createBucket(ofAll, clocks);
  // After this time without a question a bucket is full, as a new one is.
  const keepMs = (ofNetwork.atOnce / ofNetwork.perSecond) * 1000;
  const networks = createRecentMap<Bucket>({ ...clocks, keepMs, atMost: networksAtMost });

  function bucketOf(network: string): Bucket {
    const bucket = networks.get(network) ?? createBucket(ofNetwork, clocks);
    networks.set(network, bucket);
    return bucket;
  }

  return {
    take(network) {
      const own = bucketOf(network);
      if (!own.take()) return false;
      if (all.take()) return true;
      own.giveBack();
      return false;
    },
    giveBack(network) {
      bucketOf(network).giveBack();
      all.giveBack();
    },
  };
}

interface Bucket {
  take(): boolean;
  giveBack(): void;
}

function createBucket({ atOnce, perSecond }: Bounds, clocks: Clocks): Bucket {
  let left = atOnce;
  let since: Moment = momentOf(clocks);

  function add(more: number): void {
    left = Math.min(atOnce, left + more);
  }

  return {
    take() {
      add((elapsedMs(since, clocks) / 1000) * perSecond);
      since = momentOf(clocks);
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    giveBack: () => add(1),
  };
}
