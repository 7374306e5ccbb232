import type { Store } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { describe, expect, test } from "vitest";

import { nameOf } from "../../../../conformance/suite/expectations.ts";
import { hosts } from "./world/hosts.ts";
import { type HostWorld, worldOfTest } from "./world/host-world.ts";

describe.each(hosts)("the session on $name", (host) => {
  test("mounted twice, sign-in renews and refreshes once and says everything once [AD-016]", async () => {
    const page = () => "the page";
    const world = await worldOfTest({ app: (auth) => host.catchAll([auth, auth], page) });
    const browser = await world.signedIn();
    const { headers, text } = await browser.request("/private");
    expect(text).toBe("the page");
    expect(headers.getSetCookie().map(nameOf)).toEqual(["appSession"]);
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
      "private, no-store",
      "Cookie",
    ]);
    expect((await world.browser().request("/private")).status).toBe(302);
  });

  test("mounted twice, sign-in asks the store no more than mounted once [AD-016]", async () => {
    const calls = { once: 0, twice: 0 };
    for (const times of ["once", "twice"] as const) {
      const inner = memoryStore();
      const store = counting(inner, () => (calls[times] += 1));
      const world = await worldOfTest({
        app: (auth) => host.catchAll(times === "once" ? [auth] : [auth, auth], () => "the page"),
        options: { store, session: { stateful: true } },
      });
      const cookie = await (await world.signedIn()).cookies();
      calls[times] = 0;
      expect((await ask(world, "/private", cookie)).text).toBe("the page");
    }
    expect(calls.once).toBeGreaterThan(0);
    expect(calls.twice).toBe(calls.once);
  });
});

/** A store that tells of every call. */
function counting(store: Store, onCall: () => void): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      onCall();
      return target[name];
    },
  });
}

function ask(world: HostWorld, path: string, cookie: string) {
  return world.browser().request(path, { headers: { cookie } });
}
