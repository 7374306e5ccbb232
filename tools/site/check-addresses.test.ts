import { expect, test } from "vitest";

import { faultsOf } from "./check-addresses.ts";

const site = "https://latchkey-auth.github.io/latchkey/";

test("an address that is not a page, and one that cannot be reached, are faults", async () => {
  const answers: Readonly<Record<string, () => Response>> = {
    [site]: () => new Response("page"),
    [`${site}gone`]: () => new Response("", { status: 404 }),
  };
  const fetch = (input: unknown) => {
    const answer = answers[String(input)];
    return answer ? Promise.resolve(answer()) : Promise.reject(new Error("no route"));
  };
  const addresses = [site, `${site}gone`, `${site}down`];
  expect(await faultsOf(addresses, fetch as typeof globalThis.fetch)).toEqual([
    `${site}gone: 404`,
    `${site}down: Error: no route`,
  ]);
});
