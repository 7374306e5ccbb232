import { expect, test } from "vitest";

import { createApiApp } from "../../test/api/api-app.ts";
import { boundToClient, proofFor } from "../../test/api/proof.ts";

/** Returns whether a request with this target is admitted by a proof about this address. */
async function isAdmitted(htu: string, target: string): Promise<boolean> {
  const { auth, token: sign } = await createApiApp();
  const token = await sign(await boundToClient());
  const dpop = await proofFor(token, { claims: { htu } });
  const headers = new Headers({ authorization: `DPoP ${token}`, dpop });
  const received = await auth.host.receive({}, (origin) => ({
    method: "GET",
    target,
    url: origin + target,
    headers,
    body: async () => null,
  }));
  return "admitted" in received;
}

test.each([
  "https://app.example/api/data",
  "https://app.example/api/data?query=../x",
  "https://app.example/api/data#/../x",
])("a proof about %s is for this address", async (htu) => {
  expect(await isAdmitted(htu, "/api/data")).toBe(true);
});

test.each([
  "https://app.example/x/../api/data",
  "https://app.example/x/%2E./api/data",
  "https://app.example/x/%2e%2E/api/data",
  "https://app.example/./api/data",
  "https://app.example/api/data/.",
  "https://app.example/a\npi/data",
  " https://app.example/api/data",
  "https://app.example\\api\\data",
])("a proof about %j is for no address, since readers disagree about it", async (htu) => {
  expect(await isAdmitted(htu, "/api/data")).toBe(false);
});

test.each([
  ["https://app.example/api/data", "/api/x/../data"],
  ["https://app.example/api/data", "/api/x/%2e%2e/data"],
  ["https://app.example/api/x/../data", "/api/x/../data"],
])("a proof about %s is not for a request to %s", async (htu, target) => {
  expect(await isAdmitted(htu, target)).toBe(false);
});
