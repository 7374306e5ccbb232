/** Instances behind HAProxy with Redis, and signed-in users. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { findHAProxy } from "../../../packages/latchkey/test/servers/haproxy.ts";
import { findRedis } from "../../../packages/latchkey/test/servers/redis.ts";
import { gather, sendRequests } from "../../crowd.ts";
import { type Site, startSite } from "../../site.ts";
import { beginSignIn } from "../../instances.ts";

const [old, fresh] = ["old-".repeat(8), "new-".repeat(8)];

let site: Site;
test.beforeEach(async () => {
  test.skip(findHAProxy() === null || findRedis() === null, "npm test unpacks HAProxy and Redis");
  site = await startSite({
    settings: {
      LATCHKEY_SESSION_STATEFUL: "true",
      LATCHKEY_SECRET: old,
      // A busy machine needs more time than the default limit for the provider.
      LATCHKEY_HTTP_TIMEOUT: "20000",
      LATCHKEY_DRAIN_LIMIT: "85",
    },
    checkouts: [undefined, undefined],
    refusals: 1,
  });
});
test.afterEach(() => site?.close());

test("three deploys under load rotate the secret, and every request of a crowd succeeds", async () => {
  const people = await gather(site, 50, { isStateful: true, secret: old });
  let isDeploying = true;
  const sending = sendRequests(site, people, () => isDeploying);
  for (const secret of [`${old} ${fresh}`, `${fresh} ${old}`, fresh]) {
    for (const leaving of site.instances()) {
      await site.replace(leaving, { LATCHKEY_SECRET: secret });
    }
  }
  isDeploying = false;
  const { wrong, broken, statuses } = await sending;
  expect({ wrong, broken }).toEqual({ wrong: [], broken: [] });
  expect(Object.keys(statuses)).toEqual(["200"]);
  expect(statuses["200"]).toBeGreaterThan(500);
  expect(await site.failures()).toBe(0);
});

test("an instance finishes a slow sign-in before it ends", async ({ request }) => {
  const callback = await beginSignIn(request, site.url);
  site.provider.pauseProvider();
  const answer = request.get(callback, { maxRedirects: 0 });
  await expect.poll(() => site.underWay()).toBe(1);
  await sleep(300);
  for (const each of site.instances()) each.kill("SIGTERM");
  await sleep(3000);
  site.provider.resumeProvider();
  expect((await answer).status()).toBe(302);
  expect((await answer).headers()["set-cookie"]).toContain("appSession=");
  for (const each of site.instances()) expect(await each.ended).toBe(0);
});
