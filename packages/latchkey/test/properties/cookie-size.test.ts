import * as fc from "fast-check";
import { expect, test } from "vitest";

import { readConfig } from "../../src/config/config.ts";
import { createContext } from "../../src/host/create-context.ts";
import { Refusal } from "../../src/errors/refusal.ts";
import { checkSize } from "../../src/request/session-size.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { goodSettings } from "../settings.ts";
import { patience, runs } from "./runs.ts";

const word = fc.stringMatching(/^[a-zA-Z_]{1,40}$/);
const length = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 2, arbitrary: fc.integer({ min: 2000, max: 9500 }) },
  { weight: 1, arbitrary: fc.integer({ min: 9000, max: 30_000 }) },
);
const names = fc.constantFrom("appSession", "s", "a_rather_long_name_of_a_session_cookie");
const cookieSettings = fc.record(
  {
    domain: fc.constant("a.domain.of.some.length.example"),
    path: fc.constant("/a/path"),
    transient: fc.boolean(),
  },
  { requiredKeys: [] },
);

const contexts = new Map<string, ReturnType<typeof createContext>>();

const baseURL = "https://a.domain.of.some.length.example";
const clock = () => 1_800_000_000_000;

function contextWith(session: object, hasStore: boolean): ReturnType<typeof createContext> {
  const key = JSON.stringify([session, hasStore]);
  const known = contexts.get(key);
  if (known !== undefined) return known;
  const config = readConfig({ ...goodSettings, baseURL, session }, { hasStore });
  const store = hasStore ? memoryStore(clock) : null;
  const made = createContext(config, { store, log: () => undefined, clock });
  contexts.set(key, made);
  return made;
}

/** Whether sign-in goes on with such cookies. */
function isAccepted(context: ReturnType<typeof createContext>, lines: readonly string[]): boolean {
  try {
    checkSize(context, lines, { user: { sub: "any" } });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.reason === "session_too_large") return false;
    throw error;
  }
}

const limit = 12 * 1024;

test(
  "the app keeps a session in cookies within their limits, in the store, or rejects it at sign-in [REL-P10]",
  { timeout: patience },
  async () => {
    const outcomes = { fitted: 0, stored: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.record({ size: length, name: names, cookie: cookieSettings, sub: word }),
        fc.boolean(),
        async ({ size, name, cookie, sub }, hasStore) => {
          const context = contextWith({ name, cookie }, hasStore);
          const data = { user: { sub }, padding: "p".repeat(size) };
          const signIn = {
            connection: context.connections.default,
            sub,
            sid: undefined,
            started: clock(),
          };
          const { setCookies, stored } = await context.sessions.create(data, signIn, {});
          const bytes = setCookies.map((line) => line.split(";", 1)[0] ?? "").join("; ").length;
          const fits = isAccepted(context, setCookies);
          outcomes[stored.record !== null ? "stored" : fits ? "fitted" : "refused"] += 1;
          if (hasStore && !fits) return false;
          // What is counted for each cookie is the blank before it, too: the last one has none.
          return (
            setCookies.every((line) => line.length <= 4096) &&
            (fits ? bytes <= limit : bytes > limit - 2)
          );
        },
      ),
      runs,
    );
    expect(outcomes.fitted).toBeGreaterThan(runs.numRuns / 2);
    expect(Math.min(outcomes.stored, outcomes.refused)).toBeGreaterThan(runs.numRuns / 100);
  },
);
