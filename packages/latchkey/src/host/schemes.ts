import type { AdmittedRequest, Received } from "./admitted-request.ts";
import type { Call, GuardedCall, Scheme } from "./scheme.ts";
import { admitBySession, receiveBySession } from "./session-scheme.ts";

/** All schemes of an app, in their order. */
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
      for (const scheme of others) {
        // oxlint-disable-next-line no-await-in-loop -- the next one gets what this one passes
        const received = await scheme.receive(call);
        if (received === "unguarded")
          return receiveBySession({ ...call, isGuarded: false }, others);
        if (received !== null) return received;
      }
      return receiveBySession(call, others);
    },
    async admit(call) {
      for (const scheme of others) {
        // oxlint-disable-next-line no-await-in-loop -- the next one gets what this one passes
        const admitted = await scheme.admit(call);
        if (admitted !== null) return admitted;
      }
      return admitBySession(call, others);
    },
  };
}
