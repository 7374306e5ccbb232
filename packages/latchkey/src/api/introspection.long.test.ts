import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";

import { createApiApp } from "../../test/api/api-app.ts";

test("ten thousand random tokens at once are answered 401 or 503, by at most 64 questions at a time [AP-018]", async () => {
  const app = await createApiApp({ introspection: true });
  let underWay = 0;
  let most = 0;
  app.issuer.answers.set("/introspect", async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await pause(400);
    underWay -= 1;
    return Response.json({ active: false });
  });
  const calls = Array.from({ length: 10_000 }, (_, nth) => app.call({ token: `random${nth}` }));
  const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
  expect([most, statuses]).toEqual([64, new Set([401, 503])]);
}, 60_000);
