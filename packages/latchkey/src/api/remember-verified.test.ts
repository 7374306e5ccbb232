import { expect, test } from "vitest";

import type { AccessToken } from "./jwt.ts";
import { rememberVerified } from "./remember-verified.ts";

const start = 1_800_000_000;

/** A verifier that accepts tokens by name, and those that reached it. */
function setUp(lifetime = 3600) {
  const reached: string[] = [];
  const clock = { ms: start * 1000 };
  const read = rememberVerified(
    async (token) => {
      reached.push(token);
      if (token === "forged") throw new Error("forged");
      return accessToken({ sub: token, exp: start + lifetime, groups: [{ name: "admin" }] });
    },
    { clock: () => clock.ms, timing: { monotonic: () => clock.ms, wait: () => Promise.resolve() } },
  );
  return { reached, clock, read };
}

function accessToken(claims: AccessToken["claims"] & { exp: number }): AccessToken {
  const issuer = "https://issuer.example";
  const { exp: expiresAt } = claims;
  return { issuer, claims, scopes: [], client: null, expiresAt, boundKey: undefined };
}

test("a token that comes again is verified once a minute", async () => {
  const { reached, clock, read } = setUp();
  await read("ada");
  expect(await read("ada")).toBe(await read("ada"));
  expect(reached).toEqual(["ada", "ada"]);
  clock.ms += 59_999;
  await read("ada");
  expect(reached).toHaveLength(2);
  clock.ms += 1;
  await read("ada");
  await read("ada");
  expect(reached).toHaveLength(3);
});

test("a remembered token is refused as soon as it has expired", async () => {
  const { reached, clock, read } = setUp(10);
  await read("ada");
  await read("ada");
  clock.ms += 39_000;
  await expect(read("ada")).resolves.toBeDefined();
  clock.ms += 1000;
  await expect(read("ada")).rejects.toThrow("The access token has expired.");
  expect(reached).toHaveLength(2);
});

test("a token with the signature of a remembered one is verified", async () => {
  const { reached, read } = setUp();
  await read("header.ada.signature");
  await read("header.ada.signature");
  await read("header.ben.signature");
  expect(reached.at(-1)).toBe("header.ben.signature");
});

test("tokens seen once push out none that was seen again", async () => {
  const { reached, read } = setUp();
  const people = Array.from({ length: 800 }, (_, nth) => `person ${nth}`);
  const readAll = async (tokens: readonly string[]) => {
    const before = reached.length;
    for (const token of tokens) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await read(token);
    }
    return reached.length - before;
  };
  expect(await readAll(people)).toBe(800);
  expect(await readAll(people)).toBe(800);
  expect(await readAll(people)).toBeLessThan(10);
  await readAll(Array.from({ length: 5000 }, (_, nth) => `stranger ${nth}`));
  expect(await readAll(people)).toBeLessThan(150);
});

test("a refused token is verified again", async () => {
  const { reached, read } = setUp();
  await expect(read("forged")).rejects.toThrow("forged");
  await expect(read("forged")).rejects.toThrow("forged");
  expect(reached).toHaveLength(2);
});

test("a handler cannot change the claims that later requests read", async () => {
  const { read } = setUp();
  await read("ada");
  const { claims } = await read("ada");
  const groups = claims["groups"] as { name: string }[];
  expect(() => groups.push({ name: "root" })).toThrow(TypeError);
  expect(() => Object.assign(groups[0] ?? {}, { name: "root" })).toThrow(TypeError);
  expect(() => Object.assign(claims, { sub: "ben" })).toThrow(TypeError);
});
