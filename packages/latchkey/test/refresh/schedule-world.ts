import { readConfig } from "../../src/config/config.ts";
import type { LogEvent } from "../../src/telemetry/log-event.ts";
import type { Context } from "../../src/context.ts";
import { createContext } from "../../src/host/create-context.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import type { Store } from "../../src/stores/store.ts";
import type { Jar } from "../browser/cookie-jar.ts";
import { seededRandom } from "../seeded-random.ts";
import { goodSettings } from "../settings.ts";
import { distantStore } from "./distant-store.ts";
import { sessionSeal } from "../sessions/session-seal.ts";
import { createRotatingProvider, type RotatingProvider } from "./rotating-provider.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";

/** What goes wrong while a token is refreshed. */
export const faults = [
  "nothing goes wrong",
  "cookies are lost",
  "an answer is lost within the grace",
  "an answer is lost",
  "an engine dies",
  "the lease is deleted",
  "the person signs out",
] as const;
export type Fault = (typeof faults)[number];

/** One browser, its requests and several engines. The seed decides the order of their steps. */
export interface Plan {
  readonly seed: number;
  /**
   * Whether the session starts in a cookie, as in apps without a store, and moves into the store.
   */
  readonly isMoving: boolean;
  readonly fault: Fault;
  /** Two by default. */
  readonly engines?: number;
  /** From two to six by default. */
  readonly requests?: number;
}

export interface Engine {
  readonly context: Context;
  isDead: boolean;
}

export interface ScheduleWorld {
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly provider: RotatingProvider;
  /** Without the way to it. */
  readonly store: Store;
  /** All keys with a written entry. */
  readonly keys: Set<string>;
  readonly engines: readonly Engine[];
  readonly events: LogEvent[];
  /** Violated rules; empty on success. */
  readonly broken: string[];
  /** Whether a used token works once more for a while. */
  readonly hasGrace: boolean;
  /** Whether a call may take seconds. */
  readonly isSlow: boolean;
  /** Returns the number of the newest refresh token in a record. */
  readonly newestSaved: () => number;
  jar: Jar;
  below(bound: number): number;
  isChance(percent: number): boolean;
}

export const accessTokenLasts = 300;
/** Turns of the event loop in which a response of the Fetch API has been read. */
const turnsOfResponse = 5;

export function createScheduleWorld(plan: Plan): ScheduleWorld {
  const below = seededRandom(plan.seed * 2_654_435_761 + 1);
  const isChance = (percent: number) => below(100) < percent;
  const time = createVirtualTime(Date.UTC(2026, 0, 1));
  const broken: string[] = [];
  const events: LogEvent[] = [];
  const hasGrace = plan.fault === "an answer is lost within the grace" || isChance(20);
  const isSlow = isChance(10);
  const store = memoryStore(time.now);
  const keys = new Set<string>();
  const base = { keys, plan, time, below, isChance, broken, events, hasGrace, isSlow, store };
  const provider = providerOf(base);
  let newest = 0;
  function onWritten(key: string, text: string | null): void {
    keys.add(key);
    if (!key.startsWith("session|")) return;
    const number = text === null ? 0 : refreshTokenIn(text, key);
    // A record never holds an older refresh token than before.
    if (text !== null && number < newest) broken.push("the record went back");
    newest = number;
  }
  const engines = Array.from({ length: plan.engines ?? 2 }, () =>
    createEngine({ ...base, provider }, onWritten),
  );
  return { ...base, provider, engines, newestSaved: () => newest, jar: {} };
}

type Base = Omit<ScheduleWorld, "provider" | "engines" | "newestSaved" | "jar">;

function providerOf({ plan, time, below, hasGrace, isSlow }: Base): RotatingProvider {
  let answersToLose = plan.fault.startsWith("an answer is lost") ? 1 : 0;
  return createRotatingProvider({
    issuer: goodSettings.issuerBaseURL,
    clock: time.now,
    accessTokenLasts,
    graceMs: () => (hasGrace ? 10_000 : 0),
    async onTheWay(moment) {
      await time.wait(isSlow ? 500 + below(1700) : 1 + below(60), turnsOfResponse);
      if (moment === "request" || answersToLose === 0) return;
      answersToLose -= 1;
      throw lostConnection();
    },
  });
}

function lostConnection(): Error {
  const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  return new TypeError("fetch failed", { cause });
}

const registration = { issuer: goodSettings.issuerBaseURL, client: goodSettings.clientID };

/** The number of the refresh token in a record; infinite if it was refused, and removed. */
function refreshTokenIn(sealed: string, key: string): number {
  const content = sessionSeal([goodSettings.secret], registration).open(sealed, key);
  if (typeof content === "string") throw new Error(`a record is ${content}`);
  const { refreshToken } = content.data;
  return refreshToken === undefined ? Infinity : Number(refreshToken.split(".")[2]);
}

function createEngine(
  world: Base & Pick<ScheduleWorld, "provider">,
  onWritten: (key: string, sealed: string | null) => void,
): Engine {
  const { time, below, events, store, provider } = world;
  /** A dead engine does nothing any more: whatever it waits for never comes. */
  const alive = () => (engine.isDead ? new Promise<never>(() => undefined) : undefined);
  const way = async () => {
    await time.wait(below(20) / 2 + 0.2);
    await alive();
  };
  const engine: Engine = {
    isDead: false,
    context: createContext(readConfig(goodSettings, { hasStore: true }), {
      store: distantStore({ store, way, onWritten }),
      timing: { monotonic: time.now, wait: time.wait },
      clock: time.now,
      random: (bytes) => Uint8Array.from({ length: bytes }, () => below(256)),
      log: (event) => void events.push(event),
      async fetch(input, init) {
        await time.wait(0.1, turnsOfResponse);
        await alive();
        const response = await provider.fetch(input, init);
        await alive();
        return response;
      },
    }),
  };
  return engine;
}
