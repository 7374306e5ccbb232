/** A store that is down while a browser renews the proof of its device. */
import { expect, test } from "@playwright/test";
import { memoryStore } from "latchkey/memory";
import type { Store } from "latchkey";
import { signInBound, startDeviceApp } from "../../device-app.ts";

/** A store that can be taken away. */
function fragileStore() {
  let isDown = false;
  const inner = memoryStore();
  const store = new Proxy<Store>(inner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        if (isDown) throw new Error("the store is down");
        return member.apply(target, given);
      };
    },
  });
  return { store, take: (away: boolean) => void (isDown = away) };
}

const proof = "POST /api/auth/device";

test("an outage of a minute shows pages to try again, and leads to no sign-in [DB-006]", async () => {
  const { store, take } = fragileStore();
  const app = await startDeviceApp({ store });
  try {
    const [owner, page] = await signInBound(app);
    const from = app.requests.length;
    app.advance(61);
    await owner.clearCookies({ name: "appSession.device" });
    const load = async () => (await page.goto(`${app.url}/page`))?.status();
    take(true);
    const end = Date.now() + 60_000;
    while (Date.now() < end) {
      // oxlint-disable-next-line no-await-in-loop -- one load after the other
      expect(await load()).toBe(503);
      // oxlint-disable-next-line no-await-in-loop -- as a person would
      await page.waitForTimeout(3000);
    }
    take(false);
    await expect.poll(load, { intervals: [2000], timeout: 100_000 }).toBe(200);
    await expect(page.getByRole("heading")).toHaveText("Ada Okafor");
    const seen = app.requests.slice(from).filter((each) => !each.includes("favicon"));
    expect(new Set(seen)).toEqual(
      new Set([`${proof} 503`, "GET /page 503", `${proof} 200`, "GET /page 200"]),
    );
    // The browser was slow to try the route again, and loaded the page all the same.
    const count = (what: string) => seen.filter((each) => each === what).length;
    expect(count("GET /page 503")).toBeGreaterThan(count(`${proof} 503`));
  } finally {
    await app.close();
  }
});
