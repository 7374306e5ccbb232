import { fullJitterMs } from "../../back-off.ts";
import type { Background } from "../../background.ts";
import type { Log } from "../../config/telemetry/log-event.ts";

/** The end of a session that the store could not be told. */
export interface OwedEnd {
  /** Id of the session. */
  readonly session: string;
  /** Whose it is, where that is known. */
  readonly sub?: string | undefined;
  /** Tells the store; rejects where it still cannot be told. */
  readonly tell: () => Promise<unknown>;
  /** When the session ends by itself, in epoch seconds: then nothing is owed any more. */
  readonly until: number;
}

/** Sign-outs that the store could not be told: they are repeated until it knows. They are lost with the process. */
export interface OwedEnds {
  /** `false` where too many are owed already. */
  add(end: OwedEnd): boolean;
  /** Whether the end of a session is owed here. */
  has(session: string): boolean;
  size(): number;
}

export interface OwedEndsOptions {
  readonly log: Log;
  readonly background: Background;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** A number from 0 to less than 1. */
  readonly fraction: () => number;
}

const owedAtMost = 10_000;
const toldTogether = 50;
const backOff = { baseMs: 100, capMs: 1000 };

export function createOwedEnds({ log, background, clock, fraction }: OwedEndsOptions): OwedEnds {
  const owed = new Map<string, OwedEnd & { readonly since: number }>();
  let isTelling = false;

  async function tellOne({
    session,
    sub,
    tell,
    since,
    until,
  }: OwedEnd & { readonly since: number }) {
    if (clock() < until * 1000) await tell();
    owed.delete(session);
    const pendingMs = clock() - since;
    log({ event: "sign-out-completed", reason: "logout", sub, session, pendingMs });
  }

  async function tellAll(): Promise<void> {
    isTelling = true;
    for (let failures = 0; owed.size > 0;) {
      const results = await Promise.allSettled(
        [...owed.values()].slice(0, toldTogether).map(tellOne),
      );
      const isTold = results.some(({ status }) => status === "fulfilled");
      failures = isTold ? 0 : failures + 1;
      if (!isTold) await pause(fullJitterMs(failures, backOff, fraction()));
    }
    isTelling = false;
  }

  return {
    add(end) {
      if (owed.size >= owedAtMost && !owed.has(end.session)) return false;
      owed.set(end.session, { ...end, since: clock() });
      if (!isTelling) background.run("sign-outs that are owed to the store", tellAll());
      return true;
    },
    has: (session) => owed.has(session),
    size: () => owed.size,
  };
}

/** Keeps no process alive that would end otherwise. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    if (typeof timer === "object") timer.unref();
  });
}
