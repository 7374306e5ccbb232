import type { AdmittedRequest, Received } from "./admitted-request.ts";
import type { Call, GuardedCall, Scheme } from "./scheme.ts";
import { admitBySession, receiveBySession } from "./session-scheme.ts";

export interface Schemes {
  /** Admits or answers a request by the first scheme that recognizes it. */
  receive(call: GuardedCall): Promise<Received>;
  /** Admits a request that the app guards itself. */
  admit(call: Call): Promise<AdmittedRequest>;
}

/**
 * Creates the list of schemes. The session comes last and recognizes every request: a token counts
 * before a cookie.
 */
export function createSchemes(others: readonly Scheme[]): Schemes {
  return {
    async receive(call) {
      const received = await firstOf(others, (scheme) => scheme.receive(call));
      if (received !== null && received !== "unguarded") return received;
      const isGuarded = call.isGuarded && received === null;
      return receiveBySession({ ...call, isGuarded }, others);
    },
    admit: async (call) =>
      (await firstOf(others, (scheme) => scheme.admit(call))) ?? admitBySession(call, others),
  };
}

/** Returns what the first scheme says that recognizes a request; `null` if all pass it on. */
async function firstOf<Said>(
  schemes: readonly Scheme[],
  say: (scheme: Scheme) => Promise<Said | null>,
): Promise<Said | null> {
  for (const scheme of schemes) {
    // oxlint-disable-next-line no-await-in-loop -- the next one gets what this one passes
    const said = await say(scheme);
    if (said !== null) return said;
  }
  return null;
}
