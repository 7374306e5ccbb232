import { expect, test } from "../../test-app.ts";
import { startPreloadingApp } from "../../preloading-app.ts";

const setUps = [
  { name: "one instance", instances: 1, shareStore: false, tokenCalls: 1 },
  { name: "two instances with one store", instances: 2, shareStore: true, tokenCalls: 1 },
  { name: "two instances without a store", instances: 2, shareStore: false, tokenCalls: 2 },
] as const;

for (const { name, tokenCalls, ...setUp } of setUps) {
  test(`a service worker with navigation preload sends each callback twice, and the user is signed in by ${name}`, async ({
    page,
  }) => {
    const app = await startPreloadingApp(setUp);
    try {
      await page.goto(app.url);
      await expect(page.locator("h1")).toHaveText("Service worker ready");
      await page.goto(`${app.url}/private`);
      await page.getByRole("button", { name: "Ada Okafor" }).click();
      await expect(page.locator("h1")).toHaveText("Hello Ada Okafor");
      expect(page.url()).toBe(`${app.url}/private`);
      expect(app.callbacks()).toBe(2);
      const paths = app.provider.requests.map(({ path }) => path);
      const calls = paths.filter((path) => path === "/token").length;
      expect(calls).toBeGreaterThan(0);
      expect(calls).toBeLessThanOrEqual(tokenCalls);
    } finally {
      await app.close();
    }
  });
}
