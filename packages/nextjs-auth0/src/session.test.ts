import { expect, test } from "vitest";

import { jarOf } from "../../latchkey/test/browser/cookie-jar.ts";
import { askWith } from "../../latchkey/test/handle-request.ts";
import { quickWorld } from "../../latchkey/test/worlds/quick-world.ts";
import { createSessionFunctions } from "./session.ts";
import type { Session } from "./types.ts";

const request = new Request("http://localhost:3000/api/orders");
const response = new Response();

test.each([
  ["nothing before it in a server component", [], []],
  [
    "request and response if a route handler hands them over",
    [request, response],
    [request, response],
  ],
] as const)("afterRefresh receives the session, and %s", async (_, caller, expected) => {
  const { auth, signedIn } = quickWorld();
  const browser = await signedIn();
  let given: readonly unknown[] = [];
  const afterRefresh = (...all: readonly unknown[]): Session => {
    given = all;
    return Object.assign(all.at(-1) as Session, { theme: "dark" });
  };
  const { made } = await askWith(auth, jarOf(await browser.cookies()), async (here) => {
    const { getAccessToken } = createSessionFunctions(async () => here);
    await getAccessToken(...caller, { refresh: true, afterRefresh });
    return here.session?.["theme"];
  });
  expect(given).toEqual([...expected, expect.objectContaining({ user: expect.anything() })]);
  expect(made).toBe("dark");
});
