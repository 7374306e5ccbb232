import { Hono } from "hono";
import { expect, test } from "vitest";

import { hasSteppedUp } from "./step-up-flash.ts";

const now = 1_800_000_000;

/** Whether thanks are due, for the cookie of the page before, and the start of the session. */
async function thanks(cookie: string, createdAt: number): Promise<boolean> {
  const times = { startedAt: createdAt, createdAt, updatedAt: now };
  const session = { times: { ...times, rollingEndsAt: null, absoluteEndsAt: null, endsAt: now } };
  const app = new Hono().get("/", (context) =>
    context.json(hasSteppedUp(context, session, { now: () => now })),
  );
  return (await app.request("/", { headers: { cookie } })).json() as Promise<boolean>;
}

test.each([
  ["a sign-in after the page", now - 30, now - 10, true],
  ["a former sign-in, if the user has only read the page", now - 30, now - 31, false],
  ["a sign-in more than a minute ago", now - 90, now - 61, false],
])("%s: thanks are due %d, %d, %s", async (_what, shownAt, createdAt, due) => {
  expect(await thanks(`step_up_flash=${shownAt}`, createdAt)).toBe(due);
});

test.each(["", "step_up_flash=", "step_up_flash=<b>", "step_up_flash=NaN"])(
  "no thanks are due for the cookies %j",
  async (cookie) => {
    expect(await thanks(cookie, now)).toBe(false);
  },
);
