import { type Clocks, elapsedMs, type Moment, momentOf } from "../time/deadline.ts";
import type { Refusal } from "../errors/refusal.ts";
import { createRecentlyUsed } from "../time/recently-used.ts";

/** What a look-up has brought. */
export type Answer<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "none" }
  | { readonly kind: "fault"; readonly fault: Refusal };

/** One that counts; while it is fresh, no look-up is due. */
export interface CountingAnswer<Value> {
  readonly answer: Answer<Value>;
  readonly isFresh: boolean;
}

export interface Answers<Value> {
  /** What counts now. A known value counts before a failure to renew it. */
  get(key: string): CountingAnswer<Value> | undefined;
  /** Whether a value is old, or there is none, and no look-up has just been in vain. */
  isDue(key: string): boolean;
  /** All values. */
  known(): readonly Value[];
  set(key: string, answer: Answer<Value>): void;
  delete(key: string): void;
}

export interface AnswersOptions extends Clocks {
  /** For so long a value counts without another look-up. */
  readonly freshForMs: number;
  /** For so long it counts while look-ups fail. */
  readonly keepForMs: number;
  /** Entries; the one unused for longest makes room. */
  readonly atMost: number;
}

type Dated<Value> = Answer<Value> & { readonly since: Moment };

/** A customer who has just been added must not wait long. */
const noneForMs = 10_000;
/** A look-up that has failed is not made again at once. */
const faultForMs = 1000;

export function createAnswers<Value>(options: AnswersOptions): Answers<Value> {
  const { freshForMs, keepForMs, atMost } = options;
  const values = createRecentlyUsed<Dated<Value>>(atMost);
  /** Apart, so that made-up keys take no place of a customer's. */
  const others = createRecentlyUsed<Dated<Value>>(atMost);

  function within(entry: Dated<Value> | undefined, limitMs: number): Dated<Value> | undefined {
    return entry !== undefined && elapsedMs(entry.since, options) < limitMs ? entry : undefined;
  }

  /** That there is none, or the failure of a moment ago. */
  function lately(key: string): Dated<Value> | undefined {
    const other = others.get(key);
    return within(other, other?.kind === "none" ? Math.min(noneForMs, freshForMs) : faultForMs);
  }

  /** Reads the clock once: every request needs its connection. */
  function counting(key: string): CountingAnswer<Value> | undefined {
    const value = values.get(key);
    const age = value === undefined ? keepForMs : elapsedMs(value.since, options);
    if (value !== undefined && age < keepForMs) return { answer: value, isFresh: age < freshForMs };
    const other = lately(key);
    return other && { answer: other, isFresh: true };
  }

  return {
    get: counting,
    isDue: (key) => within(values.get(key), freshForMs) === undefined && lately(key) === undefined,
    known: () => values.all().flatMap((each) => (each.kind === "value" ? [each.value] : [])),
    set(key, answer) {
      const entry = { ...answer, since: momentOf(options) };
      if (answer.kind === "value") others.delete(key);
      if (answer.kind === "none") values.delete(key);
      (answer.kind === "value" ? values : others).set(key, entry);
    },
    delete(key) {
      values.delete(key);
      others.delete(key);
    },
  };
}
