import { expect, test } from "vitest";

import { addressesIn, faultsOf } from "./check-addresses.ts";

const site = "https://latchkey-auth.github.io/latchkey/";

test("addresses of the site are found in code and in sentences, without anchors", () => {
  const text = `more: ${site}guides/operations#clocks "${site}errors/" See ${site}guides/react.`;
  expect(addressesIn(text)).toEqual([
    `${site}guides/operations`,
    `${site}errors/`,
    `${site}guides/react`,
  ]);
});

test("an address with a variable part is not checked", () => {
  expect(addressesIn(`${site}guides/\${host.id}`)).toEqual([]);
});

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
