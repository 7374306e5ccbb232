import { kindOf } from "../crypto/json-object.ts";
import { elapsedMs, type Moment, momentOf, type Timing, withDeadline } from "../time/deadline.ts";
import { Refusal } from "../errors/refusal.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import { type Answer, type AnswersOptions, createAnswers } from "./answers.ts";

/**
 * What an app looks up, by key. One look-up for one key at a time, and few at a time in all.
 * Results are shared, never promises: some runtimes end a promise with the request that made it.
 */
export interface LookUpCache<Value> {
  /**
   * Returns what is known, at once if it can; `null` if the app knows no such key.
   *
   * @throws {Refusal} `connection_unavailable` if nothing is known and the look-up fails; what the
   *   look-up itself throws
   */
  get(key: string): MaybePromise<Value | null>;
  /** What is in memory. */
  known(): readonly Value[];
  /** The next caller looks it up again. */
  forget(key: string): void;
}

export interface LookUpCacheOptions<Value> extends AnswersOptions {
  readonly timing: Timing;
  /** The look-up of the app, its answer checked; `null` if there is nothing of this key. */
  readonly look: (key: string) => MaybePromise<Value | null>;
  /** The longest look-up. */
  readonly timeoutMs: number;
  readonly runInBackground: (work: Promise<unknown>) => void;
  /** Called once for each look-up that fails. */
  readonly onFault: (key: string, fault: Refusal) => void;
}

/** Look-ups at the same time: strangers who send made-up keys must not fill a database. */
const flightsAtOnce = 50;
const lookEveryMs = 10;

export function createLookUpCache<Value>(options: LookUpCacheOptions<Value>): LookUpCache<Value> {
  const { timeoutMs, timing } = options;
  const answers = createAnswers<Value>(options);
  const flights = new Map<string, { readonly since: Moment }>();

  function mayStart(key: string): boolean {
    const flight = flights.get(key);
    const isUnderWay = flight !== undefined && elapsedMs(flight.since, options) <= timeoutMs;
    return !isUnderWay && flights.size < flightsAtOnce && answers.isDue(key);
  }

  async function fly(key: string): Promise<void> {
    const flight = { since: momentOf(options) };
    flights.set(key, flight);
    const answer = await lookUp(key, options);
    // Another one was begun, or the key was forgotten.
    if (flights.get(key) !== flight) return;
    flights.delete(key);
    answers.set(key, answer);
  }

  async function load(key: string): Promise<Value | null> {
    const endsAt = timing.monotonic() + timeoutMs;
    let known = answers.get(key);
    while (known === undefined) {
      // oxlint-disable-next-line no-await-in-loop -- each caller looks until the answer is there
      await (mayStart(key) ? fly(key) : timing.wait(lookEveryMs));
      known = answers.get(key);
      if (known === undefined && timing.monotonic() >= endsAt) throw busy();
    }
    return valueOf(known.answer);
  }

  return {
    get(key) {
      const known = answers.get(key);
      if (known === undefined) return load(key);
      if (!known.isFresh && mayStart(key)) options.runInBackground(fly(key));
      return valueOf(known.answer);
    },
    known: answers.known,
    forget(key) {
      flights.delete(key);
      answers.delete(key);
    },
  };
}

/** One look-up of the app. Never throws. */
async function lookUp<Value>(
  key: string,
  { look, timeoutMs, onFault }: LookUpCacheOptions<Value>,
): Promise<Answer<Value>> {
  try {
    const late = () => Promise.reject(new Error(`no answer within ${timeoutMs} ms`));
    const value = await withDeadline(timeoutMs, (async () => look(key))(), late);
    return value === null ? { kind: "none" } : { kind: "value", value };
  } catch (error) {
    const fault = faultOf(error);
    onFault(key, fault);
    return { kind: "fault", fault };
  }
}

function valueOf<Value>(answer: Answer<Value>): Value | null {
  if (answer.kind === "fault") throw answer.fault;
  return answer.kind === "value" ? answer.value : null;
}

function faultOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const said = error instanceof Error ? error.message : error;
  const detail = typeof said === "string" ? said : `it threw ${kindOf(error)}`;
  return new Refusal("connection_unavailable", { cause: error, detail, retryAfterSeconds: 1 });
}

function busy(): Refusal {
  const detail = `it had to wait too long: ${flightsAtOnce} look-ups may be under way`;
  return new Refusal("connection_unavailable", { detail, retryAfterSeconds: 1 });
}
