import { hostileReturnTos } from "../../../packages/latchkey/test/hostile-return-to.ts";
import { expect, test } from "../../test-app.ts";
import { startHostileTestApp } from "../../hostile-test-app.ts";
import type { HostileTestApp } from "../../hostile-test-app.ts";

// No page is drawn further than its address, so its scripts are not needed.
test.use({ javaScriptEnabled: false });

const sample = 200;

let testApp: HostileTestApp;
test.beforeAll(async () => {
  testApp = await startHostileTestApp();
});
test.afterAll(() => testApp.close());

test(`${sample} hostile destinations: after sign-in the browser is at home, every time [ATK-100]`, async ({
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
