import { longTests } from "../../../packages/latchkey/test/long-tests.ts";
import { hostileReturnTos } from "../../../packages/latchkey/test/hostile-return-to.ts";
import { expect, test } from "../../test-app.ts";
import { startHostileTestApp } from "../../hostile-test-app.ts";
import type { HostileTestApp } from "../../hostile-test-app.ts";

// The story looks only at the address of each page, so scripts are not needed.
test.use({ javaScriptEnabled: false });

const sample = longTests ? 200 : 40;

let testApp: HostileTestApp;
test.beforeAll(async () => {
  testApp = await startHostileTestApp();
});
test.afterAll(() => testApp.close());

test(`after sign-in the browser stays in the app for ${sample} hostile destinations`, async ({
  page,
}) => {
  const all = hostileReturnTos(testApp.url);
  const astray: string[] = [];
  for (let place = 0; place < sample; place += 1) {
    const returnTo = all[Math.floor((place * all.length) / sample)] ?? "";
    const query = new URLSearchParams({ returnTo }).toString();
    await page.goto(`${testApp.url}/api/auth/login?${query}`, { waitUntil: "commit" });
    const { origin, pathname } = new URL(page.url());
    if (origin !== testApp.url || pathname.startsWith("/api/"))
      astray.push(`${returnTo} ${page.url()}`);
  }
  expect(astray).toEqual([]);
  expect((await page.request.get(`${testApp.url}/api/auth/me`)).status()).toBe(200);
});
