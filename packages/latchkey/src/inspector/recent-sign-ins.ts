import type { LogEvent } from "../telemetry/log-event.ts";
import type { SignInEntry } from "./sign-in.ts";

/** The last sign-ins of this process. */
export interface RecentSignIns {
  /** Adds one, for the response with this `state`. */
  begin(state: string | undefined, at: number): SignInEntry;
  /** Returns the unanswered sign-in of a state, or begins one without a start. */
  answered(state: string | undefined, at: number): SignInEntry;
  /** Adds what happens later to a session. */
  note(event: LogEvent, at: number): void;
  /** Newest first. */
  list(): readonly SignInEntry[];
}

const atMost = 20;

/** A session refreshed every few minutes must not fill the page. */
const stepsAtMost = 30;

export function createRecentSignIns(): RecentSignIns {
  let entries: readonly SignInEntry[] = [];
  let count = 0;
  const waiting = new Map<string, SignInEntry>();

  function begin(state: string | undefined, at: number): SignInEntry {
    count += 1;
    const entry: SignInEntry = {
      id: `sign-in-${count}`,
      began: at,
      result: "waiting",
      summary: "",
      steps: [],
    };
    entries = [entry, ...entries].slice(0, atMost);
    if (state !== undefined) waiting.set(state, entry);
    for (const [each, { id }] of waiting) {
      if (!entries.some((kept) => kept.id === id)) waiting.delete(each);
    }
    return entry;
  }

  return {
    begin,
    answered(state, at) {
      const entry = waiting.get(state ?? "");
      waiting.delete(state ?? "");
      return entry ?? begin(undefined, at);
    },
    note(event, at) {
      if (event.event !== "refresh" && event.event !== "sign-out") return;
      const entry = entries.find(
        ({ session }) => session !== undefined && session === event.session,
      );
      if (entry === undefined || entry.steps.length >= stepsAtMost) return;
      const { event: name, reason } = event;
      entry.steps.push({
        title: name === "refresh" ? "Refresh" : "Sign-out",
        at,
        facts: [
          ...(event.event === "refresh" ? [["outcome", event.outcome] as const] : []),
          ...(reason === undefined ? [] : [["reason", reason] as const]),
        ],
      });
    },
    list: () => entries,
  };
}
