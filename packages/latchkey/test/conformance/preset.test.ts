import { expect, test } from "vitest";

import { signIn } from "./world/attempt.ts";
import { startHostileWorld } from "./world/hostile-world.ts";
import { expectAnonymous, expectSignedIn } from "./world/oracles.ts";

const world = await startHostileWorld();

test("the preset hardened signs in with a key and a pushed request, for half an hour without use [ASVS-10.4.13, ASVS-10.4.16, ASVS-7.3.1]", async () => {
  world.setUp({
    conduct: { authMethod: "private_key_jwt" },
    options: {
      preset: "hardened",
      clientAssertionSigningKey: world.clientKey,
      clientAssertionSigningAlg: "ES256",
    },
  });
  const attempt = await signIn(world);
  await expectSignedIn(world, attempt);
  expect(world.provider.requestsTo("pushed")).toHaveLength(1);
  expect(world.provider.complaints).toEqual([]);
  world.advance(1801);
  await expectAnonymous(world, attempt.browser);
});

test("the preset hardened pushes no request to a provider that does not offer it", async () => {
  const without = { pushed_authorization_request_endpoint: undefined };
  world.setUp({
    conduct: { authMethod: "private_key_jwt", metadata: (own) => ({ ...own, ...without }) },
    options: {
      preset: "hardened",
      clientAssertionSigningKey: world.clientKey,
      clientAssertionSigningAlg: "ES256",
    },
  });
  world.provider.resetLog();
  await expectSignedIn(world, await signIn(world));
  expect(world.provider.requestsTo("pushed")).toEqual([]);
});
