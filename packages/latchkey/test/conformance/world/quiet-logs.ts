import { expect, test } from "vitest";

import { everythingIn } from "./canaries.ts";
import type { World } from "./hostile-world.ts";

/** The last test of a file: checks the log of all others. */
export function logsStayQuiet({ events, canaries }: World): void {
  test("the events logged by the tests above hold no secret, token, code, state, nonce, verifier or cookie [REL-P11, ASVS-16.2.5]", () => {
    expect(canaries.size).toBeGreaterThan(2);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      const text = everythingIn(event);
      expect({ found: canaries.foundIn(text), text }).toEqual({ found: [], text });
    }
  });
}
