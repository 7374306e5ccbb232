import { describe, expect, test } from "vitest";

import { signIn } from "./world/attempt.ts";
import { titledCases } from "./world/behavior-cases.ts";
import { subjects } from "./world/behavior-subjects.ts";
import { startHostileWorld } from "./world/hostile-world.ts";
import { expectAnonymous } from "./world/oracles.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const [logouts] = subjects["logout.test.ts"];
const world = await startHostileWorld();

describe("a sign-out ends the session, and its way ends on our page, when the provider", () => {
  test.each(titledCases(logouts, ["code"])("signed-out"))("%s", async (_, { name }) => {
    world.setUp({ conduct: name });
    world.provider.resetLog();
    const { browser } = await signIn(world);
    const page = await browser.open("/api/auth/logout");
    expect([page.status, page.url.origin, page.url.pathname]).toEqual([
      200,
      world.baseURL,
      "/_auth/signed-out",
    ]);
    await expectAnonymous(world, browser);
    expect(world.provider.complaints).toEqual([]);
  });
});

logsStayQuiet(world);
