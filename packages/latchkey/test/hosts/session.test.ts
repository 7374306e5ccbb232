import type { Store } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { describe, expect, test } from "vitest";

import { nameOf } from "../../../../conformance/suite/expectations.ts";
import { hosts } from "./world/hosts.ts";
import { type HostWorld, worldOfTest } from "./world/host-world.ts";

describe.each(hosts)("sign-in mounted twice on $name", (host) => {
  test("reads and renews the session once, and sets each header once [AD-016]", async () => {
    let calls = 0;
    const store = countCalls(memoryStore(), () => (calls += 1));
    const [once, twice] = await Promise.all(
      [1, 2].map((times) =>
        worldOfTest({
          app: (auth) => host.catchAll(Array(times).fill(auth), () => "the page"),
          options: { store, session: { stateful: true } },
        }),
      ),
    );
    const callsOf = async (world: HostWorld | undefined) => {
      const browser = await world?.signedIn();
      calls = 0;
      const page = await browser?.request("/private");
      expect(page?.text).toBe("the page");
      expect(page?.headers.getSetCookie().map(nameOf)).toEqual(["appSession.t"]);
      expect(page?.headers.get("cache-control")).toBe("private, no-store");
      expect(page?.headers.get("vary")).toBe("Cookie");
      return calls;
    };
    const callsOfOne = await callsOf(once);
    expect(callsOfOne).toBeGreaterThan(0);
    expect(await callsOf(twice)).toBe(callsOfOne);
    expect((await twice?.browser().request("/private"))?.status).toBe(302);
  });
});

/** A store which reports every call. */
function countCalls(store: Store, onCall: () => void): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      onCall();
      return target[name];
    },
  });
}
