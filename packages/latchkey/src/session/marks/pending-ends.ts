import type { Store } from "../../stores/store.ts";
import { fullJitterMs } from "../../time/back-off.ts";
import type { Runtime } from "../../config/runtime.ts";
import { markedSession } from "./ended-list.ts";

/** The end of a session, not yet written to the store. */
export interface PendingEnd {
  /** Id of the session. */
  readonly session: string;
  /** The user, if known. */
  readonly sub?: string | undefined;
  /** For its event, which names connection and host; that of the process by default. */
  readonly log?: Runtime["log"];
  /** Writes it to the store; rejects if the store fails again. */
  readonly write: () => Promise<unknown>;
  /** When the session ends by itself, in epoch seconds: then nothing is pending any more. */
  readonly until: number;
}

interface WaitingEnd extends PendingEnd {
  /** Epoch milliseconds. */
  readonly since: number;
}

/**
 * Sign-outs not yet written to the store: they are repeated until it takes them, and lost with the
 * process.
 */
export interface PendingEnds {
  /** `false` if too many are pending already. */
  add(end: PendingEnd): boolean;
  /** Whether the end of a session is pending here. */
  has(session: string): boolean;
  size(): number;
}

const pendingAtMost = 10_000;
const writtenTogether = 50;
const backOff = { baseMs: 100, capMs: 1000 };

export function createPendingEnds({
  log,
  background,
  clock,
  fraction,
}: Pick<Runtime, "log" | "background" | "clock" | "fraction">): PendingEnds {
  const pending = new Map<string, WaitingEnd>();
  let isWriting = false;

  async function writeOne(end: WaitingEnd): Promise<void> {
    const { session, sub, write, since, until } = end;
    // Last in the queue from now on: an end refused again and again holds up no other.
    pending.delete(session);
    pending.set(session, end);
    if (clock() < until * 1000) await write();
    pending.delete(session);
    const pendingMs = clock() - since;
    (end.log ?? log)({
      event: "sign-out-completed",
      reason: "logout",
      sub,
      session,
      pendingMs,
    });
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    for (let failures = 0; pending.size > 0;) {
      const results = await Promise.allSettled(
        [...pending.values()].slice(0, writtenTogether).map(writeOne),
      );
      const isWritten = results.some(({ status }) => status === "fulfilled");
      failures = isWritten ? 0 : failures + 1;
      if (!isWritten) await pause(fullJitterMs(failures, backOff, fraction()));
    }
    isWriting = false;
  }

  return {
    add(end) {
      if (pending.size >= pendingAtMost && !pending.has(end.session)) return false;
      pending.set(end.session, { ...end, since: clock() });
      if (!isWriting) background.run("sign-outs not yet in the store", writeAll());
      return true;
    },
    has: (session) => pending.has(session),
    size: () => pending.size,
  };
}

/** Does not keep the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    if (typeof timer === "object") timer.unref();
  });
}

/** The same store, with the sign-outs known to this process only, as if they were written. */
export function withPendingEnds(store: Store, pendingEnds: PendingEnds): Store {
  async function get(keys: readonly string[]): Promise<readonly (string | null)[]> {
    const texts = await store.get(keys);
    if (pendingEnds.size() === 0) return texts;
    const isPending = (key: string) => pendingEnds.has(markedSession(key));
    return keys.map((key, place) => texts[place] ?? (isPending(key) ? "" : null));
  }

  return { ...store, get };
}
