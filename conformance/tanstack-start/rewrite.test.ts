import { describe, expect, test } from "vitest";

import { sharedWorld } from "../suite/world.ts";

describe("an address rewritten by the router of TanStack Start", () => {
  const rules = { "/files": { claim: { name: "Ada Okafor" } } };
  const world = sharedWorld({ environment: { LATCHKEY_ACCESS_RULES: JSON.stringify(rules) } });

  test.each(["/files/a.txt", "/de/files/a.txt", "/de/%66iles/a.txt", "/de//files/a.txt"])(
    "is closed at %s by the rule of what it shows [AD-010, AD-011]",
    async (target) => {
      const ben = world().browser();
      await ben.signIn("/api/auth/login?returnTo=/", "person-ben");
      for (const headers of [{}, { "x-tsr-serverfn": "true" }]) {
        const { status, text } = await ben.request(target, { headers });
        expect([status === 200, text.includes("A file for")]).toEqual([false, false]);
      }
    },
  );

  test("is shown to a user who meets the rule, and is the way back after a sign-in [AD-009]", async () => {
    const page = await world().browser().signIn("/de/files/a.txt");
    expect([page.url.pathname, page.status]).toEqual(["/de/files/a.txt", 200]);
    expect(page.text).toContain("A file for signed-in people.");
  });
});
